import { describe, expect, it } from 'vitest';
import { type Id, newId, siblingId } from '../../../src/kernel/ids.ts';
import { createTestOrganisation } from '../../support/organisation.ts';
import { START_MS } from '../../support/records.ts';

const mine = await createTestOrganisation();
const needs = { meter: null, lookup: null } as const;
const rows = (kind: string) => mine.dump().outbox?.filter((row) => (row as { kind: string }).kind === kind);

/** One report on its way, as the Worker sends it; its rows have the trace's id. */
async function report(traceId: string, record: string): Promise<string> {
  const operationId = newId('rq', START_MS);
  expect(await mine.authorize({ ...needs, operationId, rate: 'outcome' })).toMatchObject({ ok: true });
  await mine.commit(operationId, { trace: { kind: 'outcome', id: traceId, record } });
  return operationId;
}

describe('feedback in the object', () => {
  it('is one row a request, also when our own transport sends it again, and charges nothing', async () => {
    const operationId = newId('rq', START_MS);
    const usage = await mine.usage();
    await mine.authorize({ ...needs, operationId, rate: 'events' });
    const trace = { kind: 'event', id: operationId, record: '{"events":[1,2]}' } as const;
    await mine.commit(operationId, { trace });
    await mine.commit(operationId, { trace });
    expect(rows('event')).toHaveLength(1);
    expect(await mine.usage()).toEqual(usage);
  });

  it('has windows of its own: neither route takes from the other or from verification', async () => {
    const left = async (rate: 'outcome' | 'events' | 'verify') => {
      const answer = await mine.authorize({ ...needs, operationId: newId('rq', START_MS), rate });
      return answer.rate?.remaining ?? Number.NaN;
    };
    const before = { outcome: await left('outcome'), verify: await left('verify') };
    for (let i = 0; i < 5; i += 1) await left('events');
    expect({ outcome: await left('outcome'), verify: await left('verify') }).toEqual({
      outcome: before.outcome - 1,
      verify: before.verify - 1,
    });
    expect(before.outcome).toBeGreaterThan(5_900);
  });

  it('puts reports in the order they came in, whatever the senders’ clocks said', async () => {
    const id: Id<'vr'> = newId('vr', START_MS);
    await report(id, JSON.stringify({ outcome: 'hard_bounce', reportedAt: START_MS + 60_000 }));
    await new Promise((resolve) => setTimeout(resolve, 2));
    await report(id, JSON.stringify({ outcome: 'delivered', reportedAt: START_MS }));
    const held = (rows('outcome') ?? []) as { id: string; record: string }[];
    const records = held.filter((row) => row.id === id).map(({ record }) => JSON.parse(record));
    expect(records.toSorted((a, b) => a.reportedAt - b.reportedAt).map(({ outcome }) => outcome)).toEqual([
      'hard_bounce',
      'delivered',
    ]);
    expect(records[0].reportedAt).not.toBe(records[1].reportedAt);
  });

  it('shows the newest report of a trace while it cannot be written, under both ids of a decision', async () => {
    const id: Id<'vr'> = newId('vr', START_MS);
    await report(id, '{"n":1}');
    await report(id, '{"n":2}');
    await report(newId('vr', START_MS), '{"n":3}');
    const flushed = await mine.object.flush(id);
    expect(flushed).toEqual({ drained: false, held: null, heldOutcome: expect.any(String) });
    expect(JSON.parse(flushed.heldOutcome ?? '')).toMatchObject({ n: 2 });
    expect(await mine.object.flush(siblingId('dc', id))).toEqual(flushed);
    expect(await mine.object.flush(newId('vr', START_MS))).toEqual({ drained: false, held: null });
  });
});
