import { sql } from 'drizzle-orm';
import { afterAll, describe, expect, it } from 'vitest';
import type { TraceRecord } from '../../src/domain/traces/traces.ts';
import { DAY_MS } from '../../src/kernel/clock.ts';
import { newId } from '../../src/kernel/ids.ts';
import {
  deleteUnseenSince,
  forgetSights,
  listCandidates,
  listTracedBackEnds,
  rehashSights,
  type Sight,
  upsertSights,
} from '../../src/storage/postgres/lists.ts';
import { findTrace, forgetTraces } from '../../src/storage/postgres/traces.ts';
import { openTestDatabase } from '../support/database.ts';
import { START_MS, traceRecord } from '../support/records.ts';
import { writeTraces } from '../support/write-traces.ts';

const { db, close } = await openTestDatabase();
afterAll(close);

const LIMIT = 1_000;
const sights = (backEnd: string, seenAs: Sight['seenAs'], count: number, seenBy: string): Sight[] =>
  Array.from({ length: count }, (_, i) => ({ backEnd, domain: `${seenAs}-${i}.example`, seenAs, seenBy }));
/** Two organisations see them. */
const see = async (backEnd: string, seenAs: Sight['seenAs'], count: number, day = 10): Promise<void> => {
  for (const seenBy of ['a', 'b']) await upsertSights(db, sights(backEnd, seenAs, count, seenBy), day);
};
const candidates = async (backEnd: string) =>
  (await listCandidates(db, LIMIT)).filter((each) => each.backEnd === backEnd);

describe('observations of back ends', () => {
  it('count a domain once two organisations saw it, from its first day on, and keep no third', async () => {
    for (const day of [10, 12]) await upsertSights(db, sights('merge.example', 'listed', 5, 'a'), day);
    expect(await candidates('merge.example')).toEqual([]);
    for (const seenBy of ['b', 'c']) await upsertSights(db, sights('merge.example', 'listed', 5, seenBy), 13);
    const all = await candidates('merge.example');
    expect(all).toHaveLength(5);
    expect(all[0]).toEqual({ backEnd: 'merge.example', domain: 'listed-0.example', firstDay: 10 });
    const { rows } = (await db.execute(sql`select seen_by from back_end_domain where back_end = 'merge.example'`)) as {
      rows: { seen_by: string[] }[];
    };
    expect(rows.map((row) => row.seen_by)).toEqual(Array.from({ length: 5 }, () => ['a', 'b']));
  });

  it('count an organisation whose hash has changed once', async () => {
    const backEnd = 'rehashed.example';
    await upsertSights(db, [{ backEnd, domain: 'rehashed-0.example', seenAs: 'listed', seenBy: 'old' }], 10);
    await rehashSights(db, [{ domain: 'rehashed-0.example', old: 'old', seenBy: 'new' }]);
    await upsertSights(db, [{ backEnd, domain: 'rehashed-0.example', seenAs: 'listed', seenBy: 'new' }], 11);
    const { rows } = (await db.execute(sql`select seen_by from back_end_domain where back_end = ${backEnd}`)) as {
      rows: { seen_by: string[] }[];
    };
    expect(rows).toEqual([{ seen_by: ['new'] }]);
  });

  it.each([
    { listed: 5, known: 0, unlisted: 10, isOne: true },
    { listed: 4, known: 0, unlisted: 0, isOne: false },
    { listed: 5, known: 1, unlisted: 0, isOne: false },
    { listed: 5, known: 0, unlisted: 11, isOne: false },
  ])('with $listed listed, $known known, $unlisted unlisted domains may make a suspect: $isOne', async (row) => {
    const backEnd = `of-${row.listed}-${row.known}-${row.unlisted}.example`;
    for (const seenAs of ['listed', 'known', 'unlisted'] as const) await see(backEnd, seenAs, row[seenAs]);
    expect((await candidates(backEnd)).length > 0).toBe(row.isOne);
  });

  it('keep none from being a suspect when they come from one organisation, unless the domain is known', async () => {
    await see('alone.example', 'listed', 5);
    await upsertSights(db, sights('alone.example', 'unlisted', 50, 'a'), 10);
    expect(await candidates('alone.example')).toHaveLength(5);
    await upsertSights(db, sights('alone.example', 'known', 1, 'a'), 10);
    expect(await candidates('alone.example')).toEqual([]);
  });

  it('count as what the domain was last seen as', async () => {
    await see('change.example', 'listed', 5);
    await upsertSights(
      db,
      [{ backEnd: 'change.example', domain: 'listed-0.example', seenAs: 'known', seenBy: 'a' }],
      11,
    );
    expect(await candidates('change.example')).toEqual([]);
  });

  it('end, and go with a domain that is forgotten', async () => {
    await see('ends.example', 'listed', 5, 3);
    await see('ends.example', 'listed', 6, 4);
    expect(await deleteUnseenSince(db, 4)).toBe(0);
    await forgetSights(db, 'listed-5.example');
    expect(await candidates('ends.example')).toHaveLength(5);
    expect(await deleteUnseenSince(db, 5)).toBe(5);
  });
});

describe('the back ends of an organisation’s traces', () => {
  const organisationId = newId('org', START_MS);
  const record = (change: Partial<TraceRecord>, ms = START_MS): TraceRecord =>
    traceRecord({ organisationId, id: newId('vr', ms), createdAt: ms, backEnds: 'throw.example 192.0.2.1', ...change });
  const read = (fromMs = START_MS, toMs = START_MS + DAY_MS) =>
    listTracedBackEnds(db, organisationId, { fromMs, toMs, limit: LIMIT });

  it('are each named once, of live traces of the time alone, and go with a person who is forgotten', async () => {
    const person = record({ domain: 'person.example' });
    await writeTraces(db, [
      record({ domain: 'a.example' }),
      record({ domain: 'a.example' }),
      person,
      record({ domain: 'none.example', backEnds: null }),
      record({ domain: 'test.example', mode: 'test' }),
      record({ domain: 'other.example', organisationId: newId('org', START_MS) }),
      record({ domain: 'late.example' }, START_MS + DAY_MS),
    ]);
    const of = (domain: string) => ({ domain, backEnds: 'throw.example 192.0.2.1' });
    expect(await read()).toEqual([of('a.example'), of('person.example')]);
    expect(await read(START_MS + DAY_MS, START_MS + 2 * DAY_MS)).toEqual([of('late.example')]);
    await forgetTraces(db, [{ organisationId, hash: person.addressHash ?? '' }]);
    expect(await read()).toEqual([of('a.example')]);
    expect(await findTrace(db, organisationId, person.id)).toMatchObject({ backEnds: null });
  });
});
