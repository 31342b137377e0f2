import fc from 'fast-check';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../src/kernel/clock.ts';
import { type Id, newId, siblingId } from '../../../src/kernel/ids.ts';
import { type FakeNeon, stubNeon } from '../../support/fake-neon.ts';
import { createTestOrganisation } from '../../support/organisation.ts';
import { START_MS, traceRecord } from '../../support/records.ts';

let neon: FakeNeon;
beforeEach(() => {
  vi.useFakeTimers({ now: START_MS });
  neon = stubNeon();
});

/** An organisation whose own rows are written out, and the operations that it holds. */
async function createWritten() {
  const organisation = await createTestOrganisation();
  await organisation.object.tick();
  await organisation.object.flush(null);
  neon.statements.length = 0;
  const charge = (id: Id<'vr'>) => organisation.authorize({ operationId: id });
  const rows = () => (organisation.dump().operation ?? []) as { trace_id: string; state: string }[];
  const commit = (id: Id<'vr'>, spendMicros = 0) =>
    organisation.commit(id, { spendMicros, trace: { kind: 'trace', id, record: JSON.stringify(traceRecord({ id })) } });
  const tickAt = async (ms: number) => {
    vi.setSystemTime(START_MS + ms);
    await organisation.object.tick();
  };
  const traces = () => neon.statements.filter(({ table }) => table === 'trace').length;
  return { ...organisation, charge, rows, commit, tickAt, traces };
}

const idAt = (ms: number): Id<'vr'> => newId('vr', START_MS + ms);

describe('an operation’s row', () => {
  it('is completed by its answer, and leaves once Postgres has the trace', async () => {
    const { charge, commit, rows, tickAt, traces } = await createWritten();
    const id = idAt(0);
    await charge(id);
    await commit(id);
    expect(rows()).toMatchObject([{ trace_id: id, state: 'finished' }]);
    await tickAt(SECOND_MS);
    expect(traces()).toBe(1);
    expect(rows()).toEqual([]);
  });

  it('is written in its turn when it is answered after younger ones were written', async () => {
    const { charge, commit, rows, tickAt, traces } = await createWritten();
    const [slow, quick] = [idAt(-SECOND_MS), idAt(0)];
    for (const id of [slow, quick]) await charge(id);
    await commit(quick);
    await tickAt(SECOND_MS);
    expect(rows()).toMatchObject([{ trace_id: slow, state: 'charged' }]);
    await commit(slow);
    await tickAt(2 * SECOND_MS);
    expect(traces()).toBe(2);
    expect(rows()).toEqual([]);
  });

  it('is shown while it waits, under both ids of a decision', async () => {
    const { charge, commit, object } = await createWritten();
    neon.answer = () => 'down';
    const id = idAt(0);
    await charge(id);
    await commit(id);
    for (const each of [id, siblingId('dc', id)]) {
      const { drained, held } = await object.flush(each);
      expect({ drained, id: JSON.parse(held ?? '{}').id }).toEqual({ drained: false, id });
    }
    const { heldAddresses } = await object.flush(null, [id]);
    expect(heldAddresses?.[0]).toMatchObject({ id });
    expect(await object.status()).toMatchObject({ outboxRows: 1, outboxOldestAt: START_MS });
  });

  it('is set aside when Postgres refuses it, and holds up no other', async () => {
    const { charge, commit, object, rows, tickAt } = await createWritten();
    const ids = [idAt(0), idAt(1), idAt(2)];
    for (const id of ids) await charge(id);
    for (const id of ids) await commit(id);
    const [, bad = idAt(1)] = ids;
    neon.answer = ({ traceIds }) => (traceIds.includes(bad) ? { sqlState: '23514' } : 'written');
    await tickAt(SECOND_MS);
    expect(rows()).toEqual([]);
    expect(await object.status()).toMatchObject({ outboxRows: 0, outboxDead: 1 });
    expect(JSON.parse((await object.flush(bad)).held ?? '{}')).toMatchObject({ id: bad });
  });

  it('waits through a restart without a timer of its own', async () => {
    const organisation = await createWritten();
    const id = idAt(0);
    await organisation.charge(id);
    await organisation.commit(id);
    organisation.storage.sql.exec("delete from timer where name = 'outbox'");
    organisation.evict();
    await organisation.tickAt(SECOND_MS);
    expect(organisation.rows()).toEqual([]);
  });
});

describe('a charge without an answer', () => {
  it('is taken back when its hour ends, and not before, though others wait for Postgres', async () => {
    const { charge, commit, rows, tickAt, usage } = await createWritten();
    neon.answer = () => 'down';
    const ids = [idAt(0), idAt(1), idAt(2)];
    for (const id of ids) await charge(id);
    const [first = idAt(0), dead] = ids;
    await commit(first);
    await commit(ids[2] ?? first);
    await tickAt(HOUR_MS - 1);
    expect((await usage()).calls.verify).toBe(3);
    await tickAt(HOUR_MS);
    expect((await usage()).calls.verify).toBe(2);
    expect(rows().map(({ trace_id: id }) => id)).toEqual(ids.filter((id) => id !== dead));
  });
});

describe('an operation whose row has left', () => {
  it('is neither charged, booked nor traced again when our own transport repeats it, also after a restart', async () => {
    const organisation = await createWritten();
    const { charge, commit, authorize, tickAt, rows, traces, usage } = organisation;
    const id = idAt(0);
    await charge(id);
    await commit(id, 70);
    await tickAt(SECOND_MS);
    const before = await usage();
    // Delays before and after the operation's name is forgotten.
    for (const ms of [2 * SECOND_MS, MINUTE_MS, 110 * SECOND_MS, 2 * MINUTE_MS, 3 * MINUTE_MS, 2 * HOUR_MS]) {
      vi.setSystemTime(START_MS + ms);
      organisation.evict();
      expect(await authorize({ operationId: id })).toMatchObject({ ok: true, earlier: { answer: null } });
      expect(await commit(id, 70)).toEqual({ answer: null });
      await organisation.object.reverse(id, id);
    }
    expect(await usage()).toEqual(before);
    expect(rows()).toEqual([]);
    expect(traces()).toBe(1);
  });

  it('is remembered for two minutes in a bounded number of rows', async () => {
    const { charge, commit, tickAt, dump } = await createWritten();
    for (let second = 0; second < 300; second += 1) {
      const id = idAt(second * SECOND_MS);
      vi.setSystemTime(START_MS + second * SECOND_MS);
      await charge(id);
      await commit(id);
      await tickAt((second + 1) * SECOND_MS);
    }
    expect(dump().flushed?.length).toBeLessThanOrEqual(26);
  });
});

type Step = readonly [does: 'authorize' | 'commit' | 'reverse' | 'drain' | 'evict', which: number];
const STEPS: fc.Arbitrary<Step[]> = fc.array(
  fc.tuple(fc.constantFrom('authorize', 'commit', 'reverse', 'drain', 'evict'), fc.nat(3)),
  { maxLength: 40 },
);

/** For each step and state: the next state, and the change of the count. */
const MODEL: Readonly<Record<string, Readonly<Record<string, readonly [next: string, count: number]>>>> = {
  authorize: { none: ['charged', 1], reversed: ['charged', 1] },
  commit: { none: ['finished', 0], charged: ['finished', 0], reversed: ['finished', 1] },
  reverse: { charged: ['reversed', -1] },
};

describe('the meter', () => {
  it('counts each operation once, whatever comes twice, late, or after a drain or a restart', async () => {
    await fc.assert(
      fc.asyncProperty(STEPS, async (steps) => {
        vi.setSystemTime(START_MS);
        const organisation = await createWritten();
        const ids = [0, 1, 2, 3].map(idAt);
        const states = ids.map(() => 'none');
        let count = 0;
        for (const [at, [does, which]] of steps.entries()) {
          const id = ids[which] ?? idAt(0);
          if (does === 'evict') organisation.evict();
          if (does === 'drain') await organisation.tickAt((at + 1) * SECOND_MS);
          if (does === 'authorize') await organisation.charge(id);
          if (does === 'commit') await organisation.commit(id, 1);
          if (does === 'reverse') await organisation.object.reverse(id, id);
          const [next, change] = MODEL[does]?.[states[which] ?? ''] ?? [states[which] ?? '', 0];
          states[which] = next;
          count += change;
          const { calls, spendMicros } = await organisation.usage();
          const finished = states.filter((state) => state === 'finished').length;
          expect({ verify: calls.verify, spendMicros }).toEqual({ verify: count, spendMicros: finished });
        }
        // A charge without an answer is reversed after an hour.
        await organisation.tickAt(2 * HOUR_MS);
        const open = states.filter((state) => state === 'charged').length;
        expect((await organisation.usage()).calls.verify).toBe(count - open);
        expect(organisation.rows()).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });
});
