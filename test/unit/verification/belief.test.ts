import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Cell,
  type Evidence,
  type HostPrior,
  infer,
  type ServerAnswer,
} from '../../../src/domain/verification/belief.ts';
import { PRIOR_TABLE } from '../../../src/domain/verification/prior-table.ts';
import { intervalWidth } from '../../../src/kernel/probability.ts';
import { type SeededRandom, seededRandom } from '../../support/seeded-random.ts';

const HOSTS = Object.values(PRIOR_TABLE);

type VerdictCounts = Readonly<Record<ServerAnswer, readonly number[]>>;

/** A made-up provider: how often it says deliverable, undeliverable, catch-all, unknown under each server answer. */
const PROVIDER: VerdictCounts = {
  accepts: [27, 0.6, 0.9, 1.5],
  refuses: [0.9, 27, 0.6, 1.5],
  accepts_all: [3, 0.9, 24, 2.1],
  inconclusive: [4.5, 3, 4.5, 18],
};

const forEachAnswer = <T>(make: (answer: ServerAnswer) => T): Record<ServerAnswer, T> => ({
  accepts: make('accepts'),
  refuses: make('refuses'),
  accepts_all: make('accepts_all'),
  inconclusive: make('inconclusive'),
});

const evidenceOf = (verdict: number): Evidence =>
  forEachAnswer((answer) => {
    const row = PROVIDER[answer];
    return { count: row[verdict] ?? 0, total: row.reduce((sum, count) => sum + count, 0) };
  });

const count = fc.double({ min: -2, max: 3, noNaN: true }).map((exponent) => 10 ** exponent);
const cell = (acceptsAll: boolean, answer: ServerAnswer) =>
  fc.record({
    acceptsAll: fc.constant(acceptsAll),
    answer: fc.constant(answer),
    alpha: count,
    bounced: count,
    landed: count,
  });
const anyPrior = fc.tuple(
  cell(false, 'accepts'),
  cell(false, 'refuses'),
  cell(false, 'inconclusive'),
  cell(true, 'accepts_all'),
  cell(true, 'inconclusive'),
);
const anyEvidence = fc.array(fc.nat(3).map(evidenceOf), { maxLength: 7 });
const anyOdds = fc.double({ min: -4, max: 4, noNaN: true }).map(Math.exp);

const scaled = (prior: HostPrior, factor: number): HostPrior =>
  prior.map((one) => ({
    ...one,
    alpha: one.alpha * factor,
    bounced: one.bounced * factor,
    landed: one.landed * factor,
  }));

describe('infer', () => {
  it('is the share-weighted bounce rate when nothing was asked', () => {
    const prior: HostPrior = [
      { acceptsAll: false, answer: 'accepts', alpha: 6, bounced: 1, landed: 99 },
      { acceptsAll: false, answer: 'refuses', alpha: 2, bounced: 95, landed: 5 },
      { acceptsAll: true, answer: 'accepts_all', alpha: 2, bounced: 10, landed: 90 },
    ];
    expect(infer(prior).probability).toBeCloseTo(0.6 * 0.01 + 0.2 * 0.95 + 0.2 * 0.1, 12);
  });

  it('weighs cells by what was said under them, and the catch-all cells by what the domain taught', () => {
    const prior: HostPrior = [
      { acceptsAll: false, answer: 'accepts', alpha: 5, bounced: 1, landed: 9 },
      { acceptsAll: true, answer: 'accepts_all', alpha: 5, bounced: 4, landed: 6 },
    ];
    const said = forEachAnswer((answer) => ({ count: answer === 'accepts' ? 8 : 2, total: 10 }));
    // 0.8 against 0.2 × odds 2
    expect(infer(prior, [said], 2).probability).toBeCloseTo((0.8 * 0.1 + 0.4 * 0.4) / 1.2, 12);
  });

  it('is a probability inside its interval, for any table and any evidence', () => {
    fc.assert(
      fc.property(anyPrior, anyEvidence, anyOdds, (prior, evidence, odds) => {
        const { probability, interval } = infer(prior, evidence, odds);
        expect(0 <= interval[0] && interval[0] <= probability).toBe(true);
        expect(probability <= interval[1] && interval[1] <= 1).toBe(true);
      }),
    );
  });

  it('does not depend on the order of the evidence', () => {
    fc.assert(
      fc.property(anyPrior, anyEvidence, (prior, evidence) => {
        const one = infer(prior, evidence);
        const other = infer(prior, [...evidence].reverse());
        expect(other.probability).toBeCloseTo(one.probability, 12);
        expect(other.interval[0]).toBeCloseTo(one.interval[0], 9);
        expect(other.interval[1]).toBeCloseTo(one.interval[1], 9);
      }),
    );
  });

  it('moves towards what a provider says', () => {
    for (const prior of HOSTS) {
      const [said, denied] = [infer(prior, [evidenceOf(0)]), infer(prior, [evidenceOf(1)])];
      expect(said.probability).toBeLessThan(infer(prior).probability);
      expect(denied.probability).toBeGreaterThan(infer(prior).probability);
    }
  });

  it('keeps the mean and narrows as every count grows', () => {
    for (const prior of HOSTS) {
      const beliefs = [1, 4, 16, 64].map((factor) => infer(scaled(prior, factor)));
      const widths = beliefs.map(({ interval }) => intervalWidth(interval));
      expect(widths).toEqual([...widths].sort((one, other) => other - one));
      for (const { probability } of beliefs) expect(probability).toBeCloseTo(infer(prior).probability, 12);
    }
  });
});

/** One population drawn from the table's own counts, an address in it, and the truth about it given what its providers say. */
function drawPopulation(
  draws: SeededRandom,
  prior: HostPrior,
  providers: number,
): { truth: number; evidence: Evidence[] } {
  const shares = draws.dirichlet(prior.map(({ alpha }) => alpha));
  const rates = prior.map(({ bounced, landed }) => draws.beta(bounced, landed));
  const rows = Array.from({ length: providers }, () => forEachAnswer((answer) => draws.dirichlet(PROVIDER[answer])));
  const actual = prior[draws.index(shares)] as Cell;
  const verdicts = rows.map((row) => draws.index(row[actual.answer]));
  const weights = prior.map(({ answer }, i) =>
    rows.reduce((weight, row, j) => weight * (row[answer][verdicts[j] ?? 0] ?? 0), shares[i] ?? 0),
  );
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const truth = weights.reduce((sum, weight, i) => sum + weight * (rates[i] ?? 0), 0) / total;
  return { truth, evidence: verdicts.map(evidenceOf) };
}

describe('the 90 % interval', () => {
  it.each([
    { providers: 0, populations: 1_000 },
    { providers: 1, populations: 300 },
    { providers: 3, populations: 300 },
    { providers: 7, populations: 300 },
  ])(
    'covers 87 to 93 in 100 populations drawn from the table, after $providers providers',
    ({ providers, populations }) => {
      const draws = seededRandom(providers + 1);
      let covered = 0;
      for (const prior of HOSTS) {
        for (let population = 0; population < populations; population += 1) {
          const { truth, evidence } = drawPopulation(draws, prior, providers);
          const [low, high] = infer(prior, evidence).interval;
          if (low <= truth && truth <= high) covered += 1;
        }
      }
      const share = covered / (HOSTS.length * populations);
      expect(share).toBeGreaterThanOrEqual(0.87);
      expect(share).toBeLessThanOrEqual(0.93);
    },
  );
});
