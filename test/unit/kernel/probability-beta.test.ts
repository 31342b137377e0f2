import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { betaCdf, betaQuantile } from '../../../src/kernel/probability.ts';

const relativeError = (actual: number, expected: number): number => Math.abs(actual - expected) / Math.abs(expected);

/** Log-uniform over the supported shapes. */
const shape = fc.double({ min: -3, max: 6, noNaN: true }).map((exponent) => 10 ** exponent);
const inside = fc.double({ min: 1e-6, max: 1 - 1e-6, noNaN: true });
const probability = fc.double({ min: 1e-3, max: 1 - 1e-3, noNaN: true });

/** P(at least a successes in a + b − 1 trials at x = numerator / 64), summed in integers. */
function binomialTail(numerator: number, a: number, b: number): number {
  const trials = a + b - 1;
  const [yes, no] = [BigInt(numerator), BigInt(64 - numerator)];
  let sum = 0n;
  let choose = 1n;
  for (let k = 0; k <= trials; k += 1) {
    if (k >= a) sum += choose * yes ** BigInt(k) * no ** BigInt(trials - k);
    choose = (choose * BigInt(trials - k)) / BigInt(k + 1);
  }
  // 80 bits of the quotient: more than a double holds, also where it is small.
  const total = 64n ** BigInt(trials);
  const shift = BigInt(Math.max(0, total.toString(2).length - sum.toString(2).length)) + 80n;
  return Number((sum << shift) / total) / 2 ** Number(shift);
}

describe('betaCdf', () => {
  it('is the binomial tail at whole shapes', () => {
    for (const [a, b] of [
      [1, 1],
      [2, 3],
      [5, 1],
      [1, 9],
      [7, 40],
      [40, 7],
      [30, 30],
      [150, 20],
    ] as const) {
      for (const numerator of [1, 7, 20, 32, 50, 63]) {
        expect(relativeError(betaCdf(numerator / 64, a, b), binomialTail(numerator, a, b))).toBeLessThan(1e-11);
      }
    }
  });

  it('is a power where one shape is 1', () => {
    fc.assert(
      fc.property(inside, shape, (x, s) => {
        fc.pre(x ** s > 1e-290);
        expect(relativeError(betaCdf(x, s, 1), x ** s)).toBeLessThan(1e-9);
        expect(relativeError(betaCdf(x, 1, s), -Math.expm1(s * Math.log1p(-x)))).toBeLessThan(1e-9);
      }),
    );
  });

  it('is the arcsine law at a = b = ½', () => {
    for (const x of [1e-9, 0.001, 0.2, 0.5, 0.83, 0.999]) {
      expect(relativeError(betaCdf(x, 0.5, 0.5), (2 / Math.PI) * Math.asin(Math.sqrt(x)))).toBeLessThan(1e-13);
    }
  });

  it('halves at ½ for equal shapes, from 0.001 to a million', () => {
    for (let s = 1e-3; s <= 1e6; s *= 10) expect(Math.abs(betaCdf(0.5, s, s) - 0.5)).toBeLessThan(1e-12);
  });

  it('mirrors: I_x(a, b) + I_(1−x)(b, a) = 1', () => {
    fc.assert(
      fc.property(inside, shape, shape, (x, a, b) => {
        const mirror = 1 - x;
        expect(betaCdf(1 - mirror, a, b) + betaCdf(mirror, b, a)).toBeCloseTo(1, 9);
      }),
    );
  });

  it('keeps its recurrence at every shape: I(a, b) = x I(a − 1, b) + (1 − x) I(a, b − 1)', () => {
    fc.assert(
      fc.property(inside, shape, shape, (x, a, b) => {
        const expected = x * betaCdf(x, a, b + 1) + (1 - x) * betaCdf(x, a + 1, b);
        fc.pre(expected > 1e-290);
        expect(relativeError(betaCdf(x, a + 1, b + 1), expected)).toBeLessThan(1e-9);
      }),
    );
  });

  it('never falls as x rises, and stays in [0, 1]', () => {
    fc.assert(
      fc.property(inside, inside, shape, shape, (one, other, a, b) => {
        const low = betaCdf(Math.min(one, other), a, b);
        const high = betaCdf(Math.max(one, other), a, b);
        expect(low).toBeGreaterThanOrEqual(0);
        expect(high).toBeLessThanOrEqual(1);
        // Rounding of two nearly equal values.
        expect(high - low).toBeGreaterThan(-1e-10);
      }),
    );
  });

  it('is 0 and 1 at and beyond the ends', () => {
    expect([-1, 0, 1, 2].map((x) => betaCdf(x, 2, 3))).toEqual([0, 0, 1, 1]);
  });
});

describe('betaQuantile', () => {
  it('inverts the closed forms', () => {
    for (const p of [1e-6, 0.05, 0.3, 0.5, 0.95, 0.999]) {
      expect(relativeError(betaQuantile(p, 0.5, 0.5), Math.sin((Math.PI * p) / 2) ** 2)).toBeLessThan(1e-12);
      for (const s of [0.02, 0.5, 1, 7, 300, 1e6]) {
        expect(relativeError(betaQuantile(p, s, 1), p ** (1 / s))).toBeLessThan(1e-9);
        expect(relativeError(betaQuantile(p, 1, s), -Math.expm1(Math.log1p(-p) / s))).toBeLessThan(1e-9);
      }
    }
  });

  it('round trips through the cumulative probability', () => {
    fc.assert(
      fc.property(probability, shape, shape, (p, a, b) => {
        const x = betaQuantile(p, a, b);
        // Beyond, the nearest doubles lie further apart in probability than the tolerance.
        fc.pre(x > 1e-300 && x < 1 - 1e-5);
        expect(relativeError(betaCdf(x, a, b), p)).toBeLessThan(1e-9);
      }),
      { numRuns: 500 },
    );
  });

  it('rises with p and stays in [0, 1], also where it underflows or rounds to 1', () => {
    fc.assert(
      fc.property(probability, probability, shape, shape, (one, other, a, b) => {
        const low = betaQuantile(Math.min(one, other), a, b);
        const high = betaQuantile(Math.max(one, other), a, b);
        expect(low).toBeGreaterThanOrEqual(0);
        expect(high).toBeLessThanOrEqual(1);
        expect(high - low).toBeGreaterThan(-1e-12);
      }),
      { numRuns: 500 },
    );
    expect(betaQuantile(0.05, 1e-3, 1e-3)).toBe(0);
    expect(betaQuantile(0.95, 1e-3, 1e-3)).toBe(1);
  });

  it('is 0 and 1 at and beyond the ends', () => {
    expect([-1, 0, 1, 2].map((p) => betaQuantile(p, 2, 3))).toEqual([0, 0, 1, 1]);
  });
});
