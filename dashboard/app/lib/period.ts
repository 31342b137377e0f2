import type { UsageSeries } from '../api/schema.ts';
import { formatDay } from './format.ts';
import { byTerm } from './order.ts';

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
const HOUR_S = 3_600;
const DAY_S = 24 * HOUR_S;

/** The filter with the day before as that day: a list that is read on past midnight stays the same. */
export function fixedTime<Time extends string | undefined>(time: Time, nowS: number): Time | string {
  const yesterday = (Math.floor(nowS / DAY_S) - 1) * DAY_S;
  return time === 'yesterday' ? rangeOf(yesterday, yesterday) : time;
}

/** What a filter of time spans; one that means nothing spans all. A period begins at a full hour, so that the same question stays the same. */
export function spanOf(time: string | undefined, nowS: number): { readonly from?: number; readonly to?: number } {
  const range = daysOf(fixedTime(time, nowS));
  if (range !== null) return range;
  const hours = PERIODS.find(({ value }) => value === time)?.hours ?? null;
  return hours === null ? {} : { from: (Math.floor(nowS / HOUR_S) - hours) * HOUR_S };
}

export interface DaySeries {
  /** Start of each day, epoch seconds, oldest first. */
  readonly days: readonly number[];
  /** One count per day for each value. */
  readonly series: readonly { readonly term: string; readonly counts: readonly number[] }[];
}

/** Daily counts of all named values. */
export function daysOfSeries({ from, to, series }: UsageSeries): DaySeries {
  const days = Array.from({ length: Math.max(0, Math.round((to - from) / DAY_S)) }, (_, at) => from + at * DAY_S);
  return {
    days,
    series: series
      .flatMap(({ value, points }) => {
        if (value === null || value === '') return [];
        const counts = new Map(points.map(({ at, calls }) => [at, calls]));
        return [{ term: value, counts: days.map((day) => counts.get(day) ?? 0) }];
      })
      .toSorted(byTerm),
  };
}

export const sumOf = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);

/** Inclusive days in UTC: `2026-11-01..2026-11-03`. */
const RANGE = /^(\d{4}-\d\d-\d\d)\.\.(\d{4}-\d\d-\d\d)$/;

interface Days {
  readonly from: number;
  readonly to: number;
}

const startOf = (day: string): number => Date.parse(`${day}T00:00:00Z`) / 1_000;
export const dayText = (start: number): string => new Date(start * 1_000).toISOString().slice(0, 10);

/** Parses a range of days; null if it is none. */
export function daysOf(time: string | undefined): Days | null {
  const [, first = '', last = ''] = RANGE.exec(time ?? '') ?? [];
  const [from, to] = [startOf(first), startOf(last) + DAY_S];
  return from < to ? { from, to } : null;
}

/** Takes the starts of the first and last day, epoch seconds. */
export const rangeOf = (first: number, last: number): string => `${dayText(first)}..${dayText(last)}`;

/** `Nov 3`, `Nov 3 to Nov 8`. */
export function rangeText({ from, to }: Days): string {
  const [first, last] = [formatDay(from), formatDay(to - DAY_S)];
  return first === last ? first : `${first} to ${last}`;
}
