import { describe, expect, it } from 'vitest';
import type { KnownAnswer } from '../../../src/domain/belief/facts.ts';
import type { DeliveryClass, DeliveryReport } from '../../../src/domain/belief/facts.ts';
import { isInTime } from '../../../src/domain/belief/facts.ts';
import { listOfCalls, sourceTag } from '../../../src/domain/belief/names.ts';
import { keptReports, withLearnt } from '../../../src/domain/verification/history-merge.ts';
import type { ProviderId, ProviderVerdict } from '../../../src/domain/belief/provider.ts';
import { DAY_MS } from '../../../src/kernel/clock.ts';
import { learnt, sight } from '../../support/histories.ts';

const said = (at: number, verdict: ProviderVerdict, provider: ProviderId = 'kickbox'): KnownAnswer => ({
  provider,
  verdict,
  catch_all: null,
  at,
});
const report = (at: number, kind: DeliveryClass, of = `vr_${at}`): DeliveryReport => ({
  class: kind,
  at,
  of,
  source: 'key_1',
});
const answersAfter = (...answers: KnownAnswer[]) =>
  answers
    .reduce<ReturnType<typeof withLearnt> | null>(
      (known, each) => withLearnt(known, learnt({ answers: [each] }), null),
      null,
    )
    ?.answers.map(({ at, verdict }) => [at, verdict]);

describe('the answers of an address', () => {
  const NEWEST: [what: string, KnownAnswer[], kept: [number, ProviderVerdict][]][] = [
    ['the newest of a provider stays', [said(1, 'risky'), said(2, 'deliverable')], [[2, 'deliverable']]],
    ['an older one that comes late changes nothing', [said(2, 'risky'), said(1, 'deliverable')], [[2, 'risky']]],
    ['a time-out does not erase a refusal', [said(1, 'undeliverable'), said(2, 'unknown')], [[1, 'undeliverable']]],
    ['an answer replaces a time-out', [said(1, 'unknown'), said(2, 'risky')], [[2, 'risky']]],
    ['an older answer too', [said(2, 'unknown'), said(1, 'risky')], [[1, 'risky']]],
    ['the newest time-out stays while it is alone', [said(1, 'unknown'), said(2, 'unknown')], [[2, 'unknown']]],
    [
      'of two providers both stay',
      [said(1, 'risky'), said(2, 'risky', 'hunter')],
      [
        [1, 'risky'],
        [2, 'risky'],
      ],
    ],
    [
      'stand in order of time, whichever came first',
      [said(3, 'risky'), said(1, 'risky', 'hunter'), said(2, 'risky', 'bouncer')],
      [
        [1, 'risky'],
        [2, 'risky'],
        [3, 'risky'],
      ],
    ],
  ];
  it.each(NEWEST)('%s', (_, answers, kept) => {
    expect(answersAfter(...answers)).toEqual(kept);
  });
});

describe('the reports of an address', () => {
  const classes = (...reports: DeliveryReport[]) => keptReports(reports).map((each) => each.class);

  it('count once for each message, the last', () => {
    expect(classes(report(2, 'user_unknown', 'vr_a'), report(1, 'soft', 'vr_a'))).toEqual(['user_unknown']);
  });

  it('stand in order of time, a message by its last report', () => {
    const twice = [report(1, 'soft', 'vr_a'), report(2, 'delivered', 'vr_b'), report(3, 'user_unknown', 'vr_a')];
    for (const reports of [twice, twice.toReversed()]) expect(keptReports(reports).map(({ at }) => at)).toEqual([2, 3]);
  });

  it('are the last eight', () => {
    const ten = Array.from({ length: 10 }, (_, at) => report(at, 'delivered'));
    expect(keptReports(ten).map(({ at }) => at)).toEqual([2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it('of full mailboxes and passing failures are the newest of each: many push no refusal out', () => {
    const many = Array.from({ length: 20 }, (_, at) => report(10 + at, at % 2 === 0 ? 'soft' : 'full'));
    expect(classes(report(1, 'user_unknown'), ...many)).toEqual(['user_unknown', 'soft', 'full']);
  });

  it('name who reported by a tag', () => {
    expect(keptReports([report(1, 'soft')])).toEqual([{ class: 'soft', at: 1, source: sourceTag('key_1') }]);
    expect(sourceTag('key_1')).toMatch(/^[0-9a-f]{4}$/);
    expect(sourceTag('key_2')).not.toBe(sourceTag('key_1'));
  });

  it.each([
    ['400 days old', -400 * DAY_MS, false],
    ['almost 400 days old', 1 - 400 * DAY_MS, true],
    ['of a clock a minute ahead', 60_000, true],
    ['of the future', 60_001, false],
  ])('%s: counts or not', (_, at, counts) => {
    expect(isInTime(at, 0)).toBe(counts);
  });
});

describe('the list of single calls', () => {
  it('is one for each key and purpose', () => {
    const lists = ['key_1', 'key_2'].flatMap((key) => [listOfCalls(key, 'signup'), listOfCalls(key, 'outbound')]);
    expect(new Set(lists).size).toBe(4);
    expect(listOfCalls('key_1', 'signup')).toBe(lists[0]);
  });
});

describe('an address', () => {
  it('stays in the list that it was first seen in, as what it was first seen', () => {
    const known = withLearnt(null, learnt({ answers: [said(1, 'risky')] }), null);
    const elsewhere = sight('ada', { list: 'f'.repeat(32), host: 'unresolved_business', purpose: 'outbound' });
    const later = withLearnt(known, learnt({ sight: elsewhere, answers: [said(2, 'risky')] }), null);
    expect(later).toMatchObject({ list: known.list, host: known.host, purpose: known.purpose });
  });

  it('was first seen when the oldest report says', () => {
    const reported = withLearnt(null, learnt(), [report(sight().at - DAY_MS, 'delivered')]);
    expect(reported.firstSeenAt).toBe(sight().at - DAY_MS);
  });

  it('keeps the newest proof of each kind', () => {
    const proofs = [
      { class: 'confirmed', at: 5 },
      { class: 'paid', at: 6 },
      { class: 'confirmed', at: 4 },
      { class: 'paid', at: 7 },
    ] as const;
    const all = proofs.reduce<ReturnType<typeof withLearnt> | null>(
      (known, proof) => withLearnt(known, learnt({ proof }), null),
      null,
    );
    expect(all?.proofs).toEqual([
      { class: 'confirmed', at: 5 },
      { class: 'paid', at: 7 },
    ]);
  });

  it('is the same after a proof that it has already', () => {
    const after = (known: ReturnType<typeof withLearnt> | null, kind: 'confirmed' | 'paid') =>
      withLearnt(known, learnt({ proof: { class: kind, at: 5 } }), null);
    const both = after(after(null, 'confirmed'), 'paid');
    for (const kind of ['confirmed', 'paid'] as const) expect(after(both, kind)).toEqual(both);
  });
});
