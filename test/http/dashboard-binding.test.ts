import { describe, expect, it, vi } from 'vitest';
import type { Operations } from '../../dashboard/app/api/operations.ts';
import { VERBS } from '../../src/entrypoints/verbs.ts';
import { newId } from '../../src/kernel/ids.ts';
import { OrganisationObject } from '../../src/organisation/object.ts';
import { startService } from '../support/service.ts';

const service = await startService({ OPERATOR_EMAILS: 'Ops@People.test, second@people.test' });
const operate = (method: string, path: string, body?: unknown) =>
  service.call(method, `/operator/v1${path}`, service.operatorKey, body);

/** An organisation with a member of that role. */
async function createMember(role: string, email = `${role}@people.test`) {
  const organisation = await service.createOrganisation();
  const { body } = await operate('POST', `/organisations/${organisation.id}/users`, { email, role });
  return { ...organisation, userId: body.user.id as string };
}

interface Asking {
  readonly id: string;
  readonly userId: string;
}

async function ask({ id, userId }: Asking, method: string, path: string, body?: unknown) {
  const init = { method, headers: { 'content-type': 'application/json' } };
  const request = new Request(`https://api.internal${path}`, {
    ...init,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const response = await service
    .entrypoint()
    .serve({ organisationId: id, userId, signedInAt: Date.now(), hasSecondFactor: false }, request);
  return { status: response.status, body: JSON.parse((await response.text()) || 'null') };
}

/** Every route of `/v1` that a key opens, with something in place of its parameters. */
const ROUTES = Object.values(VERBS)
  .map(({ route }) => route)
  .filter(({ path, access }) => path.startsWith('/v1/') && ['viewer', 'member', 'admin'].includes(access))
  .map(
    ({ method, path, access }) =>
      [`${method} ${path}`, method.toUpperCase(), path.replaceAll(/:\w+/g, 'x'), access] as const,
  );

describe('a person', () => {
  it('is served by their membership, and is in traces with a dashboard key', async () => {
    const ada = await createMember('admin');
    const me = await ask(ada, 'GET', '/v1/me');
    expect(me).toMatchObject({
      status: 200,
      body: { key: { role: 'admin', origin: 'auto' }, owner_user_id: ada.userId },
    });
    const verified = await ask(ada, 'POST', '/v1/verify', { email: 'a@business.test' });
    expect(verified.status).toBe(200);
    const listed = await service.call('GET', `/v1/traces?key_id=${me.body.key.id}`, ada.keys.admin);
    expect(listed.body.traces.map(({ trace_id }: { trace_id: string }) => trace_id)).toEqual([verified.body.trace_id]);
  });

  it.each(ROUTES)('who is no member gets nothing at %s', async (_, method, path) => {
    const { id } = await service.createOrganisation();
    const stranger = { id, userId: newId('u', Date.now()) };
    expect((await ask(stranger, method, path, method === 'GET' ? undefined : {})).status).toBe(404);
  });

  it.each(ROUTES.filter(([, , , access]) => access !== 'viewer'))(
    'who may only look gets 403 at %s',
    async (_, method, path) => {
      viewer ??= await createMember('viewer');
      expect((await ask(viewer, method, path, method === 'GET' ? undefined : {})).status).toBe(403);
    },
  );
  let viewer: Asking | undefined;

  it('gets nothing of another organisation', async () => {
    const [ada, other] = [await createMember('admin'), await service.createOrganisation()];
    expect((await ask({ ...ada, id: other.id }, 'GET', '/v1/me')).status).toBe(404);
  });

  it('whose membership ended is refused from the next request on, while Postgres is away too', async () => {
    const [bob, eve] = [await createMember('admin', 'bob@people.test'), 'eve@people.test'];
    const { body } = await operate('POST', `/organisations/${bob.id}/users`, { email: eve, role: 'member' });
    const member = { id: bob.id, userId: body.user.id as string };
    expect((await ask(member, 'GET', '/v1/usage')).status).toBe(200);
    service.faults.down = true;
    try {
      const { object } = service.objectOf(bob.id);
      await object.removeMember({ userId: member.userId as never, actor: bob.userId as never });
      expect((await ask(member, 'GET', '/v1/usage')).status).toBe(404);
      expect((await ask(bob, 'GET', '/v1/usage')).status).toBe(200);
    } finally {
      service.faults.down = false;
    }
  });

  it.each(['/operator/v1/organisations', '/health', '/docs', '/mcp', '/integrations/stripe/con_x', '/openapi.json'])(
    'gets nothing at %s: the entrypoint opens the API alone',
    async (path) => {
      const ada = await createMember('admin');
      expect((await ask(ada, 'GET', path)).status).toBe(404);
    },
  );

  it('is never made of what a request says', async () => {
    const ada = await createMember('admin');
    const headers = {
      person: JSON.stringify(ada),
      'x-user-id': ada.userId,
      'x-organisation-id': ada.id,
      cookie: 'a=b',
    };
    expect((await service.call('GET', '/v1/me', null, undefined, headers)).status).toBe(401);
  });
});

describe('an address', () => {
  it('has one id in all organisations, and is expected once it is a member’s', async () => {
    const email = 'Carol@People.test';
    const before = await service.entrypoint().findPerson(email);
    expect(before).toMatchObject({ email: 'carol@people.test', isExpected: false });
    const [one, two] = [await createMember('member', email), await createMember('viewer', email)];
    expect(two.userId).toBe(one.userId);
    expect(await service.entrypoint().findPerson(email)).toMatchObject({ id: one.userId, isExpected: true });
    for (const { id } of [one, two]) await service.passTimers(id);
    const listed = await service.entrypoint().listOrganisations(one.userId);
    expect(listed.map(({ id }) => id).toSorted()).toEqual([one.id, two.id].toSorted());
  });

  it.each(['', 'nobody', 'a@b@c', `${'x'.repeat(400)}@people.test`])('%j is none', async (text) => {
    expect(await service.entrypoint().findPerson(text)).toBeNull();
  });
});

it('an organisation that a person makes has them as its admin, a small allowance, and no budget', async () => {
  const ada = { id: newId('u', Date.now()), email: 'maker@people.test', name: null };
  const { id } = await service.entrypoint().createOrganisation(ada, ' Acme ');
  expect(await ask({ id, userId: ada.id }, 'GET', '/v1/me')).toMatchObject({
    body: { org: { name: 'Acme' }, key: { role: 'admin' } },
  });
  const { body } = await operate('GET', '/organisations?limit=200');
  const made = body.organisations.find((each: { id: string }) => each.id === id);
  expect(made).toMatchObject({
    verification_quota: 1_000,
    screening_allowance: 1_000,
    enrichment_budget_usd: 0,
    provider_budget_usd: 0,
  });
});

describe('an organisation that a person makes', () => {
  it('needs no second call for its admin', async () => {
    const put = vi.spyOn(OrganisationObject.prototype, 'putMember').mockRejectedValue('away');
    const bob = { id: newId('u', Date.now()), email: 'bob@people.test', name: null };
    const { id } = await service.entrypoint().createOrganisation(bob, 'Acme');
    expect((await ask({ id, userId: bob.id }, 'GET', '/v1/me')).body).toMatchObject({ key: { role: 'admin' } });
    put.mockRestore();
  });
});

describe('how the service does', () => {
  it('is shown to the addresses of OPERATOR_EMAILS, with every organisation by its name', async () => {
    const made = await createMember('admin', 'ops@people.test');
    const operations: Operations | null = await service.entrypoint().readOperations('ops@people.test');
    expect(operations?.status.organisations.map(({ id }) => id)).toContain(made.id);
    expect(operations?.directory?.map(({ id }) => id)).toContain(made.id);
    expect(operations?.status.totals.organisations).toBe(operations?.directory?.length);
    expect(operations).not.toHaveProperty('status.last_24h');
  });

  it.each(['', 'ops', 'ops@people.test.evil.test', 'xops@people.test', 'ops@people.test,second@people.test'])(
    'is shown to no other: %j',
    async (email) => {
      expect(await service.entrypoint().readOperations(email)).toBeNull();
    },
  );

  it('is shown without names while Postgres is away', async () => {
    service.faults.down = true;
    try {
      const operations = await service.entrypoint().readOperations('second@people.test');
      expect(operations?.directory).toBeNull();
      expect(operations?.status.unread).toHaveLength(1);
    } finally {
      service.faults.down = false;
    }
  });
});

it('says where programs reach the API, and nothing where no setting says it', async () => {
  expect(await service.entrypoint().publicUrl()).toBeNull();
  const named = await startService({ PUBLIC_URL: 'https://api.test/' });
  expect(await named.entrypoint().publicUrl()).toBe('https://api.test');
});

it('a link is mailed by the service’s own back end, and not without one', async () => {
  expect(await service.entrypoint().sendsMail()).toBe(false);
  expect(await service.entrypoint().mailSignInLink('a@people.test', 'https://dashboard.test/#x')).toBe(false);
});
