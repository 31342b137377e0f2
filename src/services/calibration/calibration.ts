import type { CalibrationReport } from '../../contract/calibration.ts';
import { calibrate } from '../../domain/calibration/calibrate.ts';
import { documentOf } from '../../domain/calibration/model-document.ts';
import { outcomeEvidence } from '../../domain/calibration/outcome-evidence.ts';
import { patternFrom, type StoredPattern } from '../../domain/calibration/stored-pattern.ts';
import { DAY_MS } from '../../kernel/clock.ts';
import type { Id } from '../../kernel/ids.ts';
import { askObject, type ObjectDeps } from '../../organisation/api.ts';
import { modelKey, writeCachedModel } from '../../storage/fitted-models.ts';
import type { FactStore } from '../../storage/kv.ts';
import * as store from '../../storage/postgres/calibration.ts';
import type { Database } from '../../storage/postgres/client.ts';

export interface CalibrationDeps {
  readonly db: Database;
  readonly kv: FactStore;
  readonly objects: ObjectDeps;
}

/** A fit reads them about six hundred times, which takes seconds of CPU. As JSON they have less than 1 MB. */
const PATTERNS_MAX = 10_000;
/** More traces say little new of a host or a provider, and the statement would take seconds. */
const TRACES_MAX = 200_000;
/** Smaller samples don't help: such an account has ten thousand patterns of a few addresses each. */
const ONE_IN_MAX = 64;

/** The patterns to fit. An account with too many gives those of a sample of its addresses, chosen by their hash. */
async function readPatterns(
  db: Database,
  id: Id<'org'>,
  now: number,
): Promise<{ rows: StoredPattern[]; oneIn: number }> {
  const reported = await store.listReportedOutcomes(db, id);
  const evidence = reported.flatMap((report) => {
    const says = outcomeEvidence(report);
    return says === null ? [] : [{ ...report, bounced: says === 'bounced' }];
  });
  // A fit needs outcomes.
  if (evidence.length === 0 && !(await store.hasMailReports(db, id))) return { rows: [], oneIn: 1 };
  for (let oneIn = 1; ; oneIn *= 2) {
    const query = { evidence, now, oneIn, traces: TRACES_MAX, limit: PATTERNS_MAX + 1 };
    const rows = await store.listPatterns(db, id, query);
    if (rows.length <= PATTERNS_MAX || oneIn >= ONE_IN_MAX) return { rows: rows.slice(0, PATTERNS_MAX), oneIn };
  }
}

/** Verifications counted for the share of sends with a known outcome. */
const SENDS_DAYS = 30;

/** Where outcomes come from, and how many sends have one. */
async function readReach(
  db: Database,
  id: Id<'org'>,
  runAt: number,
): Promise<Pick<CalibrationReport, 'sources' | 'sends'>> {
  const { verified, reported } = await store.countSends(db, id, runAt - SENDS_DAYS * DAY_MS, TRACES_MAX);
  const share = verified === 0 ? null : reported / verified;
  return { sources: await store.listOutcomeSources(db, id), sends: { days: SENDS_DAYS, verified, reported, share } };
}

/**
 * Fits an account's model and puts it in force: first Postgres and KV, then the object, so that a version can be read once the
 * object names it. A second run on the same UTC day over the same traces finds the same version.
 */
export async function calibrateOrganisation(deps: CalibrationDeps, id: Id<'org'>, runAt: number): Promise<object> {
  const { db, kv, objects } = deps;
  const { rows, oneIn } = await readPatterns(db, id, runAt);
  const { model, report: fitted } = calibrate(rows.flatMap((row) => patternFrom(row) ?? []));
  const report = { ...fitted, ...(await readReach(db, id, runAt)) };
  const document = model.calibration === 'fitted' ? documentOf(model) : null;
  await store.upsertCalibration(db, { organisationId: id, report, document, computedAt: runAt });
  if (document !== null) await writeCachedModel(kv, id, document.version, document);
  await askObject(objects, id).adoptCalibration({ version: document?.version ?? null, computedAt: runAt });
  const { version, state, outcomes, hard_bounces } = report;
  return { version, state, outcomes, hard_bounces, patterns: rows.length, ...(oneIn === 1 ? {} : { one_in: oneIn }) };
}

/** Puts the model of Postgres in force again, after the object was rebuilt. */
export async function restoreCalibration({ db, objects }: Omit<CalibrationDeps, 'kv'>, id: Id<'org'>): Promise<void> {
  const found = await store.findCalibration(db, id);
  if (found === null) return;
  const { report, computedAt } = found;
  const version = report.state === 'fitted' ? report.version : null;
  await askObject(objects, id).adoptCalibration({ version, computedAt });
}

/** Deletes all models and reports. What an isolate has read goes with the isolate. */
export async function forgetCalibration(
  { db, kv }: { readonly db: Database; readonly kv: { delete(key: string): Promise<void> } },
  id: Id<'org'>,
): Promise<void> {
  for (const version of await store.listCalibrationVersions(db, id)) await kv.delete(modelKey(id, version));
  await store.deleteCalibrations(db, id);
}
