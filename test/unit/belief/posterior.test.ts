import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Answer } from '../../../src/domain/belief/facts.ts';
import { usedAnswers } from '../../../src/domain/verification/answer.ts';
import { BITS, filtered, placeOf } from '../../../src/domain/belief/chain.ts';
import { type Sighting, firstWeights } from '../../../src/domain/verification/filter.ts';
import { strangerState } from '../../../src/domain/verification/first-state.ts';
import { ANSWER_COUNT, tablesAt } from '../../../src/domain/belief/host-tables.ts';
import { MODEL, type Model, rowsAt } from '../../../src/domain/belief/model.ts';
import { type BeliefInput, believe, bounceOf, bounceProbability, stateNow } from '../../../src/domain/belief/posterior.ts';
import { PROVIDER_IDS } from '../../../src/domain/belief/provider.ts';
import { VERDICTS, totalOf } from '../../../src/domain/belief/provider-table.ts';
import { sightingsOf } from '../../../src/domain/verification/sightings.ts';
import { DAY_MS } from '../../../src/kernel/clock.ts';
import { betaInterval } from '../../../src/kernel/probability.ts';
import { anyHost, anyInput, HOSTS, inputOf } from '../../support/any-belief.ts';
import { believeStranger } from '../../support/beliefs.ts';

const anyAnswers = fc.uniqueArray(
  fc.record({ provider: fc.constantFrom(...PROVIDER_IDS), verdict: fc.constantFrom(...VERDICTS) }),
  { selector: ({ provider }) => provider, maxLength: PROVIDER_IDS.length },
);
const anyOdds = fc.double({ min: -4, max: 4, noNaN: true }).map(Math.exp);

describe('without a purpose, neighbours or a past', () => {
  it('is the share-weighted bounce rate of the cells, given what was said and what is told of the domain', () => {
    fc.assert(
      fc.property(anyHost, anyAnswers, anyOdds, (host, answers, odds) => {
        let [bounces, total] = [0, 0];
        for (const { acceptsAll, answer, alpha, bounced, landed } of MODEL.prior[host]) {
          const likelihood = answers.reduce((product, { provider, verdict }) => {
            const counts = rowsAt(MODEL, provider, host)[answer];
            return (product * (counts[VERDICTS.indexOf(verdict)] ?? 0)) / totalOf(counts);
          }, 1);
          const weight = alpha * (acceptsAll ? odds : 1) * likelihood;
          bounces += (weight * bounced) / (bounced + landed);
          total += weight;
        }
        expect(believeStranger(MODEL, host, answers, odds).probability).toBeCloseTo(bounces / total, 9);
      }),
    );
  });
});

describe('the belief', () => {
  it('is a probability inside its interval, whatever is known', () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const { probability, interval } = believe(input);
        expect(0 < interval[0] && interval[0] <= probability).toBe(true);
        expect(probability <= interval[1] && interval[1] <= 1).toBe(true);
      }),
    );
  });

  it('is the router’s too: its state adds up to it', () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const { bounce, land } = stateNow(input);
        const bounces = bounce.reduce((sum, mass) => sum + mass, 0);
        expect(bounces).toBeCloseTo(believe(input).probability, 12);
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
        expect(after('user_unknown')).toBeGreaterThan(before);
        expect(after('delivered')).toBeLessThan(before);
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

/** The slope of the log-odds of a bounce, by the difference of a small step either way. */
function slopeOf(probabilityAt: (step: number) => number): number {
  const STEP = 1e-4;
  const [down, up] = [-STEP, STEP].map(probabilityAt) as [number, number];
  return (Math.log(up / (1 - up)) - Math.log(down / (1 - down))) / (2 * STEP);
}

/** Log variances that hold for every address: the rate at which mailboxes die, the host's rate, what each feature adds. */
const [CHURN, RATE, FEATURE] = [0.1, 0.06, 0.25];

/** Of the log-odds: the square of each figure's slope, times the figure's own variance. Answers are of now. */
function varianceBySteps({ model, host, features, first, now, ...seen }: BeliefInput): number {
  const [tables, weights] = [tablesAt(model, host), firstWeights(first)];
  const sightings = sightingsOf(model, host, seen, now);
  const masses = filtered(tables, sightings, now);
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
          weights,
        );
      });
      variance += slope ** 2 * (cellVariance[cell] ?? Number.NaN);
    }
  }
  const withSighting = (at: number, change: Partial<Sighting>): number =>
    bounceOf(filtered(tables, sightings.with(at, Object.assign({}, sightings[at], change)), now), weights);
  for (const [at, each] of sightings.entries()) {
    if (each.kind === 'report') {
      const slope = slopeOf((step) => withSighting(at, { bounces: each.bounces * Math.exp(step) }));
      variance += slope ** 2 * each.variance;
    }
    if (each.kind === 'answer')
      for (const [answer, likelihood] of (each.byAnswer ?? []).entries()) {
        const slope = slopeOf((step) =>
          withSighting(at, { byAnswer: each.byAnswer?.with(answer, likelihood * Math.exp(step)) ?? null }),
        );
        variance += slope ** 2 * (each.variance[answer] ?? Number.NaN);
      }
  }
  const begun = slopeOf((step) =>
    bounceOf(
      weigh((_, from) => (from === 1 ? Math.exp(step) : 1)),
      weights,
    ),
  );
  variance += begun ** 2 * (first.variance + RATE + FEATURE * features.length);
  const oddsOf = (changed: number[]): number => {
    const bounces = bounceOf(changed, weights);
    return bounces / (1 - bounces);
  };
  const died = 1 - oddsOf(weigh((_, from, state) => (from === 0 && state === 1 ? 0 : 1))) / oddsOf(masses);
  variance += died ** 2 * CHURN;
  return model.history.varianceFactor * variance;
}

describe('the interval', () => {
  const wider: Model = { ...MODEL, history: { ...MODEL.history, varianceFactor: 2 } };

  it('widens with each figure by as much as the figure may move the number', () => {
    fc.assert(
      fc.property(anyInput, fc.constantFrom(MODEL, wider), (drawn, model) => {
        const input = { ...drawn, model, answers: drawn.answers.map((answer) => ({ ...answer, at: drawn.now })) };
        const { probability, interval } = believe(input);
        const [low, high] = betaInterval(probability, 1 / (probability * (1 - probability) * varianceBySteps(input)));
        expect(interval[0]).toBeCloseTo(low, 5);
        expect(interval[1]).toBeCloseTo(high, 5);
      }),
    );
  });
});

describe('time', () => {
  it('does nothing to an address that was only looked at', () => {
    for (const host of HOSTS) {
      const first = strangerState(MODEL, host, 'signup', 0);
      const at = (now: number) => bounceProbability(inputOf({ host, first, now }));
      expect(at(300 * DAY_MS)).toBe(at(0));
    }
  });

  it('lets a delivery fade towards what mailboxes come to, a refusal likewise, never past one another', () => {
    for (const host of HOSTS) {
      const first = strangerState(MODEL, host, 'outbound', 0);
      const after = (kind: 'user_unknown' | 'delivered', days: number) =>
        bounceProbability(inputOf({ host, first, reports: [{ class: kind, at: 0 }], now: days * DAY_MS }));
      const days = [0, 1, 30, 90, 365, 3_650];
      const [delivered, refused] = (['delivered', 'user_unknown'] as const).map((kind) =>
        days.map((day) => after(kind, day)),
      ) as [number[], number[]];
      expect(delivered).toEqual(delivered.toSorted((one, other) => one - other));
      days.forEach((_, at) => expect(delivered[at]).toBeLessThan(refused[at] ?? 0));
      const { kinds, recovery } = tablesAt(MODEL, host);
      const ends = kinds.map(({ churn }) => churn / (churn + recovery));
      const end = after('delivered', 400_000);
      expect(end).toBeGreaterThan(Math.min(...ends) - 1e-3);
      expect(end).toBeLessThan(Math.max(...ends) + 1e-3);
      expect(after('user_unknown', 400_000)).toBeCloseTo(end, 1);
    }
  });

  it('counts what a faster clock dated later as of now', () => {
    const input = inputOf({ reports: [{ class: 'delivered', at: 5_000 }], now: 0 });
    expect(bounceProbability(input)).toBe(bounceProbability({ ...input, reports: [{ class: 'delivered', at: 0 }] }));
  });
});

describe('an answer counts', () => {
  const said = (verdict: Answer['verdict'], days: number) => ({
    provider: 'kickbox' as const,
    verdict,
    at: -days * DAY_MS,
  });

  it.each([
    ['the newest', [said('deliverable', 3), said('undeliverable', 1)], ['undeliverable']],
    ['an older one, where the newest is `unknown`', [said('undeliverable', 7), said('unknown', 0)], ['undeliverable']],
    ['an `unknown`, where there is no other', [said('unknown', 5), said('unknown', 1)], ['unknown']],
    ['for 180 days', [said('deliverable', 180)], []],
    ['an `unknown`, where the other is older', [said('deliverable', 181), said('unknown', 1)], ['unknown']],
  ] as const)('of each provider: %s', (_, answers, used) => {
    expect(usedAnswers(answers, 0).map(({ verdict }) => verdict)).toEqual(used);
  });
});

/** What a product manager takes for granted (the wording of the documentation). */
describe('the number that follows', () => {
  const STRICT = HOSTS.filter(
    (host) => host !== 'relay' && host !== 'disposable' && tablesAt(MODEL, host).kinds[1].share < 0.5,
  );
  const at = (purpose: 'signup' | 'outbound', change: Partial<Parameters<typeof inputOf>[0]>) =>
    STRICT.map((host) =>
      bounceProbability(inputOf({ host, first: strangerState(MODEL, host, purpose, 0), ...change })),
    );
  const least = (change: Partial<Parameters<typeof inputOf>[0]>) =>
    Math.min(...at('signup', change), ...at('outbound', change));
  const most = (change: Partial<Parameters<typeof inputOf>[0]>) =>
    Math.max(...at('signup', change), ...at('outbound', change));
  const refused = PROVIDER_IDS.filter((id) => id !== 'hunter').map((provider) => ({
    provider,
    verdict: 'undeliverable' as const,
    at: 0,
  }));

  it('from one refusal at a strict host is at least .5, from two at least .9', () => {
    for (const one of refused) expect(least({ answers: [one] })).toBeGreaterThanOrEqual(0.5);
    for (const one of refused)
      for (const other of refused)
        if (one.provider < other.provider) expect(least({ answers: [one, other] })).toBeGreaterThanOrEqual(0.9);
  });

  it('from the account’s own 5.1.1 of yesterday is at least .9, of 90 days ago .85', () => {
    expect(least({ reports: [{ class: 'user_unknown', at: -DAY_MS }] })).toBeGreaterThanOrEqual(0.9);
    expect(least({ reports: [{ class: 'user_unknown', at: -90 * DAY_MS }] })).toBeGreaterThanOrEqual(0.85);
  });

  it('from a delivery just now is at most .02, of 90 days ago .07', () => {
    expect(most({ reports: [{ class: 'delivered', at: 0 }] })).toBeLessThanOrEqual(0.02);
    expect(most({ reports: [{ class: 'delivered', at: -90 * DAY_MS }] })).toBeLessThanOrEqual(0.07);
  });

  it('from a catch-all is at least .95 times a stranger’s, and less sure', () => {
    const width = ([low, high]: readonly [number, number]) => high - low;
    for (const host of STRICT)
      for (const purpose of ['signup', 'outbound'] as const) {
        const stranger = inputOf({ host, first: strangerState(MODEL, host, purpose, 0) });
        const known = believe({ ...stranger, answers: [{ provider: 'kickbox', verdict: 'catch_all', at: 0 }] });
        expect(known.probability).toBeGreaterThanOrEqual(0.95 * believe(stranger).probability);
        expect(width(known.interval)).toBeGreaterThan(0.95 * width(believe(stranger).interval));
      }
  });
});
