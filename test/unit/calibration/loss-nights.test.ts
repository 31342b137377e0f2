import { expect, it } from 'vitest';
import { withNight } from '../../../src/domain/calibration/loss-nights.ts';
import { DAY_MS } from '../../../src/kernel/clock.ts';

const NIGHT = Date.UTC(2026, 2, 1, 3, 17);
const loss = (prior: number) => ({ prior, fitted: null });
const inSeconds = (night: number) => Math.floor((NIGHT + night * DAY_MS) / 1_000);

it('a night follows those before it, and 90 of them are kept', () => {
  let nights: ReturnType<typeof withNight> = [];
  for (let night = 0; night < 100; night += 1) nights = withNight(nights, NIGHT + night * DAY_MS, loss(night));
  expect(nights.map(({ prior }) => prior)).toEqual(Array.from({ length: 90 }, (_, at) => at + 10));
  expect(nights.at(-1)).toEqual({ computed_at: inSeconds(99), prior: 99, fitted: null });
});

it('a second run of a night takes the place of the first', () => {
  const first = withNight(withNight([], NIGHT, loss(1)), NIGHT + DAY_MS, loss(2));
  expect(withNight(first, NIGHT + DAY_MS + 3_600_000, loss(3)).map(({ prior }) => prior)).toEqual([1, 3]);
  expect(withNight(first, NIGHT + DAY_MS, loss(2))).toEqual(first);
});

it('a run at the first instant of a UTC day is of that day', () => {
  const midnight = NIGHT - (NIGHT % DAY_MS);
  const before = withNight([], midnight - 1, loss(1));
  const first = withNight(before, midnight, loss(2));
  expect(first.map(({ prior }) => prior)).toEqual([1, 2]);
  expect(withNight(first, midnight + 1_000, loss(3)).map(({ prior }) => prior)).toEqual([1, 3]);
});

it('a night without outcomes adds nothing', () => {
  const one = withNight([], NIGHT, loss(1));
  expect(withNight(one, NIGHT + DAY_MS, { prior: null, fitted: null })).toEqual(one);
});
