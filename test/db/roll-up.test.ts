import { sql } from 'drizzle-orm';
import { afterAll, describe, expect, it } from 'vitest';
import type { TraceRecord } from '../../src/domain/traces/traces.ts';
import { DAY_MS, pause } from '../../src/kernel/clock.ts';
import { type Id, idTimeMs, idToUuid, newId, siblingId } from '../../src/kernel/ids.ts';
import { rollUpOrganisation } from '../../src/services/insights.ts';
import type { Database } from '../../src/storage/postgres/client.ts';
import { deleteRowsOf } from '../../src/storage/postgres/erasure.ts';
import { takeTraces } from '../../src/storage/postgres/insights/intake.ts';
import { findWindow, forgetExposures, listCells, listWeeklyCells } from '../../src/storage/postgres/insights/read.ts';
import { claimRun } from '../../src/storage/postgres/insights/run.ts';
import * as nightly from '../../src/storage/postgres/nightly-schema.ts';
import { forgetTraces } from '../../src/storage/postgres/traces.ts';
import { openTestDatabase } from '../support/database.ts';
import { START_MS, traceRecord } from '../support/records.ts';
import { insertWorld, naiveRollUp, newEventId, type World, type WorldEvent } from '../support/rollup-world.ts';
import { seededRandom } from '../support/seeded-random.ts';

const { db, close } = await openTestDatabase();
afterAll(close);

const BUDGET_MS = 600_000;
/** Thousands of statements, and a naive count beside each window. */
const TIMEOUT_MS = 120_000;
const METRICS = ['subscribed', 'custom:trial'];
const WINDOWS = [1, 90, 365];

const newOrganisation = () => newId('org', START_MS);

function drawsOf(seed: number) {
  const { uniform } = seededRandom(seed);
  const below = (count: number): number => Math.floor(uniform() * count);
  return { next: uniform, below, one: <T>(list: readonly T[]): T => list[below(list.length)] as T };
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
      organisationId,
      id,
      kind,
      createdAt,
      mode: draw.next() < 0.05 ? 'test' : 'live',
      verificationId: kind === 'decide' ? siblingId('vr', id) : null,
      addressHash: draw.next() < 0.05 ? null : `${draw.below(200)}`.padStart(64, '0'),
      bulkJobId: kind === 'bulk' ? draw.one(Object.values(jobs)) : null,
      esp: draw.one(['hosted_suite_a', 'hosted_suite_a', 'consumer_esp']),
      mailboxType: draw.one(['corporate', 'corporate', 'consumer', 'unknown']),
      disposable: draw.next() < 0.1,
      policyDecision:
        kind === 'decide'
          ? {
              decision: draw.one(['allow', 'deny']),
              rule_id: draw.one(['a', 'b']),
              policy: { slug: 'default', version: 1 },
              experiment: null,
              icp: { fit: 'none' },
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
      const [everybody] = await listWeeklyCells(db, organisationId, metric, windowDays);
      const sum = (list: readonly number[] = []): number => list.reduce((total, count) => total + count, 0);
      expect({ exposures: sum(everybody?.exposures), events: sum(everybody?.events) }).toEqual(
        naive.advisable(metric, windowDays),
      );
    }
  }
}

const TABLES = [
  'rollup',
  'rollup_source',
  'exposure',
  'address_event',
  'segment_value',
  'segment_day',
  'segment_cell',
  'segment_total',
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

/** A database that fails after n more statements. */
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

describe('rollUpOrganisation', { timeout: TIMEOUT_MS }, () => {
  it.each([1])('counts what a naive look at everything counts, in every window (world %i)', async (seed) => {
    const organisationId = newOrganisation();
    const world = drawWorld(seed, organisationId, START_MS);
    await insertJobs(organisationId, world);
    await insertWorld(db, organisationId, world);
    expect(await rollUpOrganisation(db, organisationId, START_MS, BUDGET_MS)).toMatchObject({ done: true });
    await expectAsNaive(organisationId, world, START_MS);
    const before = await dump(organisationId);
    const again = await rollUpOrganisation(db, organisationId, START_MS, BUDGET_MS);
    expect(again).toEqual({ days: 0, exposures: 0, events: 0, done: true });
    expect(await dump(organisationId)).toEqual(before);
  });

  it('counts texts that differ in case alone together, as a rule does, and rules and numbers by themselves', async () => {
    const organisationId = newOrganisation();
    const traces = Array.from({ length: 120 }, (_, i): TraceRecord => {
      const id = newId('dc', START_MS - DAY_MS);
      return traceRecord({
        organisationId,
        id,
        kind: 'decide',
        createdAt: START_MS - DAY_MS,
        verificationId: newId('vr', START_MS),
        addressHash: `${i}`.padStart(64, '0'),
        policyDecision: {
          decision: 'allow',
          rule_id: i % 2 === 0 ? 'a' : 'A',
          policy: { slug: 'default', version: 1 },
          experiment: null,
          icp: { fit: 'none' },
          company: { industry: i % 3 === 0 ? 'Mining' : 'mining', employees_range: null, country: null },
          attributes: { plan: ['Team', 'Team', 'team', 'TEAM', 'Other', 'other'][i % 6] ?? '' },
        },
      });
    });
    await insertWorld(db, organisationId, { traces, events: [] });
    await rollUpOrganisation(db, organisationId, START_MS, BUDGET_MS);
    const cells = await listCells(db, organisationId, 'subscribed', 2);
    const of = (name: string) =>
      cells
        .filter(({ key }) => Object.keys(key).length === 1 && name in key)
        .map(({ key, exposures }) => [key[name], exposures]);
    expect(of('company.industry')).toEqual([['mining', 120]]);
    expect(of('attributes.plan')).toEqual([
      ['Team', 80],
      ['other', 40],
    ]);
    expect(of('rule_id')).toEqual([
      ['A', 60],
      ['a', 60],
    ]);
    expect(cells).toContainEqual(
      expect.objectContaining({ key: { esp: 'hosted_suite_a', 'company.industry': 'mining' }, exposures: 120 }),
    );
  });

  it('shows ten names of attributes and ten custom metrics, the most frequent ones', async () => {
    const organisationId = newOrganisation();
    const letters = Array.from({ length: 12 }, (_, i) => String.fromCharCode(97 + i));
    const traces = letters.map((_, i) => {
      const id = newId('dc', START_MS);
      const [made] = drawWorld(1, organisationId, START_MS).traces.flatMap(
        ({ policyDecision }) => policyDecision ?? [],
      );
      if (made === undefined) throw new Error('the trace is without a decision');
      // `l` is on all of them, `a` on one.
      const attributes = Object.fromEntries(letters.slice(0, i + 1).map((_name, at) => [letters[11 - at] ?? '', at]));
      return traceRecord({
        organisationId,
        id,
        kind: 'decide',
        policyDecision: { ...made, attributes },
        addressHash: `${i}`.padStart(64, '0'),
      });
    });
    const events = letters.flatMap((letter, i) =>
      Array.from({ length: i + 1 }, (): WorldEvent => ({
        id: newEventId(START_MS),
        event: `custom:${letter}`,
        at: START_MS,
        addressHash: null,
        traceId: idToUuid(traces[i]?.id ?? newId('dc', START_MS)),
      })),
    );
    await insertWorld(db, organisationId, { traces, events });
    await rollUpOrganisation(db, organisationId, START_MS, BUDGET_MS);
    const cells = await listCells(db, organisationId, 'custom:l', 1);
    const names = cells.flatMap(({ key }) => Object.keys(key)).filter((name) => name.startsWith('attributes.'));
    expect([...new Set(names)].sort()).toEqual(letters.slice(2).map((letter) => `attributes.${letter}`));
    for (const [i, letter] of letters.entries()) {
      const { counted, join } = await findWindow(db, organisationId, `custom:${letter}`, 1);
      expect({ counted, exact: join.exact }).toEqual({ counted: i >= 2, exact: i + 1 });
    }
  });

  it('finishes what an earlier night left, and then its own', async () => {
    const organisationId = newOrganisation();
    const first = traceRecord({ organisationId });
    await insertWorld(db, organisationId, { traces: [first], events: [] });
    for (let statements = 1; ; statements += 1) {
      const ends = await rollUpOrganisation(killedAfter(statements), organisationId, START_MS, BUDGET_MS).catch(
        () => null,
      );
      const { rows } = (await db.execute(
        sql`select building_at from rollup where organisation_id = ${organisationId}`,
      )) as { rows: { building_at: unknown }[] };
      if ((rows[0]?.building_at ?? null) !== null) break;
      expect(ends).toBeNull();
    }
    const now = START_MS + DAY_MS;
    const second = traceRecord({ organisationId, createdAt: now, id: newId('vr', now), addressHash: 'b'.repeat(64) });
    await insertWorld(db, organisationId, { traces: [second], events: [] });
    expect(await rollUpOrganisation(db, organisationId, now, BUDGET_MS)).toMatchObject({ done: true });
    await expectAsNaive(organisationId, { traces: [first, second], events: [], hygieneJobs: new Set() }, now);
  });

  it('counts what was written past midnight while it ran, when its day has come', async () => {
    const organisationId = newOrganisation();
    const [now, next] = [START_MS, START_MS + DAY_MS];
    const traces = [now, next].map((createdAt, i) =>
      traceRecord({ organisationId, createdAt, id: newId('vr', createdAt), addressHash: `${i}`.padStart(64, '0') }),
    );
    await insertWorld(db, organisationId, { traces, events: [] });
    await rollUpOrganisation(db, organisationId, now, BUDGET_MS);
    const everybody = async () => (await listCells(db, organisationId, 'subscribed', 365))[0]?.exposures;
    expect(await everybody()).toBe(1);
    await rollUpOrganisation(db, organisationId, next, BUDGET_MS);
    expect(await everybody()).toBe(2);
  });

  it('takes in what comes late, and moves on when an address was last seen first more than 365 days ago', async () => {
    const organisationId = newOrganisation();
    const world = drawWorld(7, organisationId, START_MS + 100 * DAY_MS);
    await insertJobs(organisationId, world);
    let left: Pick<World, 'traces' | 'events'> = world;
    const arrived: World = { ...world, traces: [], events: [] };
    // Each night adds the rows before it, except for a part that arrives a night late.
    const draw = drawsOf(8);
    for (const day of [0, 100]) {
      const now = START_MS + day * DAY_MS;
      const isThere = (at: number): boolean => at < now && (day === 100 || draw.next() < 0.7);
      const [traces, laterTraces] = split(left.traces, ({ createdAt }) => isThere(createdAt));
      const [events, laterEvents] = split(left.events, ({ id }) => isThere(idTimeMs(id)));
      await insertWorld(db, organisationId, { traces, events });
      arrived.traces.push(...traces);
      arrived.events.push(...events);
      left = { traces: laterTraces, events: laterEvents };
      expect(await rollUpOrganisation(db, organisationId, now, BUDGET_MS)).toMatchObject({ done: true });
      await expectAsNaive(organisationId, arrived, now);
    }
  });

  it('killed at any statement, or out of time, ends where an undisturbed run does', async () => {
    const organisationId = newOrganisation();
    const { traces, events, hygieneJobs } = drawWorld(11, organisationId, START_MS);
    const small = { traces: traces.slice(0, 25), events: events.slice(0, 20), hygieneJobs };
    await insertWorld(db, organisationId, small);
    await rollUpOrganisation(db, organisationId, START_MS, BUDGET_MS);
    const undisturbed = await dump(organisationId);
    await deleteRowsOf(db, organisationId, [
      nightly.rollup,
      nightly.rollupSource,
      nightly.exposure,
      nightly.addressEvent,
      nightly.segmentValue,
      nightly.segmentDay,
      nightly.segmentCell,
      nightly.segmentTotal,
    ]);
    for (let statements = 1; ; statements += 9) {
      const killed = await rollUpOrganisation(killedAfter(statements), organisationId, START_MS, BUDGET_MS).then(
        () => false,
        () => true,
      );
      if (!killed) break;
      expect(await rollUpOrganisation(db, organisationId, START_MS, 0)).toMatchObject({ done: false });
    }
    // What is cleaned up after the numbers are served is cleaned up by the next run that has any.
    await rollUpOrganisation(db, organisationId, START_MS, BUDGET_MS);
    expect(await dump(organisationId)).toEqual(undisturbed);
  });

  it('ties an event to a trace that came after it, wherever the run that took the trace in was killed', async () => {
    const organisationId = newOrganisation();
    const trace = traceRecord({ organisationId });
    const at = trace.createdAt + 1_000;
    const event: WorldEvent = {
      id: newEventId(at),
      event: 'subscribed',
      at: Math.floor(at / 1000) * 1000,
      addressHash: null,
      traceId: idToUuid(trace.id),
    };
    const now = at + 60_000;
    await insertWorld(db, organisationId, { traces: [], events: [event] });
    await rollUpOrganisation(db, organisationId, now, BUDGET_MS);
    await insertWorld(db, organisationId, { traces: [trace], events: [] });
    for (let statements = 1; ; statements += 1) {
      const run = rollUpOrganisation(killedAfter(statements), organisationId, now, BUDGET_MS);
      if (await run.catch(() => null)) break;
    }
    expect((await findWindow(db, organisationId, 'subscribed', 1)).join).toEqual({
      exact: 1,
      by_email: 0,
      unmatched: 0,
    });
    const [everybody] = await listCells(db, organisationId, 'subscribed', 1);
    expect(everybody).toMatchObject({ exposures: 1, events: 1 });
  });

  it('no longer counts a forgotten address, and counts all others as before', async () => {
    const organisationId = newOrganisation();
    const world = drawWorld(13, organisationId, START_MS);
    await insertJobs(organisationId, world);
    await insertWorld(db, organisationId, world);
    await rollUpOrganisation(db, organisationId, START_MS, BUDGET_MS);
    const hashes = [3, 4, 5].map((address) => ({ organisationId, hash: `${address}`.padStart(64, '0') }));
    await forgetTraces(db, hashes);
    await forgetExposures(db, hashes);
    const gone = new Set(hashes.map(({ hash }) => hash));
    const [left, forgotten] = split(world.traces, ({ addressHash }) => !gone.has(addressHash ?? ''));
    // As many new rows arrive for the same days, so no daily count reveals the difference.
    const instead = forgotten.map(({ createdAt }) =>
      traceRecord({ organisationId, id: newId('vr', createdAt), createdAt }),
    );
    await insertWorld(db, organisationId, { traces: instead, events: [] });
    await rollUpOrganisation(db, organisationId, START_MS, BUDGET_MS);
    const naive = naiveRollUp({ ...world, traces: [...left, ...instead] }, START_MS);
    const [everybody] = await listCells(db, organisationId, 'subscribed', 365);
    expect(everybody).toMatchObject(naive.cells('subscribed', 365)['[]'] ?? {});
    expect(JSON.stringify(await dump(organisationId))).not.toContain(hashes[0]?.hash);
  });

  it('keeps nothing of an address that is forgotten while a run enters it', async () => {
    const organisationId = newOrganisation();
    const trace = traceRecord({ organisationId });
    await insertWorld(db, organisationId, { traces: [trace], events: [] });
    const day = Math.floor(trace.createdAt / DAY_MS);
    const run = { db, organisationId, run: 'rq_1', fromDay: day, toDay: day };
    await claimRun(run);
    const hashes = [{ organisationId, hash: trace.addressHash ?? '' }];
    let forgotten: Promise<unknown> | undefined;
    await db.transaction(async (tx) => {
      await takeTraces({ ...run, db: tx }, { day, rows: 1 });
      forgotten = forgetTraces(db, hashes).then(() => forgetExposures(db, hashes));
      // As far as it comes before the run's statement ends.
      await Promise.race([forgotten, pause(200)]);
    });
    await forgotten;
    expect((await dump(organisationId)).exposure).toEqual([]);
  });

  it('goes with its organisation alone', async () => {
    const [mine, other] = [newOrganisation(), newOrganisation()];
    for (const organisationId of [mine, other]) {
      const trace = traceRecord({ organisationId });
      await insertWorld(db, organisationId, { traces: [trace], events: [] });
      await rollUpOrganisation(db, organisationId, START_MS, BUDGET_MS);
    }
    await deleteRowsOf(db, mine);
    expect(Object.values(await dump(mine)).flat()).toEqual([]);
    expect(await listCells(db, other, 'subscribed', 1)).not.toEqual([]);
  });

  it('writes only for the later of two runs at once', async () => {
    const organisationId = newOrganisation();
    await insertWorld(db, organisationId, { traces: [traceRecord({ organisationId })], events: [] });
    let hasBegun = false;
    const overtaken: Database = new Proxy(db, {
      get: (target, name) => {
        if (name !== 'execute') return Reflect.get(target, name) as unknown;
        return async (query: Parameters<Database['execute']>[0]) => {
          if (hasBegun) return target.execute(query);
          hasBegun = true;
          const claimed = await target.execute(query);
          await rollUpOrganisation(db, organisationId, START_MS, 0);
          return claimed;
        };
      },
    });
    expect(await rollUpOrganisation(overtaken, organisationId, START_MS, BUDGET_MS)).toMatchObject({ done: false });
    expect((await dump(organisationId)).exposure).toEqual([]);
    await rollUpOrganisation(db, organisationId, START_MS, BUDGET_MS);
    expect((await dump(organisationId)).exposure).toHaveLength(1);
  });
});

function split<T>(list: readonly T[], isFirst: (one: T) => boolean): [T[], T[]] {
  const [first, second]: [T[], T[]] = [[], []];
  for (const one of list) (isFirst(one) ? first : second).push(one);
  return [first, second];
}
