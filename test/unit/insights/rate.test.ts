import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Count,
  fitPrior,
  JEFFREYS,
  probabilityAbove,
  probabilityBelow,
  rateOf,
} from '../../../src/domain/insights/rate.ts';

const count = fc
  .tuple(fc.integer({ min: 0, max: 5_000 }), fc.integer({ min: 0, max: 5_000 }))
  .map(([a, b]): Count => ({ exposures: Math.max(a, b), events: Math.min(a, b) }));

describe('a segment’s rate', () => {
  it('lies between its own and the account’s, inside its interval, both in [0, 1]', () => {
    fc.assert(
      fc.property(count, count, (overall, segment) => {
        const prior = fitPrior(overall, [segment]);
        const { rate, ci } = rateOf(segment, prior);
        const own = segment.exposures === 0 ? prior.mean : segment.events / segment.exposures;
        expect(rate).toBeGreaterThanOrEqual(Math.min(own, prior.mean) - 1e-12);
        expect(rate).toBeLessThanOrEqual(Math.max(own, prior.mean) + 1e-12);
        expect(0 <= ci[0] && ci[0] <= rate && rate <= ci[1] && ci[1] <= 1).toBe(true);
      }),
    );
  });

  it('comes nearer to its own the more exposures there are', () => {
    const prior = fitPrior({ exposures: 10_000, events: 500 }, []);
    const rates = [0, 40, 400, 4_000].map((exposures) => rateOf({ exposures, events: exposures / 4 }, prior).rate);
    expect(rates).toEqual([...rates].sort((a, b) => a - b));
    expect(rates.at(-1)).toBeCloseTo(0.25, 2);
  });
});

describe('the prior’s weight', () => {
  const overall = { exposures: 10_000, events: 2_000 };
  const alike = Array.from({ length: 20 }, () => ({ exposures: 500, events: 100 }));
  const unlike = Array.from({ length: 20 }, (_, i) => ({ exposures: 500, events: i % 2 === 0 ? 10 : 190 }));

  it('is great where segments are alike, small where they are not, 20 where nothing is known', () => {
    expect(fitPrior(overall, alike).weight).toBeGreaterThan(20);
    expect(fitPrior(overall, unlike).weight).toBeLessThan(20);
    expect(fitPrior(overall, []).weight).toBe(20);
  });

  it('does not depend on the order of the segments', () => {
    const mixed = [...alike, ...unlike];
    expect(fitPrior(overall, [...mixed].reverse())).toEqual(fitPrior(overall, mixed));
  });
});

describe('comparing rates', () => {
  const prior = fitPrior({ exposures: 1_000, events: 100 }, []);

  it('adds up to 1 for two arms, for either question', () => {
    fc.assert(
      fc.property(count, count, (one, other) => {
        expect(probabilityAbove(one, other, prior) + probabilityAbove(other, one, prior)).toBeCloseTo(1, 9);
      }),
      { numRuns: 40 },
    );
  });

  it('knows equal arms from unequal ones', () => {
    const arm = (events: number): Count => ({ exposures: 1_000, events });
    expect(probabilityAbove(arm(100), arm(100), prior)).toBeCloseTo(0.5, 3);
    expect(probabilityAbove(arm(140), arm(100), prior)).toBeGreaterThan(0.99);
  });

  it.each([0, 1, 400])('says nothing of two arms of 400 with %i events each', (events) => {
    const arm = { exposures: 400, events };
    expect(probabilityAbove(arm, arm, JEFFREYS)).toBeCloseTo(0.5, 9);
  });

  it('takes one event more for no proof', () => {
    const found = probabilityAbove({ exposures: 400, events: 1 }, { exposures: 400, events: 0 }, JEFFREYS);
    expect(found).toBeGreaterThan(0.75);
    expect(found).toBeLessThan(0.85);
  });

  it('gives a probability that rises with the fixed rate', () => {
    const below = [0.05, 0.1, 0.15].map((rate) => probabilityBelow(rate, { exposures: 500, events: 50 }, prior));
    expect(below).toEqual([...below].sort((a, b) => a - b));
  });
});
