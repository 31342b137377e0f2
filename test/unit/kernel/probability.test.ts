import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { betaCdf, betaInterval, intervalWidth } from '../../../src/kernel/probability.ts';

describe('betaInterval', () => {
  it('leaves 5 % outside at either end', () => {
    const [low, high] = betaInterval(0.3, 40);
    expect(betaCdf(low, 12, 28)).toBeCloseTo(0.05, 9);
    expect(betaCdf(high, 12, 28)).toBeCloseTo(0.95, 9);
  });

  it('holds the mean, also of a distribution so skewed that the mean is beyond its 95 % quantile', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: -3, max: 6, noNaN: true }),
        (mean, exponent) => {
          const [low, high] = betaInterval(mean, 10 ** exponent);
          expect(0 <= low && low <= mean && mean <= high && high <= 1).toBe(true);
        },
      ),
    );
    expect(betaInterval(0.001, 0.5)[1]).toBe(0.001);
  });

  it('narrows as the size grows', () => {
    const widths = [5, 20, 100, 10_000].map((size) => intervalWidth(betaInterval(0.2, size)));
    expect(widths).toEqual([...widths].sort((one, other) => other - one));
  });

  it.each([0, 1, Number.MIN_VALUE])('is the point itself at a mean of %d', (mean) => {
    expect(betaInterval(mean, 10)).toEqual([mean, mean]);
  });

  it('is a point to any reader when nothing is uncertain', () => {
    expect(intervalWidth(betaInterval(0.4, Number.POSITIVE_INFINITY))).toBeLessThan(2e-4);
  });
});
