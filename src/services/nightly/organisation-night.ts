import type { RetentionDays } from '../../domain/metering/organisation-settings.ts';
import { KEPT_DAYS, retentionOf } from '../../domain/privacy/data-handling.ts';
import { DAY_MS, MINUTE_MS } from '../../kernel/clock.ts';
import { ok, type Result } from '../../kernel/errors.ts';
import type { Id } from '../../kernel/ids.ts';
import { describeError, failureLevel, log } from '../../kernel/log.ts';
import {
  askObject,
  callObject,
  type HistorySlice,
  objectError,
  type ObjectFailure,
  type TrimmedHistory,
} from '../../organisation/api.ts';
import type { Database } from '../../storage/postgres/client.ts';
import { listNightlySteps, upsertNightlyStep } from '../../storage/postgres/nightly-steps.ts';
import { deleteOlder, STORED_KINDS } from '../../storage/postgres/retention.ts';
import { dayOf, deleteUsageDays, USAGE_DAYS_KEPT } from '../../storage/postgres/usage-days.ts';
import { calibrateOrganisation } from '../calibration.ts';
import { sealAnew } from '../connections.ts';
import { deleteRemains } from '../erasure.ts';
import type { BackgroundDeps } from '../deps.ts';
import type { MessageOf } from '../queue-message.ts';
import { rollUpOrganisation } from '../insights.ts';
import { BACK_ENDS_STEP, noteBackEnds } from './learnt-domains.ts';
import { failedReport, type Report, type Step } from './steps.ts';

/** A queue's invocation has 15 minutes. The redelivered message does the rest. */
const ROLL_UP_MS = 10 * MINUTE_MS;

/** The steps of each organisation's night, in order. */
export const ORGANISATION_STEPS: readonly Step<[id: Id<'org'>, runAt: number, retention: RetentionDays]>[] = [
  {
    name: 'retention',
    why: 'an account may keep its records for less time than the service',
    run: ({ db }, id, runAt, retention) => keepLess(db, id, runAt, retention),
  },
  {
    name: 'rollups',
    why: 'segments, recommendations and experiments are read from them',
    run: ({ db }, id, runAt, { traces }) => rollUpOrganisation(db, id, runAt, ROLL_UP_MS, traces),
  },
  {
    name: BACK_ENDS_STEP,
    why: 'mail hosts that serve listed domains alone are learnt from what is verified',
    run: noteBackEnds,
  },
  { name: 'calibration', why: 'the model learns from outcomes', run: calibrateOrganisation },
  {
    name: 'usage',
    why: 'days past retention go',
    run: async ({ db }, id, runAt) => {
      await deleteUsageDays(db, id, dayOf(runAt) - USAGE_DAYS_KEPT);
      return {};
    },
  },
  {
    name: 'history',
    why: 'an address of which nothing new was learnt for so long is forgotten; while `HASH_SECRET` is rotated, connections are sealed anew',
    run: async (deps, id, runAt, { history }) => {
      await sealAnew(deps, id);
      return trimHistory(deps, id, runAt, history * DAY_MS);
    },
  },
];

/** A flush waits 2 s while the object continues writing. After this many the rest is left to the next delivery. */
const FLUSHES_MAX = 15;

/** Does an organisation's unfinished steps of a run. False: some failed and may succeed later. */
export async function runOrganisationNight(deps: BackgroundDeps, message: MessageOf<'night'>): Promise<boolean> {
  const { organisationId: id } = message;
  try {
    const known = await callObject(deps.objects, id).settings();
    // Without an answer of the object, no step runs.
    const settings = known.ok ? known.value : null;
    if (settings !== 'deleted') return await runSteps(deps, message, retentionOf(settings?.privacy));
    await deleteRemains(deps, id);
    return true;
  } catch (error) {
    log(failureLevel(error), 'nightly_failed', { organisation: id, ...describeError(error) });
    return false;
  }
}

async function runSteps(
  deps: BackgroundDeps,
  { organisationId: id, runAt, since }: MessageOf<'night'>,
  retention: RetentionDays,
): Promise<boolean> {
  const { db, now, counters } = deps;
  const known = await listNightlySteps(db, id);
  const written = await writeOut(deps, id);
  if (written.ok && !written.value) return false;
  let isWhole = true;
  for (const { name, run } of ORGANISATION_STEPS) {
    if (known.some((done) => done.step === name && done.ok && done.runAt >= since)) continue;
    const startedAt = now();
    // A finished step ignores older rows the next night, so it must not miss what the object still holds.
    const work = written.ok ? run(deps, id, runAt, retention) : Promise.reject(objectError(written.error));
    const done = await work.then(
      (report) => ({ ok: report.done !== false, report }),
      (error: unknown) => {
        log(failureLevel(error), 'nightly_step_failed', { step: name, organisation: id, ...describeError(error) });
        return { ok: false, report: failedReport(error) };
      },
    );
    isWhole &&= done.ok;
    const finishedAt = now();
    counters.add('cron_step_ms', finishedAt - startedAt, name);
    await upsertNightlyStep(db, { organisationId: id, step: name, runAt, finishedAt, ...done });
  }
  return isWhole;
}

/** Flushes what the object received before the run. False if some is still unwritten. */
async function writeOut({ objects }: BackgroundDeps, id: Id<'org'>): Promise<Result<boolean, ObjectFailure>> {
  await callObject(objects, id).tick();
  for (let flushes = 0; flushes < FLUSHES_MAX; flushes += 1) {
    const flushed = await callObject(objects, id).flush(null);
    if (!flushed.ok) return flushed;
    if (flushed.value.drained) return ok(true);
  }
  return ok(false);
}

/** The redelivered message does the rest. */
const RETENTION_MS = 5 * MINUTE_MS;

/** Deletes what an account stores for less time than the service. Otherwise whole partitions and old rows go. */
async function keepLess(db: Database, id: Id<'org'>, runAt: number, retention: RetentionDays): Promise<Report> {
  const endsAt = performance.now() + RETENTION_MS;
  const report: Record<string, number> = {};
  for (const kind of STORED_KINDS) {
    if (retention[kind] >= KEPT_DAYS[kind]) continue;
    const isLate = (): boolean => performance.now() >= endsAt;
    const { deleted, done } = await deleteOlder(db, id, kind, runAt - retention[kind] * DAY_MS, isLate);
    report[kind] = deleted;
    if (!done) return { ...report, done: false };
  }
  return report;
}

/** Addresses in an organisation's history: about 150 MB of its object. */
const ADDRESSES_MAX = 1_000_000;

/** Removes addresses without recent news and, beyond the maximum, those with the oldest news. */
export async function trimHistory(
  { objects }: Pick<BackgroundDeps, 'objects'>,
  id: Id<'org'>,
  runAt: number,
  keptMs: number,
  most: number = ADDRESSES_MAX,
): Promise<object> {
  const days = await trimSlices(objects, id, { ...NOTHING, before: runAt - keptMs });
  const addresses = addressesIn(days);
  if (addresses <= most) return { addresses };
  const left = await trimSlices(objects, id, oldestDays(days, addresses - most));
  return { addresses: addressesIn(left), over: addresses - most };
}

const addressesIn = (days: ReadonlyMap<number, number>): number =>
  [...days.values()].reduce((total, count) => total + count, 0);

type Removed = Pick<HistorySlice, 'before' | 'keep'>;

const NOTHING: Removed = { before: 0, keep: Number.POSITIVE_INFINITY };

/** `surplus` addresses: all of the oldest days, and a part of the next. */
function oldestDays(days: ReadonlyMap<number, number>, surplus: number): Removed {
  let left = surplus;
  for (const [day, count] of [...days].toSorted(([one], [other]) => one - other)) {
    if (count >= left) return { before: day * DAY_MS, keep: count - left };
    left -= count;
  }
  return NOTHING;
}

/** Slice by slice, so that the organisation's requests run between. Returns the remaining addresses of each day. */
async function trimSlices(
  objects: BackgroundDeps['objects'],
  id: Id<'org'>,
  { before, keep }: Removed,
): Promise<ReadonlyMap<number, number>> {
  const days = new Map<number, number>();
  let slice: HistorySlice | null = { after: null, before, keep };
  while (slice !== null) {
    const trimmed: TrimmedHistory = await askObject(objects, id).trimHistory(slice);
    for (const [day, count] of Object.entries(trimmed.days))
      days.set(Number(day), (days.get(Number(day)) ?? 0) + count);
    slice = trimmed.next === null ? null : { after: trimmed.next, before, keep: trimmed.keep };
  }
  return days;
}
