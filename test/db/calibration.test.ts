import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { numbersReport } from '../../src/domain/feedback/calibration.ts';
import type { OutcomeRecord } from '../../src/domain/feedback/outcomes.ts';
import { DAY_MS } from '../../src/kernel/clock.ts';
import { type Id, newId, siblingId } from '../../src/kernel/ids.ts';
import * as store from '../../src/storage/postgres/calibration.ts';
import { deleteRowsOf } from '../../src/storage/postgres/erasure.ts';
import { insertMailReports } from '../../src/storage/postgres/mail-reports.ts';
import { upsertOrganisations } from '../../src/storage/postgres/organisations.ts';
import { outcome } from '../../src/storage/postgres/record-schema.ts';
import { deleteExpiredRows } from '../../src/storage/postgres/retention.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';
import { decisionRecord, START_MS, settingsRecord, TRACE_DETAIL, traceRecord } from '../support/records.ts';
import { writeTraces } from '../support/write-traces.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

const hashOf = (name: string): string => createHash('sha256').update(name).digest('hex');

type Report = Pick<OutcomeRecord, 'outcome' | 'class' | 'unread' | 'basicCode' | 'enhancedCode'>;
interface Reported extends Report {
  readonly traceId: Id<'vr'>;
  readonly mode?: 'live' | 'test';
  readonly reportedAt?: number;
}

/** Inserts reports as the outcomes route does. */
async function insertOutcomes(organisationId: Id<'org'>, reports: readonly Reported[]): Promise<void> {
  await database.db.insert(outcome).values(
    reports.map(({ traceId, mode = 'live', reportedAt = START_MS, ...report }) => ({
      ...report,
      mode,
      reportedAt,
      organisationId,
      traceId,
      keyId: null,
      verificationId: traceId,
      id: newId('oc', reportedAt),
    })),
  );
}

const bare = { basicCode: null, enhancedCode: null, unread: false };
const DELIVERED: Report = { ...bare, outcome: 'delivered', class: 'delivered' };
const UNKNOWN_USER: Report = { ...bare, outcome: 'hard_bounce', class: 'user_unknown', basicCode: '550' };
const BLOCKED: Report = { ...bare, outcome: 'hard_bounce', class: null, basicCode: '550' };
const EXPIRED: Report = { ...bare, outcome: 'hard_bounce', class: 'soft', enhancedCode: '5.4.7' };
const UNREAD: Report = { ...bare, outcome: 'hard_bounce', class: null, basicCode: '550', unread: true };

describe('answers that an outcome came after', () => {
  const at = (minutes: number) => START_MS + minutes * 60_000;

  it('come with what became of them: the last report of each, where it says something of the mailbox', async () => {
    const id = newId('org', START_MS);
    const traces = Array.from({ length: 7 }, (_, place) =>
      traceRecord({
        organisationId: id,
        id: newId('vr', at(place)),
        createdAt: at(place),
        addressHash: hashOf(`${place}`),
        bounceProbability: place / 10,
      }),
    );
    const [landed, bounced, turned, blocked, withoutDetail, expired, unreported] = traces.map(
      (trace) => trace.id as Id<'vr'>,
    );
    await writeTraces(
      database.db,
      traces.map((trace) => (trace.id === withoutDetail ? { ...trace, detail: null } : trace)),
    );
    await insertOutcomes(id, [
      { ...DELIVERED, traceId: landed as Id<'vr'> },
      { ...UNKNOWN_USER, traceId: bounced as Id<'vr'> },
      { ...UNKNOWN_USER, traceId: turned as Id<'vr'> },
      { ...BLOCKED, traceId: blocked as Id<'vr'> },
      { ...DELIVERED, traceId: withoutDetail as Id<'vr'> },
      { ...EXPIRED, traceId: expired as Id<'vr'> },
    ]);
    // A second report of a trace replaces the first.
    await database.db
      .insert(outcome)
      .values({
        ...DELIVERED,
        mode: 'live',
        reportedAt: at(9),
        organisationId: id,
        traceId: turned as Id<'vr'>,
        keyId: null,
        verificationId: turned as Id<'vr'>,
        id: newId('oc', at(9)),
      })
      .onConflictDoNothing();
    expect(unreported).toBeDefined();
    const found = await store.listAnswered(database.db, id, 100);
    expect(found.map(({ bounced: hit, trace }) => [trace.bounce_probability, hit])).toEqual(
      expect.arrayContaining([
        [0, false],
        [0.1, true],
      ]),
    );
    expect(found.map(({ trace }) => trace.bounce_probability)).not.toContain(0.3);
    expect(found.map(({ trace }) => trace.bounce_probability)).not.toContain(0.4);
    expect(found.map(({ trace }) => trace.bounce_probability)).not.toContain(0.5);
    expect(found[0]?.trace).toMatchObject({
      features: TRACE_DETAIL.features,
      confidence_interval: TRACE_DETAIL.confidenceInterval,
      context: TRACE_DETAIL.context,
      reasons: [],
      providers: {},
    });
  });

  it('are the account’s own, live, and the newest of too many', async () => {
    const [mine, theirs] = [newId('org', START_MS), newId('org', START_MS)];
    const traces = Array.from({ length: 4 }, (_, place) =>
      traceRecord({
        organisationId: mine,
        id: newId('vr', at(place)),
        createdAt: at(place),
        bounceProbability: place / 10,
      }),
    );
    const other = traceRecord({ organisationId: theirs });
    await writeTraces(database.db, [...traces, other]);
    await insertOutcomes(
      mine,
      traces.map(({ id }, place) => ({ ...DELIVERED, traceId: id as Id<'vr'>, mode: place === 3 ? 'test' : 'live' })),
    );
    // A report about another account's trace counts for nothing.
    await insertOutcomes(mine, [{ ...UNKNOWN_USER, traceId: other.id as Id<'vr'> }]);
    const given = async (limit: number) =>
      (await store.listAnswered(database.db, mine, limit)).map(({ trace }) => trace.bounce_probability);
    expect(await given(100)).toEqual([0, 0.1, 0.2]);
    expect(await given(3)).toEqual(expect.arrayContaining([0.2]));
  });
});

describe('bounces that were not understood', () => {
  it('are counted by who took the mail and by their codes, the most frequent first, of live reports alone', async () => {
    const id = newId('org', START_MS);
    const traces = ['google_business', 'google_business', 'unknown_business', 'google_business'].map((hostClass) =>
      traceRecord({ organisationId: id, hostClass }),
    );
    await writeTraces(database.db, traces);
    const [first, second, third, read] = traces.map((trace) => trace.id as Id<'vr'>);
    await insertOutcomes(id, [
      { ...UNREAD, traceId: first as Id<'vr'> },
      { ...UNREAD, traceId: second as Id<'vr'> },
      { ...UNREAD, enhancedCode: '5.0.0', traceId: third as Id<'vr'> },
      { ...UNREAD, traceId: newId('vr', START_MS) },
      { ...UNREAD, traceId: newId('vr', START_MS), mode: 'test' },
      { ...BLOCKED, traceId: read as Id<'vr'> },
    ]);
    const report = { ...UNREAD, organisationId: id, source: 'import' as const, addressHash: hashOf('x'), domain: null };
    await insertMailReports(database.db, [
      {
        ...report,
        id: randomUUID(),
        outcome: 'hard_bounce',
        means: 'sent',
        hostClass: 'microsoft_business',
        at: START_MS,
        receivedAt: START_MS,
      },
      // The outcome of this trace is already counted.
      {
        ...report,
        id: randomUUID(),
        outcome: 'hard_bounce',
        means: 'sent',
        hostClass: null,
        at: START_MS,
        receivedAt: START_MS,
      },
    ]);
    expect(await store.countUnread(database.db, id)).toEqual([
      { host_family: 'google', code: '550', enhanced: null, count: 2 },
      { host_family: 'microsoft', code: '550', enhanced: null, count: 1 },
      { host_family: 'unknown', code: '550', enhanced: '5.0.0', count: 1 },
      { host_family: 'unknown', code: '550', enhanced: null, count: 1 },
    ]);
    expect(await store.countUnread(database.db, newId('org', 1))).toEqual([]);
  });
});

describe('what may have been sent', () => {
  it('is each verification or decision that was not to be dropped, with whether its outcome is known', async () => {
    const id = newId('org', START_MS);
    const traces = [
      traceRecord({ organisationId: id }),
      traceRecord({ organisationId: id }),
      decisionRecord({ organisationId: id }),
      traceRecord({ organisationId: id, recommendation: 'drop' }),
      traceRecord({ organisationId: id, mode: 'test' }),
      traceRecord({ organisationId: id, id: newId('vr', START_MS - 31 * DAY_MS), createdAt: START_MS - 31 * DAY_MS }),
    ];
    await writeTraces(database.db, traces);
    const [first, second, decision] = traces.map((trace) => siblingId('vr', trace.id));
    await insertOutcomes(id, [
      { ...DELIVERED, traceId: first as Id<'vr'> },
      { ...bare, outcome: 'unknown', class: null, traceId: second as Id<'vr'> },
      { ...UNKNOWN_USER, traceId: decision as Id<'vr'> },
    ]);
    const since = START_MS - 30 * DAY_MS;
    expect(await store.countSends(database.db, id, since, 100)).toEqual({ verified: 3, reported: 2 });
    expect(await store.countSends(database.db, newId('org', 1), since, 100)).toEqual({ verified: 0, reported: 0 });
  });
});

describe('an account’s calibration', () => {
  const found = (organisationId: Id<'org'>, outcomes: number, computedAt: number): store.StoredCalibration => ({
    organisationId,
    report: { ...numbersReport([], false, () => null), outcomes, sources: [], sends: null, unread: [] },
    computedAt,
  });

  it('is the newest run’s; an older one that comes late changes nothing', async () => {
    const id = newId('org', START_MS);
    expect(await store.findCalibration(database.db, id)).toBeNull();
    for (const [outcomes, computedAt] of [
      [1, 1],
      [2, 3],
      [3, 2],
    ] as const)
      await store.upsertCalibration(database.db, found(id, outcomes, computedAt));
    expect(await store.findCalibration(database.db, id)).toMatchObject({ report: { outcomes: 2 }, computedAt: 3 });
  });

  it('goes with its organisation', async () => {
    const [mine, gone] = [settingsRecord(), newId('org', START_MS)];
    await upsertOrganisations(database.db, [mine]);
    for (const id of [mine.id, gone]) await store.upsertCalibration(database.db, found(id, 1, 1));
    expect((await deleteExpiredRows(database.db, START_MS)).calibrations).toBeGreaterThanOrEqual(1);
    expect(await store.findCalibration(database.db, gone)).toBeNull();
    expect(await store.findCalibration(database.db, mine.id)).not.toBeNull();
    await deleteRowsOf(database.db, mine.id);
    expect(await store.findCalibration(database.db, mine.id)).toBeNull();
  });
});
