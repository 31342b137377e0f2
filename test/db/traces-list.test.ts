import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TraceRecord } from '../../src/domain/traces/record.ts';
import { DAY_MS } from '../../src/kernel/clock.ts';
import { newId } from '../../src/kernel/ids.ts';
import { upsertKeys } from '../../src/storage/postgres/access.ts';
import { listTraces, type TraceFilter } from '../../src/storage/postgres/traces.ts';
import { openTestDatabase } from '../support/database.ts';
import { keyRecord, START_MS, traceRecord } from '../support/records.ts';
import { writeTraces } from '../support/write-traces.ts';

const { db, close } = await openTestDatabase();
afterAll(close);

const [mine, theirs] = [newId('org', START_MS), newId('org', START_MS)];
const labelled = { ...keyRecord({ name: 'checkout', origin: 'service' }), organisationId: mine };
const [unlabelled, tests, foreign] = [newId('key', START_MS), newId('key', START_MS), newId('key', START_MS)];
const [job, resumed, foreignJob] = [newId('bj', START_MS), newId('bj', START_MS), newId('bj', START_MS)];

const WRITERS: readonly Partial<TraceRecord>[] = [
  { organisationId: mine, keyId: labelled.id },
  { organisationId: mine, keyId: unlabelled },
  { organisationId: mine, keyId: null },
  { organisationId: mine, keyId: labelled.id, kind: 'bulk', bulkJobId: job },
  { organisationId: mine, keyId: labelled.id, kind: 'bulk', bulkJobId: resumed },
  { organisationId: mine, keyId: unlabelled, kind: 'bulk', bulkJobId: resumed },
  { organisationId: mine, keyId: tests, mode: 'test' },
  { organisationId: theirs, keyId: foreign },
  { organisationId: theirs, keyId: foreign, kind: 'bulk', bulkJobId: foreignJob },
];

/** Three of each writer, 40 days apart: the oldest first, over four months. */
const RECORDS = [0, 1, 2].flatMap((turn) =>
  WRITERS.map((change, index) => {
    const ms = START_MS + turn * 40 * DAY_MS + index;
    return traceRecord({ ...change, id: newId('vr', ms), createdAt: ms });
  }),
);

beforeAll(async () => {
  await upsertKeys(db, [labelled]);
  await writeTraces(
    db,
    // In no order: what is listed is in the order of the ids, not of arrival.
    RECORDS.toSorted((a, b) => a.display.localeCompare(b.display) || b.id.slice(-4).localeCompare(a.id.slice(-4))),
  );
});

const FILTERS: readonly TraceFilter[] = (['live', 'test'] as const).flatMap((mode) =>
  [null, labelled.id, unlabelled, tests, foreign, newId('key', START_MS)].flatMap((keyId) =>
    [null, job, resumed, foreignJob, newId('bj', START_MS)].map((bulkJobId) => ({ mode, keyId, bulkJobId })),
  ),
);

const expected = ({ mode, keyId, bulkJobId }: TraceFilter) =>
  RECORDS.filter(
    (record) =>
      record.organisationId === mine &&
      record.mode === mode &&
      (keyId === null || record.keyId === keyId) &&
      (bulkJobId === null || record.bulkJobId === bulkJobId),
  )
    .toReversed()
    .map((record) => ({ ...record, detail: null }));

describe('listTraces', () => {
  it('shows under every filter the organisation’s rows that pass it, newest first, and no others', async () => {
    for (const filter of FILTERS) {
      const listed = await listTraces(db, mine, filter, 100, null);
      expect(
        listed.map(({ record }) => record),
        JSON.stringify(filter),
      ).toEqual(expected(filter));
    }
  });

  it('has rows to show and rows to hide', () => {
    const counts = FILTERS.map((filter) => expected(filter).length);
    expect(counts.filter((count) => count > 0).length).toBeGreaterThan(5);
    expect(counts).toContain(0);
  });

  it.each([1, 2, 7])('pages by %i through every filter, each row once, across months', async (limit) => {
    for (const filter of FILTERS) {
      const seen: string[] = [];
      for (let before: TraceRecord['id'] | null = null; ; ) {
        const page = await listTraces(db, mine, filter, limit, before);
        seen.push(...page.map(({ record }) => record.id));
        before = page.at(-1)?.record.id ?? null;
        if (page.length < limit) break;
      }
      expect(seen, JSON.stringify(filter)).toEqual(expected(filter).map(({ id }) => id));
    }
  });

  it('labels a row with the key that wrote it, or with none when that is not known', async () => {
    const listed = await listTraces(db, mine, { mode: 'live', keyId: null, bulkJobId: null }, 100, null);
    for (const { record, key } of listed) {
      expect(key?.name ?? null).toBe(record.keyId === labelled.id ? 'checkout' : null);
      expect(key?.origin ?? null).toBe(record.keyId === labelled.id ? 'service' : null);
    }
  });
});
