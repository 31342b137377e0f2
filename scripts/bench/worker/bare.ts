import { DurableObject } from 'cloudflare:workers';
import { Hono } from 'hono';

/**
 * The floor for the service's figures: the framework and a route that parses the same body, makes the same calls of one
 * object with values of the same size, and answers with as much. The object writes as many rows, in one transaction a
 * call. No KV. Shares no code with the service. Frozen: a change would make earlier figures incomparable.
 */

const METER = JSON.stringify({
  windows: Object.fromEntries(
    ['verify', 'check', 'read', 'outcome', 'events'].map((name) => [name, { at: 1_795_449_813_583, count: 1_000 }]),
  ),
  usage: { month: '2026-11', calls: { verify: 1_000, check: 1_000, screen: 0 }, spendMicros: 0, enrichmentMicros: 0 },
});

const AUTHORIZED = {
  ok: true,
  key: {
    id: 'key_01m84jbwekedframrw1d46b02h',
    name: 'bench',
    role: 'member',
    mode: 'live',
    origin: 'auto',
    operator: false,
    userId: null,
  },
  organisation: { id: 'org_01m84jbwekehsrfkyvm7k2t027', accountId: 'acct_01m84jbwekehsrfkyvm7k2t028', name: 'bench' },
  rate: { limit: 1_000_000_000, remaining: 999_999_000, resetS: 60 },
  rules: { domain: null, address: null },
  earlier: null,
  history: { address: null, domain: null, list: null },
};

/** Rows of operations that wait: as many as ours write to Postgres in a second under load. */
const WAITING_MAX = 1_000;

interface Request {
  readonly traceId: string;
  readonly meter: 'check' | 'verify';
}

/** An object with a meter and a ledger: a check writes 1 row, a verification 4. */
export class BareObject extends DurableObject {
  private readonly waiting: string[] = [];

  constructor(ctx: DurableObjectState, env: Cloudflare.Env) {
    super(ctx, env);
    this.sql('create table if not exists meter (id integer primary key, state text not null)');
    this.sql('create table if not exists ledger (key text primary key, record text) without rowid');
    this.sql('insert or ignore into meter values (1, ?)', METER);
  }

  async authorize({ traceId, meter }: Request): Promise<typeof AUTHORIZED> {
    this.ctx.storage.transactionSync(() => {
      const [row] = this.ctx.storage.sql.exec<{ state: string }>('select state from meter where id = 1');
      this.sql('update meter set state = ? where id = 1', row?.state ?? METER);
      if (meter === 'verify') this.sql('insert into ledger values (?, null)', traceId);
    });
    return AUTHORIZED;
  }

  async commit(id: string, record: string): Promise<null> {
    this.ctx.storage.transactionSync(() => {
      this.sql('update ledger set record = ? where key = ?', record, id);
      this.waiting.push(id);
      const written = this.waiting.length > WAITING_MAX ? this.waiting.shift() : undefined;
      if (written !== undefined) this.sql('delete from ledger where key = ?', written);
    });
    return null;
  }

  private sql(query: string, ...bindings: string[]): void {
    this.ctx.storage.sql.exec(query, ...bindings);
  }
}

interface BareEnv {
  readonly BARE: DurableObjectNamespace<BareObject>;
}

export const bare = new Hono<{ Bindings: BareEnv }>();

const HASH = '68ac278c51a9382f5a8796a02f576fe6150e5a474f68b8ee1164a74fe7ea87b3';
const request = (traceId: string, meter: Request['meter']) => ({
  v: 1,
  operationId: traceId,
  traceId,
  keyHash: HASH,
  role: 'member',
  operator: false,
  rate: 'verify',
  meter,
  lookup: { addressHash: HASH, domain: 'd11.bulk.test', history: { domain: HASH.slice(32), purpose: 'signup' } },
  bodyHash: null,
  faulty: false,
});

const objectOf = ({ BARE }: BareEnv) => BARE.getByName('org_01m84jbwekehsrfkyvm7k2t027');

bare.post('/v1/check', async (c) => {
  const { email } = await c.req.json<{ email: string }>();
  const id = `ck_${crypto.randomUUID()}`;
  const { ok } = await objectOf(c.env).authorize(request(id, 'check'));
  return c.json({ ...CHECK_ANSWER, email, trace_id: id }, ok ? 200 : 403);
});

bare.post('/v1/verify', async (c) => {
  const { email } = await c.req.json<{ email: string }>();
  const id = `vr_${crypto.randomUUID()}`;
  const object = objectOf(c.env);
  const { ok } = await object.authorize(request(id, 'verify'));
  await object.commit(id, JSON.stringify({ ...RECORD, id }));
  return c.json({ ...VERIFY_ANSWER, email, trace_id: id }, ok ? 200 : 403);
});

const SIGNALS = {
  syntax: true,
  mx: true,
  disposable: false,
  role_account: false,
  catch_all: false,
  relay_alias: false,
};

const CHECK_ANSWER = {
  email: '',
  domain: 'd11.bulk.test',
  passes: true,
  disposable: false,
  suspected: false,
  reason: null,
  reasons: [],
  checks: { syntax: 'pass', mx: 'pass', disposable: 'pass' },
  esp: 'unknown',
  email_type: 'business',
  mx_hosts: ['mx1.business.test'],
  mx_provider: 'unknown',
  latency_ms: 1,
};

const VERIFY_ANSWER = {
  email: '',
  verdict: 'likely_valid',
  bounce_probability: 0.084208,
  confidence_interval: [0.000228, 0.319564],
  calibration: 'prior',
  recommendation: 'send',
  actor_class: 'human_mailbox',
  mailbox_type: 'corporate',
  esp: 'unknown',
  email_type: 'business',
  signals: SIGNALS,
  providers: {},
  disagreement: 0,
  cache: { hit: false, ttl_s: 0 },
  cost_usd: 0,
  latency_ms: 6,
  reason: null,
  reasons: [],
  identity_hash: HASH,
};

const RECORD = {
  display: 'a•••@d11.bulk.test',
  organisationId: 'org_01m84jbwekehsrfkyvm7k2t027',
  verificationId: null,
  kind: 'verify',
  mode: 'live',
  keyId: 'key_01m84jbwekedframrw1d46b02h',
  createdAt: 1_795_449_813_583,
  addressHash: HASH,
  domain: 'd11.bulk.test',
  meantDomain: null,
  verdict: 'likely_valid',
  bounceProbability: 0.084208,
  recommendation: 'send',
  reason: null,
  emailType: 'business',
  esp: 'unknown',
  mailboxType: 'corporate',
  actorClass: 'human_mailbox',
  disposable: false,
  roleAccount: false,
  costMicros: 0,
  latencyMs: 135,
  cacheHit: false,
  degraded: false,
  bulkJobId: null,
  policyDecision: null,
  hostClass: 'unknown_business',
  answers: '',
  lnOdds: 0,
  backEnds: 'business.test 192.0.2.25',
  sentTo: '',
  observation: { purpose: 'signup', features: ['digits'], answers: [] },
  detail: {
    confidenceInterval: [0.000228, 0.319564],
    signals: SIGNALS,
    providers: {},
    providerFailures: [],
    features: {
      model_version: 'seed-2',
      host_class: 'unknown_business',
      known_answers: [],
      known_outcomes: [],
      x: ['digits'],
      t0: 1_795_449_813,
      neighbours: { accepts_all: 0.329, dead_strict: 0.084208487, dead_accepts_all: 0.084208487, var: 2.060053126 },
      mx_provider: 'unknown',
      gateway: false,
      disposable_by: null,
      mail_hosts: 'found',
      accepts_all_odds: 1,
      evidence: [
        { code: 'stranger', shift: -1.94317 },
        { code: 'purpose', shift: -0.584454 },
        { code: 'digits', shift: 0.141131 },
      ],
      losses: { version: 0, bounce: 1, contact_lost: 3, held_good: 0.1, held_bad: 0.4 },
    },
    route: [
      {
        choice: 'stop',
        probability: 0.0842084872651879,
        stop_value_usd: 0.084208,
        candidates: [],
        excluded: [],
        missed: false,
        left: { cost_usd: 0.02, latency_ms: 3417 },
      },
    ],
    reasons: [],
    disagreement: 0,
    calibration: 'prior',
    context: { purpose: 'signup' },
  },
};
