import { drizzle } from 'drizzle-orm/node-postgres';
import type pg from 'pg';
import { DAY_MS } from '../../src/kernel/clock.ts';
import { newId, uuidAt } from '../../src/kernel/ids.ts';
import { rollUpOrganisation } from '../../src/services/insights/roll-up.ts';
import type { Database } from '../../src/storage/postgres/client.ts';
import { findWindow, listCells } from '../../src/storage/postgres/insights/read.ts';
import type { BenchRow } from './row.ts';
import { onSchema } from './scale/postgres.ts';

const NOW_MS = Date.UTC(2026, 10, 12, 10);
const DAYS = 365;
const READS = 9;

/** What a statement took, and its text and values weighed. */
interface Sent {
  readonly ms: number;
  readonly bytes: number;
}

/** A year of one organisation: a third of its exposures decisions with a company, attributes and an experiment. */
export function runRollUps(url: string, exposures: number, events: number): Promise<BenchRow[]> {
  return onSchema(url, async (_, __, pool) => {
    const organisationId = newId('org', NOW_MS);
    await seed(pool, organisationId, exposures, events);
    const sent: Sent[] = [];
    const db = timing(pool, sent);
    const timed = async (work: () => Promise<unknown>): Promise<number> => {
      const startedAt = performance.now();
      await work();
      return performance.now() - startedAt;
    };
    const firstMs = await timed(() => rollUpOrganisation(db, organisationId, NOW_MS, 3_600_000));
    const first = sent.splice(0);
    await seedNight(pool, organisationId, Math.round(exposures / DAYS));
    const nextMs = await timed(() => rollUpOrganisation(db, organisationId, NOW_MS + DAY_MS, 3_600_000));
    const second = sent.splice(0);
    const reads: number[] = [];
    for (let read = 0; read < READS; read += 1) {
      reads.push(
        await timed(() =>
          Promise.all([
            findWindow(db, organisationId, 'subscribed', 365),
            listCells(db, organisationId, 'subscribed', 365),
          ]),
        ),
      );
    }
    const longest = (list: readonly Sent[], of: keyof Sent): number => Math.max(...list.map((each) => each[of]));
    const { rows: cells } = await pool.query('select count(*)::int as n from segment_cell');
    return [
      { name: 'a year at once', value: firstMs / 1000, unit: 's', target: { atMost: 60 } },
      { name: 'its longest statement', value: longest(first, 'ms') / 1000, unit: 's', target: { atMost: 5 } },
      { name: 'its largest statement', value: longest(first, 'bytes') / 2 ** 20, unit: 'MB', target: { atMost: 4 } },
      { name: 'the night after', value: nextMs / 1000, unit: 's', note: `${second.length} statements` },
      { name: 'its longest statement', value: longest(second, 'ms') / 1000, unit: 's', target: { atMost: 5 } },
      {
        name: 'reading 365 days',
        value: reads.sort((a, b) => a - b)[READS >> 1] ?? 0,
        unit: 'ms',
        target: { atMost: 50 },
        note: `${cells[0]?.n} segments`,
      },
    ];
  });
}

/** Notes what each statement takes, with the answer's way to us. */
function timing(pool: pg.Pool, sent: Sent[]): Database {
  const client = {
    async query(text: { text: string }, values: unknown[]) {
      const startedAt = performance.now();
      const result = await pool.query(text, values);
      sent.push({ ms: performance.now() - startedAt, bytes: text.text.length + JSON.stringify(values ?? []).length });
      return result;
    },
  };
  return drizzle({ client: client as unknown as pg.Client });
}

/** Spread over words by a number, unevenly. */
const pick = (of: string, words: readonly string[]): string =>
  `(array[${words.map((word) => `'${word}'`).join(',')}])[1 + floor(${words.length} * power(${of}, 2))::int]`;
const many = (prefix: string, count: number): string[] => Array.from({ length: count }, (_, i) => `${prefix}${i}`);

async function seed(pool: pg.Pool, organisationId: string, exposures: number, events: number): Promise<void> {
  for (let month = -1; month <= 12; month += 1) {
    const [from, to] = [Date.UTC(2025, 10 + month, 1), Date.UTC(2025, 11 + month, 1)];
    for (const table of ['trace', 'event'])
      await pool.query(
        `create table ${table}_${month + 1} partition of ${table} for values from ('${uuidAt(from)}') to ('${uuidAt(to)}')`,
      );
  }
  await pool.query('select setseed(0.5)');
  await insertTraces(pool, organisationId, 0, exposures, NOW_MS - (DAYS - 1) * DAY_MS, (DAYS - 1.5) * DAY_MS);
  await insertEvents(pool, organisationId, events, exposures, 'at + random() * 30 * 86400000');
  await pool.query('analyze trace');
  await pool.query('analyze event');
}

/** A day more: new exposures, and events of the month before. */
async function seedNight(pool: pg.Pool, organisationId: string, rows: number): Promise<void> {
  await insertTraces(pool, organisationId, 10_000_000, rows, NOW_MS, DAY_MS);
  await insertEvents(pool, organisationId, rows, 0, `${NOW_MS} + random() * 86400000`);
}

const insertTraces = (
  pool: pg.Pool,
  organisationId: string,
  base: number,
  rows: number,
  fromMs: number,
  spanMs: number,
) =>
  pool.query(`
    insert into trace (id, organisation_id, kind, mode, created_at, address_hash, display, domain, verdict,
      bounce_probability, recommendation, esp, cost_micros, latency_ms, cache_hit, degraded, policy_decision, actor_class,
      mailbox_type, disposable, role_account)
    select (lpad(to_hex(at), 12, '0') || '7' || substr(md5(i::text), 1, 19))::uuid, '${organisationId}',
      case when decided then 'decide' else 'verify' end, 'live', at, md5(i::text) || md5((i + 1)::text), 'a', 'b', 'valid', 0.01,
      'send', ${pick('r1', ['hosted_suite_a', 'hosted_suite_b', 'consumer_esp', 'self_hosted', 'unknown'])}, 0, 1, false,
      false, case when decided then jsonb_build_object('decision', ${pick('r2', ['allow', 'review', 'challenge', 'deny'])},
        'rule_id', ${pick('r3', many('rule', 12))}, 'policy', '{"slug":"default","version":1}'::jsonb, 'icp', jsonb_build_object('fit', ${pick('r4', ['none', 'partial', 'strong'])}),
        'company', jsonb_build_object('industry', ${pick('r5', many('industry', 30))}, 'employees_range', ${pick('r6', ['1-10', '11-50', '51-200', '201-500'])},
          'country', ${pick('r7', many('C', 40))}),
        'person', jsonb_build_object('seniority', ${pick('r8', ['junior', 'senior', 'manager'])}),
        'attributes', jsonb_build_object('plan', ${pick('r9', many('plan', 5))}, 'source', ${pick('r1', many('source', 80))}))
      end, ${pick('r2', ['human_mailbox', 'role_account', 'relay_alias', 'unknown'])}, ${pick('r3', ['corporate', 'consumer', 'role'])}, r4 > 0.97, r5 > 0.9
    from (select i, at, i % 3 = 0 as decided, random() as r1, random() as r2, random() as r3, random() as r4, random() as r5,
        random() as r6, random() as r7, random() as r8, random() as r9
      from (select ${base} + i as i, (${fromMs} + ${spanMs} * ((i - 1.0) / ${rows}))::bigint as at
        from generate_series(1, ${rows}) as i) as numbered) as drawn`);

const EVENTS = ['signup_completed', 'activated', 'subscribed', 'churned', 'support_ticket', 'custom:trial'];

/** Each names the trace of an exposure drawn by chance. */
const insertEvents = (pool: pg.Pool, organisationId: string, rows: number, exposures: number, at: string) =>
  pool.query(`
    insert into event (id, organisation_id, mode, source, event, at, created_at, trace_id)
    select (lpad(to_hex(at2), 12, '0') || '7' || substr(md5(random()::text), 1, 19))::uuid, '${organisationId}', 'live', 'api',
      ${pick('random()', EVENTS)}, at2, at2, id
    from (select id, least(${at}, ${exposures === 0 ? NOW_MS + DAY_MS : NOW_MS} - 1)::bigint as at2
      from (select id, created_at as at from trace where organisation_id = '${organisationId}'
        ${exposures === 0 ? `and created_at > ${NOW_MS - 30 * DAY_MS}` : ''} order by random() limit ${rows}) as chosen) as timed`);
