import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { calibrate } from '../../src/domain/calibration/calibrate.ts';
import { documentOf, modelFrom } from '../../src/domain/calibration/model-document.ts';
import { type OutcomeReport, outcomeEvidence } from '../../src/domain/feedback/outcome-evidence.ts';
import { FOLDS, HALF_LIFE_DAYS } from '../../src/domain/calibration/pattern.ts';
import { type StoredPattern, patternFrom } from '../../src/domain/calibration/stored-pattern.ts';
import type { TraceRecord } from '../../src/domain/traces/record.ts';
import { MODEL } from '../../src/domain/belief/model.ts';
import { DAY_MS } from '../../src/kernel/clock.ts';
import { type Id, idToUuid, newId, siblingId } from '../../src/kernel/ids.ts';
import * as store from '../../src/storage/postgres/calibration.ts';
import { insertMailReports, type StoredMailReport } from '../../src/storage/postgres/mail-reports.ts';
import { upsertOrganisations } from '../../src/storage/postgres/organisations.ts';
import { outcome } from '../../src/storage/postgres/schema.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';
import { START_MS, settingsRecord, traceRecord } from '../support/records.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { writeTraces } from '../support/write-traces.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

const hashOf = (name: string): string => createHash('sha256').update(name).digest('hex');

interface Reported extends OutcomeReport {
  readonly traceId: Id<'vr'>;
  readonly mode: 'live' | 'test';
  readonly reportedAt: number;
}

/** As the outcomes route enters them. */
async function insertOutcomes(organisationId: Id<'org'>, reports: readonly Reported[]): Promise<void> {
  await database.db.insert(outcome).values(
    reports.map(({ traceId, outcome: word, ...report }) => ({
      ...report,
      organisationId,
      outcome: word,
      traceId,
      keyId: null,
      verificationId: traceId,
      id: newId('oc', report.reportedAt),
    })),
  );
}

const insert = (traces: readonly TraceRecord[]) => writeTraces(database.db, traces);

const evidenceOf = (reports: readonly OutcomeReport[]): store.EvidenceRow[] =>
  reports.flatMap(({ outcome: word, basicCode, enhancedCode }) => {
    const report = { outcome: word, basicCode, enhancedCode };
    const says = outcomeEvidence(report);
    return says === null ? [] : [{ ...report, bounced: says === 'bounced' }];
  });

const ALL = { now: START_MS, oneIn: 1, traces: 1_000_000, limit: 100_000 };

async function patternsOf(
  organisationId: Id<'org'>,
  change: Partial<store.PatternQuery> = {},
): Promise<StoredPattern[]> {
  const evidence = evidenceOf(await store.listReportedOutcomes(database.db, organisationId));
  return store.listPatterns(database.db, organisationId, { ...ALL, evidence, ...change });
}

/** The same, read row by row. */
function oracle(traces: readonly TraceRecord[], reports: readonly Reported[], now: number): StoredPattern[] {
  const said = new Map<string, boolean>();
  for (const report of reports) {
    const says = report.mode === 'live' ? outcomeEvidence(report) : null;
    if (says !== null) said.set(report.traceId, says === 'bounced');
  }
  const outcomeOf = ({ id }: TraceRecord): boolean | undefined => said.get(siblingId('vr', id));
  const perAddress = new Map<string, TraceRecord>();
  for (const trace of traces) {
    if (trace.mode !== 'live' || trace.hostClass === null || trace.addressHash === null) continue;
    const known = perAddress.get(trace.addressHash);
    const rank = (each: TraceRecord): string => `${outcomeOf(each) === undefined ? 0 : 1} ${idToUuid(each.id)}`;
    if (known === undefined || rank(known) < rank(trace)) perAddress.set(trace.addressHash, trace);
  }
  const groups = new Map<string, number[]>();
  for (const trace of perAddress.values()) {
    const fold = Number.parseInt(trace.addressHash?.slice(0, 8) ?? '', 16) % FOLDS;
    const days = Math.max(0, Math.floor(now / DAY_MS) - Math.floor(trace.createdAt / DAY_MS));
    const weight = Math.round(0.5 ** (days / HALF_LIFE_DAYS) * 1e6);
    const key = JSON.stringify([fold, trace.hostClass, trace.answers ?? '', trace.lnOdds ?? 0]);
    const [all = 0, bounced = 0, bouncedWeight = 0, landed = 0, landedWeight = 0] = groups.get(key) ?? [];
    const reported = outcomeOf(trace);
    const [hit, missed] = [reported === true ? 1 : 0, reported === false ? 1 : 0];
    groups.set(key, [
      all + weight,
      bounced + hit,
      bouncedWeight + hit * weight,
      landed + missed,
      landedWeight + missed * weight,
    ]);
  }
  return [...groups].map(([key, sums]) => [...(JSON.parse(key) as unknown[]), ...sums] as unknown as StoredPattern);
}

const REPORTS: readonly OutcomeReport[] = [
  { outcome: 'delivered', basicCode: null, enhancedCode: null },
  { outcome: 'delivered', basicCode: '250', enhancedCode: '2.0.0' },
  { outcome: 'complaint', basicCode: null, enhancedCode: null },
  { outcome: 'soft_bounce', basicCode: '452', enhancedCode: '4.2.2' },
  { outcome: 'unknown', basicCode: null, enhancedCode: null },
  { outcome: 'hard_bounce', basicCode: null, enhancedCode: null },
  { outcome: 'hard_bounce', basicCode: '550', enhancedCode: '5.1.1' },
  { outcome: 'hard_bounce', basicCode: '550', enhancedCode: null },
  { outcome: 'hard_bounce', basicCode: '550', enhancedCode: '5.7.606' },
  { outcome: 'hard_bounce', basicCode: '421', enhancedCode: null },
];

/** An account's past: few addresses, seen again and again, some mailed, across the end of a month. */
function drawPast(organisationId: Id<'org'>, seed: number) {
  const { uniform: draws } = seededRandom(seed);
  const pick = <T>(of: readonly T[]): T => of[Math.floor(draws() * of.length)] as T;
  const traces: TraceRecord[] = [];
  const reports: Reported[] = [];
  for (let i = 0; i < 600; i += 1) {
    const createdAt = START_MS - Math.floor(draws() * 120) * DAY_MS - Math.floor(draws() * DAY_MS);
    const kind = pick(['verify', 'verify', 'bulk', 'decide'] as const);
    const verification = newId('vr', createdAt);
    const mode = draws() < 0.1 ? 'test' : 'live';
    traces.push(
      traceRecord({
        organisationId,
        createdAt,
        mode,
        kind,
        detail: null,
        id: kind === 'decide' ? siblingId('dc', verification) : verification,
        verificationId: kind === 'decide' ? verification : null,
        addressHash: draws() < 0.05 ? null : hashOf(`address ${Math.floor(draws() * 150)}`),
        hostClass: draws() < 0.05 ? null : pick(['google_business', 'yahoo_consumer']),
        answers: pick(['', 'kickbox:deliverable', 'hunter:risky kickbox:deliverable']),
        lnOdds: pick([0, 0.25, -1.5]),
      }),
    );
    if (draws() < 0.4) reports.push({ ...pick(REPORTS), traceId: verification, mode, reportedAt: createdAt + DAY_MS });
  }
  // Of unknown traces.
  reports.push({ ...pick(REPORTS), traceId: newId('vr', START_MS), mode: 'live', reportedAt: START_MS });
  return { traces, reports };
}

const sorted = (patterns: readonly StoredPattern[]): string[] => patterns.map((each) => JSON.stringify(each)).sort();

describe('listPatterns', () => {
  it.each([1, 2, 3])('groups an account’s past as one reads it row by row (past %i)', async (seed) => {
    const [mine, theirs] = [newId('org', START_MS), newId('org', START_MS)];
    const { traces, reports } = drawPast(mine, seed);
    const others = drawPast(theirs, seed + 100);
    await insert([...traces, ...others.traces]);
    await insertOutcomes(mine, reports);
    // Another account's report of our traces is nothing to us.
    await insertOutcomes(theirs, reports.slice(0, 50));
    const found = await patternsOf(mine);
    const expected = oracle(traces, reports, START_MS);
    expect(expected.length).toBeGreaterThan(40);
    expect(sorted(found)).toEqual(sorted(expected));
    expect(await patternsOf(mine)).toEqual(found);
    const all = found.flatMap((each) => patternFrom(each) ?? []);
    expect(all).toHaveLength(found.length);
    const usable = found.reduce((sum, each) => sum + each[5] + each[7], 0);
    expect(calibrate(all).report.outcomes).toBe(usable);
  });

  it('knows of no outcome that the table of codes does not take for evidence', async () => {
    const id = newId('org', START_MS);
    const reports = REPORTS.map((report, i) => ({
      ...report,
      traceId: newId('vr', START_MS + i),
      mode: 'live' as const,
      reportedAt: START_MS,
    }));
    await insert(
      reports.map(({ traceId }, i) => traceRecord({ id: traceId, organisationId: id, addressHash: hashOf(`${i}`) })),
    );
    await insertOutcomes(id, reports);
    const found = await patternsOf(id);
    const tally = [found.reduce((sum, each) => sum + each[5], 0), found.reduce((sum, each) => sum + each[7], 0)];
    const says = REPORTS.map(outcomeEvidence);
    expect(tally).toEqual([
      says.filter((say) => say === 'bounced').length,
      says.filter((say) => say === 'landed').length,
    ]);
  });

  it('samples addresses by their hash, whole, and never by their fold', async () => {
    const id = newId('org', START_MS);
    const hashes = Array.from({ length: 400 }, (_, i) => hashOf(`sample ${i}`));
    await insert(hashes.map((addressHash) => traceRecord({ organisationId: id, addressHash })));
    const half = await patternsOf(id, { oneIn: 2 });
    const kept = hashes.filter((hash) => Number.parseInt(hash.slice(8, 16), 16) % 2 === 0);
    expect(half.map(([fold, , , , weight]) => [fold, weight])).toEqual(
      [0, 1, 2, 3, 4].map((fold) => [
        fold,
        kept.filter((hash) => Number.parseInt(hash.slice(0, 8), 16) % FOLDS === fold).length * 1e6,
      ]),
    );
  });

  it('looks at the newest traces only, and at no more patterns than it may', async () => {
    const id = newId('org', START_MS);
    const at = (i: number) => START_MS - i * DAY_MS;
    await insert(
      Array.from({ length: 20 }, (_, i) =>
        traceRecord({
          organisationId: id,
          id: newId('vr', at(i)),
          createdAt: at(i),
          addressHash: hashOf(`n ${i}`),
          lnOdds: i,
        }),
      ),
    );
    const newest = await patternsOf(id, { traces: 4 });
    expect(new Set(newest.map(([, , , odds]) => odds))).toEqual(new Set([0, 1, 2, 3, 4]));
    expect(await patternsOf(id, { limit: 7 })).toHaveLength(7);
  });
});

describe('what mail services and imports report', () => {
  const MAIL = { google_business: [30, 10], yahoo_consumer: [5, 0] } as const;
  let id: Id<'org'>;
  const mailed = (over: Partial<StoredMailReport>, name: string): StoredMailReport => ({
    organisationId: id,
    id: idToUuid(newId('oc', START_MS)),
    source: 'import',
    addressHash: hashOf(name),
    domain: 'd',
    hostClass: 'google_business',
    outcome: 'delivered',
    class: 'delivered',
    means: 'sent',
    basicCode: null,
    enhancedCode: null,
    at: START_MS,
    receivedAt: START_MS,
    ...over,
  });
  const many = (count: number, over: Partial<StoredMailReport>, name: string) =>
    Array.from({ length: count }, (_, i) => mailed(over, `${name} ${i}`));
  const bounced = { outcome: 'hard_bounce', class: 'user_unknown' } as const;
  /** Addresses, bounced and landed ones of each host. */
  const tally = async () => {
    const found: Record<string, number[]> = {};
    for (const [, host, answers, , , hit, , missed] of await patternsOf(id)) {
      const key = `${host}${answers && ` ${answers}`}`;
      const [one = 0, other = 0] = found[key] ?? [];
      found[key] = [one + missed, other + hit];
    }
    return found;
  };

  it('is fitted without a verification: each address once, with its newest report that tells', async () => {
    id = newId('org', START_MS);
    await insertMailReports(database.db, [
      ...many(30, {}, 'good'),
      ...many(10, bounced, 'bad'),
      // Later, and about the same addresses.
      ...many(3, { class: 'soft', outcome: 'soft_bounce', at: START_MS + 1 }, 'bad'),
      ...many(4, { ...bounced, at: START_MS - 1 }, 'good'),
      ...many(5, { hostClass: 'yahoo_consumer' }, 'yahoo'),
    ]);
    expect(await tally()).toEqual(MAIL);
  });

  it.each<readonly [string, Partial<StoredMailReport>]>([
    ['of a source with fewer than two deliveries a bounce', { ...bounced, source: 'con_suppressions' }],
    ['of messages that were not sent', { ...bounced, means: 'suppressed' }],
    ['of unknown mail hosts', { ...bounced, hostClass: 'unresolved_business' }],
    ['whose domain was not looked up', { ...bounced, hostClass: null, domain: null }],
    ['that say nothing of the mailbox', { ...bounced, class: null }],
  ])('leaves out reports %s', async (_, over) => {
    id = newId('org', START_MS);
    await insertMailReports(database.db, [
      ...many(30, {}, 'good'),
      ...many(10, bounced, 'bad'),
      ...many(5, { hostClass: 'yahoo_consumer' }, 'yahoo'),
      ...many(7, over, 'left out'),
    ]);
    expect(await tally()).toEqual(MAIL);
  });

  it('gives way to a trace that has an outcome, and counts before one that has none', async () => {
    id = newId('org', START_MS);
    const [told, untold] = [newId('vr', START_MS - DAY_MS), newId('vr', START_MS - DAY_MS)];
    const seen = { organisationId: id, hostClass: 'microsoft_business', answers: '', lnOdds: 0 };
    await insert([
      traceRecord({ ...seen, id: told, addressHash: hashOf('good 0') }),
      traceRecord({ ...seen, id: untold, addressHash: hashOf('good 1') }),
    ]);
    const report = { outcome: 'delivered', basicCode: null, enhancedCode: null } as const;
    await insertOutcomes(id, [{ ...report, traceId: told, mode: 'live', reportedAt: START_MS }]);
    await insertMailReports(database.db, [...many(30, {}, 'good'), ...many(10, bounced, 'bad')]);
    expect(await tally()).toEqual({ google_business: [29, 10], microsoft_business: [1, 0] });
  });
});

describe('calibrations', () => {
  const found = (organisationId: Id<'org'>, version: string, computedAt: number): store.StoredCalibration => ({
    organisationId,
    report: { ...calibrate([]).report, version, state: version === MODEL.version ? 'prior' : 'fitted' },
    document: version === MODEL.version ? null : documentOf({ ...SEEDED_MODEL, version, calibration: 'fitted' }),
    computedAt,
  });

  it('the newest is in force; a version found again is the newest again, an older run changes nothing', async () => {
    const id = newId('org', START_MS);
    expect(await store.findCalibration(database.db, id)).toBeNull();
    for (const [version, at] of [
      ['fit-a', 1],
      ['fit-b', 2],
      ['fit-a', 3],
      ['fit-b', 1],
    ] as const)
      await store.upsertCalibration(database.db, found(id, version, at));
    expect(await store.findCalibration(database.db, id)).toMatchObject({ report: { version: 'fit-a' }, computedAt: 3 });
    expect(await store.listCalibrationVersions(database.db, id)).toHaveLength(2);
  });

  it('a model comes back as it was stored; the seeded tables are stored without a document', async () => {
    const id = newId('org', START_MS);
    await store.upsertCalibration(database.db, found(id, 'fit-a', 1));
    await store.upsertCalibration(database.db, found(id, MODEL.version, 2));
    const model = modelFrom(await store.findModelDocument(database.db, id, 'fit-a'));
    expect(model).toEqual({ ...SEEDED_MODEL, version: 'fit-a', calibration: 'fitted' });
    expect(await store.findModelDocument(database.db, id, MODEL.version)).toBeNull();
    expect(await store.findModelDocument(database.db, newId('org', 1), 'fit-a')).toBeNull();
  });

  it('old ones go, but what is in force stays however old; what a deleted organisation left goes too', async () => {
    const [mine, gone] = [settingsRecord(), newId('org', START_MS)];
    await upsertOrganisations(database.db, [mine]);
    for (const [version, at] of [
      ['fit-a', 1],
      ['fit-b', 2],
      ['fit-c', 3],
    ] as const)
      await store.upsertCalibration(database.db, found(mine.id, version, at));
    await store.upsertCalibration(database.db, found(gone, 'fit-a', 100));
    await store.deleteOldCalibrations(database.db, 2);
    expect((await store.listCalibrationVersions(database.db, mine.id)).sort()).toEqual(['fit-b', 'fit-c']);
    await store.deleteOldCalibrations(database.db, 1_000);
    expect(await store.listCalibrationVersions(database.db, mine.id)).toEqual(['fit-c']);
    expect(await store.listCalibrationVersions(database.db, gone)).toEqual([]);
  });
});
