import { sql } from 'drizzle-orm';
import { afterAll, describe, expect, it } from 'vitest';
import { rollUpOrganisation } from '../../src/app/roll-up.ts';
import {
  deleteRollups,
  findWindow,
  forgetExposures,
  listCells,
  listWeeklyCells,
} from '../../src/domain/insights/store/read.ts';
import type { TraceRecord } from '../../src/domain/traces/index.ts';
import { forgetTraces } from '../../src/domain/traces/store.ts';
import { DAY_MS } from '../../src/kernel/clock.ts';
import { type Id, idToUuid, newId } from '../../src/kernel/ids.ts';
import type { Database } from '../../src/platform/db/client.ts';
import { openTestDatabase } from '../support/database.ts';
import { START_MS, traceRecord } from '../support/records.ts';
import { insertWorld, naiveRollUp, newEventId, type World, type WorldEvent } from '../support/rollup-world.ts';

const { db, close } = await openTestDatabase();
afterAll(close);

const BUDGET_MS = 600_000;
const METRICS = ['subscribed', 'churned', 'custom:trial'];
const WINDOWS = [1, 7, 90, 364, 365];

const newOrganisation = () => newId('org', START_MS);

/** Draws that a seed repeats (mulberry32). */
function drawsOf(seed: number) {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (count: number): number => Math.floor(next() * count);
  const one = <T>(list: readonly T[]): T => list[below(list.length)] as T;
  return { next, below, one };
}

/** Traces and events of 200 addresses over the 430 days before `untilMs`: some seen often, some unreadable, some in bulk. */
function drawWorld(seed: number, organisationId: Id<'org'>, untilMs: number): World {
  const draw = drawsOf(seed);
  const jobs = { hygiene: newId('bj', START_MS), outbound: newId('bj', START_MS) };
  const at = (): number => untilMs - Math.floor(draw.next() ** 2 * 430 * DAY_MS);
  const traces = Array.from({ length: 420 }, (): TraceRecord => {
    const createdAt = at();
    const kind = draw.one(['verify', 'decide', 'decide', 'bulk'] as const);
    const id = newId(kind === 'decide' ? 'dc' : 'vr', createdAt);
    return traceRecord({
      ...{ organisationId, id, kind, createdAt, mode: draw.next() < 0.05 ? 'test' : 'live' },
      verificationId: kind === 'decide' ? newId('vr', createdAt) : null,
      addressHash: draw.next() < 0.05 ? null : `${draw.below(200)}`.padStart(64, '0'),
      bulkJobId: kind === 'bulk' ? draw.one(Object.values(jobs)) : null,
      esp: draw.one(['hosted_suite_a', 'hosted_suite_a', 'consumer_esp']),
      mailboxType: draw.one(['corporate', 'corporate', 'consumer', null]),
      disposable: draw.next() < 0.1,
      policyDecision:
        kind === 'decide'
          ? {
              ...{ decision: draw.one(['allow', 'deny']), rule_id: draw.one(['a', 'b']) },
              ...{ policy: { slug: 'default', version: 1 }, experiment: null, icp: { fit: 'none' } },
              company: draw.one([
                null,
                { industry: draw.one(['Retail', 'Mining']), employees_range: '1-10', country: 'DE' },
              ]),
              attributes: draw.one([null, {}, { plan: draw.one(['team', 'solo']), seats: draw.below(70), paid: true }]),
            }
          : null,
    });
  });
  const events = Array.from({ length: 300 }, (): WorldEvent => {
    const trace = draw.one(traces);
    const happenedAt = trace.createdAt + Math.floor((draw.next() - 0.3) * 20 * DAY_MS);
    const receivedAt = Math.min(untilMs, happenedAt + draw.below(3) * DAY_MS);
    const base = { id: newEventId(receivedAt), event: draw.one(METRICS), at: Math.floor(happenedAt / 1000) * 1000 };
    const way = draw.next();
    if (way < 0.2) return { ...base, traceId: null, addressHash: `${draw.below(220)}`.padStart(64, '0') };
    const named = way < 0.3 ? newId('vr', happenedAt) : way < 0.6 ? (trace.verificationId ?? trace.id) : trace.id;
    return { ...base, traceId: idToUuid(named), addressHash: null };
  });
  return { traces, events, hygieneJobs: new Set([jobs.hygiene]) };
}

async function insertJobs(organisationId: Id<'org'>, { traces, hygieneJobs }: World): Promise<void> {
  for (const id of new Set(traces.flatMap(({ bulkJobId }) => bulkJobId ?? []))) {
    const record = JSON.stringify({ job: { id, purpose: hygieneJobs.has(id) ? 'list_hygiene' : 'outbound' } });
    await db.execute(
      sql`insert into bulk_job (organisation_id, id, version, record) values (${organisationId}, ${id}, 1, ${record}::jsonb)`,
    );
  }
}

async function expectAsNaive(organisationId: Id<'org'>, world: World, now: number): Promise<void> {
  const naive = naiveRollUp(world, now);
  for (const metric of METRICS) {
    for (const windowDays of WINDOWS) {
      const { join, computedAt } = await findWindow(db, organisationId, metric, windowDays);
      expect({ join, computedAt }).toEqual({ join: naive.join(metric, windowDays), computedAt: now });
      const cells = await listCells(db, organisationId, metric, windowDays);
      const shown = cells.map(({ key, exposures, events }) => [naive.keyText(key), { exposures, events }] as const);
      expect(Object.fromEntries(shown)).toEqual(naive.cells(metric, windowDays));
      expect(shown).toHaveLength(Object.keys(naive.cells(metric, windowDays)).length);
      const [everybody] = await listWeeklyCells(db, organisationId, metric, windowDays, 0);
      const sum = (list: readonly number[] = []): number => list.reduce((total, count) => total + count, 0);
      expect({ exposures: sum(everybody?.exposures), events: sum(everybody?.events) }).toEqual(
        naive.advisable(metric, windowDays),
      );
    }
  }
}

const TABLES = [
  ...['rollup', 'rollup_source', 'exposure', 'address_event', 'segment_value', 'segment_day'],
  ...['segment_cell', 'segment_total'],
];

/** Every row of the roll-up's tables. */
async function dump(organisationId: Id<'org'>): Promise<Record<string, unknown[]>> {
  const tables = TABLES.map(async (table) => {
    const { rows } = (await db.execute(
      sql`select to_jsonb(t) as row from ${sql.raw(table)} t where organisation_id = ${organisationId} order by to_jsonb(t)`,
    )) as { rows: unknown[] };
    return [table, rows] as const;
  });
  return Object.fromEntries(await Promise.all(tables));
}

/** A database whose n-th statement from now on is its last. */
function killedAfter(statements: number): Database {
  let left = statements;
  return new Proxy(db, {
    get: (target, name) => {
      if (name !== 'execute') return Reflect.get(target, name) as unknown;
      return (query: Parameters<Database['execute']>[0]) => {
        left -= 1;
        if (left < 0) throw new Error('killed');
        return target.execute(query);
      };
    },
  });
}

describe('rollUpOrganisation', () => {
  it.each([1, 2, 3])('counts what a naive look at everything counts, in every window (world %i)', async (seed) => {
    const organisationId = newOrganisation();
    const world = drawWorld(seed, organisationId, START_MS);
    await insertJobs(organisationId, world);
    await insertWorld(db, organisationId, world);
    expect(await rollUpOrganisation(db, organisationId, START_MS, BUDGET_MS)).toMatchObject({ done: true });
    await expectAsNaive(organisationId, world, START_MS);
  });
});
