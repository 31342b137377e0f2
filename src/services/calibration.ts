import type { CalibrationReport } from '../contract/calibration.ts';
import { ROUTES } from '../contract/routes.ts';
import { modelOf, MODELS } from '../domain/belief/model.ts';
import { numbersReport, shownReport, withNight } from '../domain/feedback/calibration.ts';
import { DAY_MS, epochSeconds } from '../kernel/clock.ts';
import type { Id } from '../kernel/ids.ts';
import * as store from '../storage/postgres/calibration.ts';
import { findCalibration } from '../storage/postgres/calibration.ts';
import type { Database } from '../storage/postgres/client.ts';
import { verb } from './verb.ts';

/** Answers compared with their outcomes: each is recomputed, at 40 µs. */
const ANSWERED_MAX = 20_000;
/** More traces add little, and the statement would take seconds. */
const TRACES_MAX = 200_000;

/** The window for the share of sends with a known outcome. */
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
/** Enough for an average within a few percent; each has a few kilobytes of detail. */
const ROUTES_MAX = 5_000;

/** The cost of asking providers per address, beside two simpler strategies. */
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

/** Compares an account's numbers with its outcomes. A second run on the same UTC day gives the same. */
export async function calibrateOrganisation(
  { db }: { readonly db: Database },
  id: Id<'org'>,
  runAt: number,
): Promise<object> {
  const answered = await store.listAnswered(db, id, ANSWERED_MAX);
  const reach = await readReach(db, id, runAt);
  // A report through the API may name an unknown trace; the others name an address.
  const isFitted = answered.length > 0 || reach.sources.some(({ source }) => source !== 'api');
  const numbers = numbersReport(answered, isFitted, modelOf);
  const earlier = await store.findCalibration(db, id);
  const report = {
    ...numbers,
    log_loss_nights: withNight(earlier?.report.log_loss_nights ?? [], runAt, numbers.log_loss),
    ...reach,
    unread: await store.countUnread(db, id),
    routing: await readRouting(db, id, runAt),
  };
  await store.upsertCalibration(db, { organisationId: id, report, computedAt: runAt });
  const { version, state, outcomes, hard_bounces } = report;
  return { version, state, outcomes, hard_bounces };
}

/** Compares the account's predictions with its outcomes. Answers of test keys learn nothing, so they have no report. */
export const readCalibration = verb({
  route: ROUTES.calibration,
  run: async ({ deps, organisationId, authorized }) => {
    const found = authorized.key.mode === 'test' ? null : await findCalibration(deps.db, organisationId);
    const none = {
      ...numbersReport([], false, (version) => modelOf(version, MODELS)),
      sources: [],
      sends: null,
      unread: [],
    };
    return { ...shownReport(found?.report ?? none), computed_at: found && epochSeconds(found.computedAt) };
  },
});
