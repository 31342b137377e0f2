import { afterAll, describe, expect, it } from 'vitest';
import { emptyUsage } from '../../src/domain/metering/usage.ts';
import { newId } from '../../src/kernel/ids.ts';
import { drainOutbox } from '../../src/organisation/outbox.ts';
import { findOrganisation } from '../../src/storage/postgres/organisations.ts';
import { findUsage, listProjectedKeys } from '../../src/storage/postgres/projected-records.ts';
import { type OutboxRow, writeOutbox } from '../../src/storage/postgres/projection.ts';
import { findTrace } from '../../src/storage/postgres/traces.ts';
import { openTestDatabase } from '../support/database.ts';
import { createOutbox } from '../support/outbox.ts';
import { keyRecord, START_MS, settingsRecord, traceRecord } from '../support/records.ts';

const { db, close } = await openTestDatabase();
afterAll(close);

const settings = settingsRecord();
const organisationId = settings.id;

/** Rows as the object appends them: every record but a trace's has its organisation added. */
function rowsOf(records: readonly [kind: OutboxRow['kind'], record: object | string][]): OutboxRow[] {
  return records.map(([kind, record], index) => ({
    seq: index + 1,
    kind,
    id: (record as { id?: string }).id ?? newId('vr', START_MS),
    record:
      typeof record === 'string' ? record : JSON.stringify(kind === 'trace' ? record : { ...record, organisationId }),
    at: START_MS,
  }));
}

/** Drains an outbox of these rows into the database; tells which were set aside. */
async function drain(rows: readonly OutboxRow[]): Promise<number[]> {
  const { deps, buried } = createOutbox(rows);
  const done = await drainOutbox({ ...deps, write: (kind, batch) => writeOutbox(db, kind, batch) });
  expect(done).toBe(true);
  return buried;
}

describe('the outbox’s way to Postgres', () => {
  it('writes every kind of record, and the same again without change', async () => {
    const [key, trace] = [keyRecord(), traceRecord({ organisationId })];
    const usage = emptyUsage('2026-11');
    const rows = rowsOf([
      ['organisation', settings],
      ['api_key', key],
      ['trace', trace],
      ['usage', { usage, at: START_MS }],
      ['organisation', { ...settings, name: 'Renamed', version: 2 }],
      ['api_key', { ...key, revokedAt: START_MS }],
    ]);
    for (let i = 0; i < 2; i += 1) {
      expect(await drain(rows)).toEqual([]);
      expect(await findOrganisation(db, organisationId)).toEqual({ ...settings, name: 'Renamed', version: 2 });
      expect(await listProjectedKeys(db, organisationId)).toEqual([{ ...key, revokedAt: START_MS }]);
      expect(await findTrace(db, organisationId, trace.id)).toEqual(trace);
      expect(await findUsage(db, organisationId)).toEqual(usage);
    }
  });

  const good = () => traceRecord({ organisationId });
  const withDomain = (domain: string) => JSON.stringify(good()).replace('"acme.example"', domain);

  it.each<[string, object | string]>([
    ['a NUL, which no text of Postgres holds', withDomain('"\\u0000"')],
    ['half of a surrogate pair', withDomain('"\\ud800"')],
    ['a missing value', { ...good(), verdict: null }],
    ['a number out of range', { ...good(), latencyMs: 2 ** 31 }],
    ['a fraction where none may be', { ...good(), costMicros: 0.5 }],
    ['no JSON', '{'],
    ['nothing at all', ''],
    ['JSON that is not a record', '1'],
    ['a list for a record', '[]'],
    ['two records for one', [good(), good()].map((record) => JSON.stringify(record)).join()],
  ])('sets aside exactly the record with %s', async (_, bad) => {
    const others = Array.from({ length: 12 }, good);
    const records: [OutboxRow['kind'], object | string][] = others.map((record) => ['trace', record]);
    records.splice(5, 0, ['trace', bad]);
    expect(await drain(rowsOf(records))).toEqual([6]);
    for (const record of others) expect(await findTrace(db, organisationId, record.id)).toEqual(record);
  });

  it('takes a record that names itself otherwise by what its row is called', async () => {
    const record = good();
    const [row] = rowsOf([['trace', { ...record, id: newId('vr', START_MS) }]]);
    if (row === undefined) throw new Error('no row');
    expect(await drain([{ ...row, id: record.id }])).toEqual([]);
    expect(await findTrace(db, organisationId, record.id)).toEqual(record);
  });

  it('takes a table that is not there for an outage, not for the rows’ fault', async () => {
    await db.execute('alter table trace rename to trace_elsewhere');
    try {
      const failure = await writeOutbox(db, 'trace', rowsOf([['trace', good()]]));
      expect(failure?.kind).toBe('unavailable');
    } finally {
      await db.execute('alter table trace_elsewhere rename to trace');
    }
  });
});
