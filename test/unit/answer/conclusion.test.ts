import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { computePosterior } from '../../../src/domain/answer/conclusion.ts';
import { sharedAcceptsAll } from '../../../src/domain/belief/accepts-all.ts';
import type { Answer } from '../../../src/domain/belief/facts.ts';
import { MODEL } from '../../../src/domain/belief/model.ts';
import { PROVIDER_IDS } from '../../../src/domain/belief/provider.ts';
import { VERDICTS } from '../../../src/domain/belief/provider-table.ts';
import { anyHost, HOSTS } from '../../support/any-belief.ts';
import { believeBaseline, baselineWith } from '../../support/beliefs.ts';

const anyAnswer: fc.Arbitrary<Answer> = fc.record({
  provider: fc.constantFrom(...PROVIDER_IDS),
  verdict: fc.constantFrom(...VERDICTS),
});
const anyAnswers = fc.uniqueArray(anyAnswer, { selector: ({ provider }) => provider, maxLength: PROVIDER_IDS.length });
const anyTold = fc.double({ min: -4, max: 4, noNaN: true });

// .64 × .85 accept, .64 × .09 refuse, .36 × .94 accept all …: by hand from the two tables.
it('one row by hand: ZeroBounce says `deliverable` at Google Workspace', () => {
  const { probability } = believeBaseline(MODEL, 'google_business', [
    { provider: 'zerobounce', verdict: 'deliverable' },
  ]);
  // A server that gives no answer is left unknown by 7 in 10, and by one in ten of the others’ decided ones.
  const said = { accepts: 0.9 * 0.955, refuses: 0.9 * 0.04, silent: 0.15 };
  const catchAll = 0.9 * 0.1;
  // A stranger’s .85 × .01 + .09 × .99 + .06 × .1: more than the published .07.
  const ofCatchAll = 0.1036;
  const weights = [
    [0.64 * 0.85 * said.accepts, 0.01],
    [0.64 * 0.09 * said.refuses, 0.99],
    [0.64 * 0.06 * said.silent, 0.1],
    [0.36 * 0.94 * catchAll, ofCatchAll],
    [0.36 * 0.06 * said.silent, ofCatchAll],
  ] as const;
  const total = weights.reduce((sum, [weight]) => sum + weight, 0);
  const bounce = weights.reduce((sum, [weight, rate]) => sum + weight * rate, 0);
  expect(probability).toBeCloseTo(bounce / total, 9);
});

describe('the flag that organisations share of a domain', () => {
  it('says nothing where there is none', () => {
    for (const host of HOSTS) expect(sharedAcceptsAll(MODEL, host, null)).toBe(0);
  });

  it('counts for or against accepting everything like the least informative provider, at most 55 to 1', () => {
    for (const host of HOSTS) {
      for (const told of [true, false]) {
        const shared = sharedAcceptsAll(MODEL, host, told);
        expect(shared > 0).toBe(told);
        expect(Math.abs(shared)).toBeLessThanOrEqual(4);
        const verdict = told ? 'catch_all' : 'undeliverable';
        for (const provider of PROVIDER_IDS) {
          const [strict, acceptsAll] = [-30, 30].map((ln) => likelihood(host, { provider, verdict }, Math.exp(ln)));
          const said = Math.abs(Math.log((acceptsAll ?? 0) / (strict ?? 1)));
          expect(Math.abs(shared)).toBeLessThanOrEqual(said + 1e-6);
        }
      }
    }
  });

  it('moves an address without an answer towards the bounce rate of its kind of domain', () => {
    const { bounced = 0, landed = 0 } =
      MODEL.prior.google_business.find(({ answer }) => answer === 'accepts_all') ?? {};
    const told = believeBaseline(MODEL, 'google_business', [], 4).probability;
    expect(Math.abs(told - bounced / (bounced + landed))).toBeLessThan(0.002);
  });
});

/** Probability of the answer, by the probability that the domain accepts everything. */
function likelihood(host: (typeof HOSTS)[number], answer: Answer, odds: number): number {
  let [mass, total] = [0, 0];
  const rows = MODEL.providers[answer.provider].hosts[host] ?? MODEL.providers[answer.provider].anyHost;
  for (const cell of MODEL.prior[host]) {
    const weight = cell.alpha * (cell.acceptsAll ? odds : 1);
    const counts = rows[cell.answer];
    mass += (weight * (counts[VERDICTS.indexOf(answer.verdict)] ?? 0)) / counts.reduce((sum, count) => sum + count, 0);
    total += weight;
  }
  return mass / total;
}

describe('disagreement', () => {
  const between = (host: (typeof HOSTS)[number], answers: readonly Answer[], told = 0): number =>
    computePosterior(baselineWith(MODEL, host, answers, told)).disagreement;

  it('is 0 with fewer than two answers', () => {
    expect(between('google_business', [])).toBe(0);
    expect(between('google_business', [{ provider: 'kickbox', verdict: 'undeliverable' }])).toBe(0);
  });

  it('is the distance of the two answers that differ most, each taken alone', () => {
    fc.assert(
      fc.property(anyHost, anyAnswers, anyTold, (host, answers, told) => {
        const spread = between(host, answers, told);
        expect(0 <= spread && spread <= 1).toBe(true);
        const alone = answers.map((one) => believeBaseline(MODEL, host, [one], told).probability);
        if (alone.length > 1) expect(spread).toBeCloseTo(Math.max(...alone) - Math.min(...alone), 6);
      }),
    );
  });

  it('is small when two providers say the same, large when one says gone and the other not', () => {
    const said = (first: Answer['verdict'], second: Answer['verdict']) =>
      between('google_business', [
        { provider: 'zerobounce', verdict: first },
        { provider: 'neverbounce', verdict: second },
      ]);
    expect(said('deliverable', 'deliverable')).toBeLessThan(0.02);
    expect(said('deliverable', 'undeliverable')).toBeGreaterThan(0.5);
  });
});
