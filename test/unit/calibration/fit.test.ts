import { describe, expect, it } from 'vitest';
import { fittedModel } from '../../../src/domain/calibration/calibrate.ts';
import { fit } from '../../../src/domain/calibration/fit.ts';
import { fittedTables } from '../../../src/domain/calibration/fitted-model.ts';
import type { TracePattern } from '../../../src/domain/calibration/pattern.ts';
import type { Belief } from '../../../src/domain/verification/belief.ts';
import { type Model, SEEDED_MODEL } from '../../../src/domain/verification/model.ts';
import { believeStranger } from '../../support/beliefs.ts';
import { drawnAccount, patternOf } from './accounts.ts';

/** The table taken at its own weights. */
function fitted(patterns: readonly TracePattern[]): Model {
  const tables = fittedTables(SEEDED_MODEL, fit(SEEDED_MODEL, patterns, 1), 1);
  return { ...SEEDED_MODEL, version: 'fit', calibration: 'fitted', ...tables, centre: tables.prior };
}

describe('a fit', () => {
  const said = {
    host: 'google_business',
    answers: [{ provider: 'zerobounce', verdict: 'deliverable' }],
  } as const satisfies Partial<TracePattern>;
  const believe = (patterns: readonly TracePattern[]): Belief =>
    believeStranger(fitted(patterns), said.host, said.answers);
  const probability = (patterns: readonly TracePattern[]): number => believe(patterns).probability;

  it('expects the more bounces the more were seen, and the fewer the more landed', () => {
    const rising = [0, 2, 10, 40].map((bounced) => probability(patternOf(said, bounced, 60)));
    expect(rising).toEqual([...rising].sort((one, other) => one - other));
    expect(new Set(rising).size).toBe(rising.length);
    expect(probability(patternOf(said, 10, 600))).toBeLessThan(probability(patternOf(said, 10, 60)));
  });

  it('is the surer the more was seen', () => {
    const width = (count: number): number => {
      const [low, high] = believe(patternOf(said, count, 99 * count)).interval;
      return high - low;
    };
    expect(width(10)).toBeLessThan(width(1));
  });

  it('is one and the same from the same traces', () => {
    const patterns = drawnAccount(5, 300);
    const { model } = fittedModel(SEEDED_MODEL, patterns);
    expect(fittedModel(SEEDED_MODEL, patterns).model).toEqual(model);
    expect(fittedModel(SEEDED_MODEL, patterns.slice(1)).model.version).not.toBe(model.version);
  });

  it('learns nothing from traces without an answer and without an outcome', () => {
    const patterns = drawnAccount(5, 300);
    const silent = { ...patternOf({ host: 'google_business', answers: [] }, 0, 0)[0], weight: 1e6 } as TracePattern;
    expect(fitted([...patterns, silent])).toEqual(fitted(patterns));
  });

  it('leaves hosts without a trace as the table has them, to the last digit', () => {
    const { prior } = fitted(patternOf(said, 5, 500));
    expect(prior.google_business).not.toEqual(SEEDED_MODEL.prior.google_business);
    expect(prior.yahoo_consumer).toEqual(SEEDED_MODEL.prior.yahoo_consumer);
  });
});
