interface Month {
  /** Epoch seconds. */
  readonly from: number;
  readonly to: number;
}

/** Less of a month than this says nothing about its pace. */
const DAY_S = 86_400;

/** When a quota ends at the pace of the month until now, epoch seconds; null: it lasts the month, or the month is too young to tell. */
export function endsAt({ from, to }: Month, used: number, limit: number, nowS: number): number | null {
  const passed = nowS - from;
  if (used <= 0 || passed < DAY_S) return null;
  const end = from + (limit * passed) / used;
  return end < to ? Math.max(end, nowS) : null;
}
