import { eq } from 'drizzle-orm';
import { afterAll, describe, expect, it } from 'vitest';
import type { EventBatch, EventRecord, OutcomeRecord } from '../../src/domain/feedback/outcomes.ts';
import { DAY_MS } from '../../src/kernel/clock.ts';
import { type Id, idToUuid, newId, newIdAt } from '../../src/kernel/ids.ts';
import {
  deleteConnection,
  insertConnection,
  recordReport,
  type StoredReport,
} from '../../src/storage/postgres/connections.ts';
import { deleteRowsOf } from '../../src/storage/postgres/erasure.ts';
import { findOutcome, forgetEvents, insertEvents, upsertOutcomes } from '../../src/storage/postgres/feedback.ts';
import { processorReference } from '../../src/storage/postgres/processor-schema.ts';
import { event, outcome } from '../../src/storage/postgres/record-schema.ts';
import { deleteExpiredRows } from '../../src/storage/postgres/retention.ts';
import { openTestDatabase } from '../support/database.ts';
import { START_MS } from '../support/records.ts';

const { db, close } = await openTestDatabase();
afterAll(close);

function report(change: Partial<OutcomeRecord> = {}): OutcomeRecord {
  const reportedAt = change.reportedAt ?? START_MS;
  return {
    id: newId('oc', reportedAt),
    organisationId: newId('org', START_MS),
    mode: 'live',
    reportedAt,
    traceId: newId('vr', START_MS),
    keyId: newId('key', START_MS),
    outcome: 'hard_bounce',
    class: 'user_unknown',
    unread: false,
    basicCode: '550',
    enhancedCode: '5.1.1',
    ...change,
  };
}
const asJson = (records: readonly object[]) => records.map((record) => JSON.stringify(record));
const write = (...records: OutcomeRecord[]) => upsertOutcomes(db, asJson(records));
const inForce = async ({ organisationId, mode, traceId }: OutcomeRecord) => {
  const found = await findOutcome(db, organisationId, mode, traceId);
  return found && { id: found.id, outcome: found.outcome, basicCode: found.basicCode, reportedAt: found.reportedAt };
};
const shown = ({ id, outcome: what, basicCode, reportedAt }: OutcomeRecord) => ({
  id,
  outcome: what,
  basicCode,
  reportedAt,
});

describe('reports in Postgres', () => {
  const older = report();
  const newer = { ...older, ...report({ reportedAt: START_MS + 1 }), outcome: 'delivered', basicCode: null } as const;
  const sameMoment = (id: string): OutcomeRecord => ({ ...older, id: `oc_${id.repeat(26)}` });

  it.each<[string, OutcomeRecord[][]]>([
    ['come one after the other', [[older], [newer]]],
    ['come the other way round', [[newer], [older]]],
    ['come in one statement', [[newer, older]]],
    ['come twice', [[older, newer], [older], [newer, newer]]],
  ])('of one trace keep the newest when they %s', async (_, statements) => {
    const own = { organisationId: newId('org', START_MS), traceId: newer.traceId };
    for (const records of statements) await write(...records.map((record) => ({ ...record, ...own })));
    expect(await inForce({ ...newer, ...own })).toEqual(shown(newer));
  });

  it('settle on the same in either order when they have the same time', async () => {
    const [a, b] = [sameMoment('1'), sameMoment('2')];
    await write(a);
    await write(b);
    await write(a);
    expect((await inForce(a))?.id).toBe(b.id);
    const other = { organisationId: newId('org', START_MS) };
    await write({ ...b, ...other }, { ...a, ...other });
    expect((await inForce({ ...a, ...other }))?.id).toBe(b.id);
  });

  it('belong to one organisation and one mode, and name the verification where the id is one of ours', async () => {
    const mine = report();
    const odd = report({ organisationId: mine.organisationId, traceId: 'vr_x' });
    await write(mine, odd, { ...mine, mode: 'test', outcome: 'complaint' });
    expect(await findOutcome(db, newId('org', START_MS), 'live', mine.traceId)).toBeNull();
    expect((await inForce({ ...mine, mode: 'test' }))?.outcome).toBe('complaint');
    const rows = await db.select().from(outcome).where(eq(outcome.organisationId, mine.organisationId));
    expect(new Map(rows.map((row) => [row.traceId, row.verificationId]))).toEqual(
      new Map([
        [mine.traceId, mine.traceId],
        ['vr_x', null],
      ]),
    );
  });

  it('go when their 400 days are over, however many', async () => {
    const organisationId = newId('org', START_MS);
    const old = START_MS - 400 * DAY_MS;
    const expired = Array.from({ length: 12 }, () => report({ organisationId, reportedAt: old - 1 }));
    const kept = report({ organisationId, reportedAt: old });
    await write(...expired, kept);
    expect((await deleteExpiredRows(db, START_MS)).outcomes).toBeGreaterThanOrEqual(12);
    expect((await deleteExpiredRows(db, START_MS)).outcomes).toBe(0);
    const left = await db.select().from(outcome).where(eq(outcome.organisationId, organisationId));
    expect(left.map(({ id }) => id)).toEqual([kept.id]);
  });
});

function batch(events: Partial<EventRecord>[], change: Partial<EventBatch> = {}): EventBatch {
  const createdAt = change.createdAt ?? START_MS;
  return {
    organisationId: newId('org', START_MS),
    mode: 'live',
    source: 'api',
    createdAt,
    events: events.map((each, place) => ({
      id: newIdAt('ev', createdAt, place),
      event: 'subscribed',
      at: START_MS,
      traceId: null,
      properties: null,
      ...each,
    })),
    ...change,
  };
}
const eventsOf = (organisationId: Id<'org'>) =>
  db.select().from(event).where(eq(event.organisationId, organisationId)).orderBy(event.id);

describe('events in Postgres', () => {
  it('come back as they were, in order, also when written twice, in a month that had none', async () => {
    const trace = idToUuid(newId('dc', START_MS));
    const young = batch([{ traceId: trace, properties: { plan: 'team', seats: 3 } }, { event: 'custom:x' }]);
    const { organisationId } = young;
    const old = batch([{ event: 'churned' }], { organisationId, createdAt: START_MS - 95 * DAY_MS });
    await insertEvents(db, asJson([young, old]));
    await insertEvents(db, asJson([young]));
    const common = { organisationId, mode: 'live', source: 'api', at: START_MS, addressHash: null };
    expect(await eventsOf(organisationId)).toEqual(
      [old, young].flatMap(({ createdAt, events }) => events.map((each) => ({ ...common, createdAt, ...each }))),
    );
  });

  it('lose their link to an address that is forgotten, and go with their organisation', async () => {
    const mine = batch([{}, {}]);
    const { organisationId } = mine;
    await insertEvents(db, asJson([mine]));
    await write(report({ organisationId }));
    await db.update(event).set({ addressHash: 'ab' }).where(eq(event.organisationId, organisationId));
    await forgetEvents(db, [{ organisationId: newId('org', START_MS), hash: 'ab' }]);
    expect((await eventsOf(organisationId)).map(({ addressHash }) => addressHash)).toEqual(['ab', 'ab']);
    await forgetEvents(db, [{ organisationId, hash: 'ab' }]);
    expect((await eventsOf(organisationId)).map(({ addressHash }) => addressHash)).toEqual([null, null]);
    await deleteRowsOf(db, organisationId);
    expect(await eventsOf(organisationId)).toEqual([]);
    expect(await db.select().from(outcome).where(eq(outcome.organisationId, organisationId))).toEqual([]);
  });
});

describe('what a payment processor says', () => {
  async function connect() {
    const [connectionId, organisationId] = [newId('con', START_MS), newId('org', START_MS)];
    await insertConnection(db, { id: connectionId, organisationId, kind: 'stripe', secrets: 'x', createdAt: START_MS });
    const say = (change: Partial<StoredReport>) =>
      recordReport(db, {
        connectionId,
        id: newId('ev', START_MS),
        mode: 'live',
        event: 'subscribed',
        at: START_MS,
        createdAt: START_MS,
        addressHash: null,
        references: [],
        ...change,
      });
    return { connectionId, organisationId, say };
  }

  it('stays as it first came, in a month that had none too', async () => {
    const { organisationId, say } = await connect();
    const id = newId('ev', START_MS - 190 * DAY_MS);
    await say({ id, addressHash: 'ab' });
    await say({ id, addressHash: 'cd', createdAt: START_MS + 1 });
    expect(await eventsOf(organisationId)).toMatchObject([{ id, addressHash: 'ab', createdAt: START_MS }]);
  });

  it('follows the newest report of a customer whose address changed; another connection knows nothing of it', async () => {
    const [mine, other] = [await connect(), await connect()];
    for (const addressHash of ['ab', 'cd'])
      await mine.say({ event: null, addressHash, references: ['cus', 'ch', 'cus'] });
    await mine.say({ references: ['unknown', 'ch'] });
    await other.say({ references: ['cus'] });
    expect(await eventsOf(mine.organisationId)).toMatchObject([{ addressHash: 'cd' }]);
    expect(await eventsOf(other.organisationId)).toMatchObject([{ addressHash: null }]);
  });

  it('is not kept once its connection is gone', async () => {
    const { connectionId, organisationId, say } = await connect();
    await deleteConnection(db, connectionId);
    await say({ addressHash: 'ab', references: ['cus'] });
    expect(await eventsOf(organisationId)).toEqual([]);
  });

  it('is deleted for customers without news for 400 days', async () => {
    const { connectionId, say } = await connect();
    const old = START_MS - 400 * DAY_MS;
    await say({ event: null, addressHash: 'ab', references: ['gone'], createdAt: old - 1 });
    await say({ event: null, addressHash: 'ab', references: ['kept'], createdAt: old });
    expect((await deleteExpiredRows(db, START_MS)).references).toBeGreaterThanOrEqual(1);
    const left = await db.select().from(processorReference).where(eq(processorReference.connectionId, connectionId));
    expect(left.map(({ reference }) => reference)).toEqual(['kept']);
  });
});
