import { daysOf, rangeOf, rangeText } from './days.ts';

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

/** The filter with the day before as that day: a list that is read on past midnight stays the same. */
export function fixedTime<Time extends string | undefined>(time: Time, nowS: number): Time | string {
  const yesterday = (Math.floor(nowS / DAY_S) - 1) * DAY_S;
  return time === 'yesterday' ? rangeOf(yesterday, yesterday) : time;
}

/** What a filter of time spans; one that means nothing spans all. A period begins at a full hour, so that the same question stays the same. */
export function spanOf(time: string | undefined, nowS: number): Span {
  const range = daysOf(fixedTime(time, nowS));
  if (range !== null) return range;
  const hours = PERIODS.find(({ value }) => value === time)?.hours ?? null;
  return hours === null ? {} : { from: (Math.floor(nowS / HOUR_S) - hours) * HOUR_S };
}
