import { afterAll, describe, expect, it } from 'vitest';
import type { TraceRecord } from '../../src/domain/traces/traces.ts';
import { DAY_MS } from '../../src/kernel/clock.ts';
import { type Id, newId } from '../../src/kernel/ids.ts';
import { deleteRowsOf } from '../../src/storage/postgres/erasure.ts';
import { dayOf, listUsageDays, type UsageSplit } from '../../src/storage/postgres/usage-days.ts';
import { openTestDatabase } from '../support/database.ts';
import { START_MS, traceRecord } from '../support/records.ts';
import { writeTraces } from '../support/write-traces.ts';

const { db, close } = await openTestDatabase();
afterAll(close);

const DAY = dayOf(START_MS);

function world() {
  const organisationId = newId('org', START_MS);
  const [one, two] = [newId('key', START_MS), newId('key', START_MS + 1)];
  const at = (days: number, change: Partial<TraceRecord>) => {
    const ms = START_MS + days * DAY_MS;
    return traceRecord({ organisationId, id: newId('vr', ms), createdAt: ms, keyId: one, costMicros: 10, ...change });
  };
  const decided = { decision: 'deny' } as TraceRecord['policyDecision'];
  const records = [
    at(0, {}),
    at(0, { keyId: two, recommendation: 'drop' }),
    at(0, { kind: 'decide', id: newId('dc', START_MS), policyDecision: decided }),
    at(0, { mode: 'test' }),
    at(1, { keyId: null }),
    at(40, { kind: 'bulk' }),
  ];
  return { organisationId, one, two, records };
}

const listed = async (id: Id<'org'>, by: UsageSplit | null = null, keyId: Id<'key'> | null = null) =>
  (await listUsageDays(db, id, { fromDay: DAY, toDay: DAY + 40, keyId }, by)).map(
    ({ day, value, calls, costMicros }) => [day - DAY, value, calls, costMicros],
  );

describe('usage by day', () => {
  it('counts each live trace once, however often it is written', async () => {
    const { organisationId, records } = world();
    for (let i = 0; i < 3; i += 1) await writeTraces(db, records);
    expect(await listed(organisationId)).toEqual([
      [0, null, 3, 30],
      [1, null, 1, 10],
      [40, null, 1, 10],
    ]);
  });

  it('is split by key, kind, decision and recommendation', async () => {
    const { organisationId, one, two, records } = world();
    await writeTraces(db, records);
    const first = async (by: UsageSplit) =>
      (await listed(organisationId, by)).filter(([day]) => day === 0).map(([, value, calls]) => [value, calls]);
    expect(await first('key')).toEqual([
      [one, 2],
      [two, 1],
    ]);
    expect(await first('kind')).toEqual([
      ['decide', 1],
      ['verify', 2],
    ]);
    expect(await first('decision')).toEqual([['deny', 1]]);
    expect(await first('recommendation')).toEqual([
      ['drop', 1],
      ['send', 2],
    ]);
    expect(await listed(organisationId, 'key', two)).toEqual([[0, two, 1, 10]]);
  });

  it('goes with its organisation alone', async () => {
    const [gone, left] = [world(), world()];
    for (const { records } of [gone, left]) await writeTraces(db, records);
    await deleteRowsOf(db, gone.organisationId);
    expect(await listed(gone.organisationId)).toEqual([]);
    expect(await listed(left.organisationId)).toHaveLength(3);
  });

  it('takes writers at the same time', async () => {
    const { organisationId, records } = world();
    const more = Array.from({ length: 8 }, (_, turn) =>
      records.map((record) => {
        const id = newId(record.kind === 'decide' ? 'dc' : 'vr', record.createdAt + turn);
        return { ...record, id };
      }),
    );
    await Promise.all(more.map((each) => writeTraces(db, each)));
    expect((await listed(organisationId)).map(([, , calls]) => calls)).toEqual([24, 8, 8]);
  });
});
