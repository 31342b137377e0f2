import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Features } from '../../../src/contract/traces.ts';
import { Purpose } from '../../../src/contract/vocabulary.ts';
import { computePosterior } from '../../../src/domain/answer/conclusion.ts';
import { factsIn, inputsOf, replay } from '../../../src/domain/answer/replay.ts';
import { verdictOf } from '../../../src/domain/answer/answer-shown.ts';
import { MODEL } from '../../../src/domain/belief/model.ts';
import {
  LOSSES,
  SERVICE_LOSSES,
  groundsFrom,
  lossesBody,
  recommend,
  stakesOf,
} from '../../../src/domain/router/losses.ts';
import { replayable } from '../../../src/domain/answer/trace-of.ts';
import { inputOf } from '../../support/any-belief.ts';
import { anyCase, NOW } from './any-case.ts';

/** Figures that the probability doesn't depend on. */
const BESIDE: Omit<Features, keyof ReturnType<typeof replayable>> = {
  mx_provider: null,
  gateway: false,
  mail_hosts: 'found',
  disposable_by: null,
  accepts_all_odds: 1,
  evidence: [],
  losses: { version: 0, ...lossesBody(LOSSES.outbound) },
};

type Replayable = Parameters<typeof replay>[0];
const SIGNALS: NonNullable<Replayable['signals']> = {
  syntax: true,
  mx: true,
  disposable: false,
  role_account: false,
  catch_all: false,
  relay_alias: false,
};

describe('a trace', () => {
  it('gives the number, its interval and its words again, from its features and receipts alone', () => {
    fc.assert(
      fc.property(anyCase, fc.boolean(), fc.boolean(), ({ inputs }, isFile, isWarned) => {
        const concluded = computePosterior(inputs);
        const purpose = inputs.purpose as Purpose;
        const isFresh = ({ at }: { readonly at: number }): boolean => at === NOW;
        const stored = inputs.answers.filter((answer) => !isFresh(answer));
        const trace: Replayable = {
          features: {
            ...replayable(inputs, stored),
            ...BESIDE,
            losses: { version: 0, ...lossesBody(LOSSES[purpose]) },
          },
          providers: Object.fromEntries(
            inputs.answers
              .filter(isFresh)
              .map(({ provider, verdict }) => [provider, { verdict, ms: 1, cost: 0, reason: null }]),
          ),
          reasons: [],
          context: { purpose },
          verdict: verdictOf(concluded.belief, false),
          kind: isFile ? 'bulk' : 'verify',
          signals: { ...SIGNALS, ...(isWarned && { warning: 'spam_trap' as const }) },
        };
        const grounds = groundsFrom({ ...inputs, isFile, warning: isWarned ? 'spam_trap' : null });
        expect(replay(JSON.parse(JSON.stringify(trace)) as Replayable, inputs.model)).toEqual({
          ...concluded,
          verdict: trace.verdict,
          recommendation: recommend(concluded.belief, stakesOf(SERVICE_LOSSES, purpose), grounds, false),
        });
      }),
      { numRuns: 1_000 },
    );
  });
});

const FEATURES: Features = { ...replayable({ ...inputOf(), certain: false }, []), ...BESIDE };
/** A verification for outbound mail that one provider has answered, with its losses. */
const STORED: Replayable = {
  features: FEATURES,
  providers: { kickbox: { verdict: 'deliverable', ms: 1, cost: 0, reason: null } },
  reasons: [],
  context: { purpose: 'outbound' },
  verdict: 'valid',
  kind: 'verify',
  signals: SIGNALS,
};

describe('what a trace kept of the address', () => {
  const outcomes: Features['known_outcomes'] = [
    { class: 'user_unknown', age_s: 5, source: 'ab12', wrong: 0.5 },
    { class: 'paid', age_s: 3 },
    { class: 'delivered', age_s: 2 },
  ];

  it('comes back as reports, each with its source where that was kept, and proofs, by age', () => {
    const { reports, proofs } = factsIn({ ...FEATURES, known_outcomes: outcomes }, {});
    expect(reports).toMatchObject([
      { class: 'user_unknown', at: -5_000, source: 'ab12' },
      { class: 'delivered', at: -2_000 },
    ]);
    expect(proofs).toEqual([{ class: 'paid', at: -3_000 }]);
  });

  it('recognises a full mailbox by the receipt’s reason', () => {
    const full = { kickbox: { verdict: 'risky', ms: 1, cost: 0, reason: 'mailbox_full' } } as const;
    expect(factsIn(FEATURES, full).answers).toMatchObject([{ provider: 'kickbox', full: true }]);
  });

  it('is judged by how often the source of a report erred then', () => {
    const trace = (some: Features['known_outcomes']) => ({
      ...STORED,
      features: { ...FEATURES, known_outcomes: some },
    });
    const at = (some: Features['known_outcomes']) => replay(trace(some), MODEL)?.belief.probability ?? Number.NaN;
    expect(at([{ class: 'user_unknown', age_s: 5 }])).toBeGreaterThan(0.3);
    expect(at(outcomes.slice(0, 1))).toBeCloseTo(at([]), 2);
  });
});

describe('a trace that has lost a part of its detail', () => {
  it.each<[what: string, change: Partial<Replayable>]>([
    ['its features', { features: null }],
    ['its receipts', { providers: null }],
    ['its reasons', { reasons: null }],
    ['its context', { context: null }],
    ['its purpose', { context: {} }],
  ])('can’t be replayed: %s', (_, change) => {
    expect(replay({ ...STORED, ...change }, MODEL)).toBeNull();
  });

  it('gives the figures behind the number as long as it has all of it', () => {
    const inputs = inputsOf(STORED, MODEL);
    if (inputs === null) throw new Error('the trace has its detail');
    expect(replay(STORED, MODEL)).toMatchObject(computePosterior(inputs));
  });
});

describe('the words of a trace', () => {
  const words = (change: Partial<Replayable> = {}) => replay({ ...STORED, ...change }, MODEL);

  it('follow from the number, its purpose and the losses that were kept', () => {
    expect(words()).toMatchObject({ verdict: 'valid', recommendation: 'send' });
    for (const purpose of Purpose.options) {
      const losses = { version: 1, bounce: 100, contact_lost: 50, held_good: 0, held_bad: 0 };
      const dear = { ...FEATURES, losses };
      expect(words({ features: dear, context: { purpose } })?.recommendation).toBe(
        purpose === 'signup' ? 'challenge' : 'hold',
      );
    }
  });

  it('say `unknown` where the answer did', () => {
    expect(words({ verdict: 'unknown' })?.verdict).toBe('unknown');
  });

  it('are to drop where one of several findings ended the verification, and only there', () => {
    expect(words({ reasons: ['mx_unresolved', 'disposable_domain'] })?.recommendation).toBe('drop');
    expect(words({ reasons: ['mx_unresolved', 'disposable_suspected'] })?.recommendation).toBe('send');
  });
});
