import { beforeEach, describe, expect, it } from 'vitest';
import { emptyUsage } from '../../../src/domain/metering/usage.ts';
import { failedDependency } from '../../../src/kernel/errors.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { commandOf, connectDatabase } from '../../../src/storage/postgres/client.ts';
import { type OutboxRow, writeOutbox } from '../../../src/storage/postgres/projection.ts';
import { type FakeNeon, type NeonAnswer, stubNeon } from '../../support/fake-neon.ts';
import { keyRecord, START_MS, settingsRecord, traceRecord } from '../../support/records.ts';

const db = connectDatabase({ url: 'postgresql://user:password@db.localhost/main', httpUrl: null });
let neon: FakeNeon;
beforeEach(() => {
  neon = stubNeon();
});

const organisationId = newId('org', START_MS);
const trace = traceRecord({ organisationId });
const said = { organisationId, mode: 'live', keyId: newId('key', START_MS) };
const report = { ...said, id: newId('oc', START_MS), traceId: newId('vr', START_MS), reportedAt: START_MS };
const events = [0, 1].map(() => ({ id: newId('ev', START_MS), traceId: trace.id, event: 'activated', at: START_MS }));
const change = { organisationId, version: 1, rule: 'block', note: null, put: [], removed: ['acme.test'] };

/** A record of each kind: its statement's command, and how many rows that can change, or find, at most. */
const KINDS: Readonly<Record<OutboxRow['kind'], readonly [record: object, command: string, atMost: number]>> = {
  trace: [trace, 'INSERT', 1],
  screening: [{ ...said, id: newId('sc', START_MS), createdAt: START_MS, display: '•', screening: {} }, 'INSERT', 1],
  outcome: [{ ...report, outcome: 'delivered' }, 'INSERT', 1],
  event: [{ ...said, source: 'api', createdAt: START_MS, events }, 'INSERT', 2],
  organisation: [settingsRecord(), 'INSERT', 1],
  api_key: [{ ...keyRecord(), organisationId }, 'INSERT', 1],
  usage: [{ organisationId, usage: emptyUsage('2026-11'), at: START_MS }, 'INSERT', 1],
  domain_rules: [change, 'SELECT', 1],
  address_rules: [change, 'SELECT', 1],
  policy: [{ organisationId, slug: 'default', version: 1, document: {}, createdAt: START_MS }, 'INSERT', 1],
  losses: [{ organisationId, version: 1, document: '{}', createdAt: START_MS }, 'INSERT', 1],
  member: [{ organisationId, userId: newId('u', START_MS) }, 'INSERT', 1],
  invitation: [{ organisationId, id: newId('inv', START_MS) }, 'INSERT', 1],
  audit: [{ organisationId, id: newId('au', START_MS) }, 'INSERT', 1],
  rehash: [{ organisationId, rehashes: [{ old: '0'.repeat(64), hash: '1'.repeat(64) }] }, 'INSERT', 1],
  bulk_job: [{ organisationId, version: 1, record: { job: { id: newId('bj', START_MS) } } }, 'INSERT', 1],
};

const writing = Object.entries(KINDS).map(([kind, [record, command, atMost]]) => {
  const write = async (answer: NeonAnswer) => {
    neon.answer = () => answer;
    const row = { seq: 1, kind: kind as OutboxRow['kind'], id: trace.id, record: JSON.stringify(record), at: START_MS };
    const failure = await writeOutbox(db, row.kind, [row]);
    return failure && { kind: failure.kind, dependency: failedDependency(failure.error) };
  };
  return { kind, command, atMost, write };
});
const OUTAGE = { kind: 'unavailable', dependency: 'postgres' };

describe('an outbox row is written, and so may go', () => {
  it.each(writing)('by the answer to its own statement: $kind', async ({ command, atMost, write }) => {
    expect(await write('written')).toBeNull();
    if (command === 'INSERT') expect(await write({ command, rowCount: atMost })).toBeNull();
  });

  it.each(writing)('not by an answer behind the right echo that names another command: $kind', async (row) => {
    for (const command of ['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'CREATE', ''].filter((each) => each !== row.command))
      expect([command, await row.write({ command })]).toEqual([command, OUTAGE]);
  });

  it.each(writing)('not by one whose count of rows is impossible: $kind', async ({ command, atMost, write }) => {
    for (const rowCount of [atMost + 1, -1, 0.5, Number.NaN, 1e300]) {
      expect([rowCount, await write({ command, rowCount })]).toEqual([rowCount, OUTAGE]);
    }
  });
});

describe('the command that Postgres answers a statement with', () => {
  it.each([
    ['select 1', 'SELECT'],
    ['  (select 1) union (select 2)', 'SELECT'],
    ['insert into "trace" ("id") select 1', 'INSERT'],
    ['delete from trace', 'DELETE'],
    ['create table if not exists trace_2026_11 partition of trace', 'CREATE'],
    ['do $$ begin drop table trace; end $$', 'DO'],
    ['with a as (select 1), b as (insert into t select (1)) update t set x = (select 2)', 'UPDATE'],
    ['\n with a as (\n  delete from t where x = \'(\' returning "selec)t"\n )\n select id from a', 'SELECT'],
    ['with recursive a as ( -- it’s deleted) here\n select 1) insert into t select 1', 'INSERT'],
    ['with a as materialized (select 1) delete from t using a', 'DELETE'],
  ])('%j: %s', (statement, command) => expect(commandOf(statement)).toBe(command));
});
