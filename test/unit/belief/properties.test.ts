import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Facts, type KnownReport, MEMORY_MS, withReport } from '../../../src/domain/belief/facts.ts';
import { multiplied } from '../../../src/domain/belief/groups.ts';
import { MODEL, tablesAt } from '../../../src/domain/belief/model.ts';
import { type BeliefInput, believe, bounceProbability } from '../../../src/domain/belief/posterior.ts';
import { PROVIDER_IDS, type ProviderId, type ProviderVerdict } from '../../../src/domain/belief/provider.ts';
import { DAY_MS } from '../../../src/kernel/clock.ts';
import { anyAge, anyInput, CLASSES, HOSTS, inputOf } from '../../support/any-belief.ts';
import { baselineState } from '../../support/beliefs.ts';

/** Cases of one run; each run draws others, and a failure prints its seed. */
const SOME = { numRuns: 500 };

type KeptInput = BeliefInput & { readonly reports: readonly KnownReport[] };

/** The reports as an address keeps them: what counts once is merged. One fewer than are kept, so that none is pushed out. */
const keptOf = (reports: Facts['reports']): readonly KnownReport[] =>
  reports
    .reduce<readonly KnownReport[]>(
      (known, { class: kind, at }, place) => withReport(known, { class: kind, at, of: `vr_${place}`, source: 'key_1' }),
      [],
    )
    .slice(0, 7);

/** Any facts about an address, from the baseline or from any group effects. */
const keptOfPurpose = (purpose: BeliefInput['purpose']): fc.Arbitrary<KeptInput> =>
  fc
    .record({
      drawn: anyInput,
      factor: fc.oneof(fc.constant(1), fc.double({ min: 1 / 6, max: 6, noNaN: true })),
      told: fc.oneof(fc.constant(0), fc.double({ min: -4, max: 4, noNaN: true })),
    })
    .map(({ drawn, factor, told }) => {
      const { host, features, answers, proofs } = drawn;
      const initial = multiplied(baselineState(MODEL, host, purpose, features, told), factor);
      const reports = keptOf(drawn.reports);
      const shown = { host, features, purpose, initial, answers, reports, proofs };
      return { ...inputOf(shown), reports, [fc.toStringMethod]: () => fc.stringify(shown) };
    });
const anyKept = fc
  .constantFrom<BeliefInput['purpose'][]>('signup', 'outbound', 'list_hygiene', null)
  .chain(keptOfPurpose);

/** A time between the newest fact and 0. */
const anyPart = fc.oneof(fc.constant(0), fc.double({ min: 0, max: 0.999, noNaN: true }));
const sinceNewest = ({ answers, reports, proofs }: Facts, part: number): number => {
  const times = [...answers, ...reports, ...proofs].map(({ at }) => at);
  return times.length === 0 ? 0 : part * Math.max(...times);
};

const withDelivery = (input: KeptInput, at: number): BeliefInput => ({
  ...input,
  reports: withReport(input.reports, { class: 'delivered', at, of: 'vr_new', source: 'key_1' }),
});
const withAnswer = (input: BeliefInput, provider: ProviderId, verdict: ProviderVerdict, at: number): BeliefInput => ({
  ...input,
  answers: [...input.answers.filter((answer) => answer.provider !== provider), { provider, verdict, at }],
});
const hasHeard = ({ answers }: Facts, provider: ProviderId): boolean =>
  answers.some((answer) => answer.provider === provider);

describe('an address with any history', () => {
  /** Ten thousand in all: each is tested with an added delivery and an added refusal. */
  it.each<[purpose: BeliefInput['purpose'], numRuns: number]>([
    ['signup', 3_000],
    ['list_hygiene', 3_000],
    ['outbound', 3_000],
    [null, 1_000],
  ])(
    '%s: a delivery raises it by .01 at most, a refusal by a provider not yet heard lowers it by .001 at most',
    (purpose, numRuns) => {
      fc.assert(
        fc.property(
          keptOfPurpose(purpose),
          anyAge,
          anyPart,
          fc.constantFrom(...PROVIDER_IDS),
          (input, age, part, provider) => {
            const before = bounceProbability(input);
            // The delivery has any age; for outbound it is newer than every other fact.
            const at = purpose === 'outbound' ? sinceNewest(input, part) : -age;
            if (purpose !== null) expect(bounceProbability(withDelivery(input, at))).toBeLessThanOrEqual(before + 0.01);
            if (hasHeard(input, provider)) return;
            const refused = withAnswer(input, provider, 'undeliverable', sinceNewest(input, part));
            expect(bounceProbability(refused)).toBeGreaterThanOrEqual(before - 0.001);
          },
        ),
        { numRuns },
      );
    },
  );

  it('does not move when a provider answers `unknown` for the first time', () => {
    fc.assert(
      fc.property(anyKept, fc.constantFrom(...PROVIDER_IDS), anyPart, (input, provider, part) => {
        fc.pre(!hasHeard(input, provider));
        const after = bounceProbability(withAnswer(input, provider, 'unknown', sinceNewest(input, part)));
        expect(after).toBeLessThanOrEqual(bounceProbability(input) + 1e-9);
      }),
      SOME,
    );
  });
});

describe('the memory has no cliff', () => {
  const anyKind = fc.oneof(
    fc.record({ report: fc.constantFrom(...CLASSES) }),
    fc.record({ proof: fc.constantFrom('confirmed' as const, 'paid' as const) }),
    fc.record({ verdict: fc.constantFrom<ProviderVerdict[]>('deliverable', 'undeliverable', 'catch_all', 'risky') }),
  );
  // By a month: of two facts a few days apart, the order of a delivery and a refusal say, two days more say something themselves.
  const younger = <T extends { readonly at: number }>(facts: readonly T[]): T[] =>
    facts.filter(({ at }) => at > -MEMORY_MS.from + 30 * DAY_MS);

  it.each([
    [299, 301],
    [399, 401],
  ])('a fact of %i days counts about as one of %i does, beside any that are younger', (one, other) => {
    fc.assert(
      fc.property(anyKept, anyKind, (drawn, kind) => {
        const [answers, reports, proofs] = [younger(drawn.answers), younger(drawn.reports), younger(drawn.proofs)];
        const input = {
          ...drawn,
          answers: answers.filter(({ provider }) => provider !== 'zerobounce'),
          reports,
          proofs,
        };
        const withFact = (at: number): BeliefInput => {
          if ('report' in kind) return { ...input, reports: [...reports, { class: kind.report, at }] };
          if ('verdict' in kind) return withAnswer(input, 'zerobounce', kind.verdict, at);
          return {
            ...input,
            proofs: [...proofs.filter((each) => each.class !== kind.proof), { class: kind.proof, at }],
          };
        };
        const [before, after] = [one, other].map((days) => bounceProbability(withFact(-days * DAY_MS))) as [
          number,
          number,
        ];
        expect(Math.abs(after - before)).toBeLessThanOrEqual(0.02 + 1e-9);
      }),
      SOME,
    );
  });
});

describe('the interval', () => {
  it('holds the number, and both stay a millionth away from certainty', () => {
    fc.assert(
      fc.property(anyInput, (input) => {
        const { probability, interval } = believe(input);
        const [low, high] = interval;
        expect(low).toBeGreaterThanOrEqual(1e-6);
        expect(high).toBeLessThanOrEqual(1 - 1e-6);
        expect(low <= probability && probability <= high).toBe(true);
      }),
      SOME,
    );
  });

  const STRICT = HOSTS.filter(
    (host) => host !== 'relay' && host !== 'disposable' && tablesAt(MODEL, host).kinds[1].share < 0.5,
  );
  it.each<[what: string, most: number, facts: (count: number) => Partial<Facts>]>([
    ...(['user_unknown', 'refused', 'delivered', 'complaint'] as const).map(
      (kind) =>
        [
          kind,
          8,
          (count: number) => ({
            reports: Array.from({ length: count }, (_, place) => ({ class: kind, at: -8 * place * DAY_MS })),
          }),
        ] as [string, number, (count: number) => Partial<Facts>],
    ),
    ...(['deliverable', 'undeliverable'] as const).map(
      (verdict) =>
        [
          verdict,
          7,
          (count: number) => ({
            answers: PROVIDER_IDS.slice(0, count).map((provider) => ({ provider, verdict, at: 0 })),
          }),
        ] as [string, number, (count: number) => Partial<Facts>],
    ),
  ])('never widens by one more fact that says the same: %s', (_, most, facts) => {
    for (const host of STRICT)
      for (const purpose of ['signup', 'outbound', 'list_hygiene'] as const) {
        const widths = Array.from({ length: most }, (__, place) => {
          const { interval } = believe(inputOf({ host, purpose, ...facts(place + 1) }));
          return interval[1] - interval[0];
        });
        for (const [place, width] of widths.slice(1).entries())
          expect(width).toBeLessThanOrEqual((widths[place] ?? 0) + 1e-6);
      }
  });
});
