import { describe, expect, it } from 'vitest';
import { daysOf, daysOfSeries, rangeOf, rangeText } from '../../../dashboard/app/lib/period.ts';

const NOV_1 = Date.UTC(2026, 10, 1) / 1_000;
const DAY_S = 86_400;

describe('a range of days', () => {
  it('covers both of its days whole, and reads back as what was chosen', () => {
    const range = rangeOf(NOV_1, NOV_1 + 2 * DAY_S);
    expect(range).toBe('2026-11-01..2026-11-03');
    expect(daysOf(range)).toEqual({ from: NOV_1, to: NOV_1 + 3 * DAY_S });
    expect(rangeText({ from: NOV_1, to: NOV_1 + 3 * DAY_S })).toBe('Nov 1 to Nov 3');
    expect(rangeText({ from: NOV_1, to: NOV_1 + DAY_S })).toBe('Nov 1');
  });

  it.each([undefined, '', '24h', '2026-11-03..2026-11-01', '2026-13-01..2026-13-02', '2026-11-01', 'x..y'])(
    'is not read from %s',
    (text) => expect(daysOf(text)).toBeNull(),
  );
});

it('the days of a series have a count each, also where no call was, in the order of the stack', () => {
  const point = (day: number, calls: number) => ({ at: NOV_1 + day * DAY_S, calls, cost_usd: 0 });
  const series = [
    { value: 'drop', points: [point(1, 3)] },
    { value: '', points: [point(0, 9)] },
    { value: 'send', points: [point(0, 1), point(2, 2)] },
  ];
  expect(daysOfSeries({ from: NOV_1, to: NOV_1 + 3 * DAY_S, interval: 'day', series })).toEqual({
    days: [NOV_1, NOV_1 + DAY_S, NOV_1 + 2 * DAY_S],
    series: [
      { term: 'send', counts: [1, 0, 2] },
      { term: 'drop', counts: [0, 3, 0] },
    ],
  });
});

it.each([
  ['decisions', ['allow', 'allow_with_flow', 'review', 'challenge', 'deny']],
  ['recommendations', ['send', 'hold', 'challenge', 'drop']],
])('%s of a series stand from the best to the worst', (_, terms) => {
  const series = terms.toReversed().map((value) => ({ value, points: [] }));
  const answer = { from: NOV_1, to: NOV_1 + DAY_S, interval: 'day' as const, series };
  expect(daysOfSeries(answer).series.map(({ term }) => term)).toEqual(terms);
});
