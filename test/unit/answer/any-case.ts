import fc from 'fast-check';
import type { PosteriorInputs } from '../../../src/domain/answer/conclusion.ts';
import { newestOfEach } from '../../../src/domain/belief/facts.ts';
import {
  type Bounds,
  type DomainGroup,
  type Effect,
  initialState,
  baselineAt,
} from '../../../src/domain/belief/groups.ts';
import { MODEL } from '../../../src/domain/belief/model.ts';
import { DAY_MS } from '../../../src/kernel/clock.ts';
import { anyInput } from '../../support/any-belief.ts';

export const NOW = 1_790_000_000_123;

const anyEffect: fc.Arbitrary<Effect> = fc.record({
  mean: fc.double({ min: -3, max: 3, noNaN: true }),
  varianceReduction: fc.double({ min: 0, max: 0.7, noNaN: true }),
  reportedMean: fc.constant(0),
  at: fc.nat(400 * DAY_MS).map((age) => NOW - age),
});
const anyDomain: fc.Arbitrary<DomainGroup> = fc
  .record({
    effect: anyEffect,
    acceptsAll: fc.double({ min: -4, max: 4, noNaN: true }),
    givenUp: fc.double({ min: -6, max: 6, noNaN: true }),
    days: fc.constantFrom<number[]>([], [1, 2, 3]),
    deliveredAt: fc.constantFrom(null, NOW - DAY_MS),
  })
  .map(({ effect, acceptsAll, ...rest }) => ({
    ...effect,
    ...rest,
    acceptsAll: { terms: [], folded: acceptsAll, at: effect.at },
    sources: [],
  }));
const anyBounds: fc.Arbitrary<Bounds> = fc.record({
  isTrusted: fc.boolean(),
  isFile: fc.boolean(),
});

/** An address with any past among any groups, as a request finds it; answers of `NOW` are the request's own. */
export const anyCase = fc
  .record({
    input: anyInput,
    purpose: fc.constantFrom('signup', 'outbound', 'list_hygiene'),
    told: fc.oneof(fc.constant(0), fc.double({ min: -4, max: 4, noNaN: true })),
    groups: fc.record({
      domain: fc.option(anyDomain),
      list: fc.option(anyEffect),
      account: fc.option(anyEffect),
      catchAlls: fc.option(anyEffect),
    }),
    bounds: anyBounds,
  })
  .map(({ input, purpose, told, groups, bounds }) => {
    const later = <T extends { readonly at: number }>(all: readonly T[]): T[] =>
      all.map((each) => ({ ...each, at: each.at + NOW }));
    const { host, features } = input;
    const context = { ...baselineAt({ host, features, purpose, now: NOW }), sharedAcceptsAll: told, groups };
    const facts = {
      answers: newestOfEach(later(input.answers)),
      reports: later(input.reports),
      proofs: later(input.proofs),
    };
    const inputs: PosteriorInputs = {
      model: MODEL,
      host,
      certain: false,
      features,
      purpose,
      initial: initialState(MODEL, context, facts, bounds),
      ...facts,
      now: NOW,
    };
    const shown = { ...context, ...inputs, bounds, model: MODEL.version };
    return { context, bounds, inputs, [fc.toStringMethod]: () => fc.stringify(shown) };
  });
