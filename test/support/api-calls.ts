import { vi } from 'vitest';
import { FAKES, type FakeWebhook } from '../../scripts/mail-fakes/services.ts';
import { CSV_EXAMPLE } from '../../scripts/openapi/operation.ts';
import type { RouteDeclaration } from '../../src/contract/route.ts';
import { mintBootstrapToken } from '../../src/domain/access/keys.ts';
import type { PersonClaims } from '../../src/domain/access/member-records.ts';
import { MAIL_SERVICES } from '../../src/domain/feedback/outcomes.ts';
import { newId } from '../../src/kernel/ids.ts';
import type { startAmazon } from './amazon.ts';
import { EVENTS } from './mail-services.ts';
import type { startService } from './service.ts';
import { stripeEvent, stripeSignature } from './stripe.ts';

type Service = Awaited<ReturnType<typeof startService>>;
type Amazon = Awaited<ReturnType<typeof startAmazon>>;
type Organisation = Awaited<ReturnType<Service['createOrganisation']>>;
type Params = Readonly<Record<string, string>>;

/** A key, or a person at the dashboard's entrypoint. */
type Caller = string | PersonClaims;

/** A route's parameters, and the key if it isn't the usual one. */
interface Stage {
  readonly params?: Params;
  readonly key?: Caller;
  readonly webhook?: FakeWebhook;
  /** In place of the example. */
  readonly body?: object;
}

interface Change {
  readonly key?: Caller | null;
  readonly body?: string;
}

const UNKNOWN: Params = { id: 'x', slug: 'x', trace_id: 'x', key_id: 'x', connection_id: 'x' };
const STRIPE_SECRET = 'whsec_ExampleOfASecret';

/** One of its addresses can receive mail. */
const FILE = 'Name,Work e-mail\nAda,ada@gmail.com\nNobody,nobody@nxdomain.test\n';

/** Sends the document's example of each route to the service, after preparing what the route acts on. */
export class ApiCalls {
  private readonly service: Service;
  private readonly amazon: Amazon;
  private readonly mine: Organisation;
  /** Owns the jobs, whose unordered traces would spoil the lists of the first organisation. */
  private readonly other: Organisation;
  private readonly traceId: string;
  private readonly screeningId: string;

  private constructor(
    service: Service,
    amazon: Amazon,
    mine: Organisation,
    other: Organisation,
    ids: { readonly verified: string; readonly screened: string },
  ) {
    this.service = service;
    this.amazon = amazon;
    this.mine = mine;
    this.other = other;
    this.traceId = ids.verified;
    this.screeningId = ids.screened;
  }

  /** An organisation where every list has something to show. */
  static async open(service: Service, amazon: Amazon): Promise<ApiCalls> {
    const mine = await service.createOrganisation({ name: 'Acme' });
    const post = (path: string, body: object, key = mine.keys.member) => service.call('POST', `/v1/${path}`, key, body);
    await post('domains/blocklist', { domains: ['throwaway.example'], note: 'Complaints in May' });
    await post('domains/allowlist', { domains: ['partner.example'] });
    await post('addresses/blocklist', { emails: ['bob@example.com'] });
    await post('addresses/allowlist', { emails: ['eve@example.com'], note: 'A customer' });
    await post('verify', { email: 'ada@business.test' });
    const typo = { email: 'ada.lovelcae@gmail.com', name: 'Ada Lovelace' };
    await post('screen', typo);
    const screened = await post('screen', typo, mine.keys.test);
    await post('decide', { email: 'deliverable@example.com' }, mine.keys.test);
    const verified = await post('verify', { email: 'deliverable@example.com' }, mine.keys.test);
    return new ApiCalls(service, amazon, mine, await service.createOrganisation(), {
      verified: verified.body.trace_id,
      screened: screened.body.trace_id,
    });
  }

  get keys(): Organisation['keys'] {
    return this.mine.keys;
  }

  /** Brings a test key's job to `state`. */
  private async job(
    state: 'uploading' | 'ready' | 'running' | 'ended',
    organisation = this.other,
    key = organisation.keys.test,
  ) {
    const call = (method: string, path: string, body?: unknown, headers = {}) =>
      this.service.call(method, `/v1/bulk/jobs${path}`, key, body, headers);
    const { id } = (await call('POST', '', { name: 'Newsletter, March' })).body.job;
    if (state !== 'uploading') await call('PUT', `/${id}/upload`, FILE, { 'content-type': 'text/csv' });
    if (state === 'running' || state === 'ended') await call('POST', `/${id}/start`, { allow_partial: true });
    if (state === 'ended') await this.service.runJobs(organisation.id);
    return { params: { id } as Params, key };
  }

  /** A connection of the second organisation, so that the first one lists the examples alone. */
  private async connection() {
    const { keys } = this.other;
    const body = { kind: 'resend', secret: 'whsec_ExampleOfASecret' };
    const { connection } = (await this.service.call('POST', '/v1/connections', keys.admin, body)).body;
    return { params: { id: connection.id } as Params, key: keys.admin };
  }

  /** A signed webhook of one of a mail service's events, to a connection of its own. */
  private async mailWebhook(kind: keyof typeof FAKES): Promise<Stage> {
    const fake = FAKES[kind](Date.now());
    this.amazon.show(fake);
    const event = EVENTS[kind]['delivered']?.event ?? {};
    return { ...(await this.connectionOf(kind, fake.secret)), webhook: fake.sign(event, Date.now()) };
  }

  private async stripeWebhook(): Promise<Stage> {
    const body = JSON.stringify(stripeEvent('customer.created', {}));
    const headers = { 'content-type': 'application/json', 'stripe-signature': stripeSignature(body, [STRIPE_SECRET]) };
    return { ...(await this.connectionOf('stripe', STRIPE_SECRET)), webhook: { headers, body } };
  }

  private async connectionOf(kind: string, secret: string): Promise<{ params: Params }> {
    const { connection } = (await this.service.call('POST', '/v1/connections', this.other.keys.admin, { kind, secret }))
      .body;
    return { params: { connection_id: connection.id } };
  }

  /** A new organisation for operator routes, with one key or connection on request. */
  private async operated(change: 'key' | 'connection' | null = null): Promise<Stage> {
    const { id } = await this.service.createOrganisation();
    const made = (what: string, body: object) =>
      this.service.call('POST', `/operator/v1/organisations/${id}/${what}`, this.service.operatorKey, body);
    if (change === 'key') {
      const { key } = (await made('keys', { name: 'signup backend', role: 'member' })).body;
      return { params: { id, key_id: key.id } };
    }
    if (change === null) return { params: { id } };
    const { connection } = (await made('connections', { kind: 'stripe', webhook_secret: STRIPE_SECRET })).body;
    return { params: { id, connection_id: connection.id } };
  }

  /** A key of the second organisation, so that the first one lists the examples alone. */
  private async ownKey() {
    const { keys } = this.other;
    const made = await this.service.call('POST', '/v1/keys', keys.admin, { name: 'Signup form', role: 'member' });
    return { params: { id: made.body.key.id } as Params, key: keys.admin };
  }

  /** A member beside an admin. */
  private async member() {
    const { id, keys } = this.other;
    const { object } = this.service.objectOf(id);
    const added = { name: null, createdAt: Date.now(), createdBy: 'operator' as const };
    const [admin, member] = [newId('u', 0), newId('u', 1)];
    for (const [userId, email, role] of [
      [admin, 'ada@example.com', 'admin'],
      [member, 'grace@example.com', 'member'],
    ] as const)
      await object.putMember({ member: { ...added, userId, email, role }, actor: 'operator' });
    return { params: { id: member } as Params, key: keys.admin };
  }

  /** A freshly signed-in admin of an organisation that may be deleted. */
  private async freshPerson() {
    const { id } = await this.service.createOrganisation();
    return { key: await this.service.addMember(id, 'admin') };
  }

  /** A viewer of the second organisation. */
  private async person() {
    return { key: await this.service.addMember(this.other.id, 'viewer') };
  }

  private async invitation() {
    const { keys } = this.other;
    const body = { email: `${newId('u', 0)}@example.com`, role: 'viewer' };
    const made = await this.service.call('POST', '/v1/invitations', keys.admin, body);
    return { params: { id: made.body.invitation.id } as Params, key: keys.admin };
  }

  /** A job paused by its quota in the last minute of a month, seen in the next month. */
  private async pausedJob() {
    const now = new Date();
    const nextMonth = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1);
    vi.useFakeTimers({ toFake: ['Date'], now: nextMonth - 60_000 });
    const poor = await this.service.createOrganisation({ verification_quota: 1 });
    const paused = await this.job('ended', poor, poor.keys.member);
    vi.setSystemTime(nextMonth + 60_000);
    return paused;
  }

  private async stage(id: string): Promise<Stage> {
    const { keys } = this;
    const stages: Readonly<Record<string, () => Promise<Stage>>> = {
      ...Object.fromEntries(MAIL_SERVICES.map((kind) => [`${kind}Webhook`, () => this.mailWebhook(kind)])),
      stripeWebhook: () => this.stripeWebhook(),
      bootstrap: async () => ({ key: mintBootstrapToken(this.service.env.SERVICE_SECRET, Date.now()) }),
      changeOrganisation: () => this.operated(),
      deleteOrganisation: () => this.operated(),
      rebuildOrganisation: () => this.operated(),
      createKey: () => this.operated(),
      listKeys: () => this.operated(),
      revokeKey: () => this.operated('key'),
      createConnection: () => this.operated(),
      listConnections: () => this.operated('connection'),
      changeConnection: () => this.operated('connection'),
      deleteConnection: () => this.operated('connection'),
      createUser: () => this.operated(),
      acceptSource: async () => ({ body: { source: `${this.amazon.url}/no-list` } }),
      usage: async () => ({ key: keys.viewer }),
      me: async () => ({ key: keys.viewer }),
      trace: async () => ({ params: { trace_id: this.traceId } }),
      screening: async () => ({ params: { trace_id: this.screeningId } }),
      policy: async () => ({ params: { slug: 'default' } }),
      putPolicy: async () => ({ params: { slug: 'signup' } }),
      simulatePolicy: async () => ({ params: { slug: 'default' } }),
      experiments: async () => ({ params: { slug: 'default' } }),
      changeOwnConnection: () => this.connection(),
      deleteOwnConnection: () => this.connection(),
      switchSubprocessor: async () => ({ params: { id: 'kickbox' } }),
      changeOwnKey: () => this.ownKey(),
      revokeOwnKey: () => this.ownKey(),
      rotateOwnKey: () => this.ownKey(),
      members: () => this.member(),
      changeMember: () => this.member(),
      removeMember: () => this.member(),
      leaveOrganisation: () => this.person(),
      withdrawInvitation: () => this.invitation(),
      deleteOwnOrganisation: () => this.freshPerson(),
      bulkJob: () => this.job('ended'),
      changeBulkJob: () => this.job('ready'),
      deleteBulkJob: () => this.job('ended'),
      uploadBulkFile: () => this.job('uploading'),
      pasteBulkEmails: () => this.job('uploading'),
      estimateBulkJob: () => this.job('ready'),
      startBulkJob: () => this.job('ready'),
      cancelBulkJob: () => this.job('running'),
      resumeBulkJob: () => this.pausedJob(),
      checkBulkJobAgain: () => this.job('ended'),
      bulkResults: () => this.job('ended'),
      bulkPreview: () => this.job('ended'),
      blockBulkSegment: () => this.job('ended', this.other, this.other.keys.member),
    };
    return (await stages[id]?.()) ?? {};
  }

  private keyFor({ access, live }: RouteDeclaration): string {
    if (access === 'operator') return this.service.operatorKey;
    if (access === 'admin') return this.keys.admin;
    return live === true ? this.keys.member : this.keys.test;
  }

  private async send(route: RouteDeclaration, params: Params, key: Caller | null, body: unknown, headers = {}) {
    const path = route.path.replaceAll(/:(\w+)/g, (_, name: string) => params[name] ?? 'missing');
    const request =
      typeof key === 'object' && key !== null ? this.service.requestAs.bind(null, key) : this.service.request;
    const response = await request(path, {
      method: route.method.toUpperCase(),
      headers: {
        ...(typeof key === 'string' ? { authorization: `Bearer ${key}` } : {}),
        ...(body === undefined ? {} : { 'content-type': route.upload?.contentType ?? 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
    return { status: response.status, headers: response.headers, body: (isJson ? JSON.parse(text) : text) as unknown };
  }

  /** Writes all answers so far to Postgres, so that the lists show them. */
  private async written(): Promise<void> {
    const { object } = this.service.objectOf(this.mine.id);
    for (let isDrained = false; !isDrained;) isDrained = (await object.flush(null)).drained;
  }

  /** Prepares what a route acts on; the returned function sends its example, or `body` instead. */
  async prepared(id: string, route: RouteDeclaration, body?: object) {
    const { params = {}, key = this.keyFor(route), webhook, body: staged } = await this.stage(id);
    await this.written();
    const sent = body ?? webhook?.body ?? staged ?? (route.upload ? CSV_EXAMPLE : route.body?.example);
    return () => this.send(route, params, route.access === 'public' ? null : key, sent, webhook?.headers);
  }

  /** A route's example. */
  async example(id: string, route: RouteDeclaration) {
    try {
      return await (
        await this.prepared(id, route)
      )();
    } finally {
      vi.useRealTimers();
    }
  }

  /** A route's example with another key, or with another body and unknown ids. */
  async with(id: string, route: RouteDeclaration, { key = this.keyFor(route), body }: Change) {
    const { params = UNKNOWN } = key === this.keyFor(route) ? {} : await this.stage(id);
    return this.send(route, params, key, body ?? (route.upload ? CSV_EXAMPLE : route.body?.example));
  }
}
