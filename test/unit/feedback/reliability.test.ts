import { describe, expect, it } from 'vitest';
import { logLoss, reliability } from '../../../src/domain/feedback/calibration.ts';

/** The mass of Beta(a, b) below a place, by the sum over equal steps. */
function massBelow(place: number, a: number, b: number): number {
  const STEPS = 20_000;
  let [below, all] = [0, 0];
  for (let step = 0.5; step < STEPS; step += 1) {
    const at = step / STEPS;
    const density = at ** (a - 1) * (1 - at) ** (b - 1);
    all += density;
    if (at < place) below += density;
  }
  return below / all;
}

describe('a bin', () => {
  it.each([
    [5, 10],
    [2, 40],
    [30, 33],
  ])('of which %d of %d bounced has the middle nine tenths of what Jeffreys’ prior leaves likely', (bounced, count) => {
    const [bin] = reliability([{ predicted: 0.3, bounced, landed: count - bounced }]);
    const [low = Number.NaN, high = Number.NaN] = bin?.ci ?? [];
    const below = (place: number): number => massBelow(place, bounced + 0.5, count - bounced + 0.5);
    expect(below(low)).toBeCloseTo(0.05, 2);
    expect(below(high)).toBeCloseTo(0.95, 2);
  });

  it.each([0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 0.9])('begins at %d, and ends below it', (end) => {
    const binsOf = (...all: readonly number[]): number =>
      reliability(all.map((predicted) => ({ predicted, bounced: 1, landed: 1 }))).length;
    expect(binsOf(end, end * 1.05)).toBe(1);
    expect(binsOf(end * 0.95, end)).toBe(2);
  });
});

describe('a prediction that rounds to 1', () => {
  const [sure, usual] = [
    { predicted: 1, bounced: 3, landed: 1 },
    { predicted: 0.95, bounced: 1, landed: 0 },
  ];

  it('is in the last bin', () => {
    expect(reliability([sure, usual])).toHaveLength(1);
    expect(reliability([sure, { ...usual, predicted: 0.3 }]).map(({ count }) => count)).toEqual([1, 4]);
  });

  it('loses much where mail lands, and not without end', () => {
    expect(logLoss([sure])).toBeGreaterThan(5);
    expect(logLoss([sure])).toBeLessThan(40);
  });
});
