import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { betaCdf } from '../../../src/kernel/beta.ts';
import { betaInterval, intervalWidth } from '../../../src/kernel/probability.ts';

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

  it.each([
    ['a mean of 0', 0, 10],
    ['a mean of 1', 1, 10],
    ['no uncertainty', 0.4, Number.POSITIVE_INFINITY],
  ])('is the point itself at %s', (_why, mean, size) => {
    expect(betaInterval(mean, size)).toEqual([mean, mean]);
  });
});
