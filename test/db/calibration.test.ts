import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { numbersReport } from '../../src/domain/feedback/calibration.ts';
import { type OutcomeReport, outcomeEvidence } from '../../src/domain/feedback/outcome-evidence.ts';
import { type Id, newId, siblingId } from '../../src/kernel/ids.ts';
import * as store from '../../src/storage/postgres/calibration.ts';
import { upsertOrganisations } from '../../src/storage/postgres/organisations.ts';
import { outcome } from '../../src/storage/postgres/schema.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';
import { START_MS, settingsRecord, TRACE_DETAIL, traceRecord } from '../support/records.ts';
import { writeTraces } from '../support/write-traces.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

const newOrganisation = (): Id<'org'> => newId('org', START_MS);

interface Reported extends OutcomeReport {
  readonly traceId: Id<'vr'>;
  readonly mode?: 'live' | 'test';
  readonly reportedAt?: number;
}

/** As the outcomes route enters them. */
async function insertOutcomes(organisationId: Id<'org'>, reports: readonly Reported[]): Promise<void> {
  await database.db.insert(outcome).values(
    reports.map(({ traceId, mode = 'live', reportedAt = START_MS, ...report }) => ({
      ...report,
      mode,
      reportedAt,
      organisationId,
      traceId,
      keyId: null,
      verificationId: siblingId('vr', traceId),
      id: newId('oc', reportedAt),
    })),
  );
}

const DELIVERED = { outcome: 'delivered', basicCode: '250', enhancedCode: '2.0.0' } as const;
const GONE = { outcome: 'hard_bounce', basicCode: '550', enhancedCode: '5.1.1' } as const;
const BLOCKED = { outcome: 'hard_bounce', basicCode: '550', enhancedCode: '5.7.606' } as const;

async function answeredOf(organisationId: Id<'org'>, limit = 100) {
  const reports = await store.listReportedOutcomes(database.db, organisationId);
  const evidence = reports.flatMap(({ count: _, ...report }) => {
    const says = outcomeEvidence(report);
    return says === null ? [] : [{ ...report, bounced: says === 'bounced' }];
  });
  return store.listAnswered(database.db, organisationId, evidence, limit);
}

describe('answers beside what became of them', () => {
  it('are the account’s own live ones whose report tells of the mailbox, each with its numbers', async () => {
    const [mine, theirs] = [newOrganisation(), newOrganisation()];
    const traces = Array.from({ length: 6 }, (_, i) => {
      const id = newId('vr', START_MS + i);
      return traceRecord({ id, organisationId: mine, bounceProbability: i / 10, createdAt: START_MS + i });
    });
    const idAt = (i: number): Id<'vr'> => siblingId('vr', traces[i]?.id ?? newId('vr', 0));
    await writeTraces(database.db, traces);
    await insertOutcomes(mine, [
      { ...DELIVERED, traceId: idAt(1) },
      { ...GONE, traceId: idAt(2) },
      { ...BLOCKED, traceId: idAt(3) },
      { ...GONE, traceId: idAt(4), mode: 'test' },
      { ...GONE, traceId: newId('vr', START_MS) },
    ]);
    await insertOutcomes(theirs, [{ ...GONE, traceId: idAt(5) }]);

    const found = await answeredOf(mine);
    expect(found.map(({ bounced, trace }) => [trace.bounce_probability, bounced])).toEqual([
      [0.1, false],
      [0.2, true],
    ]);
    expect(found[0]?.trace).toMatchObject({
      features: TRACE_DETAIL.features,
      providers: {},
      reasons: [],
      context: { purpose: 'signup' },
      confidence_interval: [0.01, 0.2],
    });
    expect(await answeredOf(mine, 1)).toHaveLength(1);
    expect(await answeredOf(theirs)).toEqual([]);
  });
});

describe('sends', () => {
  it('are the live verifications that were not to be dropped; a report of any word makes one known, `unknown` does not', async () => {
    const id = newOrganisation();
    const trace = (change: Parameters<typeof traceRecord>[0]) => traceRecord({ organisationId: id, ...change });
    const sent = [trace({}), trace({}), trace({})];
    await writeTraces(database.db, [...sent, trace({ recommendation: 'drop' }), trace({ mode: 'test' })]);
    const [one, other] = sent.map((each) => siblingId('vr', each.id));
    if (one === undefined || other === undefined) throw new Error('two were made');
    await insertOutcomes(id, [
      { ...BLOCKED, traceId: one },
      { outcome: 'unknown', basicCode: null, enhancedCode: null, traceId: other },
    ]);
    const since = START_MS - 1_000;
    expect(await store.countSends(database.db, id, since, 100)).toEqual({ verified: 3, reported: 1 });
    expect(await store.countSends(database.db, id, since, 2)).toMatchObject({ verified: 2 });
    expect(await store.countSends(database.db, id, START_MS + 60_000, 100)).toEqual({ verified: 0, reported: 0 });
  });
});

describe('calibrations', () => {
  const found = (organisationId: Id<'org'>, computedAt: number): store.StoredCalibration => ({
    organisationId,
    report: { ...numbersReport([], false, () => null), sources: [], sends: null },
    computedAt,
  });

  it('the newest run stands; a run that comes late changes nothing', async () => {
    const id = newOrganisation();
    expect(await store.findCalibration(database.db, id)).toBeNull();
    for (const at of [1, 3, 2]) await store.upsertCalibration(database.db, found(id, at));
    expect(await store.findCalibration(database.db, id)).toEqual(found(id, 3));
  });

  it('what a deleted organisation left goes', async () => {
    const [mine, gone] = [settingsRecord(), newOrganisation()];
    await upsertOrganisations(database.db, [mine]);
    for (const id of [mine.id, gone]) await store.upsertCalibration(database.db, found(id, 1));
    await store.deleteOrphanedCalibrations(database.db);
    expect(await store.findCalibration(database.db, mine.id)).not.toBeNull();
    expect(await store.findCalibration(database.db, gone)).toBeNull();
  });
});
