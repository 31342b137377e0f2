import { eq } from 'drizzle-orm';
import { authPasskey, authUser } from '../../dashboard/worker/auth-schema.ts';
import { connectDatabase } from '../../dashboard/worker/database.ts';
import { FAKES } from '../../scripts/mail-fakes/services.ts';
import { MAIL_SERVICES } from '../../src/domain/feedback/outcomes.ts';
import { openDashboard } from '../../test/support/dashboard.ts';
import type { startService } from '../../test/support/service.ts';

type Service = Awaited<ReturnType<typeof startService>>;

/** A word in every text and address of the other organisation. */
export const MARK = 'xerxes';

const ROLES = ['viewer', 'member', 'admin'] as const;
/** A rate above all requests of a run. */
const LIMITS = { rate_per_minute: 1_000_000 };
const STRIPE_SECRET = 'whsec_ExampleOfASecret';

/** The dashboard's own Worker, on the service's entrypoint and its Postgres. */
function dashboardOf(service: Service) {
  const { DATABASE_URL, DATABASE_HTTP_URL } = service.env;
  return openDashboard(connectDatabase(DATABASE_URL, DATABASE_HTTP_URL), [], { API: service.entrypoint() });
}
type Dashboard = ReturnType<typeof dashboardOf>;

/** A passkey of a person who has signed in before. */
export async function addPasskey({ env }: Service, email: string): Promise<string> {
  const db = connectDatabase(env.DATABASE_URL, env.DATABASE_HTTP_URL);
  const [user] = await db.select().from(authUser).where(eq(authUser.email, email));
  const id = crypto.randomUUID();
  const passkey = { id, name: 'Laptop', publicKey: 'x', credentialID: id, counter: 0, deviceType: 'singleDevice' };
  await db.insert(authPasskey).values({ ...passkey, userId: user?.id ?? '', backedUp: false });
  return id;
}

/** An organisation with a key of each role, and a person of each who has signed in. */
async function peopled(service: Service, dashboard: Dashboard, name: string) {
  const organisation = await service.createOrganisation({ name, ...LIMITS });
  const person = async (role: (typeof ROLES)[number]) => {
    const email = `${role}@${name}.test`;
    const path = `/operator/v1/organisations/${organisation.id}/users`;
    const { body } = await service.call('POST', path, service.operatorKey, { email, role });
    return { id: body.user.id as string, email, cookie: await dashboard.signIn(email) };
  };
  const [viewer, member, admin] = [await person('viewer'), await person('member'), await person('admin')];
  return {
    id: organisation.id,
    accountId: organisation.accountId,
    keys: organisation.keys,
    people: { viewer, member, admin },
  };
}
export type Peopled = Awaited<ReturnType<typeof peopled>>;

/** Ids by the parameter that takes them, each with a description. */
export type Ids = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** One record of each kind that has an id, in each state with different answers. */
async function fill(service: Service, { id, keys, people }: Peopled): Promise<Ids> {
  const send = async (method: string, path: string, body?: unknown, key = keys.admin, headers = {}) =>
    (await service.call(method, `/v1/${path}`, key, body, headers)).body;
  const email = `someone@${MARK}.test`;
  const ownKey = (await send('POST', 'keys', { name: MARK, role: 'viewer' })).key;
  const revoked = (await send('POST', 'keys', { name: MARK, role: 'viewer' })).key;
  await send('DELETE', `keys/${revoked.id}`);
  const { invitation } = await send('POST', 'invitations', { email, role: 'viewer' });
  const connections: Record<string, string> = {};
  for (const kind of MAIL_SERVICES)
    connections[kind] = (
      await send('POST', 'connections', { kind, secret: FAKES[kind](Date.now()).secret })
    ).connection.id;
  connections['stripe'] = (await send('POST', 'connections', { kind: 'stripe', secret: STRIPE_SECRET })).connection.id;
  await send('PUT', `policies/${MARK}`, { name: MARK, rules: [], default: 'deny' });

  const job = async (key = keys.admin): Promise<string> =>
    (await send('POST', 'bulk/jobs', { name: MARK }, key)).job.id;
  const paste = (of: string, key?: string) =>
    send('POST', `bulk/jobs/${of}/paste`, { emails: [email, 'x@nxdomain.test'] }, key);
  const jobs = { uploading: await job(), ready: await job(), done: await job(), 'of a test key': await job(keys.test) };
  await paste(jobs.ready);
  await paste(jobs.done);
  await send('POST', `bulk/jobs/${jobs.done}/start`, {});
  await service.runJobs(id);

  const trace = async (path: string, key = keys.admin): Promise<string> =>
    (await send('POST', path, { email }, key)).trace_id;
  const traces = {
    verification: await trace('verify'),
    decision: await trace('decide'),
    screening: await trace('screen'),
    check: await trace('check'),
    'verification of a test key': await trace('verify', keys.test),
  };
  await send('POST', 'domains/blocklist', { domains: [`${MARK}.example`], note: MARK });
  await send('POST', 'addresses/blocklist', { emails: [email], note: MARK });
  const listed = async (path: string): Promise<string> => (await send('GET', path)).entries[0].id;
  const rules = { domain: await listed('domains/blocklist'), address: await listed('addresses/blocklist') };
  const { object } = service.objectOf(id);
  for (let isDrained = false; !isDrained;) isDrained = (await object.flush(null)).drained;

  const ownPersonsKey = (await send('GET', 'keys')).keys.find(({ origin }: { origin: string }) => origin === 'auto').id;
  return {
    key: { live: ownKey.id, revoked: revoked.id, 'made with the organisation': ownPersonsKey },
    member: { admin: people.admin.id, viewer: people.viewer.id },
    invitation: { open: invitation.id },
    connection: connections,
    policy: { saved: MARK },
    job: jobs,
    trace: traces,
    rule: rules,
    organisation: { organisation: id },
  };
}

/** Two organisations: one asks, the other has everything. */
export async function openTwo(service: Service) {
  const dashboard = dashboardOf(service);
  const mine = await peopled(service, dashboard, 'mine');
  const theirs = await peopled(service, dashboard, MARK);
  return { dashboard, mine, theirs, ids: await fill(service, theirs) };
}
