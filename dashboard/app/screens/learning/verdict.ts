import type { CalibrationReport } from '../../api/schema.ts';
import { type Bin, isHeld } from '../../charts/held.ts';
import { formatRate, formatSentences } from '../../lib/format.ts';

/** The figures in a sentence or two. */
export interface Verdict {
  readonly isGood: boolean;
  readonly text: string;
}

const countOf = (bins: readonly Bin[]): number => bins.reduce((sum, { count }) => sum + count, 0);
const meanOf = (bins: readonly Bin[], of: (bin: Bin) => number): number =>
  bins.reduce((sum, bin) => sum + bin.count * of(bin), 0) / countOf(bins);

/** Share of the missing groups' addresses from which they lean to one side. */
const ONE_SIDE = 0.75;

/** Side on which the numbers are off, overall and in most missing groups. */
function sideText(bins: readonly Bin[], off: readonly Bin[]): string {
  const isHigh = meanOf(bins, ({ predicted, observed }) => predicted - observed) > 0;
  const same = off.filter(({ predicted, observed }) => predicted > observed === isHigh);
  if (countOf(same) < ONE_SIDE * countOf(off)) return 'Bounce risks are off in both directions';
  return isHigh ? 'Bounce risks are too high' : 'Bounce risks are too low';
}

/** Null without anything to compare. */
export function verdictOf({ bins, state }: Pick<CalibrationReport, 'bins' | 'state'>): Verdict | null {
  if (countOf(bins) === 0) return null;
  const off = bins.filter((bin) => !isHeld(bin));
  if (off.length === 0) return { isGood: true, text: 'Bounce risks are accurate in every group.' };
  if (off.length * 2 < bins.length)
    return { isGood: true, text: `Bounce risks are accurate in ${bins.length - off.length} of ${bins.length} groups.` };
  const predicted = formatRate(meanOf(bins, (bin) => bin.predicted));
  const observed = formatRate(meanOf(bins, (bin) => bin.observed));
  return {
    isGood: false,
    text: formatSentences(
      `${sideText(bins, off)}: ${predicted} predicted, ${observed} bounced.`,
      state === 'fitted' ? 'Each new outcome improves them.' : 'Report outcomes to improve them.',
    ),
  };
}
