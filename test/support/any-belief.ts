import fc from 'fast-check';
import type { InitialState } from '../../src/domain/belief/chain.ts';
import { strangerState } from '../../src/domain/verification/first-state.ts';
import { type DeliveryClass, FEATURES } from '../../src/domain/belief/facts.ts';
import type { HostClass } from '../../src/domain/belief/host-class.ts';
import { MODEL as MODEL } from '../../src/domain/belief/model.ts';
import type { BeliefInput } from '../../src/domain/belief/posterior.ts';
import { PROVIDER_IDS } from '../../src/domain/belief/provider.ts';
import { VERDICTS } from '../../src/domain/belief/provider-table.ts';
import { NO_FACTS } from '../../src/domain/belief/facts.ts';
import { DAY_MS } from '../../src/kernel/clock.ts';

export const HOSTS = Object.keys(MODEL.prior) as HostClass[];
export const anyHost = fc.constantFrom(...HOSTS);
const CLASSES: readonly DeliveryClass[] = ['user_unknown', 'refused', 'full', 'soft', 'delivered', 'complaint'];

/** An address at a business on Google Workspace of which nothing is known, at time 0. */
export const inputOf = (change: Partial<BeliefInput> = {}): BeliefInput => ({
  model: MODEL,
  host: 'google_business',
  features: [],
  first: strangerState(MODEL, change.host ?? 'google_business', 'outbound', 0),
  ...NOTHING_SEEN,
  now: 0,
  ...change,
});

const anyAge = fc.oneof(fc.constant(0), fc.nat(400 * DAY_MS));
const anyShare = fc.double({ min: 0.001, max: 0.999, noNaN: true });
const anyFirst: fc.Arbitrary<InitialState> = fc.record({
  acceptsAll: anyShare,
  deadStrict: anyShare,
  deadAcceptsAll: anyShare,
  variance: fc.double({ min: 0, max: 4, noNaN: true }),
});

/** Any address with any past, as of time 0. */
export const anyInput: fc.Arbitrary<BeliefInput> = fc
  .record({
    host: anyHost,
    features: fc.subarray([...FEATURES], { maxLength: 3 }),
    first: anyFirst,
    answers: fc.uniqueArray(
      fc.record({
        provider: fc.constantFrom(...PROVIDER_IDS),
        verdict: fc.constantFrom(...VERDICTS),
        at: anyAge.map((age) => -age),
      }),
      { selector: ({ provider }) => provider, maxLength: PROVIDER_IDS.length },
    ),
    reports: fc.array(fc.record({ class: fc.constantFrom(...CLASSES), at: anyAge.map((age) => -age) }), {
      maxLength: 8,
    }),
    proofs: fc.uniqueArray(
      fc.record({ class: fc.constantFrom('confirmed' as const, 'paid' as const), at: anyAge.map((age) => -age) }),
      { selector: (proof) => proof.class, maxLength: 2 },
    ),
  })
  // Without the model, which fills pages.
  .map((drawn) => ({ ...inputOf(drawn), [fc.toStringMethod]: () => fc.stringify(drawn) }));
