import { describe, expect, it } from 'vitest';
import { SKIPPED_ROW } from '../../../../src/domain/bulk/csv/address-file.ts';
import { cellsMaker, headerCells, segment } from '../../../../src/domain/bulk/results/segments.ts';
import type { RowKind } from '../../../../src/domain/bulk/results/row-result.ts';
import { idFromBytes } from '../../../../src/kernel/ids.ts';

type Checked = Extract<RowKind, { status: 'ok' }>;
const result = (change: Partial<Checked> = {}): Checked => ({
  status: 'ok',
  verdict: 'risky',
  bounceProbability: 0.3,
  recommendation: 'hold',
  reason: null,
  emailType: 'free',
  esp: 'consumer_esp',
  mailboxType: 'consumer',
  actorClass: 'human_mailbox',
  disposable: false,
  roleAccount: true,
  catchAll: false,
  relayAlias: true,
  meantDomain: null,
  basis: 'local',
  warning: null,
  decision: null,
  ...change,
});
const decided = (decision: NonNullable<Checked['decision']>['decision']): Checked =>
  result({ decision: { decision, ruleId: 'r1' }, recommendation: 'send' });

const ROWS: readonly (readonly [string, RowKind | null, without: readonly string[], withPolicy: readonly string[]])[] =
  [
    ['send', result({ recommendation: 'send' }), ['deliverable'], []],
    ['drop', result({ recommendation: 'drop' }), ['undeliverable'], []],
    ['a terminal reason', result({ recommendation: 'drop', reason: 'no_mx' }), ['undeliverable'], []],
    ['a reason that only informs', result({ reason: 'mx_unresolved' }), ['review'], []],
    ['hold', result(), ['review'], []],
    ['challenge', result({ recommendation: 'challenge' }), ['review'], []],
    ['business', result({ emailType: 'business', recommendation: 'send' }), ['deliverable', 'business'], ['business']],
    ['decision allow', decided('allow'), ['deliverable'], ['allow']],
    ['decision allow_with_flow', decided('allow_with_flow'), ['deliverable'], ['allow']],
    ['decision review', decided('review'), ['deliverable'], ['review']],
    ['decision challenge', decided('challenge'), ['deliverable'], ['review']],
    ['decision deny', decided('deny'), ['deliverable'], ['deny']],
    ['error', { status: 'error' }, [], []],
    ['not reached', null, [], []],
  ];
const TRACE = idFromBytes('vr', new Uint8Array(16));
const NAMES = ['deliverable', 'undeliverable', 'review', 'business', 'allow', 'deny'];

describe('segments', () => {
  it.each(ROWS)('of a row with %s', (_, row, without, withPolicy) => {
    const segmentsOf = (hasPolicy: boolean) => NAMES.filter((name) => segment(name, hasPolicy)?.(row));
    expect([segmentsOf(false), segmentsOf(true)]).toEqual([without, withPolicy]);
  });

  const UNKNOWN: readonly (readonly [string, boolean])[] = [
    ...['allow', 'deny', '', 'Business', 'constructor', '__proto__', 'toString', 'hasOwnProperty'].map(
      (name) => [name, false] as const,
    ),
    ...['deliverable', 'undeliverable', 'constructor', '__proto__'].map((name) => [name, true] as const),
  ];
  it.each(UNKNOWN)('%j (policy: %s) is not a segment', (name, hasPolicy) =>
    expect(segment(name, hasPolicy)).toBeNull(),
  );
});

const CORRECTIONS: ReadonlyMap<number, string> = new Map([
  [7, 'ada@gmail.com'],
  [8, '=1+1@gmail.com'],
]);

describe('the new cells', () => {
  const cellsOf = (number: number, kind: RowKind | null, hasPolicy: boolean): string[] => {
    const { shared, own } = cellsMaker(hasPolicy, CORRECTIONS)(number, kind && { kind, traceId: TRACE });
    return [...shared, ...own];
  };
  const object = (number: number, row: RowKind | null, hasPolicy: boolean) => {
    const cells = cellsOf(number, row, hasPolicy);
    expect(cells).toHaveLength(headerCells(hasPolicy).length);
    return Object.fromEntries(headerCells(hasPolicy).map((name, i) => [name, cells[i]]));
  };

  it('are under the documented names, in their order', () => {
    const names =
      'svc_status svc_verdict svc_bounce_probability svc_recommendation svc_reason svc_email_type svc_esp svc_mailbox_type svc_actor_class svc_disposable svc_role_account svc_catch_all svc_relay_alias svc_trace_id svc_did_you_mean svc_basis svc_warning';
    expect(headerCells(false)).toEqual(names.split(' '));
    expect(headerCells(true)).toEqual(
      names.replace('svc_trace_id', 'svc_decision svc_decision_rule svc_trace_id').split(' '),
    );
  });

  it('say what was found', () => {
    expect(object(3, { ...decided('deny'), reason: 'no_mx' }, true)).toMatchObject({
      svc_status: 'ok',
      svc_verdict: 'risky',
      svc_bounce_probability: '0.3',
      svc_reason: 'no_mx',
      svc_disposable: 'false',
      svc_role_account: 'true',
      svc_decision: 'deny',
      svc_decision_rule: 'r1',
      svc_trace_id: TRACE,
    });
    expect(object(3, result(), false)).toMatchObject({ svc_reason: '', svc_recommendation: 'hold' });
  });

  it('tell the corrected address of a typo, which is not a formula either', () => {
    const corrections = [7, 8, 9].map((number) => object(number, result(), true).svc_did_you_mean);
    expect(corrections).toEqual(['ada@gmail.com', "'=1+1@gmail.com", '']);
    expect(headerCells(true).at(-3)).toBe('svc_did_you_mean');
  });

  it('are one object for rows of one kind, so that they are written out once', () => {
    const cells = cellsMaker(false, CORRECTIONS);
    const kind = result();
    const [one, other] = [1, 2].map((number) => cells(number, { kind, traceId: TRACE }));
    expect(one?.shared).toBe(other?.shared);
  });

  const EMPTY: readonly (readonly [string, number, RowKind | null])[] = [
    ['skipped', SKIPPED_ROW, null],
    ['error', 1, { status: 'error' }],
    ['', 1, null],
  ];
  it.each(EMPTY)('are empty but for the status %j', (status, number, row) => {
    expect(new Set(cellsOf(number, row, true).slice(1))).toEqual(new Set(['']));
    expect(cellsOf(number, row, true)[0]).toBe(status);
  });

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '\uff1d1'])('are never a formula: %j', (ruleId) => {
    const { svc_decision_rule: cell = '' } = object(1, result({ decision: { decision: 'deny', ruleId } }), true);
    expect(cell).toBe(`'${ruleId}`);
  });
});
