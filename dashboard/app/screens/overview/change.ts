import { type DaySeries, sumOf } from '../../lib/days.ts';

export interface Change {
  /** Calls a day. */
  readonly calls: { readonly now: number; readonly before: number };
  /** Of each value, its share of the calls. */
  readonly shares: readonly { readonly term: string; readonly now: number; readonly before: number }[];
}

/** The whole days of a series beside as many of the one before it; null: one of the two has no call. Today is not over, and is left out. */
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
