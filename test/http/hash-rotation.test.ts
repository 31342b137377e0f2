import { beforeEach, describe, expect, it, vi } from 'vitest';
import { DAY_MS } from '../../src/kernel/clock.ts';
import { listAddresses } from '../../src/organisation/sql/history.ts';
import { hasher } from '../../src/runtime/hasher.ts';
import { bulkCalls } from '../support/bulk-calls.ts';
import { onPort } from '../support/on-port.ts';
import { startService } from '../support/service.ts';
import { findInStores } from '../support/stores.ts';
import { CUSTOMER, invoice, stripeEvent, stripeSignature } from '../support/stripe.ts';

/** Kickbox on this machine: refuses every mailbox. */
const origin = await onPort(async () =>
  Response.json({ success: true, result: 'undeliverable', reason: 'rejected_email', accept_all: false }),
);
const service = await startService({
  KICKBOX_API_KEY: 'key',
  KICKBOX_BASE_URL: origin,
  KICKBOX_COST_USD: '0.0001',
});
vi.setConfig({ testTimeout: 120_000 });

const secretOf = (fill: number): Buffer => Buffer.alloc(32, fill);
const [FIRST, SECOND, THIRD] = [secretOf(2), secretOf(12), secretOf(22)].map((bytes) => bytes.toString('base64'));
const hashWith = (fill: number) => hasher(() => secretOf(fill), 'address');
const HASHES = { first: hashWith(2), second: hashWith(12), third: hashWith(22) };

const asBefore = () => service.redeploy({ HASH_SECRET: FIRST ?? '' });
const rotate = () => service.redeploy({ HASH_SECRET: SECOND ?? '', HASH_SECRET_PREVIOUS: FIRST ?? '' });
const rotateAgain = () => service.redeploy({ HASH_SECRET: THIRD ?? '', HASH_SECRET_PREVIOUS: `${SECOND}, ${FIRST}` });
beforeEach(asBefore);

type Organisation = Awaited<ReturnType<typeof service.createOrganisation>>;
const EMAIL = 'ada@business.test';
const nowS = () => Math.floor(Date.now() / 1_000);

async function post({ keys }: Organisation, path: string, body: object, headers: Record<string, string> = {}) {
  const answer = await service.call('POST', path, keys.admin, body, headers);
  expect(answer.status, `${path} ${JSON.stringify(answer.body)}`).toBeLessThan(300);
  await service.settle();
  return answer.body;
}

/** Runs the object's timers and writes its outbox. */
async function settled({ id }: Organisation): Promise<void> {
  await service.objectOf(id).object.flush(null);
  await service.passTimers(id);
  await service.objectOf(id).object.flush(null);
}

const STORED = {
  trace: 'address_hash',
  screening: 'address_hash',
  event: 'address_hash',
  delivery_report: 'address_hash',
  mail_report: 'address_hash',
  processor_reference: 'address_hash',
  suppressed_address: 'address_hash',
  address_rule: 'hash',
  exposure: "encode(address_hash, 'hex')",
  address_event: "encode(address_hash, 'hex')",
};

/** How many rows each table of the object and of Postgres has under a hash. */
async function rowsUnder({ id }: Organisation, hash: string): Promise<Record<string, number>> {
  const rows: Record<string, number> = {};
  const { sql } = service.objectOf(id).storage;
  for (const { name } of sql.exec<{ name: string }>("select name from sqlite_master where type = 'table'").toArray()) {
    const held = sql.exec(`select * from "${name}"`).toArray();
    const text = (row: object): string =>
      Object.values(row)
        .map((value) => (value instanceof ArrayBuffer ? Buffer.from(value).toString('hex') : String(value)))
        .join(' ');
    rows[`object ${name}`] = held.filter((row) => text(row).includes(hash.slice(0, 32))).length;
  }
  for (const [table, column] of Object.entries(STORED)) {
    const query = `select count(*)::text from ${table} where organisation_id = $1 and ${column} = $2`;
    rows[`postgres ${table}`] = Number((await service.database.query(query, [id, hash])).rows[0]?.[0]);
  }
  return Object.fromEntries(Object.entries(rows).filter(([, count]) => count > 0));
}

interface Seeded {
  readonly organisation: Organisation;
  readonly connection: string;
  readonly verified: string;
  /** Rows about the address, by table. */
  readonly rows: Record<string, number>;
}

const hook = (connection: string, object: object, id: string, type = 'invoice.paid') => {
  const body = JSON.stringify(stripeEvent(type, object, { id }));
  const headers = { 'stripe-signature': stripeSignature(body, ['whsec_first_secret']) };
  return service.call('POST', `/integrations/stripe/${connection}`, null, body, headers);
};

/** An organisation with a row of each kind about the address, under the first secret. */
async function seed(email = EMAIL): Promise<Seeded> {
  const organisation = await service.createOrganisation();
  const path = `/operator/v1/organisations/${organisation.id}/connections`;
  const made = await service.call('POST', path, service.operatorKey, {
    kind: 'stripe',
    webhook_secret: 'whsec_first_secret',
  });
  const connection: string = made.body.connection.id;
  const { trace_id: verified } = await post(organisation, '/v1/verify', { email });
  await post(organisation, '/v1/decide', { email, attributes: { plan: 'a' } });
  await post(organisation, '/v1/screen', { email, name: 'Ada King' });
  await post(organisation, '/v1/events', { trace_id: verified, event: 'activated', at: nowS() });
  await post(organisation, '/v1/outcome', { trace_id: verified, outcome: 'hard_bounce', smtp_code: '550 5.1.1 no' });
  await settled(organisation);
  await post(organisation, '/v1/outcomes/import', { outcomes: [{ email, outcome: 'delivered', at: nowS() - 86_400 }] });
  expect((await hook(connection, invoice({ customer_email: email }), 'evt_before')).status).toBe(200);
  await settled(organisation);
  await service.runNight(organisation.id);
  await post(organisation, '/v1/addresses/blocklist', { emails: [email], note: 'no' });
  await post(organisation, '/v1/verify', { email }, { 'idempotency-key': 'before' });
  await service.database.query('insert into suppressed_address values ($1, $2, 1)', [
    organisation.id,
    HASHES.first(organisation.id, email),
  ]);
  await settled(organisation);
  const rows = await rowsUnder(organisation, HASHES.first(organisation.id, email));
  return { organisation, connection, verified, rows };
}

/** The table that maps old names to new ones, until the rotation ends. */
const NAMES = 'object rehash';
const without = (rows: Record<string, number>, ...tables: readonly string[]): Record<string, number> =>
  Object.fromEntries(Object.entries(rows).filter(([table]) => !tables.includes(table)));

/** Each way an address reaches the service, and the tables that gain a row. */
const ENTRANCES: Readonly<
  Record<string, readonly [enter: (of: Seeded) => Promise<unknown>, adds?: readonly string[]]>
> = {
  verify: [({ organisation }) => post(organisation, '/v1/verify', { email: EMAIL }), ['trace']],
  check: [({ organisation }) => post(organisation, '/v1/check', { email: EMAIL })],
  screen: [({ organisation }) => post(organisation, '/v1/screen', { email: EMAIL, name: 'Ada' }), ['screening']],
  decide: [({ organisation }) => post(organisation, '/v1/decide', { email: EMAIL }), ['trace']],
  'a row of a file': [
    async ({ organisation }) => {
      const jobs = bulkCalls(service, organisation, organisation.keys.admin);
      const id = await jobs.ready(`email\n${EMAIL}\nbob@business.test\n`);
      await jobs.start(id, { max_cost_usd: 1 });
      await jobs.run();
      expect((await jobs.job(id)).state).toBe('done');
    },
    ['trace'],
  ],
  'an import of outcomes': [
    ({ organisation }) =>
      post(organisation, '/v1/outcomes/import', { outcomes: [{ email: EMAIL, outcome: 'delivered', at: nowS() }] }),
  ],
  'a webhook of Stripe': [
    ({ connection }) => hook(connection, invoice({ customer_email: EMAIL, customer: 'cus_other' }), 'evt_after'),
  ],
  'a search of traces': [
    async ({ organisation }) => {
      const { traces } = await post(organisation, '/v1/traces/search', { email: EMAIL });
      expect(traces).toHaveLength(3);
    },
  ],
  'a question for its rule': [
    async ({ organisation }) =>
      expect(await post(organisation, '/v1/addresses/check', { email: EMAIL })).toMatchObject({ org_rule: 'block' }),
  ],
  'a rule by its address': [
    async ({ organisation }) =>
      expect(await post(organisation, '/v1/addresses/blocklist', { emails: [EMAIL], note: 'no' })).toMatchObject({
        added: 0,
        moved: 0,
        total: 1,
      }),
  ],
  'an export': [
    async ({ organisation }) => {
      const found = await post(organisation, '/v1/addresses/export', { email: EMAIL });
      expect(found).toMatchObject({ suppressed: true, rules: [{ rule: 'block' }], truncated: [] });
      const counts = ['traces', 'screenings', 'reports', 'events', 'exposures', 'kept_answers'].map(
        (of) => found[of].length,
      );
      expect(counts).toEqual([3, 1, 1, 2, 1, 1]);
      expect(found.history.reports).toHaveLength(2);
    },
  ],
};

describe('what stands under the earlier secret', () => {
  it('is of each kind, and without a rotation nothing more is written', async () => {
    const { organisation, rows } = await seed();
    expect(Object.keys(rows).toSorted()).toEqual(
      ['address_facts', 'address_rule', 'operation']
        .map((table) => `object ${table}`)
        .concat(Object.keys(STORED).map((table) => `postgres ${table}`))
        .toSorted(),
    );
    expect(service.objectOf(organisation.id).storage.sql.exec('select * from rehash').toArray()).toEqual([]);
  });

  it.each(Object.entries(ENTRANCES))('is moved as it is seen, each row once: %s', async (_, [enter, adds = []]) => {
    const seeded = await seed();
    const { organisation, rows } = seeded;
    rotate();
    await enter(seeded);
    await settled(organisation);
    const { id } = organisation;
    expect(without(await rowsUnder(organisation, HASHES.first(id, EMAIL)), NAMES)).toEqual({});
    const added = Object.fromEntries(adds.map((table) => [`postgres ${table}`, (rows[`postgres ${table}`] ?? 0) + 1]));
    expect(await rowsUnder(organisation, HASHES.second(id, EMAIL))).toEqual({ ...rows, ...added, [NAMES]: 1 });
    expect(await post(organisation, '/v1/addresses/check', { email: EMAIL })).toMatchObject({ org_rule: 'block' });
  });
});

const person = ({ organisation: { id } }: Seeded): string[] =>
  Object.values(HASHES).map((hash) => hash(id, EMAIL).slice(0, 32));

/** Moments of an erasure relative to the rotation. */
const MOMENTS: Readonly<Record<string, (of: Seeded) => Promise<unknown>>> = {
  'before it is seen': async () => undefined,
  'once it was seen, with its rows in Postgres still to be moved': async ({ organisation }) => {
    await post(organisation, '/v1/check', { email: EMAIL });
  },
  'once it was seen and moved': async ({ organisation }) => {
    await post(organisation, '/v1/decide', { email: EMAIL });
    await settled(organisation);
  },
  'after the night': async ({ organisation }) => {
    await post(organisation, '/v1/verify', { email: EMAIL });
    await service.runNight(organisation.id);
  },
};

describe('an erasure leaves nothing under either hash', () => {
  it.each(Object.entries(MOMENTS))('%s', async (_, come) => {
    const seeded = await seed();
    const { organisation } = seeded;
    rotate();
    await come(seeded);
    const receipt = await post(organisation, '/v1/addresses/forget', { email: EMAIL, suppress: false });
    expect(receipt).toMatchObject({ status: 'done', suppressed: false, kept: [] });
    const [object, postgres] = receipt.stores;
    expect(object.removed).toMatchObject({ rules: 1, histories: 1, reports: 2, answers: 1 });
    expect(postgres.removed).toMatchObject({ exposures: 1, reports: 2, events: 1 });
    expect(await findInStores(service, person(seeded))).toEqual([]);
    await settled(organisation);
    await service.runNight(organisation.id);
    expect(await findInStores(service, person(seeded))).toEqual([]);
  });

  it('by an operator, while Postgres is away, once that is back', async () => {
    const seeded = await seed();
    const { organisation } = seeded;
    rotate();
    service.faults.down = true;
    const forget = () => service.call('POST', '/operator/v1/forget', service.operatorKey, { email: EMAIL });
    expect((await forget()).body.pending).toContain(organisation.id);
    service.faults.down = false;
    await service.passFailures(organisation.id);
    const left = await findInStores(service, person(seeded));
    // The suppression stays, under the address's present hash.
    expect(left).toEqual([`postgres suppressed_address: ${HASHES.second(organisation.id, EMAIL).slice(0, 32)}`]);
  });

  it('that was begun before the rotation', async () => {
    const seeded = await seed();
    const { organisation } = seeded;
    const { object } = service.objectOf(organisation.id);
    const was = HASHES.first(organisation.id, EMAIL);
    await object.eraseLater(was, true);
    rotate();
    await post(organisation, '/v1/check', { email: EMAIL });
    await service.passTimers(organisation.id);
    await service.passFailures(organisation.id);
    expect(await rowsUnder(organisation, was)).toMatchObject({ [NAMES]: 1 });
    const left = await rowsUnder(organisation, HASHES.second(organisation.id, EMAIL));
    expect(Object.keys(left).filter((table) => table.startsWith('postgres'))).toEqual(['postgres suppressed_address']);
  });
});

describe('a rotation', () => {
  it('moves an organisation’s own rows alone', async () => {
    const [mine, other] = [await seed(), await seed()];
    rotate();
    await post(mine.organisation, '/v1/check', { email: EMAIL });
    await settled(mine.organisation);
    await settled(other.organisation);
    expect(await rowsUnder(other.organisation, HASHES.first(other.organisation.id, EMAIL))).toEqual(other.rows);
    expect(await rowsUnder(mine.organisation, HASHES.second(mine.organisation.id, EMAIL))).toEqual({
      ...mine.rows,
      [NAMES]: 1,
    });
  });

  it.each([
    ['twice, with the address seen between', true],
    ['twice, with the address seen after both alone', false],
  ])('%s', async (_, isSeen) => {
    const { organisation, rows } = await seed();
    rotate();
    if (isSeen) {
      await post(organisation, '/v1/check', { email: EMAIL });
      await settled(organisation);
    }
    rotateAgain();
    await post(organisation, '/v1/check', { email: EMAIL });
    await settled(organisation);
    expect(await rowsUnder(organisation, HASHES.third(organisation.id, EMAIL))).toEqual({ ...rows, [NAMES]: 2 });
    for (const hash of [HASHES.first, HASHES.second])
      expect(without(await rowsUnder(organisation, hash(organisation.id, EMAIL)), NAMES)).toEqual({});
  });

  it('twice: of rows of which there can be one, one is left', async () => {
    const { organisation, rows } = await seed();
    const { id } = organisation;
    const [first, second] = [HASHES.first(id, EMAIL), HASHES.second(id, EMAIL)];
    await service.database.query('insert into suppressed_address values ($1, $2, 1)', [id, second]);
    for (const table of ['exposure', 'address_event', 'delivery_report'] as const) {
      const prefix = table === 'delivery_report' ? '' : '\\x';
      await service.database.query(
        `insert into ${table} select (jsonb_populate_record(t, jsonb_build_object('address_hash', $2::text))).*
         from ${table} as t where organisation_id = $1 and ${STORED[table]} = $3`,
        [id, prefix + second, first],
      );
    }
    rotateAgain();
    await post(organisation, '/v1/check', { email: EMAIL });
    await settled(organisation);
    expect(await rowsUnder(organisation, HASHES.third(id, EMAIL))).toEqual({ ...rows, [NAMES]: 2 });
    for (const hash of [first, second]) expect(without(await rowsUnder(organisation, hash), NAMES)).toEqual({});
    const { sql } = service.objectOf(id).storage;
    expect(sql.exec('select * from outbox').toArray()).toEqual([]);
  });

  it('keeps an address out that was kept out before, and lets it in', async () => {
    const { organisation } = await seed();
    rotate();
    const outcomes = [{ email: EMAIL, outcome: 'delivered', at: nowS() }];
    const refused = { accepted: 0, rejected: [{ index: 0, reason: 'suppressed' }] };
    expect(await post(organisation, '/v1/outcomes/import', { outcomes })).toMatchObject(refused);
    await post(organisation, '/v1/addresses/forget', { email: EMAIL, suppress: false });
    expect(await post(organisation, '/v1/outcomes/import', { outcomes })).toMatchObject({ accepted: 1 });
  });

  it('keeps rule and history for a Worker that does not have the new secret yet', async () => {
    asBefore();
    const { organisation } = await seed();
    const ask = () => post(organisation, '/v1/verify', { email: EMAIL });
    const before = await ask();
    expect(before.reason).toBe('address_blocklisted');
    rotate();
    await ask();
    asBefore();
    expect((await ask()).reason).toBe('address_blocklisted');
    await service.call('DELETE', '/v1/addresses/blocklist', organisation.keys.member, { emails: [EMAIL] });
    expect((await ask()).cache.hit).toBe(true);
  });

  it('knows a report that came before', async () => {
    const organisation = await service.createOrganisation();
    const outcomes = [{ email: EMAIL, outcome: 'hard_bounce', at: nowS() - 60, smtp_code: '550 5.1.1 no' }];
    expect(await post(organisation, '/v1/outcomes/import', { outcomes })).toMatchObject({ accepted: 1 });
    rotate();
    expect(await post(organisation, '/v1/outcomes/import', { outcomes })).toMatchObject({ accepted: 0, duplicates: 1 });
    const histories = listAddresses(service.objectOf(organisation.id).storage.sql, 0, null, 10);
    expect(histories.map(({ facts }) => facts.reports.length)).toEqual([1]);
  });

  it('keeps connections: their ids, what they have learnt, and their secrets, which the night seals anew', async () => {
    const { organisation, connection } = await seed('grace@business.test');
    rotate();
    const paid = { ...invoice({ customer_email: null }), customer: CUSTOMER };
    expect((await hook(connection, paid, 'evt_without')).status).toBe(200);
    const known = await rowsUnder(organisation, HASHES.first(organisation.id, 'grace@business.test'));
    // The address has not come back yet, so the event still has its old hash.
    expect(known).toMatchObject({ 'postgres event': 2, 'postgres processor_reference': 1 });
    await service.runNight(organisation.id);
    service.redeploy({ HASH_SECRET: SECOND ?? '' });
    const list = await service.call(
      'GET',
      `/operator/v1/organisations/${organisation.id}/connections`,
      service.operatorKey,
    );
    expect(list.body.connections).toHaveLength(1);
    const changed = await service.call(
      'PATCH',
      `/operator/v1/organisations/${organisation.id}/connections/${connection}`,
      service.operatorKey,
      { webhook_secret: 'whsec_second_secret' },
    );
    expect(changed.status).toBe(200);
  });

  it('that is over is forgotten with the night, and what is named anew stays', async () => {
    const { organisation, rows } = await seed();
    rotate();
    await post(organisation, '/v1/check', { email: EMAIL });
    await settled(organisation);
    service.redeploy({ HASH_SECRET: SECOND ?? '' });
    await service.runNight(organisation.id);
    const left = await rowsUnder(organisation, HASHES.second(organisation.id, EMAIL));
    expect(left[NAMES]).toBeUndefined();
    expect(left).toMatchObject(without(rows, 'object operation'));
  });

  it('moves a row that came late under the earlier hash when the address comes on a later day', async () => {
    const { organisation } = await seed();
    const { id } = organisation;
    rotate();
    await post(organisation, '/v1/check', { email: EMAIL });
    await settled(organisation);
    // A Worker with the old secret that is still running writes to Postgres itself.
    await service.database.query('update mail_report set address_hash = $2 where organisation_id = $1', [
      id,
      HASHES.first(id, EMAIL),
    ]);
    vi.useFakeTimers({ now: Date.now() + DAY_MS + 1, toFake: ['Date'] });
    rotate();
    await post(organisation, '/v1/check', { email: EMAIL });
    await service.objectOf(id).object.flush(null);
    vi.useRealTimers();
    expect(without(await rowsUnder(organisation, HASHES.first(id, EMAIL)), NAMES)).toEqual({});
  });
});
