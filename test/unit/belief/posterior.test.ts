import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BITS, type Evidence, filtered, placeOf } from '../../../src/domain/belief/chain.ts';
import { observedIn } from '../../../src/domain/belief/evidence.ts';
import { ANSWER_COUNT, MODEL, rowsAt, tablesAt } from '../../../src/domain/belief/model.ts';
import {
  type BeliefInput,
  believe,
  bounceOf,
  bounceProbability,
  stateNow,
} from '../../../src/domain/belief/posterior.ts';
import { PROVIDER_IDS } from '../../../src/domain/belief/provider.ts';
import { totalOf, VERDICTS } from '../../../src/domain/belief/provider-table.ts';
import { DAY_MS } from '../../../src/kernel/clock.ts';
import { betaInterval } from '../../../src/kernel/probability.ts';
import { anyHost, anyInput, HOSTS, inputOf } from '../../support/any-belief.ts';
import { believeBaseline, baselineState } from '../../support/beliefs.ts';

const answered = fc.uniqueArray(
  // `unknown` counts only where nobody says anything else.
  fc.record({ provider: fc.constantFrom(...PROVIDER_IDS), verdict: fc.constantFrom(...VERDICTS.slice(0, 4)) }),
  { selector: ({ provider }) => provider, maxLength: PROVIDER_IDS.length },
);
const anyTold = fc.double({ min: -4, max: 4, noNaN: true });

describe('without a purpose, neighbours or a past', () => {
  it('is the share-weighted bounce rate of the cells, given the answers and the shared flag', () => {
    fc.assert(
      fc.property(anyHost, answered, anyTold, (host, answers, told) => {
        let [bounces, total] = [0, 0];
        for (const { acceptsAll, answer, alpha, bounced, landed } of MODEL.prior[host]) {
          const likelihood = answers.reduce((product, { provider, verdict }) => {
            const counts = rowsAt(MODEL, provider, host)[answer];
            return (product * (counts[VERDICTS.indexOf(verdict)] ?? 0)) / totalOf(counts);
          }, 1);
          const weight = alpha * (acceptsAll ? Math.exp(told) : 1) * likelihood;
          bounces += (weight * bounced) / (bounced + landed);
          total += weight;
        }
        expect(believeBaseline(MODEL, host, answers, told).probability).toBeCloseTo(bounces / total, 9);
      }),
    );
  });
});

describe('the belief', () => {
  it('is the router’s too where no provider was silent or refused the address: its state adds up to it', () => {
    fc.assert(
      fc.property(anyInput, (drawn) => {
        const answers = drawn.answers.filter(({ verdict }) => verdict !== 'unknown' && verdict !== 'undeliverable');
        const input = { ...drawn, answers };
        const { bounce, land } = stateNow(input);
        const bounces = bounce.reduce((sum, mass) => sum + mass, 0);
        expect(bounces).toBeCloseTo(believe(input).probability, 5);
        expect(bounces + land.reduce((sum, mass) => sum + mass, 0)).toBeCloseTo(1, 12);
      }),
    );
  });

  it('does not depend on the order in which things are listed', () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const reversed = {
          ...input,
          answers: input.answers.toReversed(),
          reports: input.reports.toReversed(),
          proofs: input.proofs.toReversed(),
        };
        expect(bounceProbability(reversed)).toBeCloseTo(bounceProbability(input), 9);
      }),
    );
  });

  it('is raised by a refusal of today and lowered by a delivery of today', () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const before = bounceProbability(input);
        const after = (kind: 'user_unknown' | 'delivered') =>
          bounceProbability({ ...input, reports: [...input.reports, { class: kind, at: input.now }] });
        expect(after('user_unknown')).toBeGreaterThanOrEqual(before - 1e-9);
        expect(after('delivered')).toBeLessThanOrEqual(before + 1e-9);
      }),
    );
  });

  it('is raised by a refusal, whoever says it, and lowered by a `deliverable` where servers tell mailboxes apart', () => {
    for (const host of HOSTS) {
      const input = inputOf({ host });
      const after = (provider: (typeof PROVIDER_IDS)[number], verdict: 'undeliverable' | 'deliverable') =>
        bounceProbability({ ...input, answers: [{ provider, verdict, at: 0 }] });
      for (const provider of PROVIDER_IDS) {
        expect(after(provider, 'undeliverable')).toBeGreaterThan(bounceProbability(input));
        expect(after(provider, 'deliverable')).toBeLessThan(bounceProbability(input));
      }
    }
  });
});

/** The slope of the log-odds of a bounce, by central differences. */
function slopeOf(probabilityAt: (step: number) => number): number {
  const STEP = 1e-4;
  const [down, up] = [-STEP, STEP].map(probabilityAt) as [number, number];
  return (Math.log(up / (1 - up)) - Math.log(down / (1 - down))) / (2 * STEP);
}

/** Log variances that hold for every address: the rate at which mailboxes die, the host's rate, what each feature adds. */
const [CHURN, RATE, FEATURE] = [0.1, 0.06, 0.25];

/** The variance of the log-odds: each figure's squared slope times its own variance. All answers have age 0. */
function varianceBySteps({ model, host, features, initial, now, ...facts }: BeliefInput): number {
  const tables = tablesAt(model, host);
  const observed = observedIn(model, host, facts, now);
  const masses = filtered(tables, observed, now);
  const weigh = (factor: (kind: 0 | 1, begun: 0 | 1, state: 0 | 1, answer: number) => number): number[] => {
    const changed = masses.slice();
    for (const kind of BITS)
      for (const begun of BITS)
        for (const state of BITS)
          for (let answer = 0; answer < ANSWER_COUNT; answer += 1) {
            const place = placeOf(kind, begun, state) + answer;
            changed[place] = (masses[place] ?? 0) * factor(kind, begun, state, answer);
          }
    return changed;
  };
  let variance = 0;
  for (const of of BITS) {
    const { cellRates, cellVariance } = tables.kinds[of];
    for (const [cell, rate] of cellRates.entries()) {
      const slope = slopeOf((step) => {
        const odds = (rate / (1 - rate)) * Math.exp(step);
        const moved = [(1 - odds / (1 + odds)) / (1 - rate), odds / (1 + odds) / rate] as const;
        return bounceOf(
          weigh((kind, _, state, answer) => (rate > 0 && kind === of && answer === cell ? moved[state] : 1)),
          initial,
        );
      });
      variance += slope ** 2 * (cellVariance[cell] ?? Number.NaN);
    }
  }
  const withFact = (at: number, change: Partial<Evidence>): number =>
    bounceOf(filtered(tables, observed.with(at, Object.assign({}, observed[at], change)), now), initial);
  for (const [at, each] of observed.entries()) {
    if (each.kind === 'report') {
      const slope = slopeOf((step) => withFact(at, { bounces: each.bounces * Math.exp(step) }));
      variance += slope ** 2 * each.variance;
    }
    if (each.kind === 'answer')
      for (const [answer, likelihood] of (each.byAnswer ?? []).entries()) {
        const slope = slopeOf((step) =>
          withFact(at, { byAnswer: each.byAnswer?.with(answer, likelihood * Math.exp(step)) ?? null }),
        );
        variance += slope ** 2 * (each.variance[answer] ?? Number.NaN);
      }
  }
  const begun = slopeOf((step) =>
    bounceOf(
      weigh((_, from) => (from === 1 ? Math.exp(step) : 1)),
      initial,
    ),
  );
  variance += begun ** 2 * (initial.variance + RATE + FEATURE * features.length);
  const oddsOf = (changed: number[]): number => {
    const bounces = bounceOf(changed, initial);
    return bounces / (1 - bounces);
  };
  const died = 1 - oddsOf(weigh((_, from, state) => (from === 0 && state === 1 ? 0 : 1))) / oddsOf(masses);
  return variance + died ** 2 * CHURN;
}

describe('the interval', () => {
  it('widens with each figure by as much as the figure may move the number', () => {
    fc.assert(
      fc.property(anyInput, (drawn) => {
        // One memory, and no fact that counts only in part.
        const recent = <T extends { readonly at: number }>(facts: readonly T[]): T[] =>
          facts.map((fact) => ({ ...fact, at: fact.at / 2 }));
        const input = {
          ...drawn,
          purpose: null,
          answers: drawn.answers
            .filter(({ verdict }) => verdict !== 'unknown' && verdict !== 'undeliverable')
            .map((answer) => ({ ...answer, at: drawn.now })),
          reports: recent(drawn.reports),
          proofs: recent(drawn.proofs),
        };
        const { probability, interval } = believe(input);
        fc.pre(probability > 1e-5 && probability < 1 - 1e-5);
        const [low, high] = betaInterval(probability, 1 / (probability * (1 - probability) * varianceBySteps(input)));
        expect(interval[0]).toBeCloseTo(Math.max(1e-6, low), 4);
        expect(interval[1]).toBeCloseTo(Math.min(1 - 1e-6, high), 4);
      }),
    );
  });

  it('is wider at a company that accepts every recipient than at one that does not', () => {
    const widthTold = (told: number): number => {
      const initial = baselineState(MODEL, 'google_business', 'outbound', [], told);
      const { interval } = believe(inputOf({ initial }));
      return interval[1] - interval[0];
    };
    expect(widthTold(4)).toBeGreaterThan(widthTold(-4));
  });
});

describe('time', () => {
  it('changes nothing for an address without facts', () => {
    for (const host of HOSTS) {
      const at = (now: number) => bounceProbability(inputOf({ host, purpose: 'signup', now }));
      expect(at(299 * DAY_MS)).toBe(at(0));
    }
  });

  it('lets a delivery fade, and a refusal: neither gets past the other nor past what a stranger has', () => {
    for (const host of HOSTS) {
      const after = (kind: 'user_unknown' | 'delivered', days: number) =>
        bounceProbability(inputOf({ host, reports: [{ class: kind, at: 0 }], now: days * DAY_MS }));
      const days = [0, 1, 30, 90, 180, 299];
      const delivered = days.map((day) => after('delivered', day));
      const refused = days.map((day) => after('user_unknown', day));
      expect(delivered).toEqual(delivered.toSorted((one, other) => one - other));
      expect(refused).toEqual(refused.toSorted((one, other) => other - one));
      days.forEach((_, at) => expect(delivered[at]).toBeLessThan(refused[at] ?? 0));
    }
  });

  it('forgets a fact by degrees, from the 300th day to the 400th', () => {
    const stranger = bounceProbability(inputOf());
    const after = (days: number) =>
      bounceProbability(inputOf({ reports: [{ class: 'user_unknown', at: 0 }], now: days * DAY_MS }));
    const [young, middle, old] = [after(300), after(350), after(400)] as const;
    expect(old).toBe(stranger);
    expect(young).toBeGreaterThan(0.8);
    expect(middle).toBeCloseTo((young + stranger) / 2, 1);
  });

  it('makes no delivery of long ago count against who comes back, nor against a row of a file', () => {
    for (const host of HOSTS)
      for (const purpose of ['signup', 'list_hygiene'] as const) {
        const stranger = bounceProbability(inputOf({ host, purpose }));
        for (const days of [1, 90, 200, 299, 350])
          expect(
            bounceProbability(inputOf({ host, purpose, reports: [{ class: 'delivered', at: -days * DAY_MS }] })),
          ).toBeLessThanOrEqual(stranger);
      }
  });

  it('counts what a faster clock dated later as of now', () => {
    const input = inputOf({ reports: [{ class: 'delivered', at: 5_000 }], now: 0 });
    expect(bounceProbability(input)).toBe(bounceProbability({ ...input, reports: [{ class: 'delivered', at: 0 }] }));
  });
});

/** Thresholds that the documentation names. */
describe('the number that follows', () => {
  const STRICT = HOSTS.filter(
    (host) => host !== 'relay' && host !== 'disposable' && tablesAt(MODEL, host).kinds[1].share < 0.5,
  );
  const at = (purpose: 'signup' | 'outbound', change: Partial<Parameters<typeof inputOf>[0]>) =>
    STRICT.map((host) => bounceProbability(inputOf({ host, purpose, ...change })));
  const least = (change: Partial<Parameters<typeof inputOf>[0]>) =>
    Math.min(...at('signup', change), ...at('outbound', change));
  const most = (change: Partial<Parameters<typeof inputOf>[0]>) =>
    Math.max(...at('signup', change), ...at('outbound', change));
  const refused = PROVIDER_IDS.filter((id) => id !== 'hunter').map((provider) => ({
    provider,
    verdict: 'undeliverable' as const,
    at: 0,
  }));

  it('is at least .5 after one refusal at a strict host, at least .9 after two', () => {
    for (const one of refused) expect(least({ answers: [one] })).toBeGreaterThanOrEqual(0.5);
    for (const one of refused)
      for (const other of refused)
        if (one.provider < other.provider) expect(least({ answers: [one, other] })).toBeGreaterThanOrEqual(0.9);
  });

  it('is at least .9 after the account’s own 5.1.1 of yesterday, .85 after one of 90 days ago', () => {
    expect(least({ reports: [{ class: 'user_unknown', at: -DAY_MS }] })).toBeGreaterThanOrEqual(0.9);
    expect(least({ reports: [{ class: 'user_unknown', at: -90 * DAY_MS }] })).toBeGreaterThanOrEqual(0.85);
  });

  it('is at most .02 after a delivery just now, .07 after one of 90 days ago', () => {
    expect(most({ reports: [{ class: 'delivered', at: 0 }] })).toBeLessThanOrEqual(0.02);
    expect(most({ reports: [{ class: 'delivered', at: -90 * DAY_MS }] })).toBeLessThanOrEqual(0.07);
  });

  it('is at least .95 times a stranger’s at a catch-all, and less sure', () => {
    const width = ([low, high]: readonly [number, number]) => high - low;
    for (const host of STRICT)
      for (const purpose of ['signup', 'outbound'] as const) {
        const stranger = inputOf({ host, purpose });
        const known = believe({ ...stranger, answers: [{ provider: 'kickbox', verdict: 'catch_all', at: 0 }] });
        expect(known.probability).toBeGreaterThanOrEqual(0.95 * believe(stranger).probability);
        expect(width(known.interval)).toBeGreaterThan(0.95 * width(believe(stranger).interval));
      }
  });
});
