import fc from 'fast-check';
import { usedAnswers } from '../../../src/domain/verification/answer.ts';
import type { PosteriorInputs } from '../../../src/domain/answer/conclusion.ts';
import { type FirstStateInput, firstState } from '../../../src/domain/verification/first-state.ts';
import type { Levels } from '../../../src/domain/verification/history.ts';
import { MODEL, type Model } from '../../../src/domain/belief/model.ts';
import { anyInput } from '../../support/any-belief.ts';

export const NOW = 1_790_000_000_123;

/** The table, and what a night makes of it where all vendors are mistaken together now and then. */
const MISTAKEN: Model = {
  ...MODEL,
  version: 'errors-1',
  calibration: 'fitted',
  history: { ...MODEL.history, mistaken: 0.02 },
};

/** The same where the account's lists lie far from the table's. */
const FAR: Model = {
  ...MODEL,
  version: 'levels-1',
  history: { ...MODEL.history, listLevel: -3.5, acceptsAllLevel: 1.5, varianceFactor: 1.7 },
};

const levels = (count: number): fc.Arbitrary<Levels | null> =>
  fc.option(
    fc.record({
      values: fc
        .array(fc.double({ min: -12, max: 0, noNaN: true }), { minLength: count, maxLength: count })
        .map((values) => Float32Array.from(values)),
      at: fc.nat(4e10).map((age) => NOW - age),
      isReported: fc.boolean(),
      stoppedOn: fc.constant(null),
      refused: fc.constant(0),
      delivered: fc.constant(0),
    }),
  );

/** An address with any past among any neighbours, as a request finds it; answers of `NOW` are the request's own. */
export const anyCase = fc
  .record({
    model: fc.constantFrom(MODEL, MISTAKEN, FAR),
    input: anyInput,
    purpose: fc.constantFrom('signup', 'outbound', 'list_hygiene', null),
    acceptsAllOdds: fc.oneof(fc.constant(1), fc.double({ min: 0.02, max: 50, noNaN: true })),
    domain: levels(16),
    list: levels(11),
  })
  .map(({ model, input, purpose, acceptsAllOdds, domain, list }) => {
    const later = <T extends { readonly at: number }>(all: readonly T[]): T[] =>
      all.map((each) => ({ ...each, at: each.at + NOW }));
    const { host, features: shown } = input;
    const of: FirstStateInput = {
      host,
      features: shown,
      purpose,
      acceptsAllOdds,
      around: { domain, list },
      own: null,
      isOwnList: false,
      now: NOW,
    };
    const inputs: PosteriorInputs = {
      model,
      host,
      certain: false,
      features: shown,
      first: firstState(model, of),
      answers: usedAnswers(later(input.answers), NOW),
      reports: later(input.reports),
      proofs: later(input.proofs),
      now: NOW,
    };
    return { of, inputs, [fc.toStringMethod]: () => fc.stringify({ ...of, ...inputs, model: model.version }) };
  });
