import { daysOf, rangeText } from './days.ts';

/** The filter of time: a period that ends now, the day before in UTC, or a range of days. */
export const PERIODS = [
  { value: 'yesterday', label: 'Yesterday, UTC', hours: null },
  { value: '24h', label: 'Last 24 hours', hours: 24 },
  { value: '7d', label: 'Last 7 days', hours: 7 * 24 },
  { value: '30d', label: 'Last 30 days', hours: 30 * 24 },
  { value: '90d', label: 'Last 90 days', hours: 90 * 24 },
] as const;

/** A period or a range of days in words. */
export function timeText(time: string): string {
  const range = daysOf(time);
  if (range === null) return PERIODS.find(({ value }) => value === time)?.label ?? time;
  return `${rangeText(range)}, UTC`;
}

/** Epoch seconds. */
export interface Span {
  readonly from?: number;
  readonly to?: number;
}

const HOUR_S = 3_600;
const DAY_S = 24 * HOUR_S;

/** What a filter of time spans; one that means nothing spans all. A period begins at a full hour, so that the same question stays the same. */
export function spanOf(time: string | undefined, nowS: number): Span {
  const range = daysOf(time);
  if (range !== null) return range;
  const period = PERIODS.find(({ value }) => value === time);
  if (period === undefined) return {};
  if (period.hours !== null) return { from: (Math.floor(nowS / HOUR_S) - period.hours) * HOUR_S };
  const today = Math.floor(nowS / DAY_S) * DAY_S;
  return { from: today - DAY_S, to: today };
}
