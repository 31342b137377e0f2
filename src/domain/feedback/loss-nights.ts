import type { CalibrationReport } from '../../contract/calibration.ts';
import { DAY_MS, epochSeconds } from '../../kernel/clock.ts';

type LossNight = NonNullable<CalibrationReport['log_loss_nights']>[number];

/** A quarter: long enough to see a model come, and its gain. */
const NIGHTS_MAX = 90;

/**
 * The losses of the nights with those of a run, oldest first. A second run of a UTC day takes the place of the first; a night
 * without outcomes adds nothing.
 *
 * @param runAt epoch milliseconds
 */
export function withNight(
  earlier: readonly LossNight[],
  runAt: number,
  { prior, fitted }: CalibrationReport['log_loss'],
): LossNight[] {
  if (prior === null) return [...earlier];
  const day = epochSeconds(runAt - (runAt % DAY_MS));
  const before = earlier.filter(({ computed_at: at }) => at < day);
  return [...before, { computed_at: epochSeconds(runAt), prior, fitted }].slice(-NIGHTS_MAX);
}
