import fc from 'fast-check';
import type { Purpose } from '../../src/contract/vocabulary.ts';
import type { InitialState } from '../../src/domain/belief/chain.ts';
import { type DeliveryClass, FEATURES, MEMORY_MS, NO_FACTS } from '../../src/domain/belief/facts.ts';
import type { HostClass } from '../../src/domain/belief/host-class.ts';
import { MODEL } from '../../src/domain/belief/model.ts';
import type { BeliefInput } from '../../src/domain/belief/posterior.ts';
import { PROVIDER_IDS } from '../../src/domain/belief/provider.ts';
import { VERDICTS } from '../../src/domain/belief/provider-table.ts';
import { baselineState } from './beliefs.ts';

export const HOSTS = Object.keys(MODEL.prior) as HostClass[];
export const anyHost = fc.constantFrom(...HOSTS);
export const CLASSES: readonly DeliveryClass[] = ['user_unknown', 'refused', 'full', 'soft', 'delivered', 'complaint'];
export const anyPurpose = fc.constantFrom<(Purpose | null)[]>('signup', 'outbound', 'list_hygiene', null);

/** A Google Workspace address without facts, at time 0. */
export const inputOf = (change: Partial<BeliefInput> = {}): BeliefInput => {
  const { host = 'google_business', features = [], purpose = 'outbound' } = change;
  const initial = baselineState(MODEL, host, purpose, features);
  return { model: MODEL, host, features, purpose, initial, ...NO_FACTS, now: 0, ...change };
};

/** Any age in memory; often 0, or close to being forgotten. */
export const anyAge = fc.oneof(
  fc.constant(0),
  fc.nat(MEMORY_MS.to),
  fc.integer({ min: MEMORY_MS.from, max: MEMORY_MS.to }),
);
const anyShare = fc.double({ min: 0.001, max: 0.999, noNaN: true });
const anyInitial: fc.Arbitrary<InitialState> = fc.record({
  acceptsAll: anyShare,
  bounceStrict: anyShare,
  bounceAcceptsAll: anyShare,
  variance: fc.double({ min: 0, max: 4, noNaN: true }),
});
const anyAnswers = fc.uniqueArray(
  fc.record({
    provider: fc.constantFrom(...PROVIDER_IDS),
    verdict: fc.constantFrom(...VERDICTS),
    at: anyAge.map((age) => -age),
  }),
  { selector: ({ provider }) => provider, maxLength: PROVIDER_IDS.length },
);

/** Any address with any past at time 0, from the baseline or from any initial state. */
export const anyInput: fc.Arbitrary<BeliefInput> = fc
  .record({
    host: anyHost,
    features: fc.subarray([...FEATURES], { maxLength: 3 }),
    purpose: anyPurpose,
    initial: fc.option(anyInitial),
    answers: anyAnswers,
    reports: fc.array(fc.record({ class: fc.constantFrom(...CLASSES), at: anyAge.map((age) => -age) }), {
      maxLength: 8,
    }),
    proofs: fc.uniqueArray(
      fc.record({ class: fc.constantFrom('confirmed' as const, 'paid' as const), at: anyAge.map((age) => -age) }),
      { selector: (proof) => proof.class, maxLength: 2 },
    ),
  })
  .map(({ initial, ...drawn }) => {
    const input = inputOf(initial === null ? drawn : { ...drawn, initial });
    // The model is left out: it would fill pages.
    return { ...input, [fc.toStringMethod]: () => fc.stringify({ ...drawn, initial: input.initial }) };
  });
