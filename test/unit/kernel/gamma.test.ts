import { describe, expect, it } from 'vitest';
import { lnGamma } from '../../../src/kernel/probability.ts';

describe('ln Γ', () => {
  it('is the logarithm of (n − 1)! at whole numbers', () => {
    let factorial = 1;
    for (let n = 1; n <= 20; n += 1) {
      expect(lnGamma(n)).toBeCloseTo(Math.log(factorial), 7);
      factorial *= n;
    }
  });

  it('is ln √π at a half, and rises by ln x from x to x + 1 everywhere', () => {
    expect(lnGamma(0.5)).toBeCloseTo(Math.log(Math.PI) / 2, 7);
    for (const x of [1e-6, 0.01, 0.3, 2.7, 9.99, 50.5, 1e6])
      expect(lnGamma(x + 1) - lnGamma(x)).toBeCloseTo(Math.log(x), 6);
  });
});
