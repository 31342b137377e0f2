import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { armOf } from '../../../src/domain/policy/evaluate.ts';

const ADDRESSES = Array.from({ length: 20_000 }, (_, i) => createHash('sha256').update(`address ${i}`).digest('hex'));

const treated = (id: string, weight: number): boolean[] =>
  ADDRESSES.map((hash) => armOf({ id, weight }, hash) === 'treatment');
const count = (flags: readonly boolean[]): number => flags.filter(Boolean).length;

/** Five standard deviations of a binomial count: once in two million. */
const isWithin = (observed: number, n: number, p: number): boolean =>
  Math.abs(observed - n * p) <= 5 * Math.sqrt(n * p * (1 - p));

describe('an experiment', () => {
  it.each([1, 5, 20, 50, 80, 99])('takes %d in a hundred of many addresses', (weight) => {
    expect(count(treated('banner', weight))).toSatisfy((n: number) => isWithin(n, ADDRESSES.length, weight / 100));
  });

  it('takes every address at 100', () => {
    expect(count(treated('banner', 100))).toBe(ADDRESSES.length);
  });

  it('keeps an address in its arm, and in treatment when the weight grows', () => {
    fc.assert(
      fc.property(fc.constantFrom(...ADDRESSES), fc.integer({ min: 1, max: 99 }), (hash, weight) => {
        const arm = armOf({ id: 'banner', weight }, hash);
        expect(armOf({ id: 'banner', weight }, hash)).toBe(arm);
        if (arm === 'treatment') expect(armOf({ id: 'banner', weight: weight + 1 }, hash)).toBe('treatment');
      }),
    );
  });

  it.each([
    ['banner', 'banner2'],
    ['a', 'b'],
    ['e1', 'e2'],
  ])('%s is independent of %s', (one, other) => {
    const [first, second] = [treated(one, 50), treated(other, 20)];
    const both = count(first.map((flag, i) => flag && (second[i] ?? false)));
    expect(both).toSatisfy((n: number) => isWithin(n, ADDRESSES.length, 0.5 * 0.2));
  });

  it('leaves an address that could not be read to the control, unless it takes everybody', () => {
    expect(armOf({ id: 'banner', weight: 99 }, null)).toBe('control');
    expect(armOf({ id: 'banner', weight: 100 }, null)).toBe('treatment');
  });
});
