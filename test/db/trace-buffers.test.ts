import { type SQL, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY_MS } from '../../src/kernel/clock.ts';
import { type Id, idFromUuid, newId, uuidAt } from '../../src/kernel/ids.ts';
import type { Database } from '../../src/storage/postgres/client.ts';
import { countEventsOf, insertEvents } from '../../src/storage/postgres/feedback.ts';
import { insertScreenings, listScreenings, type ScreeningFilter } from '../../src/storage/postgres/screening.ts';
import { EXAMINED_MAX } from '../../src/storage/postgres/statements.ts';
import {
  listDecidableTraces,
  listJudgedTraces,
  listTraces,
  type TraceFilter,
} from '../../src/storage/postgres/trace-lists.ts';
import { findTrace, findTraceAddresses, forgetTraces } from '../../src/storage/postgres/traces.ts';
import { dayOf, listUsageDays, type UsageSplit } from '../../src/storage/postgres/usage-days.ts';
import { openTestServer } from '../support/database.ts';
import { START_MS, traceRecord } from '../support/records.ts';
import { writeTraces } from '../support/write-traces.ts';

/**
 * What the store's statements read among two million traces. Counted in pages of Postgres, which machine and load don't
 * change; table and indexes have some 200,000 here. Row 0 was written 400 days ago, 5,000 more on every day since.
 */
const ROWS = 2_000_000;
const ROWS_PER_DAY = 5_000;
const MONTHS = 14;
const SEED_TIMEOUT_MS = 240_000;

const OLDEST_MS = START_MS - (ROWS / ROWS_PER_DAY) * DAY_MS;
const timeOf = (row: number): number => OLDEST_MS + (row * DAY_MS) / ROWS_PER_DAY;
const idAt = (row: number): Id<'vr'> => idFromUuid('vr', uuidAt(timeOf(row)));

const newOrganisation = () => newId('org', OLDEST_MS);
const newKey = () => newId('key', OLDEST_MS);
const newJob = () => newId('bj', OLDEST_MS);

const ORG = { big: newOrganisation(), medium: newOrganisation(), small: newOrganisation(), tiny: newOrganisation() };
const KEY = {
  busy: newKey(),
  limited: newKey(),
  rare: newKey(),
  bursts: newKey(),
  testing: newKey(),
  medium: newKey(),
  small: newKey(),
  tiny: newKey(),
};
const JOB = { big: newJob(), resumed: newJob(), rare: newJob() };

interface Writer {
  readonly rows: string;
  readonly org: keyof typeof ORG;
  readonly key: keyof typeof KEY;
  readonly job?: keyof typeof JOB;
  readonly mode?: 'test';
}

/** Who wrote a row: the first whose condition on its number `i` holds. */
const WRITERS: readonly Writer[] = [
  // Little, and 390 days ago: all of it is older than 13 months.
  { rows: 'i between 5 and 7', org: 'tiny', key: 'tiny' },
  { rows: 'i between 50000 and 50004', org: 'big', key: 'rare' },
  { rows: 'i between 100000 and 100001', org: 'big', key: 'busy', job: 'rare' },
  { rows: 'i between 1200000 and 1299999', org: 'big', key: 'busy', job: 'big' },
  // Begun with one key, resumed with another: a page of the first begins below 10,000 rows of the second.
  { rows: 'i between 1400000 and 1409999', org: 'big', key: 'limited', job: 'resumed' },
  { rows: 'i between 1410000 and 1419999', org: 'big', key: 'busy', job: 'resumed' },
  // Not spread over their months as the planner takes them to be: a plan that walks all of the organisation's rows shows it.
  { rows: 'i between 600000 and 602999', org: 'big', key: 'testing', mode: 'test' },
  { rows: 'i % 150000 < 1000', org: 'big', key: 'bursts' },
  { rows: 'i % 400 = 7', org: 'small', key: 'small' },
  { rows: 'i % 10 = 3', org: 'medium', key: 'medium' },
  { rows: 'i % 200 = 11', org: 'big', key: 'limited' },
  { rows: 'true', org: 'big', key: 'busy' },
];

const { TEST_DATABASE_URL = '' } = process.env;
const server = await openTestServer(TEST_DATABASE_URL);
const { db } = server;
afterAll(() => server.close(), SEED_TIMEOUT_MS);

async function query<T>(statement: SQL): Promise<T[]> {
  return ((await db.execute(statement)) as { rows: T[] }).rows;
}

/** Turns off automatic statistics, whose timing would make the plans vary. */
async function keepStatistics(): Promise<void> {
  const parts = await query<{ name: string }>(sql`
    select inhrelid::regclass::text as name from pg_inherits
    where inhparent in ('trace'::regclass, 'trace_detail'::regclass, 'event'::regclass, 'screening'::regclass)`);
  for (const { name } of parts) await db.execute(sql.raw(`alter table ${name} set (autovacuum_enabled = false)`));
}

async function seed(): Promise<void> {
  const monthly = Array.from({ length: MONTHS }, (_, month) => Date.UTC(2025, 9 + month, 20));
  await writeTraces(
    db,
    // Makes the partitions.
    monthly.map((ms) => traceRecord({ id: newId('vr', ms), createdAt: ms, detail: null })),
  );
  await keepStatistics();
  const number = sql.raw(`case ${WRITERS.map(({ rows }, n) => `when ${rows} then ${n}`).join(' ')} end`);
  const writers = WRITERS.map(({ org, key, job, mode = 'live' }, n) => ({
    n,
    org: ORG[org],
    key: KEY[key],
    job: job === undefined ? null : JOB[job],
    mode,
  }));
  // A UUIDv7: 48 bits of time, then the version, the variant and bits of its own.
  await db.execute(sql`
    insert into trace (id, organisation_id, verification_id, kind, mode, key_id, created_at, address_hash, display, domain,
      verdict, bounce_probability, recommendation, esp, cost_micros, latency_ms, cache_hit, degraded, bulk_job_id,
      reason, email_type, policy_decision, actor_class, mailbox_type, disposable, role_account, sent_to)
    select (time || '7' || substr(bits, 1, 3) || '8' || substr(bits, 4, 15))::uuid, org,
      case when i % 10 = 0 then (time || '7' || substr(bits, 1, 3) || '9' || substr(bits, 4, 15))::uuid end,
      case when i % 10 = 0 then 'decide' when job is null then 'verify' else 'bulk' end, mode, key, ms, bits || bits,
      'j•••@acme.example', case when i % 100000 = 9 then 'rare.example' else 'acme.example' end,
      case when i % 1000 = 5 then 'invalid' else 'likely_valid' end, 0.0625, case when i % 1000 = 5 then 'drop' else 'send' end,
      case when i % 20 = 1 then 'unknown' else 'hosted_suite_a' end, 4000, 87, false, false, job,
      case when i % 50000 = 77 then 'no_mx' end, case when i between 300000 and 300010 then 'disposable' else 'business' end,
      case when i % 10 = 0 then jsonb_build_object('decision', case when i % 10000 = 0 then 'deny' else 'allow' end) end,
      'human_mailbox', 'corporate', false, false, ''
    from (
      select i, ms, lpad(to_hex(ms), 12, '0') as time, md5(i::text) as bits, ${number} as n
      from (select i, ${OLDEST_MS}::bigint + i * ${DAY_MS / ROWS_PER_DAY}::bigint as ms
        from generate_series(0, ${ROWS - 1}) as i) as numbered
    ) as timed
    join jsonb_to_recordset(${JSON.stringify(writers)}::jsonb) as writer(n int, org text, key text, job text, mode text)
      using (n)`);
  await db.execute(sql`
    insert into trace_detail (id, organisation_id, detail)
    select id, organisation_id, '{}' from trace where id >= ${uuidAt(START_MS - 90 * DAY_MS)}`);
  await db.execute(sql`
    insert into usage_day (organisation_id, day, key_id, kind, recommendation, decision, calls, cost_micros)
    select organisation_id, created_at / ${sql.raw(String(DAY_MS))}, coalesce(key_id, ''), kind, recommendation,
      coalesce(policy_decision ->> 'decision', ''), count(*), sum(cost_micros)
    from trace where mode = 'live' group by 1, 2, 3, 4, 5, 6
    on conflict do nothing`);
  await seedEvents(monthly);
  await seedScreenings(monthly);
  await db.execute(sql`
    insert into api_key (id, organisation_id, hash, last4, name, role, mode, origin, operator, secret_version, created_at, created_by)
    select key, org, md5(key), 'x4Zk', 'a key', 'member', 'live', 'auto', false, 'Q', 0, 'operator'
    from (
      select key, min(org) as org
      from jsonb_to_recordset(${JSON.stringify(writers)}::jsonb) as writer(org text, key text) group by key
      union all select 'key_' || i, 'org_' || i from generate_series(1, 20000) as i
    ) as keys`);
}

/** Every 20th trace went on to subscribe. */
async function seedEvents(monthly: readonly number[]): Promise<void> {
  const batch = { organisationId: ORG.tiny, mode: 'live', source: 'api' };
  const event = { event: 'subscribed', at: OLDEST_MS, createdAt: OLDEST_MS, traceId: null, properties: {} };
  await insertEvents(
    db,
    monthly.map((ms) => JSON.stringify({ ...batch, events: [{ ...event, id: newId('ev', ms) }] })),
  );
  await keepStatistics();
  await db.execute(sql`
    insert into event (id, organisation_id, mode, source, event, at, created_at, trace_id)
    select id, organisation_id, mode, 'api', 'subscribed', created_at, created_at, id from trace
    where right(id::text, 1) = '7' or recommendation = 'drop'`);
}

/** As many as every tenth trace; one in 1,000 is for review. */
async function seedScreenings(monthly: readonly number[]): Promise<void> {
  const screening = { recommendation: 'allow', reasons: [] };
  const own = { organisationId: ORG.tiny, mode: 'live', keyId: KEY.tiny, addressHash: null, display: '•••', screening };
  await insertScreenings(
    db,
    monthly.map((ms) => JSON.stringify({ ...own, id: newId('sc', ms), createdAt: ms, costMicros: 0, latencyMs: 5 })),
  );
  await keepStatistics();
  await db.execute(sql`
    insert into screening (id, organisation_id, mode, key_id, created_at, address_hash, display, screening, cost_micros, latency_ms)
    select id, organisation_id, mode, key_id, created_at, address_hash, display,
      case when verdict = 'invalid' then '{"recommendation":"review","reasons":["typo_name"]}'::jsonb
        else '{"recommendation":"allow","reasons":[]}'::jsonb end, 0, 5
    from trace where right(id::text, 1) in ('3', '5') or verdict = 'invalid'`);
}

beforeAll(seed, SEED_TIMEOUT_MS);

/** Per month: a descent of one index (three or four pages) and the first row there. */
const PAGES_PER_MONTH = 5;
/** Per row: its page, its part of the index, and a descent of the key index for its label. */
const PAGES_PER_ROW = 4;
/** Two ids in two modes down one index, the embedded verification down another, then the detail. */
const FIND_PAGES = 30;
/** Per id: a descent of the index of two modes in one or two months, and of embedded verifications in as many. */
const PAGES_PER_ID = 20;
/** Traces of one statement of a simulation, at most. */
const SIMULATED = 2_000;
/** 400 days of five keys, three kinds and two decisions. */
const USAGE_PAGES = 400;
/** Per forgotten row: the row and its entries in every index, written anew. */
const FORGOTTEN_PAGES = 60;
/** Catalog pages for the indexes of all partitions. */
const PLANNING_PAGES = 100;

/** Pages read by the single statement of `work`, on a session with warm catalogs. */
async function readsOf(work: (db: Database) => Promise<unknown>) {
  const [, reads] = await server.explain(async (explaining) => {
    await work(explaining);
    await work(explaining);
  });
  if (reads === undefined) throw new Error('no statement');
  return reads;
}

it('measures organisations from 3 rows to more than 1.5 million, in 14 months', async () => {
  const sizes = await query<{ id: string; n: number }>(
    sql`select organisation_id as id, count(*)::int as n from trace group by 1`,
  );
  const size = new Map(sizes.map(({ id, n }) => [id, n]));
  expect(size.get(ORG.big)).toBeGreaterThan(1_500_000);
  expect(size.get(ORG.medium)).toBeGreaterThan(100_000);
  expect(size.get(ORG.small)).toBeLessThan(6_000);
  expect(size.get(ORG.tiny)).toBe(3);
  const [months] = await query<{ n: number }>(
    sql`select count(*)::int as n from pg_inherits where inhparent = 'trace'::regclass`,
  );
  expect(months?.n).toBe(MONTHS);
});

const FULL = Number.POSITIVE_INFINITY;

/** Every shape of the list's query; `before`: the row the page ends before; `found`: how many rows there are to show. */
interface ListCase extends Partial<TraceFilter> {
  readonly title: string;
  readonly org?: keyof typeof ORG;
  readonly before?: number;
  readonly found: number;
}

const MIDDLE = 1_000_000;

const LISTS: readonly ListCase[] = [
  { title: 'everything', found: FULL },
  { title: 'everything, from the middle', before: MIDDLE, found: FULL },
  { title: 'everything, the last page', before: 5, found: 5 },
  { title: 'everything, past the end', before: 0, found: 0 },
  { title: 'everything of 180,000', org: 'medium', found: FULL },
  { title: 'everything of 5,000', org: 'small', found: FULL },
  { title: 'everything of 5,000, from the middle', org: 'small', before: MIDDLE, found: FULL },
  { title: 'everything of 3 rows, 400 days old', org: 'tiny', found: 3 },
  { title: 'test mode, all in one day', mode: 'test', found: FULL },
  { title: 'test mode, from the middle of that day', mode: 'test', before: 601_500, found: FULL },
  { title: 'test mode without a row', org: 'medium', mode: 'test', found: 0 },
  { title: 'a busy key', keyId: KEY.busy, found: FULL },
  { title: 'a busy key, from the middle', keyId: KEY.busy, before: MIDDLE, found: FULL },
  { title: 'one row in 200, as a key sees itself', keyId: KEY.limited, found: FULL },
  { title: 'a key of monthly bursts', keyId: KEY.bursts, found: FULL },
  { title: 'a key of monthly bursts, from just before one', keyId: KEY.bursts, before: 1_799_000, found: FULL },
  { title: 'five rows, 390 days old', keyId: KEY.rare, found: 5 },
  { title: 'five rows, 390 days old, from the middle', keyId: KEY.rare, before: MIDDLE, found: 5 },
  { title: 'a key that wrote nothing', keyId: newKey(), found: 0 },
  { title: 'another organisation’s key', keyId: KEY.medium, found: 0 },
  { title: 'a busy key of another organisation', org: 'small', keyId: KEY.busy, found: 0 },
  { title: 'a live key in test mode', mode: 'test', keyId: KEY.busy, found: 0 },
  { title: 'a test key', mode: 'test', keyId: KEY.testing, found: FULL },
  { title: 'a job of 100,000', bulkJobId: JOB.big, found: FULL },
  { title: 'a job of 100,000, from its middle', bulkJobId: JOB.big, before: 1_250_000, found: FULL },
  { title: 'a job of 100,000, past its end', bulkJobId: JOB.big, before: 1_200_000, found: 0 },
  { title: 'a job of 2, 380 days old', bulkJobId: JOB.rare, found: 2 },
  { title: 'a job that wrote nothing', bulkJobId: newJob(), found: 0 },
  { title: 'another organisation’s job', org: 'medium', bulkJobId: JOB.big, found: 0 },
  { title: 'a live job in test mode', mode: 'test', bulkJobId: JOB.big, found: 0 },
  { title: 'a job with its key', keyId: KEY.busy, bulkJobId: JOB.big, found: FULL },
  { title: 'a job with another key', keyId: KEY.limited, bulkJobId: JOB.big, found: 0 },
  { title: 'a job with a rare key', keyId: KEY.rare, bulkJobId: JOB.big, found: 0 },
  { title: 'a rare job with a busy key', keyId: KEY.busy, bulkJobId: JOB.rare, found: 2 },
  { title: 'a job with the key that only began it', keyId: KEY.limited, bulkJobId: JOB.resumed, found: FULL },
  { title: 'a job that wrote nothing, a busy key', keyId: KEY.busy, bulkJobId: newJob(), found: 0 },
];

/** Lists that are narrowed; `most`: how many rows of the page's index they may look at. */
const NARROWED: readonly (ListCase & { readonly most: number })[] = [
  { title: 'what most rows have', facets: { verdict: 'likely_valid' }, found: FULL, most: 70 },
  { title: 'one row in 1,000', facets: { recommendation: 'drop' }, found: FULL, most: 51 },
  { title: 'one row in 50,000', facets: { reason: 'no_mx' }, found: 32, most: 51 },
  { title: 'eleven rows, 340 days old', facets: { emailType: 'disposable' }, found: 11, most: 51 },
  { title: 'a rare domain', facets: { domain: 'rare.example' }, found: 20, most: 51 },
  { title: 'the common domain', facets: { domain: 'acme.example' }, found: FULL, most: 51 },
  { title: 'one decision in 1,000', facets: { decision: 'deny' }, found: FULL, most: 51 },
  { title: 'decisions', facets: { kind: 'decide' }, found: FULL, most: 51 },
  { title: 'one row in 20, from the middle', facets: { esp: 'unknown' }, before: MIDDLE, found: FULL, most: 51 },
  { title: 'a value that no row has', facets: { reason: 'syntax_invalid' }, found: 0, most: 51 },
  { title: 'a domain of another organisation', org: 'tiny', facets: { domain: 'rare.example' }, found: 0, most: 51 },
  { title: 'a month', facets: {}, fromMs: timeOf(500_000), toMs: timeOf(650_000), found: FULL, most: 51 },
  {
    title: 'two that go together',
    facets: { verdict: 'invalid', recommendation: 'drop' },
    found: FULL,
    most: EXAMINED_MAX,
  },
  { title: 'two that never do', facets: { decision: 'deny', recommendation: 'drop' }, found: 0, most: EXAMINED_MAX },
  { title: 'a common one of a rare key', keyId: KEY.rare, facets: { kind: 'verify' }, found: 5, most: EXAMINED_MAX },
];

/** As the route asks for the default page and for the largest: one row more, to know of a next page. */
const LIMITS = [51, 201];

/** A decision of the big organisation: its id, that of the verification inside it, the hash of its address. */
async function decisionAfter(row: number) {
  const [found] = await query<{ id: string; own: string; hash: string }>(sql`
    select verification_id as id, id as own, address_hash as hash from trace
    where verification_id is not null and organisation_id = ${ORG.big} and id >= ${uuidAt(timeOf(row))} order by id limit 1`);
  if (found === undefined) throw new Error('no decision');
  return { verification: idFromUuid('vr', found.id), decision: idFromUuid('dc', found.own), hash: found.hash };
}

interface FindCase {
  readonly title: string;
  readonly org?: keyof typeof ORG;
  /** The row at which the decision stands. */
  readonly row: number;
  readonly by: 'decision' | 'verification';
  readonly found: number;
}

const FINDS: readonly FindCase[] = [
  { title: 'a decision without detail', row: 500_000, by: 'decision', found: 1 },
  { title: 'a decision with its detail', row: 1_900_000, by: 'decision', found: 1 },
  { title: 'the decision around a verification', row: 500_000, by: 'verification', found: 1 },
  { title: 'another organisation’s decision', org: 'medium', row: 500_000, by: 'decision', found: 0 },
  { title: 'another organisation’s verification', org: 'small', row: 500_000, by: 'verification', found: 0 },
];

/** Without statistics the planner guesses, as it does about rows written since they were gathered. */
describe.each([
  ['not analysed yet', sql`select 1`],
  ['analysed', sql`analyze trace, trace_detail, api_key, usage_day, event, screening`],
])('of tables %s', (_, prepare) => {
  beforeAll(() => db.execute(prepare), SEED_TIMEOUT_MS);

  describe('a narrowed list reads what it may look at, and takes a look into each month', () => {
    it.each(NARROWED)('$title', async ({ org = 'big', keyId = null, before, most, ...narrowed }) => {
      const filter = { mode: 'live', keyId, bulkJobId: null, ...narrowed } as const;
      const cursor = before === undefined ? null : idAt(before);
      const reads = await server.explain(async (explaining) => {
        for (let i = 0; i < 2; i += 1) await listTraces(explaining, ORG[org], filter, 51, cursor);
      });
      // The second run's: the page, and where it ended.
      for (const { execution, planning, plan } of reads.slice(reads.length / 2)) {
        expect(execution, plan).toBeLessThanOrEqual(MONTHS * PAGES_PER_MONTH + (most + 51) * PAGES_PER_ROW);
        expect(planning).toBeLessThanOrEqual(PLANNING_PAGES);
      }
    });
  });

  it.each<[string, UsageSplit | null, Id<'key'> | null]>([
    ['as a whole', null, null],
    ['by key', 'key', null],
    ['by kind', 'kind', null],
    ['by decision', 'decision', null],
    ['by recommendation', 'recommendation', null],
    ['of one key', 'kind', KEY.limited],
  ])('a year of usage %s reads the rollup alone', async (_title, by, keyId) => {
    const split = { fromDay: dayOf(START_MS) - 399, toDay: dayOf(START_MS), keyId };
    const reads = await readsOf((explaining) => listUsageDays(explaining, ORG.big, split, by));
    expect(reads.execution, reads.plan).toBeLessThanOrEqual(USAGE_PAGES);
  });

  it.each([
    ['of all keys', null, 1],
    ['of its key', KEY.busy, 1],
    ['of another key', KEY.rare, 0],
  ] as const)(
    'a search by address %s reads its traces and takes a look into each month',
    async (_title, keyId, found) => {
      const { hash } = await decisionAfter(900_000);
      const filter = { mode: 'live', keyId, bulkJobId: null, addressHash: hash } as const;
      const reads = await readsOf((explaining) => listTraces(explaining, ORG.big, filter, 51, null));
      expect(reads.execution, reads.plan).toBeLessThanOrEqual(MONTHS * PAGES_PER_MONTH + found * PAGES_PER_ROW);
    },
  );

  describe('a simulation reads its page', () => {
    const asked = {
      filter: { mode: 'live', keyId: null },
      fromMs: START_MS - 90 * DAY_MS,
      limit: SIMULATED,
      before: null,
    };
    const most = MONTHS * PAGES_PER_MONTH + SIMULATED * PAGES_PER_ROW;

    it.each([
      ['of decisions', { withDetail: false, keyId: null }],
      ['of decisions with their details', { withDetail: true, keyId: null }],
      ['of one key’s decisions', { withDetail: false, keyId: KEY.limited }],
    ])('%s', async (_title, { withDetail, keyId }) => {
      const page = { ...asked, filter: { mode: 'live', keyId }, withDetail } as const;
      const reads = await readsOf((explaining) => listDecidableTraces(explaining, ORG.big, page));
      expect(reads.execution, reads.plan).toBeLessThanOrEqual(most);
    });

    it('of what recommendations follow from', async () => {
      const page = { ...asked, filter: { mode: 'live', keyId: null } } as const;
      const reads = await readsOf((explaining) => listJudgedTraces(explaining, ORG.big, page));
      expect(reads.execution, reads.plan).toBeLessThanOrEqual(most);
    });

    it('and then the events of 500 that it would deny', async () => {
      const denied = await query<{ id: string }>(
        sql`select id from trace where organisation_id = ${ORG.big} and recommendation = 'drop' order by id desc limit 500`,
      );
      const ids = denied.map(({ id }) => idFromUuid('vr', id));
      const reads = await readsOf((explaining) => countEventsOf(explaining, ORG.big, 'live', ids));
      expect(reads.execution, reads.plan).toBeLessThanOrEqual(ids.length * MONTHS * PAGES_PER_MONTH);
    });
  });

  describe('a list of screenings reads what it may look at, and takes a look into each month', () => {
    it.each<[string, Omit<ScreeningFilter, 'mode'>, number]>([
      ['all', { keyId: null }, 51],
      // Without statistics the planner overestimates a key's rows and may scan a month by time: 13 pages a row.
      ['of a key', { keyId: KEY.limited }, 2.5 * 51],
      ['of a month', { keyId: null, fromMs: timeOf(500_000), toMs: timeOf(650_000) }, 51],
      ['for review', { keyId: null, facets: { recommendation: 'review' } }, EXAMINED_MAX],
      ['with a reason', { keyId: null, facets: { reason: 'typo_name' } }, EXAMINED_MAX],
      ['of a domain that none has', { keyId: null, facets: { domain: 'none.example' } }, EXAMINED_MAX],
    ])('%s', async (_title, filter, most) => {
      const reads = await server.explain(async (explaining) => {
        for (let i = 0; i < 2; i += 1) await listScreenings(explaining, ORG.big, { mode: 'live', ...filter }, 51, null);
      });
      for (const { execution, plan } of reads.slice(reads.length / 2))
        expect(execution, plan).toBeLessThanOrEqual(MONTHS * PAGES_PER_MONTH + (most + 51) * PAGES_PER_ROW);
    });
  });

  describe.each(LIMITS)('a list of %i reads its page and takes a look into each month', (limit) => {
    it.each(LISTS)('$title', async ({ org = 'big', mode = 'live', keyId = null, bulkJobId = null, before, found }) => {
      const filter = { mode, keyId, bulkJobId };
      const cursor = before === undefined ? null : idAt(before);
      const reads = await readsOf((explaining) => listTraces(explaining, ORG[org], filter, limit, cursor));
      expect(reads.rows).toBe(Math.min(limit, found));
      expect(reads.execution, reads.plan).toBeLessThanOrEqual(MONTHS * PAGES_PER_MONTH + limit * PAGES_PER_ROW);
      expect(reads.planning).toBeLessThanOrEqual(PLANNING_PAGES);
    });
  });

  describe('one trace is found in a few pages', () => {
    it.each(FINDS)('$title', async ({ org = 'big', row, by, found }) => {
      const { [by]: id } = await decisionAfter(row);
      const reads = await readsOf((explaining) => findTrace(explaining, ORG[org], id));
      expect(reads.rows).toBe(found);
      expect(reads.execution, reads.plan).toBeLessThanOrEqual(FIND_PAGES);
      expect(reads.planning).toBeLessThanOrEqual(PLANNING_PAGES);
    });

    it('none under an unknown id, on the edge of two months', async () => {
      const id = newId('vr', Date.UTC(2026, 5, 1));
      const reads = await readsOf((explaining) => findTrace(explaining, ORG.big, id));
      expect(reads.rows).toBe(0);
      expect(reads.execution, reads.plan).toBeLessThanOrEqual(2 * FIND_PAGES);
    });
  });

  it.each(['big', 'medium', 'small'] as const)(
    'finds addresses of any ids in a few pages each: organisation %s',
    async (org) => {
      const spread = Array.from({ length: 100 }, (__, n) => (n * ROWS) / 100);
      const decisions = await Promise.all(spread.slice(0, 20).map((row) => decisionAfter(row)));
      const ids = [
        ...decisions.flatMap(({ verification, decision }) => [verification, decision]),
        ...spread.map((row) => newId('vr', timeOf(row))),
      ];
      const [reads] = await server.explain((explaining) => findTraceAddresses(explaining, ORG[org], ids));
      expect(reads?.rows).toBe(org === 'big' ? 40 : 0);
      expect(reads?.execution, reads?.plan).toBeLessThanOrEqual(ids.length * PAGES_PER_ID);
    },
  );
});

it('forgets an address in a few pages a month', async () => {
  const { hash } = await decisionAfter(700_000);
  const reads = await server.explain(async (explaining) => {
    await forgetTraces(explaining, [{ organisationId: ORG.big, hash }]);
    await forgetTraces(explaining, [{ organisationId: ORG.big, hash }]);
  });
  expect(reads.map(({ rows }) => rows)).toEqual([1, 0]);
  for (const { execution, plan } of reads)
    expect(execution, plan).toBeLessThanOrEqual(MONTHS * PAGES_PER_MONTH + FORGOTTEN_PAGES);
});
