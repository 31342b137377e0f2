import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type InitialState, initialBounce } from '../../../src/domain/belief/chain.ts';
import { offsetOf } from '../../../src/domain/belief/evidence-table.ts';
import { type Facts, FEATURES, NO_FACTS } from '../../../src/domain/belief/facts.ts';
import {
  type Bounds,
  type DomainGroup,
  type Effect,
  type Groups,
  initialState,
  NO_GROUPS,
  predict,
  baselineAt,
  type PredictionContext,
} from '../../../src/domain/belief/groups.ts';
import { MODEL, tablesAt } from '../../../src/domain/belief/model.ts';
import type { ProviderVerdict } from '../../../src/domain/belief/provider.ts';
import { bounceProbability } from '../../../src/domain/belief/posterior.ts';
import { DAY_MS } from '../../../src/kernel/clock.ts';
import { oddsOf } from '../../../src/kernel/probability.ts';
import { NOW } from '../../support/addresses.ts';
import { anyHost, anyPurpose, HOSTS } from '../../support/any-belief.ts';

const contextOf = (change: Partial<PredictionContext> = {}): PredictionContext => ({
  ...baselineAt({ host: 'google_business', features: [], purpose: 'outbound', now: NOW }),
  ...change,
});
const FREE: Bounds = { isTrusted: true, isFile: false };
const answered = (verdict: ProviderVerdict, at = NOW): Facts => ({
  ...NO_FACTS,
  answers: [{ provider: 'kickbox', verdict, at }],
});

const effect = (mean: number, at = NOW): Effect => ({ mean, varianceReduction: 0.3, reportedMean: 0, at });
const domain = (mean: number, change: Partial<DomainGroup> = {}): DomainGroup => ({
  ...effect(mean),
  acceptsAll: { terms: [], folded: 0, at: 0 },
  givenUp: 0,
  days: [],
  sources: [],
  deliveredAt: null,
  ...change,
});
const groups = (change: Partial<Groups>): Groups => ({ ...NO_GROUPS, ...change });

const odds = (state: InitialState): number => oddsOf(initialBounce(state));

describe('an address of which nothing is known', () => {
  it('has exactly the odds of the table, at every host, for every purpose and by every set of features', () => {
    fc.assert(
      fc.property(anyHost, anyPurpose, fc.subarray([...FEATURES]), (host, purpose, features) => {
        const { rates, state } = predict(MODEL, contextOf({ host, purpose, features }));
        const offset = Math.exp(offsetOf(MODEL.evidence, features, purpose));
        for (const kind of [0, 1] as const) {
          const { bounceRate } = tablesAt(MODEL, host).kinds[kind];
          const expected = oddsOf(bounceRate) * offset;
          expect(oddsOf(rates[kind]) / expected).toBeCloseTo(1, 9);
        }
        expect(state.acceptsAll).toBeCloseTo(tablesAt(MODEL, host).kinds[1].share, 12);
      }),
    );
  });
});

describe('a prediction', () => {
  it('is a probability, however much speaks for or against the address', () => {
    const features = fc.subarray([...FEATURES]);
    const effects = fc.double({ min: -8, max: 8, noNaN: true });
    fc.assert(
      fc.property(anyHost, features, effects, effects, fc.double({ min: -6, max: 6, noNaN: true }), (...drawn) => {
        const [host, shown, list, account, givenUp] = drawn;
        const around = groups({ domain: domain(0, { givenUp }), list: effect(list), account: effect(account) });
        const context = { ...contextOf({ host, features: shown }), groups: around };
        const { state } = predict(MODEL, context);
        for (const rate of [state.bounceStrict, state.bounceAcceptsAll]) expect(rate > 0 && rate < 1).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('what surrounds an address', () => {
  it.each(['domain', 'list', 'account'] as const)('moves it by the effect of its %s, up and down', (name) => {
    const at = (mean: number) =>
      odds(
        predict(MODEL, contextOf({ groups: groups({ [name]: name === 'domain' ? domain(mean) : effect(mean) }) }))
          .state,
      );
    expect(at(1)).toBeGreaterThan(at(0));
    expect(at(-1)).toBeLessThan(at(0));
  });

  it('moves it by the effect of the account’s catch-all companies only where its domain accepts every recipient', () => {
    const [before, after] = [NO_GROUPS, groups({ catchAlls: effect(2) })].map(
      (some) => predict(MODEL, contextOf({ groups: some })).rates,
    );
    expect(after?.[0]).toBe(before?.[0]);
    expect(after?.[1]).toBeGreaterThan(before?.[1] ?? 1);
  });

  it.each([
    ['domain', 365],
    ['account', 365],
    ['list', 120],
  ] as const)('fades by half: %s, in %i days', (name, days) => {
    const meanAfter = (age: number) => {
      const at = NOW - age * DAY_MS;
      const known = groups({ [name]: name === 'domain' ? domain(1, { at }) : effect(1, at) });
      return predict(MODEL, contextOf({ groups: known })).moments[name].mean;
    };
    expect(meanAfter(days)).toBeCloseTo(0.5 * meanAfter(0), 12);
  });

  it('never gets surer of an effect than a variance of .02, nor less sure than the prior', () => {
    const variance = (varianceReduction: number) =>
      predict(MODEL, contextOf({ groups: groups({ account: { ...effect(0), varianceReduction } }) })).moments.account
        .variance;
    expect(variance(100)).toBe(0.02);
    expect(variance(-100)).toBeCloseTo(MODEL.evidence.effects.account.sd ** 2, 12);
  });
});

describe('the bound on what domain and list say', () => {
  const far = (mean: number) => groups({ domain: domain(mean), list: effect(mean) });
  const factor = (
    mean: number,
    bounds: Partial<Bounds>,
    facts: Facts = NO_FACTS,
    change: Partial<PredictionContext> = {},
  ) => {
    const where = contextOf({ groups: far(mean), ...change });
    const alone = contextOf({ ...change, groups: NO_GROUPS });
    return odds(initialState(MODEL, where, facts, { ...FREE, ...bounds })) / odds(predict(MODEL, alone).state);
  };

  it.each<[what: string, most: number, bounds: Partial<Bounds>, facts: Facts, change: Partial<PredictionContext>]>([
    ['6 for mail that is sent', 6, {}, NO_FACTS, {}],
    ['6 in a file', 6, { isFile: true }, NO_FACTS, { purpose: 'list_hygiene' }],
    ['2 for a signup', 2, {}, NO_FACTS, { purpose: 'signup' }],
    ['1.5 beside a good fact about the address itself', 1.5, {}, answered('deliverable'), {}],
    ['1.1 beside one, while no source is trusted', 1.1, { isTrusted: false }, answered('deliverable'), {}],
  ])('multiplies the odds by at most %s, at every host', (_, most, bounds, facts, change) => {
    for (const host of HOSTS) {
      expect(factor(4, bounds, facts, { host, ...change })).toBeLessThanOrEqual(most + 1e-9);
      expect(factor(4, bounds, facts, { host, ...change })).toBeGreaterThan(most * 0.95);
    }
  });

  it('holds where the domain looks given up', () => {
    const dead = groups({ domain: domain(4, { givenUp: 9, days: [1, 2, 3] }) });
    const state = initialState(MODEL, contextOf({ groups: dead }), NO_FACTS, FREE);
    expect(odds(state) / odds(predict(MODEL, contextOf()).state)).toBeLessThanOrEqual(6 + 1e-9);
  });

  it.each<[what: string, bounds: Partial<Bounds>, facts?: Facts]>([
    ['a row', { isFile: true, isTrusted: false }],
    ['a refused one', { isFile: true, isTrusted: false }, answered('undeliverable')],
  ])('divides the odds of %s in a file by at most 1.6, while no source is trusted', (_, bounds, facts) => {
    expect(factor(-4, bounds, facts)).toBeCloseTo(1 / 1.6, 9);
  });

  it.each<[what: string, bounds: Partial<Bounds>, facts?: Facts]>([
    ['a trusted source', { isFile: true }],
    ['a single call', { isTrusted: false }],
    ['a good fact about the address itself', { isFile: true, isTrusted: false }, answered('deliverable')],
  ])('has no floor with %s', (_, bounds, facts) => {
    expect(factor(-4, bounds, facts)).toBeLessThan(1 / 1.6);
  });

  it('has no cliff where a good fact begins to be forgotten, and where it is forgotten', () => {
    const where = contextOf({ groups: groups({ domain: domain(1.5) }) });
    const knowing = (facts: Facts): number =>
      bounceProbability({ ...where, ...facts, model: MODEL, initial: initialState(MODEL, where, facts, FREE) });
    const after = (days: number): number =>
      knowing({ ...NO_FACTS, reports: [{ class: 'delivered', at: NOW - days * DAY_MS }] });
    expect(Math.abs(after(301) - after(299))).toBeLessThan(0.02);
    expect(Math.abs(knowing(NO_FACTS) - after(399))).toBeLessThan(0.02);
  });

  it('leaves the account’s effect outside once a source is trusted, and inside before', () => {
    const known = groups({ account: effect(4) });
    const of = (isTrusted: boolean) =>
      odds(initialState(MODEL, contextOf({ groups: known }), NO_FACTS, { ...FREE, isTrusted })) /
      odds(predict(MODEL, contextOf()).state);
    expect(of(true)).toBeGreaterThan(10);
    expect(of(false)).toBeLessThanOrEqual(6 + 1e-9);
  });
});
