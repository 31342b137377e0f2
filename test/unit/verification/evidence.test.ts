import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { infer } from '../../../src/domain/verification/belief.ts';
import {
  type Answer,
  acceptsAllOdds,
  aged,
  decayed,
  disagreement,
  evidenceFrom,
} from '../../../src/domain/verification/evidence.ts';
import type { HostClass } from '../../../src/domain/verification/host-class.ts';
import { SEEDED_MODEL as MODEL } from '../../../src/domain/verification/model.ts';
import { PROVIDER_IDS } from '../../../src/domain/verification/provider.ts';
import { VERDICTS } from '../../../src/domain/verification/provider-table.ts';
import { DAY_MS } from '../../../src/kernel/clock.ts';

const HOSTS = Object.keys(MODEL.prior) as HostClass[];
const anyHost = fc.constantFrom(...HOSTS);
const anyVerdict = fc.constantFrom(...VERDICTS);
const anyAnswer: fc.Arbitrary<Answer> = fc.record({ provider: fc.constantFrom(...PROVIDER_IDS), verdict: anyVerdict });
const anyAnswers = fc.uniqueArray(anyAnswer, { selector: ({ provider }) => provider, maxLength: PROVIDER_IDS.length });
const anyOdds = fc.double({ min: -4, max: 4, noNaN: true }).map(Math.exp);

const believe = (host: HostClass, answers: readonly Answer[], odds = 1) =>
  infer(MODEL.prior[host], evidenceFrom(MODEL, host, answers), odds);

describe('answers as evidence', () => {
  it('give a probability inside its interval, whatever is said', () => {
    fc.assert(
      fc.property(anyHost, anyAnswers, anyOdds, (host, answers, odds) => {
        const { probability, interval } = believe(host, answers, odds);
        expect(0 <= interval[0] && interval[0] <= probability).toBe(true);
        expect(probability <= interval[1] && interval[1] <= 1).toBe(true);
      }),
    );
  });

  it('count the same in any order', () => {
    fc.assert(
      fc.property(anyHost, anyAnswers, (host, answers) => {
        const [one, other] = [believe(host, answers), believe(host, [...answers].reverse())];
        expect(other.probability).toBeCloseTo(one.probability, 12);
      }),
    );
  });

  it('never make a bounce less likely with one `undeliverable` more', () => {
    fc.assert(
      fc.property(anyHost, anyAnswers, fc.constantFrom(...PROVIDER_IDS), anyOdds, (host, answers, provider, odds) => {
        const others = answers.filter((answer) => answer.provider !== provider);
        const before = believe(host, others, odds).probability;
        const after = believe(host, [...others, { provider, verdict: 'undeliverable' }], odds).probability;
        expect(after).toBeGreaterThanOrEqual(before - 1e-12);
      }),
    );
  });

  // .64 × .85 accept, .64 × .09 refuse, .36 × .94 accept all …: by hand from the two tables.
  it('pin one row: ZeroBounce says `deliverable` at Google Workspace', () => {
    const { probability } = believe('google_business', [{ provider: 'zerobounce', verdict: 'deliverable' }]);
    const said = { accepts: 0.97 * 0.955, refuses: 0.97 * 0.04, silent: 0.3 * 0.485 };
    const catchAll = 0.97 * 0.1;
    const weights = [
      [0.64 * 0.85 * said.accepts, 0.01],
      [0.64 * 0.09 * said.refuses, 0.97],
      [0.64 * 0.06 * said.silent, 0.1],
      [0.36 * 0.94 * catchAll, 0.07],
      [0.36 * 0.06 * said.silent, 0.07],
    ] as const;
    const total = weights.reduce((sum, [weight]) => sum + weight, 0);
    const bounce = weights.reduce((sum, [weight, rate]) => sum + weight * rate, 0);
    expect(probability).toBeCloseTo(bounce / total, 12);
  });
});

describe('what a domain taught', () => {
  it('is nothing without earlier answers', () => {
    for (const host of HOSTS) expect(acceptsAllOdds(MODEL, host, [])).toBe(1);
  });

  it('speaks for accepting everything after `catch_all`, against it after `deliverable` or `undeliverable`', () => {
    for (const host of HOSTS) {
      for (const provider of PROVIDER_IDS) {
        expect(acceptsAllOdds(MODEL, host, [{ provider, verdict: 'catch_all' }])).toBeGreaterThan(1);
        expect(acceptsAllOdds(MODEL, host, [{ provider, verdict: 'deliverable' }])).toBeLessThan(1);
        expect(acceptsAllOdds(MODEL, host, [{ provider, verdict: 'undeliverable' }])).toBeLessThan(1);
      }
    }
  });

  it('counts each provider once, with its last answer', () => {
    fc.assert(
      fc.property(anyHost, anyAnswer, anyVerdict, (host, answer, earlier) => {
        const repeated = [{ ...answer, verdict: earlier }, ...Array.from({ length: 20 }, () => answer)];
        expect(acceptsAllOdds(MODEL, host, repeated)).toBe(acceptsAllOdds(MODEL, host, [answer]));
      }),
    );
  });

  it('is the product over providers, up to 55 to 1 either way', () => {
    fc.assert(
      fc.property(anyHost, anyAnswers, (host, answers) => {
        const odds = acceptsAllOdds(MODEL, host, answers);
        const ln = answers.reduce((sum, answer) => sum + Math.log(acceptsAllOdds(MODEL, host, [answer])), 0);
        expect(Math.log(odds)).toBeCloseTo(Math.max(-4, Math.min(4, ln)), 9);
      }),
    );
    const all = PROVIDER_IDS.map((provider) => ({ provider, verdict: 'catch_all' as const }));
    expect(Math.log(acceptsAllOdds(MODEL, 'google_business', all))).toBeCloseTo(4, 12);
  });

  it('takes the flag that organisations share for the word of the provider who says least, within the same bound', () => {
    for (const host of HOSTS) {
      for (const [told, verdict] of [
        [true, 'catch_all'],
        [false, 'undeliverable'],
      ] as const) {
        const words = PROVIDER_IDS.map((provider) =>
          Math.abs(Math.log(acceptsAllOdds(MODEL, host, [{ provider, verdict }]))),
        );
        const odds = Math.log(acceptsAllOdds(MODEL, host, [], told));
        expect(Math.abs(odds)).toBeCloseTo(Math.min(...words), 9);
        expect(Math.sign(odds)).toBe(told ? 1 : -1);
      }
      const all = PROVIDER_IDS.map((provider) => ({ provider, verdict: 'catch_all' as const }));
      expect(Math.log(acceptsAllOdds(MODEL, host, all, true))).toBeCloseTo(4, 12);
    }
  });

  it('moves an address without an answer towards what its kind of domain bounces', () => {
    const { bounced = 0, landed = 0 } =
      MODEL.prior.google_business.find(({ answer }) => answer === 'accepts_all') ?? {};
    const taught = believe('google_business', [], Math.exp(4)).probability;
    expect(Math.abs(taught - bounced / (bounced + landed))).toBeLessThan(0.002);
  });
});

describe('disagreement', () => {
  it('is 0 with fewer than two answers', () => {
    expect(disagreement(MODEL, 'google_business', [])).toBe(0);
    expect(disagreement(MODEL, 'google_business', [{ provider: 'kickbox', verdict: 'undeliverable' }])).toBe(0);
  });

  it('is the distance of the two answers that differ most, each taken alone', () => {
    fc.assert(
      fc.property(anyHost, anyAnswers, anyOdds, (host, answers, odds) => {
        const spread = disagreement(MODEL, host, answers, odds);
        expect(0 <= spread && spread <= 1).toBe(true);
        for (const one of answers) {
          for (const other of answers) {
            const apart = believe(host, [one], odds).probability - believe(host, [other], odds).probability;
            expect(spread).toBeGreaterThanOrEqual(apart - 1e-12);
          }
        }
      }),
    );
  });

  it('is small when two providers say the same, large when one says gone and the other not', () => {
    const said = (first: Answer['verdict'], second: Answer['verdict']) =>
      disagreement(MODEL, 'google_business', [
        { provider: 'zerobounce', verdict: first },
        { provider: 'neverbounce', verdict: second },
      ]);
    expect(said('deliverable', 'deliverable')).toBeLessThan(0.02);
    expect(said('deliverable', 'undeliverable')).toBeGreaterThan(0.5);
  });
});

describe('the age of evidence', () => {
  it.each([
    [0, 0],
    [7, 0.005],
    [30, 0.021],
    [365, 0.229],
  ])('of %i days has lost a share of %f of the mailboxes', (days, lost) => {
    expect(decayed(days * DAY_MS)).toBeCloseTo(lost, 3);
  });

  it('is 0 when the clock ran backwards', () => {
    expect(decayed(-DAY_MS)).toBe(0);
  });

  it('never makes a bounce less likely and keeps the probability inside its interval', () => {
    fc.assert(
      fc.property(anyHost, anyAnswers, fc.nat(400), (host, answers, days) => {
        const fresh = believe(host, answers);
        const { probability, interval } = aged(fresh, days * DAY_MS);
        expect(probability).toBeGreaterThanOrEqual(fresh.probability);
        expect(interval[0] <= probability && probability <= interval[1] && interval[1] <= 1).toBe(true);
      }),
    );
  });
});
