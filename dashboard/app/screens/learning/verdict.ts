import type { CalibrationReport } from '../../api/schema.ts';
import { type Bin, isHeld } from '../../charts/held.ts';
import { formatRate, formatSentences } from '../../lib/format.ts';

/** What the figures say about the numbers, in a sentence or two. */
export interface Verdict {
  readonly isGood: boolean;
  readonly text: string;
}

const countOf = (bins: readonly Bin[]): number => bins.reduce((sum, { count }) => sum + count, 0);
const meanOf = (bins: readonly Bin[], of: (bin: Bin) => number): number =>
  bins.reduce((sum, bin) => sum + bin.count * of(bin), 0) / countOf(bins);

/** From this share of the addresses of missing groups on, they miss to one side. */
const ONE_SIDE = 0.75;

/** To which side the numbers are off: in all, and in most of the groups that miss. */
function sideText(bins: readonly Bin[], off: readonly Bin[]): string {
  const isHigh = meanOf(bins, ({ predicted, observed }) => predicted - observed) > 0;
  const same = off.filter(({ predicted, observed }) => predicted > observed === isHigh);
  if (countOf(same) < ONE_SIDE * countOf(off)) return 'Your numbers miss to both sides';
  return isHigh ? 'Your numbers are too high' : 'Your numbers are too low';
}

/** Null means nothing is known to compare with. */
export function verdictOf({ bins, state }: Pick<CalibrationReport, 'bins' | 'state'>): Verdict | null {
  if (countOf(bins) === 0) return null;
  const off = bins.filter((bin) => !isHeld(bin));
  if (off.length === 0) return { isGood: true, text: 'Your numbers hold in every group.' };
  if (off.length * 2 < bins.length)
    return { isGood: true, text: `Your numbers hold in most groups: ${bins.length - off.length} of ${bins.length}.` };
  const predicted = formatRate(meanOf(bins, (bin) => bin.predicted));
  const observed = formatRate(meanOf(bins, (bin) => bin.observed));
  return {
    isGood: false,
    text: formatSentences(
      `${sideText(bins, off)}: ${predicted} were predicted to bounce, ${observed} bounced.`,
      state === 'fitted' ? 'Each outcome that arrives mends this a little.' : 'Outcomes that you report mend this.',
    ),
  };
}
