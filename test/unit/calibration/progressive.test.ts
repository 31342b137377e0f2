import { describe, expect, it } from 'vitest';
import type { Features, Trace } from '../../../src/contract/traces.ts';
import type { Purpose } from '../../../src/contract/vocabulary.ts';
import { type Answered, progressive } from '../../../src/domain/calibration/progressive.ts';
import { type FirstState, strangerState } from '../../../src/domain/verification/first-state.ts';
import { SEEDED_MODEL as MODEL, type Model } from '../../../src/domain/verification/model.ts';
import { believe } from '../../../src/domain/verification/posterior.ts';
import { inputsOf } from '../../../src/domain/verification/replay.ts';
import { TRACE_DETAIL } from '../../support/records.ts';

const HOST = 'google_business';
const DAY_S = 86_400;

/** What a trace may know, beside what one vendor said to its request. */
interface Known {
  readonly first?: FirstState;
  readonly address?: Partial<Pick<Features, 'known_answers' | 'known_outcomes'>>;
  readonly purpose?: Purpose | null;
}

/** The account's own neighbours: its domain mostly bounces. */
const AROUND: FirstState = { acceptsAll: 0.1, deadStrict: 0.7, deadAcceptsAll: 0.4, variance: 0.5 };
const ADDRESS: { [K in keyof NonNullable<Known['address']>]-?: NonNullable<Features[K]> } = {
  known_answers: [{ provider: 'zerobounce', verdict: 'undeliverable', age_s: 5 * DAY_S }],
  known_outcomes: [
    { class: 'user_unknown', age_s: 4 * DAY_S },
    { class: 'confirmed', age_s: 9 * DAY_S },
  ],
};

function traceOf({ first, address, purpose = 'outbound' }: Known = {}): Answered['trace'] {
  const { acceptsAll, deadStrict, deadAcceptsAll, variance } = first ?? strangerState(MODEL, HOST, purpose, 0);
  return {
    features: {
      ...TRACE_DETAIL.features,
      model_version: MODEL.version,
      host_class: HOST,
      neighbours: { accepts_all: acceptsAll, dead_strict: deadStrict, dead_accepts_all: deadAcceptsAll, var: variance },
      ...address,
    },
    providers: { kickbox: { verdict: 'deliverable', ms: 1, cost: 0, reason: null } },
    reasons: [],
    context: purpose === null ? null : { purpose },
  };
}

const modelOf = (version: string): Model | null => (version === MODEL.version ? MODEL : null);
const validated = (answered: readonly Answered[]) => {
  const found = progressive(answered, modelOf);
  if (found === null) throw new Error('there are outcomes');
  return found;
};
const lossesOf = (known: Known, bounced = true) => validated([{ trace: traceOf(known), bounced }]).log_loss;

/** The number as it was answered, from all of its trace. */
function answerOf(trace: Answered['trace']): number {
  const inputs = inputsOf(trace, MODEL);
  if (inputs === null) throw new Error('the trace has its detail');
  return believe(inputs).probability;
}

describe('answers held against what came of them', () => {
  it('lose what the number lost that was answered: −ln of the probability given to what happened', () => {
    const trace = traceOf({ first: AROUND, address: ADDRESS });
    const given = answerOf(trace);
    expect(validated([{ trace, bounced: true }]).log_loss.all).toBeCloseTo(-Math.log(given), 12);
    expect(validated([{ trace, bounced: false }]).log_loss.all).toBeCloseTo(-Math.log(1 - given), 12);
  });

  it('lose the mean over all of them, by each reading, and are counted', () => {
    const [one, other] = [
      { trace: traceOf({ first: AROUND }), bounced: true },
      { trace: traceOf({ address: ADDRESS }), bounced: false },
    ];
    const both = validated([one, other]);
    expect(both.outcomes).toBe(2);
    const [left, right] = [validated([one]).log_loss, validated([other]).log_loss];
    for (const by of ['without', 'address', 'neighbours', 'all'] as const)
      expect(both.log_loss[by]).toBeCloseTo(((left[by] ?? Number.NaN) + (right[by] ?? Number.NaN)) / 2, 12);
  });
});

describe('what each reading reads', () => {
  it('is the same of all four where nothing is known of address and neighbours', () => {
    const { without, address, neighbours, all } = lossesOf({});
    expect(all).toBeCloseTo(-Math.log(answerOf(traceOf())), 12);
    for (const same of [without, address, neighbours]) expect(same).toBeCloseTo(all ?? Number.NaN, 12);
  });

  it.each<[what: string, address: NonNullable<Known['address']>]>([
    ['an earlier answer', { known_answers: ADDRESS.known_answers }],
    ['a delivery report', { known_outcomes: ADDRESS.known_outcomes.slice(0, 1) }],
    ['a proof of life', { known_outcomes: ADDRESS.known_outcomes.slice(1) }],
  ])('is %s by `address` and `all` alone', (_, address) => {
    const [before, after] = [lossesOf({ first: AROUND }), lossesOf({ first: AROUND, address })];
    expect(after.without).toBe(before.without);
    expect(after.neighbours).toBe(before.neighbours);
    expect(Math.abs((after.address ?? 0) - (before.address ?? 0))).toBeGreaterThan(0.01);
    expect(Math.abs((after.all ?? 0) - (before.all ?? 0))).toBeGreaterThan(0.01);
  });

  it('is domain and list by `neighbours` and `all` alone, which expect the more bounces where these bounce', () => {
    const [before, after] = [lossesOf({ address: ADDRESS }), lossesOf({ first: AROUND, address: ADDRESS })];
    expect(after.without).toBe(before.without);
    expect(after.address).toBe(before.address);
    expect(after.neighbours).toBeLessThan(before.neighbours ?? Number.NaN);
    expect(after.all).toBeLessThan(before.all ?? Number.NaN);
  });

  it('is all of it by `all`, and the rest by each other one', () => {
    const { without, address, neighbours } = lossesOf({ first: AROUND, address: ADDRESS });
    expect(address).toBe(lossesOf({ address: ADDRESS }).address);
    expect(address).toBeCloseTo(lossesOf({ address: ADDRESS }).all ?? Number.NaN, 12);
    expect(neighbours).toBeCloseTo(lossesOf({ first: AROUND }).all ?? Number.NaN, 12);
    expect(without).toBeCloseTo(lossesOf({}).all ?? Number.NaN, 12);
  });

  it('is what vendors said to the request, by all four', () => {
    const silent = validated([{ trace: { ...traceOf(), providers: {} }, bounced: true }]).log_loss;
    for (const by of ['without', 'address', 'neighbours', 'all'] as const)
      expect(silent[by]).toBeLessThan((lossesOf({})[by] ?? Number.NaN) - 0.1);
  });

  it.each(['signup', 'outbound', 'list_hygiene', null] as const)('is the purpose by all four: %s', (purpose) => {
    const trace = traceOf({ purpose });
    const { without, address } = validated([{ trace, bounced: true }]).log_loss;
    expect(without).toBeCloseTo(-Math.log(answerOf(trace)), 12);
    expect(address).toBeCloseTo(-Math.log(answerOf(trace)), 12);
  });
});

describe('an answer that can’t be made again', () => {
  const usual: Answered = { trace: traceOf({ first: AROUND }), bounced: true };
  const { features } = usual.trace;
  it.each<[why: string, change: Partial<Pick<Trace, 'features' | 'providers' | 'reasons'>>]>([
    ['its features are gone', { features: null }],
    ['its receipts are gone', { providers: null }],
    ['its model is gone', { features: features && { ...features, model_version: 'gone' } }],
    ['a finding settled it', { reasons: ['no_mx'] }],
  ])('is left out: %s', (_, change) => {
    const unusable: Answered = { trace: { ...usual.trace, ...change }, bounced: false };
    expect(progressive([unusable], modelOf)).toBeNull();
    expect(progressive([unusable, usual], modelOf)).toEqual(validated([usual]));
  });

  it('leaves nothing to say, without any other', () => {
    expect(progressive([], modelOf)).toBeNull();
  });
});
