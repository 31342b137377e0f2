import { describe, expect, it } from 'vitest';
import { Purpose, type Recommendation } from '../../../src/contract/vocabulary.ts';
import { type JudgedTrace, openLossSimulation } from '../../../src/domain/answer/replay.ts';
import { LOSSES, type LossTable } from '../../../src/domain/router/losses.ts';
import { TRACE_DETAIL } from '../../support/records.ts';

type Detail = NonNullable<JudgedTrace['detail']>;

/** One provider has just said that it accepts mail. */
const DETAIL: Detail = {
  confidenceInterval: [0.03, 0.08],
  signals: TRACE_DETAIL.signals,
  providers: { kickbox: { verdict: 'deliverable', ms: 1, cost: 0, reason: null } },
  features: TRACE_DETAIL.features,
  reasons: [],
  context: { purpose: 'outbound' },
};
const LIKELY_BOUNCES: Pick<JudgedTrace, 'bounceProbability' | 'detail'> = {
  bounceProbability: 0.95,
  detail: {
    ...DETAIL,
    confidenceInterval: [0.9, 0.98],
    providers: { kickbox: { verdict: 'undeliverable', ms: 1, cost: 0, reason: null } },
  },
};
const trace = (id: number, change: Partial<JudgedTrace> = {}): JudgedTrace => ({
  id: `vr_${id}`,
  kind: 'verify',
  recommendation: 'send',
  bounceProbability: 0.05,
  detail: DETAIL,
  ...change,
});
const withDetail = (change: Partial<Detail>): Pick<JudgedTrace, 'detail'> => ({ detail: { ...DETAIL, ...change } });

const simulate = (traces: readonly JudgedTrace[], table: LossTable = LOSSES, usual: Purpose = 'outbound') => {
  const run = openLossSimulation(table, usual);
  run.add(traces);
  return run.result();
};
const NONE: Record<Recommendation, number> = { send: 0, hold: 0, challenge: 0, drop: 0 };
/** What the losses recommend for one trace. */
const word =
  (...given: Parameters<typeof trace>) =>
  (table?: LossTable, usual?: Purpose) =>
    simulate([trace(...given)], table, usual).counts;

/** Losses under which nothing is worth a message, for one purpose. */
const never = (purpose: Purpose): LossTable => ({
  ...LOSSES,
  [purpose]: { bounce: 100, contactLost: 0.001, heldGood: 1, heldBad: 1 },
});

describe('a simulation of losses', () => {
  it('counts nothing before a trace was read', () => {
    expect(simulate([])).toEqual({ traces: 0, counts: NONE, undetermined: 0, changed: [], sample_trace_ids: [] });
  });

  it('counts every trace once, by what it would recommend or as undetermined, over all pages', () => {
    const run = openLossSimulation(LOSSES, 'outbound');
    run.add([trace(1), trace(2, LIKELY_BOUNCES), trace(3, { detail: null })]);
    run.add([trace(4), trace(5, withDetail({ context: { purpose: 'signup' } }))]);
    const { traces, counts, undetermined } = run.result();
    expect({ traces, counts, undetermined }).toEqual({
      traces: 5,
      counts: { ...NONE, send: 3, drop: 1 },
      undetermined: 1,
    });
  });

  it('names the traces whose recommendation would be another, and no other', () => {
    const { changed, sample_trace_ids } = simulate([
      trace(1),
      trace(2, LIKELY_BOUNCES),
      trace(3, { recommendation: 'hold' }),
      trace(4, LIKELY_BOUNCES),
      trace(5, { detail: null }),
    ]);
    expect(changed).toEqual([
      { from: 'send', to: 'drop', count: 2 },
      { from: 'hold', to: 'send', count: 1 },
    ]);
    expect(sample_trace_ids).toEqual(['vr_2', 'vr_3', 'vr_4']);
  });

  it('keeps a result that was read as it was when more traces come', () => {
    const run = openLossSimulation(LOSSES, 'outbound');
    run.add([trace(1)]);
    const first = run.result();
    run.add([trace(2)]);
    expect([first.counts.send, run.result().counts.send]).toEqual([1, 2]);
  });

  it.each<[what: string, JudgedTrace['detail']]>([
    ['all detail', null],
    ['the interval', { ...DETAIL, confidenceInterval: null }],
    ['the features', { ...DETAIL, features: null as never }],
    ['the receipts', { ...DETAIL, providers: null }],
    ['the reasons', { ...DETAIL, reasons: null }],
  ])('leaves a trace undetermined that has lost %s', (_, detail) => {
    const { traces, counts, undetermined } = simulate([trace(1, { detail })]);
    expect({ traces, counts, undetermined }).toEqual({ traces: 1, counts: NONE, undetermined: 1 });
  });

  it.each(Purpose.options)('judges a request for %s by that purpose’s losses alone', (purpose) => {
    const judge = word(1, withDetail({ context: { purpose } }));
    expect(judge()).toEqual({ ...NONE, send: 1 });
    for (const other of Purpose.options) expect(judge(never(other), other).send).toBe(other === purpose ? 0 : 1);
  });

  it.each<[what: string, Detail['context']]>([
    ['named no purpose', {}],
    ['had no context', null],
  ])('judges a request that %s by the usual purpose’s losses', (_, context) => {
    const judge = word(1, withDetail({ context }));
    for (const usual of Purpose.options)
      for (const other of Purpose.options) expect(judge(never(other), usual).send).toBe(other === usual ? 0 : 1);
  });

  it('drops where one of several findings ends a verification, and only there', () => {
    expect(word(1, withDetail({ reasons: ['mx_unresolved', 'disposable_domain'] }))()).toEqual({ ...NONE, drop: 1 });
    expect(word(1, withDetail({ reasons: ['mx_unresolved', 'disposable_suspected'] }))()).toEqual({ ...NONE, send: 1 });
  });

  it('drops on no interval that begins too low: it reads how sure the number was', () => {
    const unsure = { ...LIKELY_BOUNCES, detail: { ...DETAIL, ...LIKELY_BOUNCES.detail, confidenceInterval: [0.1, 1] } };
    expect(word(1, unsure as Partial<JudgedTrace>)()).toEqual({ ...NONE, hold: 1 });
  });

  it('sends nobody whom a provider warned of', () => {
    const signals = { ...(TRACE_DETAIL.signals as NonNullable<Detail['signals']>), warning: 'spam_trap' as const };
    expect(word(1, withDetail({ signals }))()).toEqual({ ...NONE, hold: 1 });
  });
});
