import { describe, expect, it } from 'vitest';
import { adjusted, lowerTail, type Stratum } from '../../../src/domain/insights/recommend.ts';

const stratum = (exposures: number, events: number, allExposures: number, allEvents: number): Stratum => ({
  exposures,
  events,
  allExposures,
  allEvents,
});

describe('lowerTail', () => {
  it('falls with the events that are missing, and does not shrink for strata that say nothing', () => {
    const ps = [10, 8, 4, 0].map((events) => lowerTail([stratum(100, events, 1_000, 100)]));
    expect(ps).toEqual([...ps].sort((a, b) => b - a));
    expect(lowerTail([stratum(100, 4, 1_000, 100), stratum(0, 0, 500, 50), stratum(1, 0, 1, 0)])).toBeCloseTo(
      ps[2] ?? 0,
    );
    expect(lowerTail([])).toBe(1);
    expect(lowerTail([stratum(100, 100, 1_000, 1_000)])).toBe(1);
  });

  it.each([
    ['rare events', [[300, 259, 3_000]]],
    ['very rare ones', [[500, 20, 1_000]]],
    ['as many as not', [[150, 500, 1_000]]],
    ['frequent events', [[50, 900, 1_000]]],
    ['most of the exposures', [[900, 100, 1_000]]],
    [
      'weeks unlike each other',
      [
        [30, 10, 200],
        [60, 60, 300],
        [10, 90, 300],
        [40, 4, 150],
      ],
    ],
    [
      'weeks of frequent events',
      [
        [40, 180, 200],
        [90, 270, 300],
        [30, 140, 150],
      ],
    ],
  ] as [string, [exposures: number, allEvents: number, allExposures: number][]][])(
    'is the exact tail or a little more with %s',
    (_, weeks) => {
      const exact = exactTails(weeks.map(([n, m, all]) => [n, m, all]));
      const compared = exact.flatMap((tail, events) => (tail > 1e-5 && tail < 0.2 ? [{ tail, events }] : []));
      expect(compared.length).toBeGreaterThan(3);
      for (const { tail, events } of compared) {
        const p = lowerTail(weeks.map(([n, m, all], week) => stratum(n, week === 0 ? events : 0, all, m)));
        expect(p / tail).toBeGreaterThan(0.98);
        expect(p / tail).toBeLessThan(4);
      }
    },
  );
});

/** P(X ≤ k) for every k, X the sum over weeks of a draw of n of `all` without putting back, m of them marked. */
function exactTails(weeks: readonly (readonly [n: number, m: number, all: number])[]): number[] {
  const lnFactorial = [0];
  for (let i = 1; i <= 3_000; i += 1) lnFactorial.push((lnFactorial[i - 1] ?? 0) + Math.log(i));
  const lnChoose = (a: number, b: number): number =>
    b < 0 || b > a
      ? Number.NEGATIVE_INFINITY
      : (lnFactorial[a] ?? 0) - (lnFactorial[b] ?? 0) - (lnFactorial[a - b] ?? 0);
  let sums = [1];
  for (const [n, m, all] of weeks) {
    const next = Array<number>(sums.length + n).fill(0);
    for (let x = 0; x <= n; x += 1) {
      const mass = Math.exp(lnChoose(m, x) + lnChoose(all - m, n - x) - lnChoose(all, n));
      for (const [sum, before] of sums.entries()) next[sum + x] = (next[sum + x] ?? 0) + before * mass;
    }
    sums = next;
  }
  let total = 0;
  return sums.map((mass) => {
    total += mass;
    return total;
  });
}

describe('adjusted', () => {
  it.each([
    [
      [0.01, 0.04, 0.03, 0.005],
      [0.02, 0.04, 0.04, 0.02],
    ],
    [[0.5], [0.5]],
    [[], []],
    [
      [1, 1],
      [1, 1],
    ],
  ])('%j are %j', (ps, expected) => {
    const found = adjusted(ps);
    expect(found).toHaveLength(expected.length);
    for (const [place, p] of found.entries()) expect(p).toBeCloseTo(expected[place] ?? 0, 12);
  });
});
