import { describe, expect, it } from 'vitest';
import {
  type AddressFacts,
  type DeliveryClass,
  type DeliveryReport,
  isInTime,
  type KnownAnswer,
  type KnownReport,
  newestAt,
  withObservation,
  withReport,
} from '../../../src/domain/belief/facts.ts';
import { listOfCalls, sourceTag } from '../../../src/domain/belief/names.ts';
import type { ProviderId, ProviderVerdict } from '../../../src/domain/belief/provider.ts';
import { DAY_MS, HOUR_MS } from '../../../src/kernel/clock.ts';
import { contextOf, hashOf, observation } from '../../support/addresses.ts';

const said = (at: number, verdict: ProviderVerdict, provider: ProviderId = 'kickbox'): KnownAnswer => ({
  provider,
  verdict,
  at,
});
const report = (at: number, kind: DeliveryClass, of = `vr_${at}`, source = 'key_1'): DeliveryReport => ({
  class: kind,
  at,
  of,
  source,
});
const reportsAfter = (...reports: DeliveryReport[]): readonly KnownReport[] =>
  reports.reduce<readonly KnownReport[]>(withReport, []);
const factsAfter = (...news: Partial<Parameters<typeof observation>[0]>[]): AddressFacts =>
  news.reduce<AddressFacts | null>((known, each) => withObservation(known, observation(each), 0), null) as AddressFacts;

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
    const facts = factsAfter(...answers.map((each) => ({ answers: [each] })));
    expect(facts.answers.map(({ at, verdict }) => [at, verdict])).toEqual(kept);
  });

  it('tell when a provider that has answered was silent since, in any order', () => {
    const all = [said(1, 'risky'), said(2, 'undeliverable'), said(3, 'unknown'), said(4, 'unknown')];
    for (const order of [all, all.toReversed(), [...all, ...all]])
      expect(factsAfter(...order.map((each) => ({ answers: [each] }))).answers).toEqual([
        { ...said(2, 'undeliverable'), silentAt: 4 },
      ]);
    expect(factsAfter({ answers: all }, { answers: [said(5, 'risky')] }).answers).toEqual([said(5, 'risky')]);
  });
});

describe('reports of an address', () => {
  const spansOf = (...reports: DeliveryReport[]) =>
    reportsAfter(...reports).map(({ class: kind, from, at }) => [kind, from ?? at, at]);

  it.each<[kind: DeliveryClass, withinMs: number]>([
    ['user_unknown', 7 * DAY_MS],
    ['refused', 7 * DAY_MS],
    ['full', 7 * DAY_MS],
    ['soft', 7 * DAY_MS],
    ['delivered', DAY_MS],
    ['complaint', DAY_MS],
  ])('%s: of one class count once within their time, in any order, and twice beyond it', (kind, withinMs) => {
    const [first, last] = [report(0, kind), report(withinMs - 1, kind)];
    for (const reports of [
      [first, last],
      [last, first],
    ])
      expect(spansOf(...reports)).toEqual([[kind, 0, withinMs - 1]]);
    expect(spansOf(first, report(withinMs, kind))).toEqual([
      [kind, 0, 0],
      [kind, withinMs, withinMs],
    ]);
  });

  it('count from the first of those that are one: a server that refuses every day is not one refusal for ever', () => {
    const daily = Array.from({ length: 15 }, (_, day) => report(day * DAY_MS, 'user_unknown'));
    expect(spansOf(...daily)).toEqual([
      ['user_unknown', 0, 6 * DAY_MS],
      ['user_unknown', 7 * DAY_MS, 13 * DAY_MS],
      ['user_unknown', 14 * DAY_MS, 14 * DAY_MS],
    ]);
  });

  it('are two when their classes differ, whatever their time', () => {
    expect(spansOf(report(0, 'user_unknown'), report(1, 'delivered'))).toHaveLength(2);
  });

  it('belong to the source that reported first when they are one, and name who confirmed it', () => {
    const by = (source: string, at: number) => report(at, 'user_unknown', `vr_${source}_${at}`, source);
    expect(reportsAfter(by('a', 0), by('b', 1), by('a', 2), by('b', 3))).toMatchObject([
      { from: 0, at: 3, source: 'a', confirmedBy: ['b'] },
    ]);
  });

  it('are one when they are about one message, by a webhook and by an import', () => {
    const [byWebhook, byImport] = [
      report(0, 'user_unknown', 'm', 'con_1'),
      report(9 * DAY_MS, 'user_unknown', 'm', 'import'),
    ];
    expect(reportsAfter(byWebhook, byImport)).toEqual([{ ...byImport, of: ['m'] }]);
  });

  it('replace an earlier one of the same message, in any order', () => {
    const [bounced, delivered] = [report(1, 'user_unknown', 'm'), report(2, 'delivered', 'm')];
    expect(reportsAfter(bounced, delivered)).toEqual([{ ...delivered, of: ['m'] }]);
    expect(reportsAfter(delivered, bounced)).toEqual([{ ...delivered, of: ['m'] }]);
  });

  it('still name each message when they are one: a message delivered after all leaves the others', () => {
    const [one, other] = [report(1, 'user_unknown', 'm'), report(2, 'user_unknown', 'n')];
    const delivered = report(3, 'delivered', 'm');
    expect(reportsAfter(one, other, delivered, delivered)).toEqual([
      { ...other, from: 1, of: ['n'] },
      { ...delivered, of: ['m'] },
    ]);
  });

  it('name the newest eight messages when they are one', () => {
    const many = Array.from({ length: 20 }, (_, at) => report(at, 'user_unknown'));
    expect(reportsAfter(...many)).toMatchObject([{ from: 0, at: 19, of: many.slice(-8).map(({ of }) => of) }]);
  });

  it('are the newest eight, and the newest of each class beside them', () => {
    const many = Array.from({ length: 20 }, (_, place) =>
      report((10 + 8 * place) * DAY_MS, place % 2 === 0 ? 'soft' : 'full'),
    );
    const kept = reportsAfter(report(0, 'user_unknown'), report(DAY_MS, 'delivered'), ...many);
    expect(kept.map(({ class: kind, at }) => [kind, at])).toEqual([
      ['user_unknown', 0],
      ['delivered', DAY_MS],
      ...many.slice(-8).map(({ class: kind, at }) => [kind, at]),
    ]);
  });

  it('are the same eight in any order: an older delivery pushes out no newer complaint', () => {
    const complaints = Array.from({ length: 8 }, (_, place) => report((10 + 2 * place) * DAY_MS, 'complaint'));
    const deliveries = [report(0, 'delivered'), report(2 * DAY_MS, 'delivered')];
    const newestFirst = [...complaints, ...deliveries].toReversed();
    expect(reportsAfter(...newestFirst).filter((each) => each.class === 'complaint')).toHaveLength(8);
    expect(reportsAfter(...complaints, ...deliveries)).toEqual(reportsAfter(...deliveries, ...complaints));
    expect(reportsAfter(...newestFirst)).toEqual(reportsAfter(...complaints, ...deliveries));
  });

  it('stay a few however many come', () => {
    const classes: readonly DeliveryClass[] = ['user_unknown', 'refused', 'full', 'soft', 'delivered', 'complaint'];
    const all = Array.from({ length: 10_000 }, (_, place) =>
      report(place * HOUR_MS, classes[place % 6] as DeliveryClass),
    );
    expect(reportsAfter(...all).length).toBeLessThanOrEqual(13);
  });

  it.each([
    ['400 days old', -400 * DAY_MS, false],
    ['almost 400 days old', 1 - 400 * DAY_MS, true],
    ['of a clock almost a day ahead', DAY_MS - 1, true],
    ['of the future', DAY_MS, false],
  ])('%s: counts or not', (_, at, counts) => {
    expect(isInTime(at, 0)).toBe(counts);
  });

  it('name who reported by a tag', () => {
    expect(sourceTag('key_1')).toMatch(/^[0-9a-f]{8}$/);
    expect(sourceTag('key_2')).not.toBe(sourceTag('key_1'));
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
    const elsewhere = contextOf('ada', { list: hashOf('another'), host: 'unresolved_business', purpose: 'outbound' });
    const known = factsAfter({ answers: [said(1, 'risky')] });
    const later = factsAfter({ answers: [said(1, 'risky')] }, { context: elsewhere, answers: [said(2, 'risky')] });
    expect(later).toMatchObject({ list: known.list, host: known.host, purpose: known.purpose });
  });

  it('drops facts that are 400 days old, and keeps all others', () => {
    const day = (age: number) => -age * DAY_MS;
    const facts = factsAfter(
      { answers: [said(day(401), 'risky'), said(day(399), 'risky', 'hunter')] },
      { report: report(day(401), 'user_unknown') },
      { report: report(day(399), 'delivered') },
      { proof: { class: 'paid', at: day(401) } },
    );
    expect([facts.answers, facts.reports, facts.proofs].map((all) => all.map(({ at }) => at))).toEqual([
      [day(399)],
      [day(399)],
      [],
    ]);
  });

  it('was first seen at the time of its oldest report', () => {
    const { at } = contextOf();
    expect(factsAfter({ report: report(at - DAY_MS, 'delivered') }).firstSeenAt).toBe(at - DAY_MS);
  });

  it('keeps the newest proof of each kind, in any order', () => {
    const proofs = [
      { class: 'confirmed', at: 5 },
      { class: 'paid', at: 6 },
      { class: 'confirmed', at: 4 },
      { class: 'paid', at: 7 },
    ] as const;
    expect(factsAfter(...proofs.map((proof) => ({ proof }))).proofs).toEqual([
      { class: 'confirmed', at: 5 },
      { class: 'paid', at: 7 },
    ]);
  });

  it('is the same after a repeat', () => {
    const news = [
      { answers: [said(3, 'risky')] },
      { report: report(4, 'user_unknown') },
      { report: report(5, 'user_unknown') },
      { proof: { class: 'confirmed', at: 5 } as const },
      { proof: { class: 'paid', at: 5 } as const },
    ];
    const facts = factsAfter(...news);
    for (const each of news) expect(withObservation(facts, observation(each), 0)).toEqual(facts);
  });

  it('has the time of its newest fact, or none', () => {
    expect(newestAt(factsAfter({ answers: [said(3, 'risky')], proof: { class: 'paid', at: 7 } }))).toBe(7);
    expect(newestAt(factsAfter({}))).toBeNull();
  });
});
