import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DeliveryClass, Facts, KnownReport } from '../../../src/domain/belief/facts.ts';
import { withReport } from '../../../src/domain/belief/facts.ts';
import { type BeliefInput, believe, bounceProbability } from '../../../src/domain/belief/posterior.ts';
import { PROVIDER_IDS, type ProviderId, type ProviderVerdict } from '../../../src/domain/belief/provider.ts';
import { DAY_MS } from '../../../src/kernel/clock.ts';
import { anyAge, anyInput, CLASSES, HOSTS, inputOf } from '../../support/any-belief.ts';

const MANY = { numRuns: 10_000 };
const SOME = { numRuns: 2_000 };

const timesOf = ({ answers, reports, proofs }: Facts): number[] => [...answers, ...reports, ...proofs].map(({ at }) => at);
const newestOf = (facts: Facts): number => Math.max(...timesOf(facts));

/** The reports as an address keeps them: what counts once is merged, at most eight. */
const keptOf = (reports: Facts['reports']): readonly KnownReport[] =>
  reports.reduce<readonly KnownReport[]>(
    (known, { class: kind, at }, place) => withReport(known, { class: kind, at, of: `vr_${place}`, source: 'key_1' }),
    [],
  );
const anyKept = anyInput.map((input) => ({ ...input, reports: keptOf(input.reports) }));

/** A time from the newest fact on, as of 0. */
const sinceNewest = (facts: Facts, share: number): number => {
  const newest = newestOf(facts);
  return newest === Number.NEGATIVE_INFINITY ? 0 : newest * share;
};
const anyPart = fc.oneof(fc.constant(0), fc.double({ min: 0, max: 0.999, noNaN: true }));

const withDelivery = (input: BeliefInput & { readonly reports: readonly KnownReport[] }, at: number): BeliefInput => ({
  ...input,
  reports: withReport(input.reports, { class: 'delivered', at, of: 'vr_new', source: 'key_1' }),
});

describe('a delivery never makes an address look worse, whatever else is known', () => {
  it.each(['signup', 'list_hygiene'] as const)('%s: of any age', (purpose) => {
    fc.assert(
      fc.property(anyKept, anyAge, (drawn, age) => {
        const input = { ...drawn, purpose };
        expect(bounceProbability(withDelivery(input, -age))).toBeLessThanOrEqual(bounceProbability(input) + 0.01);
      }),
      MANY,
    );
  });

  it('outbound: newer than every other fact', () => {
    fc.assert(
      fc.property(anyKept, anyPart, (drawn, share) => {
        const input = { ...drawn, purpose: 'outbound' as const };
        const after = bounceProbability(withDelivery(input, sinceNewest(input, share)));
        expect(after).toBeLessThanOrEqual(bounceProbability(input) + 0.01);
      }),
      MANY,
    );
  });
});

describe('a provider’s word', () => {
  const withAnswer = (input: BeliefInput, provider: ProviderId, verdict: ProviderVerdict, at: number): BeliefInput => ({
    ...input,
    answers: [...input.answers.filter((answer) => answer.provider !== provider), { provider, verdict, at }],
  });

  it('that refuses an address, newer than every other fact, never lowers the number', () => {
    fc.assert(
      fc.property(anyKept, fc.constantFrom(...PROVIDER_IDS), anyPart, (input, provider, share) => {
        fc.pre(input.answers.every((answer) => answer.provider !== provider));
        const after = bounceProbability(withAnswer(input, provider, 'undeliverable', sinceNewest(input, share)));
        expect(after).toBeGreaterThanOrEqual(bounceProbability(input) - 0.001);
      }),
      MANY,
    );
  });

  it('that says nothing never raises the number', () => {
    fc.assert(
      fc.property(anyKept, fc.constantFrom(...PROVIDER_IDS), anyAge, (input, provider, age) => {
        fc.pre(input.answers.every((answer) => answer.provider !== provider));
        const after = bounceProbability(withAnswer(input, provider, 'unknown', -age));
        expect(after).toBeLessThanOrEqual(bounceProbability(input) + 1e-12);
      }),
      MANY,
    );
  });
});

describe('a fact', () => {
  it.each([
    [299, 301],
    [399, 401],
  ])('of %i days ago counts about as one of %i, whatever else is known', (younger, older) => {
    const kinds = fc.oneof(
      fc.record({ report: fc.constantFrom(...CLASSES) }),
      fc.record({ proof: fc.constantFrom('confirmed' as const, 'paid' as const) }),
      fc.record({ verdict: fc.constantFrom<ProviderVerdict[]>('deliverable', 'undeliverable', 'catch_all', 'risky') }),
    );
    fc.assert(
      fc.property(anyInput, kinds, (input, kind) => {
        const at = (days: number): number => {
          const when = { at: -days * DAY_MS };
          if ('report' in kind)
            return bounceProbability({ ...input, reports: [...input.reports, { class: kind.report, ...when }] });
          if ('proof' in kind)
            return bounceProbability({
              ...input,
              proofs: [...input.proofs.filter((each) => each.class !== kind.proof), { class: kind.proof, ...when }],
            });
          return bounceProbability(withFirst(input, kind.verdict, when.at));
        };
        expect(Math.abs(at(older) - at(younger))).toBeLessThanOrEqual(0.02);
      }),
      SOME,
    );
  });
});

const withFirst = (input: BeliefInput, verdict: ProviderVerdict, at: number): BeliefInput => ({
  ...input,
  answers: [...input.answers.filter(({ provider }) => provider !== 'zerobounce'), { provider: 'zerobounce', verdict, at }],
});

describe('the number and its interval', () => {
  it('stay a millionth away from certainty, the number inside the interval', () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const { probability, interval } = believe(input);
        const [low, high] = interval;
        expect(low).toBeGreaterThanOrEqual(1e-6);
        expect(high).toBeLessThanOrEqual(1 - 1e-6);
        expect(low <= probability && probability <= high).toBe(true);
      }),
      MANY,
    );
  });
});
void HOSTS;
void inputOf;
export type { DeliveryClass };
