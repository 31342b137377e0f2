import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Features, Trace } from '../../../src/contract/traces.ts';
import { Purpose } from '../../../src/contract/vocabulary.ts';
import { computePosterior } from '../../../src/domain/answer/conclusion.ts';
import { LOSSES, lossesBody } from '../../../src/domain/router/losses.ts';
import { MODEL, type Model } from '../../../src/domain/belief/model.ts';
import { inputsOf, replay } from '../../../src/domain/answer/replay.ts';
import { seenIn } from '../../../src/domain/verification/replay.ts';
import { replayable } from '../../../src/services/verification/trace-features.ts';
import { inputOf } from '../../support/any-belief.ts';
import { anyCase, NOW } from './any-case.ts';

/** Figures that the number does not follow from. */
const BESIDE: Pick<Features, 'disposable_by' | 'accepts_all_odds' | 'evidence' | 'losses'> = {
  disposable_by: null,
  accepts_all_odds: 1,
  evidence: [],
  losses: { version: 0, ...lossesBody(LOSSES.outbound) },
};

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
            ...BESIDE,
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
});

type Replayable = Parameters<typeof replay>[0];
const FEATURES: Features = {
  ...replayable({ ...inputOf(), certain: false }, []),
  mx_provider: 'google',
  gateway: false,
  mail_hosts: 'found',
  ...BESIDE,
};
/** A verification for outbound mail that one provider has answered, with its losses. */
const STORED: Replayable = {
  features: FEATURES,
  providers: { kickbox: { verdict: 'deliverable', ms: 1, cost: 0, reason: null } },
  reasons: [],
  context: { purpose: 'outbound' },
  degraded: false,
};

describe('what a trace kept of the address', () => {
  const outcomes: Features['known_outcomes'] = [
    { class: 'user_unknown', age_s: 5, source: 'ab12' },
    { class: 'paid', age_s: 3 },
    { class: 'delivered', age_s: 2 },
  ];

  it('comes back as reports, each with its source where that was kept, and proofs, by age', () => {
    const { reports, proofs } = seenIn({ ...FEATURES, known_outcomes: outcomes }, {});
    expect(reports).toEqual([
      { class: 'user_unknown', at: -5_000, source: 'ab12' },
      { class: 'delivered', at: -2_000 },
    ]);
    expect(proofs).toEqual([{ class: 'paid', at: -3_000 }]);
  });

  it('is judged by how often the source of a report errs', () => {
    const erring: Model = { ...MODEL, history: { ...MODEL.history, sources: { ab12: 0.5 } } };
    const trace = { ...STORED, features: { ...FEATURES, known_outcomes: outcomes.slice(0, 1) } };
    const without = { ...STORED, features: { ...FEATURES, known_outcomes: [] } };
    const at = (of: Replayable, model: Model) => replay(of, model)?.belief.probability ?? Number.NaN;
    expect(at(trace, MODEL)).toBeGreaterThan(0.5);
    expect(at(trace, erring)).toBeCloseTo(at(without, erring), 2);
  });
});

describe('a trace that has lost a part of its detail', () => {
  it.each<[what: string, change: Partial<Replayable>]>([
    ['its features', { features: null }],
    ['its receipts', { providers: null }],
    ['its reasons', { reasons: null }],
  ])('can’t be replayed: %s', (_, change) => {
    expect(replay({ ...STORED, ...change }, MODEL)).toBeNull();
    expect(inputsOf({ ...STORED, ...change }, MODEL)).toBeNull();
  });

  it('gives the figures behind the number as long as it has all of it', () => {
    const inputs = inputsOf(STORED, MODEL);
    if (inputs === null) throw new Error('the trace has its detail');
    expect(replay(STORED, MODEL)).toMatchObject(computePosterior(inputs));
  });
});

describe('the words of a trace', () => {
  const words = (change: Partial<Replayable> = {}) => replay({ ...STORED, ...change }, MODEL)?.words;

  it('follow from the number, its purpose and the losses that were kept', () => {
    expect(words()).toEqual({ verdict: 'likely_valid', recommendation: 'send' });
    for (const purpose of Purpose.options) {
      const losses = { version: 1, bounce: 100, contact_lost: 50, held_good: 0, held_bad: 0 };
      const dear = { ...FEATURES, losses };
      expect(words({ features: dear, context: { purpose } })?.recommendation).toBe(
        purpose === 'signup' ? 'challenge' : 'hold',
      );
    }
  });

  it('say that nothing was learnt where the answer was degraded', () => {
    expect(words({ degraded: true })?.verdict).toBe('unknown');
  });

  it('are to drop where one of several findings ended the verification, and only there', () => {
    expect(words({ reasons: ['mx_unresolved', 'disposable_domain'] })?.recommendation).toBe('drop');
    expect(words({ reasons: ['mx_unresolved', 'disposable_suspected'] })?.recommendation).toBe('send');
  });

  it.each<[what: string, change: Partial<Replayable>]>([
    ['purpose', { context: {} }],
    ['context', { context: null }],
  ])('are not told without its %s', (_, change) => {
    const replayed = replay({ ...STORED, ...change }, MODEL);
    expect(replayed?.words).toBeNull();
    expect(replayed?.belief).toEqual(replay(STORED, MODEL)?.belief);
  });
});
