import { type DaySeries, sumOf } from '../../lib/period.ts';

interface Change {
  readonly calls: { readonly now: number; readonly before: number };
  readonly shares: readonly { readonly term: string; readonly now: number; readonly before: number }[];
}

/** Whole days of a series and as many before it; null if either has no call. Today is left out. */
export function changeOf(now: DaySeries, before: DaySeries): Change | null {
  const days = now.days.length - 1;
  const totalsOf = (counts: readonly (readonly number[])[]) => sumOf(counts.map(sumOf));
  const whole = now.series.map(({ term, counts }) => ({ term, counts: counts.slice(0, days) }));
  const earlier = new Map(before.series.map(({ term, counts }) => [term, counts.slice(-days)]));
  const [total, totalBefore] = [totalsOf(whole.map(({ counts }) => counts)), totalsOf([...earlier.values()])];
  if (total === 0 || totalBefore === 0) return null;
  return {
    calls: { now: total / days, before: totalBefore / days },
    shares: whole.map(({ term, counts }) => ({
      term,
      now: sumOf(counts) / total,
      before: sumOf(earlier.get(term) ?? []) / totalBefore,
    })),
  };
}

interface Month {
  /** Epoch seconds. */
  readonly from: number;
  readonly to: number;
}

/** Share of a month before which its pace says nothing. */
const DAY_S = 86_400;

/** When a quota ends at this month's pace, epoch seconds; null if it lasts or the month is too young. */
export function endsAt({ from, to }: Month, used: number, limit: number, nowS: number): number | null {
  const passed = nowS - from;
  if (used <= 0 || passed < DAY_S) return null;
  const end = from + (limit * passed) / used;
  return end < to ? Math.max(end, nowS) : null;
}
