import { sql } from 'drizzle-orm';
import { afterAll, describe, expect, it } from 'vitest';
import type { TraceRecord } from '../../src/domain/traces/traces.ts';
import { DAY_MS } from '../../src/kernel/clock.ts';
import { newId } from '../../src/kernel/ids.ts';
import { dropExpiredPartitions, expiredPartitions, PARTITIONED_TABLES } from '../../src/storage/postgres/retention.ts';
import { findTrace } from '../../src/storage/postgres/traces.ts';
import { openTestDatabase } from '../support/database.ts';
import { traceRecord } from '../support/records.ts';
import { writeTraces } from '../support/write-traces.ts';

const { db, close } = await openTestDatabase();
afterAll(close);

const at = (date: string): number => Date.parse(`${date}T00:00:00Z`);

describe('expiredPartitions', () => {
  const expired = (names: readonly string[], nowMs: number) =>
    PARTITIONED_TABLES.flatMap((table) => expiredPartitions(table, names, nowMs));

  // 400 days before 2003-03-08 is the first of February 2002, and so is 90 days before 2002-05-02.
  it.each([
    ['trace_2002_01', '2003-03-07', false],
    ['trace_2002_01', '2003-03-08', true],
    ['trace_2002_02', '2003-03-08', false],
    ['trace_2001_12', '2003-03-07', true],
    ['trace_detail_2002_01', '2002-05-01', false],
    ['trace_detail_2002_01', '2002-05-02', true],
    ['trace_detail_2002_02', '2002-05-02', false],
    // A leap day, and the turn of a year.
    ['trace_detail_2004_02', '2004-05-29', false],
    ['trace_detail_2004_02', '2004-05-30', true],
    ['trace_detail_2003_12', '2004-03-30', false],
    ['trace_detail_2003_12', '2004-03-31', true],
    // The partition for ids without a plausible time.
    ['trace_1970_01', '2003-01-01', true],
    ['trace_10889_08', '2003-01-01', false],
    // Nothing of ours.
    ['trace_default', '2003-01-01', false],
    ['trace_2001_1', '2003-01-01', false],
    ['trace_detail', '2003-01-01', false],
    ['outcome_1999_01', '2003-01-01', false],
    ['', '2003-01-01', false],
  ])('%s on %s: %s', (name, today, isExpired) => {
    expect(expired([name], at(today))).toEqual(isExpired ? [name] : []);
  });

  it('keeps a row for its 400 or 90 days, and no month for a whole one longer', () => {
    for (let written = at('2001-12-25'); written < at('2002-04-05'); written += DAY_MS / 2) {
      const suffix = new Date(written).toISOString().slice(0, 7).replace('-', '_');
      for (const [table, days] of [['trace', 400] as const, ['trace_detail', 90] as const]) {
        const name = `${table}_${suffix}`;
        expect(expired([name], written + days * DAY_MS)).toEqual([]);
        expect(expired([name], written + (days + 31) * DAY_MS)).toEqual([name]);
      }
    }
  });
});

/** Long before the service's own time: the months in which other suites' rows stand are never past retention here. */
async function write(...dates: readonly string[]) {
  const records = dates.map((date) => traceRecord({ id: newId('vr', at(date)), createdAt: at(date) }));
  await writeTraces(db, records);
  return records;
}

async function partitions(): Promise<string[]> {
  const result = await db.execute(sql`
    select relname as name from pg_inherits join pg_class on oid = inhrelid
    where inhparent in ('trace'::regclass, 'trace_detail'::regclass) order by 1`);
  return (result as { rows: { name: string }[] }).rows.map(({ name }) => name);
}

describe('dropExpiredPartitions', () => {
  it('drops the months past retention, loses nothing younger, and a second run changes nothing', async () => {
    const today = at('2003-03-08');
    // Other suites of the same database have left months behind.
    await dropExpiredPartitions(db, today);
    const gone = await write('2001-12-31', '2002-01-31');
    const withoutDetail = await write('2002-02-01', '2002-11-30');
    const whole = await write('2002-12-01', '2003-03-07');
    const before = await partitions();

    const { dropped, busy } = await dropExpiredPartitions(db, today);
    expect(dropped).toEqual([
      ...['2001_12', '2002_01'].map((month) => `trace_${month}`),
      ...['2001_12', '2002_01', '2002_02', '2002_11'].map((month) => `trace_detail_${month}`),
    ]);
    expect(busy).toEqual([]);
    const after = before.filter((name) => !dropped.includes(name));
    expect(await partitions()).toEqual(after);

    const read = (record: TraceRecord) => findTrace(db, record.organisationId, record.id);
    for (const record of gone) expect(await read(record)).toBeNull();
    for (const record of withoutDetail) expect(await read(record)).toEqual({ ...record, detail: null });
    for (const record of whole) expect(await read(record)).toEqual(record);

    expect(await dropExpiredPartitions(db, today)).toEqual({ dropped: [], busy: [] });
    expect(await partitions()).toEqual(after);
  });

  it('may run twice at once, beside writers of a month that stays', async () => {
    await write('1999-01-15', '1999-02-15');
    const today = at('2002-06-16');
    const [written] = await Promise.all([
      Promise.all(Array.from({ length: 10 }, () => write('2002-06-15'))),
      ...[1, 2, 3].map(() => dropExpiredPartitions(db, today)),
    ]);
    // What a writer kept from one of them.
    await dropExpiredPartitions(db, today);
    expect((await partitions()).filter((name) => name.includes('_1999_'))).toEqual([]);
    for (const record of written.flat()) expect(await findTrace(db, record.organisationId, record.id)).toEqual(record);
  });

  it('makes room again for a trace that comes late, and takes it with the next run', async () => {
    await write('1998-01-15');
    await dropExpiredPartitions(db, at('2002-06-16'));
    const [late] = await write('1998-01-16');
    if (late === undefined) throw new Error('nothing was written');
    expect(await findTrace(db, late.organisationId, late.id)).toEqual(late);
    expect((await dropExpiredPartitions(db, at('2002-06-16'))).dropped).toEqual([
      'trace_1998_01',
      'trace_detail_1998_01',
    ]);
  });

  // PGlite has one session: another can't be in the way.
  it.runIf(process.env.TEST_DATABASE_URL)('leaves a month that another session holds to the next run', async () => {
    await write('1997-01-15');
    const held = await db.transaction(async (holder) => {
      await holder.execute(sql`select 1 from trace limit 1`);
      return dropExpiredPartitions(db, at('2002-06-16'));
    });
    expect(held).toEqual({ dropped: ['trace_detail_1997_01'], busy: ['trace_1997_01'] });
    expect(await dropExpiredPartitions(db, at('2002-06-16'))).toEqual({ dropped: ['trace_1997_01'], busy: [] });
  });
});
