import type { CalibrationReport } from '../../contract/calibration.ts';
import { calibrate } from '../../domain/calibration/calibrate.ts';
import { withNight } from '../../domain/calibration/loss-nights.ts';
import { documentOf, modelFrom } from '../../domain/calibration/model-document.ts';
import { modelInForce } from '../../domain/calibration/model-in-force.ts';
import { outcomeEvidence } from '../../domain/calibration/outcome-evidence.ts';
import { FOLDS } from '../../domain/calibration/pattern.ts';
import { progressive } from '../../domain/calibration/progressive.ts';
import { logLoss, reliability } from '../../domain/calibration/reliability.ts';
import { calibrateRows, type RowCalibration } from '../../domain/calibration/row-calibration.ts';
import type { FitRow } from '../../domain/calibration/row-counts.ts';
import { patternFrom, type StoredPattern } from '../../domain/calibration/stored-pattern.ts';
import { decodeAddress, decodeHistory } from '../../domain/verification/history-codec.ts';
import { type Model, SEEDED_MODEL } from '../../domain/verification/model.ts';
import { DAY_MS } from '../../kernel/clock.ts';
import type { Id } from '../../kernel/ids.ts';
import { askObject, callObject, type ObjectDeps } from '../../organisation/api.ts';
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

/** How the account reports outcomes that say something about the mailbox. */
async function readEvidence(db: Database, id: Id<'org'>): Promise<store.EvidenceRow[]> {
  const reported = await store.listReportedOutcomes(db, id);
  return reported.flatMap((report) => {
    const says = outcomeEvidence(report);
    return says === null ? [] : [{ ...report, bounced: says === 'bounced' }];
  });
}

/** Answers held against what came of them: each is made four times, at 20 µs. */
const ANSWERED_MAX = 2_000;

/** The loss of the account's answers on outcomes that came after them. A model of theirs that is gone leaves them out. */
async function readProgressive(
  db: Database,
  id: Id<'org'>,
  evidence: readonly store.EvidenceRow[],
): Promise<CalibrationReport['progressive']> {
  if (evidence.length === 0) return null;
  const answered = await store.listAnswered(db, id, evidence, ANSWERED_MAX);
  const models = new Map<string, Model | null>([[SEEDED_MODEL.version, SEEDED_MODEL]]);
  for (const { trace } of answered) {
    const version = trace.features?.model_version;
    if (version !== undefined && !models.has(version))
      models.set(version, modelFrom(await store.findModelDocument(db, id, version)));
  }
  return progressive(answered, (version) => models.get(version) ?? null);
}

/** The patterns to fit. An account with too many gives those of a sample of its addresses, chosen by their hash. */
async function readPatterns(
  db: Database,
  id: Id<'org'>,
  now: number,
  evidence: readonly store.EvidenceRow[],
): Promise<{ rows: StoredPattern[]; oneIn: number }> {
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

const ROUTING_DAYS = 30;
/** Enough for an average to be within a few percent; each has a few kilobytes of detail. */
const ROUTES_MAX = 5_000;

/** What asking providers cost an address, beside two simpler ways. */
async function readRouting(db: Database, id: Id<'org'>, runAt: number): Promise<CalibrationReport['routing']> {
  const { addresses, ...sums } = await store.sumRoutes(db, id, runAt - ROUTING_DAYS * DAY_MS, ROUTES_MAX);
  if (addresses === 0) return null;
  const mean = ({ spend_usd: spend, loss_usd: loss }: typeof sums.router) => ({
    spend_usd: spend / addresses,
    loss_usd: loss / addresses,
  });
  return {
    days: ROUTING_DAYS,
    addresses,
    router: mean(sums.router),
    always: mean(sums.always),
    never: mean(sums.never),
  };
}

/** A fit of rows reads each about forty times, at 25 µs: ten seconds of CPU. */
const ROWS_MAX = 10_000;
const ROWS_AT_ONCE = 1_000;

/** Addresses of the account with their levels: all, or a sample. */
async function readRows(objects: ObjectDeps, id: Id<'org'>): Promise<FitRow[]> {
  const rows: FitRow[] = [];
  for (let after: string | null | undefined = null; after !== undefined && rows.length < ROWS_MAX;) {
    const asked = callObject(objects, id).sampleHistory({ after, limit: ROWS_AT_ONCE });
    const slice: Awaited<typeof asked> = await asked;
    if (!slice.ok) return rows;
    const { addresses, domains, lists, next } = slice.value;
    for (const { name, row } of addresses) {
      const address = decodeAddress(row);
      if (address === null) continue;
      const { domain, list } = decodeHistory({
        address: null,
        domain: domains[address.domain] ?? null,
        list: lists[address.list ?? ''] ?? null,
      });
      rows.push({ fold: Number.parseInt(name.slice(0, 8), 16) % FOLDS, address, around: { domain, list } });
    }
    after = next ?? undefined;
  }
  return rows;
}

/** The report with what the rows show; theirs are the figures where their fit is adopted. */
function withRows<R extends Pick<CalibrationReport, 'log_loss' | 'bins'>>(
  report: R,
  { fitted, isAdopted, predictions, worth, outcomes }: RowCalibration,
): R & Pick<CalibrationReport, 'history'> {
  const history = worth === null ? null : { outcomes, log_loss: worth };
  if (!isAdopted || fitted === null || predictions.fitted === null) return { ...report, history };
  return {
    ...report,
    history,
    log_loss: { prior: logLoss(predictions.table), fitted: logLoss(predictions.fitted) },
    bins: reliability(predictions.fitted),
  };
}

/**
 * Fits an account's model and puts it in force: first Postgres and KV, then the object, so that a version can be read once the
 * object names it. A second run on the same UTC day over the same traces finds the same version.
 */
export async function calibrateOrganisation(deps: CalibrationDeps, id: Id<'org'>, runAt: number): Promise<object> {
  const { db, kv, objects } = deps;
  const evidence = await readEvidence(db, id);
  const { rows, oneIn } = await readPatterns(db, id, runAt, evidence);
  const { model: ofPatterns, report: fitted } = calibrate(rows.flatMap((row) => patternFrom(row) ?? []));
  const histories = calibrateRows(SEEDED_MODEL, await readRows(objects, id), runAt);
  const model = modelInForce(ofPatterns, histories);
  const { version: name, calibration: state } = model;
  const compared = withRows(fitted, histories);
  const earlier = await store.findCalibration(db, id);
  const report = {
    ...compared,
    version: name,
    state,
    log_loss_nights: withNight(earlier?.report.log_loss_nights ?? [], runAt, compared.log_loss),
    progressive: await readProgressive(db, id, evidence),
    ...(await readReach(db, id, runAt)),
    routing: await readRouting(db, id, runAt),
  };
  const document = name === SEEDED_MODEL.version ? null : documentOf(model);
  await store.upsertCalibration(db, { organisationId: id, report, document, computedAt: runAt });
  if (document !== null) await writeCachedModel(kv, id, document.version, document);
  await askObject(objects, id).adoptCalibration({ version: document?.version ?? null, computedAt: runAt });
  const { version, outcomes, hard_bounces } = report;
  return { version, state, outcomes, hard_bounces, patterns: rows.length, ...(oneIn === 1 ? {} : { one_in: oneIn }) };
}

/** Puts the model of Postgres in force again, after the object was rebuilt. */
export async function restoreCalibration({ db, objects }: Omit<CalibrationDeps, 'kv'>, id: Id<'org'>): Promise<void> {
  const found = await store.findCalibration(db, id);
  if (found === null) return;
  const { report, computedAt } = found;
  const version = report.version === SEEDED_MODEL.version ? null : report.version;
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
