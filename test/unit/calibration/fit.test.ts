import { describe, expect, it } from 'vitest';
import { addTo, newScore } from '../../../scripts/calibration/belief-scores.ts';
import { overLimit } from '../../../scripts/calibration/figures.ts';
import { believe } from '../../../scripts/calibration/methods.ts';
import { exactBounceIn } from '../../../scripts/calibration/spending.ts';
import { addressAt } from '../../../scripts/worlds/addresses.ts';
import { NEAR, type World } from '../../../scripts/worlds/world.ts';
import { fittedModel } from '../../../src/domain/calibration/calibrate.ts';
import { fit } from '../../../src/domain/calibration/fit.ts';
import { fittedTables } from '../../../src/domain/calibration/fitted-model.ts';
import type { TracePattern } from '../../../src/domain/calibration/pattern.ts';
import { type Model, SEEDED_MODEL } from '../../../src/domain/verification/model.ts';
import { VERDICTS } from '../../../src/domain/verification/provider-table.ts';
import { askedAll, patternOf, servedAccount, worldOf } from './accounts.ts';

/** The table taken at its own weights. */
const fitted = (patterns: readonly TracePattern[]): Model => ({
  version: 'fit',
  calibration: 'fitted',
  ...fittedTables(SEEDED_MODEL, fit(SEEDED_MODEL, patterns, 1), 1),
});

/** Cross-entropy over the limit on addresses no fit has seen, and how many intervals hold the exact probability. */
function judged(world: World, model: Model): { ratio: number; coverage: number } {
  const exactBounce = exactBounceIn(world);
  const score = newScore();
  let [held, of] = [0, 0];
  for (let at = 0; at < 300; at += 1) {
    const address = addressAt(world, 500_000 + at);
    const { host } = address.host;
    for (const asked of [1, 2, 7]) {
      const said = address.said.map((digit, provider) => ((provider + at) % 7 < asked ? digit : 0));
      const right = exactBounce(host, said);
      const { probability, interval } = believe(model, host, said);
      addTo(score, right, probability);
      of += 1;
      if (interval[0] <= right && right <= interval[1]) held += 1;
    }
  }
  return { ratio: overLimit(score), coverage: held / of };
}

const NOBODY_REFUSED = ({ said }: { readonly said: readonly number[] }): boolean =>
  !said.includes(1 + VERDICTS.indexOf('undeliverable'));

/** Worlds whose parameters are drawn from the table's own counts: far from it, and no two vendors share an engine. */
describe.each([1, 2, 3])('an account far from the table (world %i)', (seed) => {
  const world = worldOf('counts', seed);
  const unfitted = judged(world, SEEDED_MODEL).ratio;

  it('has its tables found where enough is asked and sent', () => {
    const all = judged(world, fitted(askedAll(world, 6_000, () => true))).ratio;
    expect(all - 1).toBeLessThan(0.2 * (unfitted - 1));
  });

  it('is not misled by outcomes of what was sent alone', () => {
    const agreed = judged(world, fitted(askedAll(world, 6_000, NOBODY_REFUSED))).ratio;
    expect(agreed - 1).toBeLessThan(0.6 * (unfitted - 1));
  });
});

describe('what is learnt of who was never mailed', () => {
  const world = worldOf(NEAR, 4);
  const shareRefused = (model: Model): number => {
    const cells = model.prior.google_business;
    const total = cells.reduce((sum, { alpha }) => sum + alpha, 0);
    return (cells.find(({ answer }) => answer === 'refuses')?.alpha ?? 0) / total;
  };
  const truth = world.hosts
    .find(({ host }) => host === 'google_business')
    ?.cells.find(({ answer }) => answer === 'refuses')?.share;
  const traces = askedAll(world, 6_000, NOBODY_REFUSED);

  it('comes from their traces: the share refused is the account’s, though no refused address was mailed', () => {
    expect(Math.abs(Math.log(shareRefused(fitted(traces)) / (truth ?? 0)))).toBeLessThan(0.2);
  });

  it('would be lost with them: mailed addresses alone make the list look clean', () => {
    const mailed = traces.map((pattern) => ({ ...pattern, weight: pattern.bounced.weight + pattern.landed.weight }));
    expect(shareRefused(fitted(mailed))).toBeLessThan(0.5 * (truth ?? 0));
  });
});

describe('an account near the table', () => {
  const worlds = [1, 2, 3, 4].map((seed) => worldOf(NEAR, seed));
  const rows = worlds.map((world) => ({
    world,
    model: fittedModel(SEEDED_MODEL, servedAccount(world, 3_000)).model,
  }));

  it('is judged no worse than by the table', () => {
    for (const { world, model } of rows)
      expect(judged(world, model).ratio).toBeLessThan(judged(world, SEEDED_MODEL).ratio * 1.01);
  });

  it('has intervals that hold the exact probability about as often as they say', () => {
    const covered = rows.reduce((sum, { world, model }) => sum + judged(world, model).coverage, 0) / rows.length;
    expect(covered).toBeGreaterThan(0.82);
    expect(covered).toBeLessThan(0.99);
  });
});

describe('a fit', () => {
  const said = {
    host: 'google_business',
    answers: [{ provider: 'zerobounce', verdict: 'deliverable' }],
  } as const satisfies Partial<TracePattern>;
  const probability = (patterns: readonly TracePattern[]): number =>
    believe(fitted(patterns), 'google_business', [1, 0, 0, 0, 0, 0, 0]).probability;

  it('expects the more bounces the more were seen, and the fewer the more landed', () => {
    const rising = [0, 2, 10, 40].map((bounced) => probability(patternOf(said, bounced, 60)));
    expect(rising).toEqual([...rising].sort((one, other) => one - other));
    expect(new Set(rising).size).toBe(rising.length);
    expect(probability(patternOf(said, 10, 600))).toBeLessThan(probability(patternOf(said, 10, 60)));
  });

  it('is the surer the more was seen', () => {
    const width = (count: number): number => {
      const [low, high] = believe(
        fitted(patternOf(said, count, 99 * count)),
        'google_business',
        [1, 0, 0, 0, 0, 0, 0],
      ).interval;
      return high - low;
    };
    expect(width(10)).toBeLessThan(width(1));
  });

  it('is one and the same from the same traces', () => {
    const patterns = servedAccount(worldOf(NEAR, 5), 300);
    const { model } = fittedModel(SEEDED_MODEL, patterns);
    expect(fittedModel(SEEDED_MODEL, patterns).model).toEqual(model);
    expect(fittedModel(SEEDED_MODEL, patterns.slice(1)).model.version).not.toBe(model.version);
  });

  it('learns nothing from traces in which nobody was asked and of which nothing became', () => {
    const patterns = servedAccount(worldOf(NEAR, 5), 300);
    const silent = { ...patternOf({ host: 'google_business', answers: [] }, 0, 0)[0], weight: 1e6 } as TracePattern;
    expect(fitted([...patterns, silent])).toEqual(fitted(patterns));
  });

  it('leaves hosts without a trace as the table has them, to the last digit', () => {
    const { prior } = fitted(patternOf(said, 5, 500));
    expect(prior.google_business).not.toEqual(SEEDED_MODEL.prior.google_business);
    expect(prior.yahoo_consumer).toEqual(SEEDED_MODEL.prior.yahoo_consumer);
  });
});
