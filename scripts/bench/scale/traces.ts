import type pg from 'pg';
import { DAY_MS } from '../../../src/kernel/clock.ts';
import { newId } from '../../../src/kernel/ids.ts';
import type { Database } from '../../../src/storage/postgres/client.ts';
import { createPartitions, dropExpiredPartitions } from '../../../src/storage/postgres/partitions.ts';
import { listTraces, type TraceFilter } from '../../../src/storage/postgres/traces.ts';
import type { Cost, Curve } from './curve.ts';
import { onSchema } from './postgres.ts';

const NOW_MS = Date.UTC(2026, 10, 12, 10);
const DAYS = 365;
const PAGE = 50;
/** Rows of a statement that fills the table. */
const AT_ONCE = 1_000_000;

const ORGANISATION = newId('org', NOW_MS);
const all: TraceFilter = { mode: 'live', keyId: null, bulkJobId: null };

/** What is read of a year of traces. */
const READS: readonly (Omit<Cost, 'unit'> & { readonly read: (db: Database) => Promise<unknown> })[] = [
  {
    name: 'the first page of the log',
    why: 'the page that opens first',
    atMost: 0.1,
    read: (db) => listTraces(db, ORGANISATION, all, PAGE, null),
  },
  {
    name: 'a page narrowed to a seldom verdict, which has an index',
    why: 'people look for what went wrong',
    atMost: 0.2,
    read: (db) => listTraces(db, ORGANISATION, { ...all, facets: { verdict: 'invalid' } }, PAGE, null),
  },
  {
    name: 'a page narrowed to one address',
    why: 'what a customer’s support asks for',
    atMost: 0.2,
    read: (db) => listTraces(db, ORGANISATION, { ...all, addressHash: 'f'.repeat(64) }, PAGE, null),
  },
  {
    name: 'the night’s look for months past retention',
    why: 'it reads the catalogue alone',
    atMost: 0.1,
    read: (db) => dropExpiredPartitions(db, NOW_MS),
  },
];

export const traces: Curve = {
  by: 'traces of a year',
  sizes: [10_000, 100_000, 1_000_000, 10_000_000],
  quick: [10_000, 100_000],
  needsPostgres: true,
  costs: READS.map(({ name, why, atMost }) => ({ name, why, atMost, unit: 'pages' })),
  measure: ({ postgresUrl }, size) =>
    onSchema(postgresUrl, async (db, counted, pool) => {
      await fill(db, pool, size);
      const pages: number[] = [];
      for (const { read } of READS) {
        const before = counted.pages;
        await read(db);
        pages.push(counted.pages - before);
      }
      return pages;
    }),
};

/** Spread evenly over the year. A thousandth is invalid; the address that is looked for is met three times a year. */
async function fill(db: Database, pool: pg.Pool, size: number): Promise<void> {
  const months = Array.from({ length: 14 }, (_, month) => Date.UTC(2025, 10 + month, 2));
  await createPartitions(db, ['trace'], months);
  for (let from = 0; from < size; from += AT_ONCE)
    await pool.query(
      `insert into trace (id, organisation_id, kind, mode, created_at, address_hash, display, domain, verdict,
         bounce_probability, recommendation, esp, cost_micros, latency_ms, cache_hit, degraded, actor_class, mailbox_type,
         disposable, role_account)
       select (lpad(to_hex(at), 12, '0') || '7' || substr(md5(i::text), 1, 19))::uuid, $1, 'verify', 'live', at,
         case when i % ($3::int / 3) = 0 then repeat('f', 64) else md5(i::text) || md5((i + 1)::text) end, 'a', 'b.test',
         case when i % 1000 = 0 then 'invalid' else 'valid' end, 0.01, 'send', 'consumer_esp', 0, 1, false, false,
         'human_mailbox', 'corporate', false, false
       from (select i, ($4::bigint + $5::bigint * (i::float8 / $3::int))::bigint as at
         from generate_series($2::int + 1, least($2::int + ${AT_ONCE}, $3::int)) as i) as numbered`,
      [ORGANISATION, from, size, NOW_MS - DAYS * DAY_MS, DAYS * DAY_MS - 1],
    );
  // As the platform keeps statistics: of months that have rows. One that is known to be empty would be planned otherwise.
  for (const { name } of (
    await pool.query<{ name: string }>('select distinct tableoid::regclass::text as name from trace order by name')
  ).rows)
    await pool.query(`vacuum analyze ${name}`);
}
