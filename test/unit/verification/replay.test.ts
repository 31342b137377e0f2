import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Trace } from '../../../src/contract/traces.ts';
import { usedAnswers } from '../../../src/domain/verification/answer.ts';
import { computePosterior, type PosteriorInputs } from '../../../src/domain/verification/conclusion.ts';
import { type EvidenceShift, evidenceShifts } from '../../../src/domain/verification/evidence-shifts.ts';
import { type FirstStateInput, firstState, NO_NEIGHBOURS } from '../../../src/domain/verification/first-state.ts';
import type { Levels } from '../../../src/domain/verification/history.ts';
import { SEEDED_MODEL as MODEL, type Model } from '../../../src/domain/verification/model.ts';
import { bounceProbability } from '../../../src/domain/verification/posterior.ts';
import { replay } from '../../../src/domain/verification/replay.ts';
import { replayable } from '../../../src/services/verification/trace-features.ts';
import { anyInput } from '../../support/any-belief.ts';

const NOW = 1_790_000_000_123;

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
const anyCase = fc
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

describe('a trace', () => {
  it('gives the number and its interval again, to six decimals, from its features and receipts alone', () => {
    fc.assert(
      fc.property(anyCase, ({ inputs }) => {
        const { belief, disagreement } = computePosterior(inputs);
        const isFresh = ({ at }: { readonly at: number }): boolean => at === NOW;
        const stored = {
          features: {
            ...replayable(
              inputs,
              inputs.answers.filter((answer) => !isFresh(answer)),
            ),
            mx_provider: null,
            gateway: false,
            mail_hosts: 'found',
            accepts_all_odds: 1,
          },
          providers: Object.fromEntries(
            inputs.answers
              .filter(isFresh)
              .map(({ provider, verdict }) => [provider, { verdict, ms: 1, cost: 0, reason: null }]),
          ),
          reasons: [],
          context: null,
          degraded: false,
        } satisfies Pick<Trace, 'features' | 'providers' | 'reasons' | 'context' | 'degraded'>;
        const replayed = replay(JSON.parse(JSON.stringify(stored)) as typeof stored, inputs.model);
        expect(replayed?.belief).toEqual(belief);
        expect(replayed?.disagreement).toBe(disagreement);
      }),
      { numRuns: 1_000 },
    );
  });

  it('of an earlier release, whose number followed from other figures, can’t be replayed', () => {
    const earlier = {
      features: {
        model_version: 'seed-1',
        host_class: 'google_business',
        mx_provider: 'google' as const,
        gateway: false,
        mail_hosts: 'found' as const,
        known_answers: [],
        accepts_all_odds: 1,
      },
      providers: {},
      reasons: [],
      context: null,
      degraded: false,
    };
    expect(replay(earlier, MODEL)).toBeNull();
  });
});

describe('the evidence of a trace', () => {
  const sum = (shifts: readonly EvidenceShift[]) => shifts.reduce((all, { shift }) => all + shift, 0);
  const logOdds = (probability: number) => Math.log(probability / (1 - probability));

  it('adds up to the log-odds of the probability', () => {
    fc.assert(
      fc.property(anyCase, ({ of, inputs }) => {
        expect(sum(evidenceShifts(inputs, of))).toBeCloseTo(logOdds(bounceProbability(inputs)), 6);
      }),
    );
  });

  it('names what was known, each piece once and with its sign', () => {
    const address = { host: 'google_business', features: ['role'], purpose: 'signup' } as const;
    const of = { ...address, acceptsAllOdds: 1, around: NO_NEIGHBOURS, own: null, isOwnList: false, now: NOW } as const;
    const DAY = 86_400_000;
    const shifts = evidenceShifts(
      {
        model: MODEL,
        host: of.host,
        features: of.features,
        first: firstState(MODEL, of),
        answers: [{ provider: 'kickbox', verdict: 'deliverable', at: NOW }],
        reports: [{ class: 'user_unknown', at: NOW - 10 * DAY }],
        proofs: [{ class: 'confirmed', at: NOW - 5 * DAY }],
        now: NOW,
      },
      of,
    );
    expect(shifts.map(({ code, shift }) => [code, Math.sign(shift)])).toEqual([
      ['stranger', -1],
      ['purpose', -1],
      ['role', 1],
      ['bounced_before', 1],
      ['confirmed', -1],
      ['answer', -1],
      ['age', expect.any(Number)],
    ]);
    expect(shifts.find(({ code }) => code === 'answer')).toMatchObject({ provider: 'kickbox', verdict: 'deliverable' });
  });
});
