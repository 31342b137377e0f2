import { describe, expect, it } from 'vitest';
import type { Features } from '../../../src/contract/traces.ts';
import { MODEL, modelOf } from '../../../src/domain/belief/model.ts';
import { bounceProbability } from '../../../src/domain/belief/posterior.ts';
import { type Answered, numbersReport } from '../../../src/domain/feedback/calibration.ts';
import { LOSSES, lossesBody } from '../../../src/domain/router/losses.ts';
import { replayable } from '../../../src/domain/answer/trace-of.ts';
import { inputOf } from '../../support/any-belief.ts';

const features = (change: Partial<Features> = {}): Features => ({
  ...replayable({ ...inputOf(), certain: false }, []),
  mx_provider: 'google',
  gateway: false,
  mail_hosts: 'found',
  disposable_by: null,
  accepts_all_odds: 1,
  evidence: [],
  losses: { version: 0, ...lossesBody(LOSSES.outbound) },
  ...change,
});
/** An answer with this probability, and whether the message bounced. */
const answered = (probability: number, bounced: boolean, trace: Partial<Answered['trace']> = {}): Answered => ({
  bounced,
  trace: {
    features: features(),
    providers: {},
    reasons: [],
    context: { purpose: 'outbound' },
    bounce_probability: probability,
    confidence_interval: [probability / 2, Math.min(1, 2 * probability)],
    ...trace,
  },
});
const report = (all: readonly Answered[], isFitted = true) => numbersReport(all, isFitted, modelOf);
const many = (count: number, each: (place: number) => Answered): Answered[] =>
  Array.from({ length: count }, (_, at) => each(at));

describe('the report on the numbers that were given', () => {
  it('is empty without outcomes', () => {
    expect(report([], false)).toEqual({
      version: MODEL.version,
      state: 'prior',
      outcomes: 0,
      hard_bounces: 0,
      log_loss: { prior: null, fitted: null },
      coverage: null,
      bins: [],
    });
  });

  it('holds each number as it was given against what came after it', () => {
    const { outcomes, hard_bounces, log_loss, bins } = report([answered(0.2, true), answered(0.2, false)]);
    expect({ outcomes, hard_bounces }).toEqual({ outcomes: 2, hard_bounces: 1 });
    expect(log_loss.fitted).toBeCloseTo(-(Math.log(0.2) + Math.log(0.8)) / 2, 12);
    expect(bins).toMatchObject([{ predicted: 0.2, observed: 0.5, count: 2 }]);
  });

  it('sets beside them what the table says of the same request: its answers, not what the account knew', () => {
    const table = bounceProbability(inputOf());
    const known = {
      known_outcomes: [{ class: 'user_unknown', age_s: 86_400 }] as Features['known_outcomes'],
      neighbours: { accepts_all: 0.1, dead_strict: 0.9, dead_accepts_all: 0.9, var: 1 },
    };
    const { log_loss } = report([answered(0.99, true, { features: features(known) })]);
    expect(log_loss.prior).toBeCloseTo(-Math.log(table), 9);
    const refused = { kickbox: { verdict: 'undeliverable', ms: 1, cost: 0, reason: null } } as const;
    const asked = report([answered(0.8, true, { providers: refused })]);
    const withAnswer = bounceProbability(
      inputOf({ answers: [{ provider: 'kickbox', verdict: 'undeliverable', at: 0 }] }),
    );
    expect(asked.log_loss.prior).toBeCloseTo(-Math.log(withAnswer), 9);
  });

  it.each<[what: string, trace: Partial<Answered['trace']>]>([
    ['a finding settled', { reasons: ['no_mx'] }],
    ['has lost its detail', { features: null }],
    ['follows from tables that are gone', { features: features({ model_version: 'gone' }) }],
  ])('leaves out an answer that %s', (_, trace) => {
    expect(report([answered(0.2, true), answered(0.2, true, trace)]).outcomes).toBe(1);
  });

  it.each<[what: string, bouncedOneIn: number, coverage: number]>([
    ['hold what happens', 5, 1],
    ['don’t', 1, 0],
  ])('tells how often intervals of groups of twenty hold the rate: they %s', (_, bouncedOneIn, coverage) => {
    const all = many(100, (place) => answered(0.2, place % bouncedOneIn === 0));
    expect(report(all).coverage).toBe(coverage);
    expect(report(all.slice(0, 19)).coverage).toBeNull();
  });
});
