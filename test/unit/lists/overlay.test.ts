import { describe, expect, it } from 'vitest';
import { packNames } from '../../../scripts/lists/pack.ts';
import { HashTable, hashOf, openTable } from '../../../src/domain/lists/table.ts';
import { copiesAmong, DEFAULT_SOURCES } from '../../../src/domain/lists/source-text.ts';
import { OverlayDraft, overlaid } from '../../../src/domain/lists/overlay.ts';
import { isProviderTypo, lists } from '../../support/lists.ts';

/** Throwaway domains that do not exist: `count` of them, from this number on. */
const made = (count: number, from = 0): string[] => Array.from({ length: count }, (_, i) => `thrown-${from + i}.com`);

interface Night {
  readonly copies?: [number, number][];
  readonly proven?: readonly string[];
  readonly max?: number;
}

/** The lists after a night with these sources. */
function night(sources: readonly (readonly string[])[], { copies = [], proven = [], max }: Night = {}) {
  const draft = new OverlayDraft(lists);
  for (const [place, domains] of sources.entries()) draft.enter(place, domains);
  for (const domain of proven) if (draft.concerns(domain)) draft.prove(domain);
  const overlay = draft.finish([...copies, ...draft.copies()], max);
  const table = openTable(overlay.table);
  return { ...overlay, count: table.count, tierOf: overlaid(lists, () => table, isProviderTypo).disposableTier };
}

describe('the overlay of a night', () => {
  it('blocks what two sources list, and suspects what one does', () => {
    const { tierOf, ...counts } = night([made(20), made(20, 10), []]);
    expect([tierOf('thrown-3.com'), tierOf('thrown-15.com'), tierOf('thrown-25.com'), tierOf('thrown-99.com')]).toEqual(
      ['signal', 'block', 'signal', null],
    );
    expect(counts).toMatchObject({ block: 10, signal: 20, proven: 0, leftOut: 0, count: 30 });
  });

  it('does not take the word of a source that is alone', () => {
    expect(night([['thrown-a.com']]).tierOf('thrown-a.com')).toBe('signal');
    expect(night([['telekom.de', 'nhs.net', 'whitehouse.gov', 'harvard.edu', 'denic.de']])).toMatchObject({ count: 0 });
  });

  it('blocks nothing that is known to be real, however many independent sources list it', () => {
    const known = ['telekom.de', 'nhs.net', 'x.gov.uk', 'gmail.com', 'duck.com', 'siemens.com', 'harvard.edu'];
    const { tierOf, count } = night([
      [...known, ...made(5)],
      [...known, ...made(5, 5)],
      [...known, ...made(5, 10)],
    ]);
    expect(known.map(tierOf)).toEqual(known.map(() => null));
    expect(count).toBe(15);
  });

  it('adds nothing that the bundled lists block already', () => {
    const listed = ['mailinator.com', 'mail.mailinator.com'];
    expect(
      night([
        [...listed, ...made(5)],
        [...listed, ...made(5, 5)],
      ]),
    ).toMatchObject({ count: 10 });
  });

  it('adds no typo of a mailbox provider, however many sources list it', () => {
    const typos = ['hotmaiul.com', 'outlokk.com'];
    const { tierOf } = night([
      [...typos, ...made(6)],
      [...typos, ...made(6, 5)],
    ]);
    expect([typos.map(tierOf), tierOf('thrown-5.com')]).toEqual([[null, null], 'block']);
  });

  it('does not count a source beside one that it copies, by declaration or by content', () => {
    const [one, mirror, own] = [made(20), [...made(19), ...made(5, 90)], [...made(5), ...made(20, 40)]];
    expect(night([one, mirror]).tierOf('thrown-3.com')).toBe('signal');
    expect(night([one, one]).tierOf('thrown-3.com')).toBe('signal');
    expect(night([one, mirror, own]).tierOf('thrown-3.com')).toBe('block');
    expect(night([one, own], { copies: [[1, 0]] }).tierOf('thrown-3.com')).toBe('signal');
  });

  it('takes one of the sources that copy each other, and none that copies another through a third', () => {
    const [one, other, third] = [made(20), [...made(10), ...made(20, 40)], [...made(12), ...made(20, 70)]];
    const inCircle: [number, number][] = [
      [0, 1],
      [1, 0],
    ];
    expect(night([one, other], { copies: inCircle }).tierOf('thrown-3.com')).toBe('signal');
    expect(night([one, other, third], { copies: inCircle }).tierOf('thrown-3.com')).toBe('block');
    const inTurn: [number, number][] = [
      [1, 0],
      [2, 1],
    ];
    const { tierOf } = night([one, other, third], { copies: inTurn });
    expect([tierOf('thrown-3.com'), tierOf('thrown-11.com')]).toEqual(['signal', 'signal']);
  });

  it('does not suspect what was taken out of the curated list on review, and blocks it when two sources list it', () => {
    const taken = 'gynzy.eu';
    expect([lists.disposableTier(taken), lists.isWithdrawn(taken)]).toEqual([null, true]);
    expect(night([[taken, ...made(5)], made(5, 5)]).tierOf(taken)).toBe(null);
    expect(
      night([
        [taken, ...made(5)],
        [taken, ...made(5, 5)],
      ]).tierOf(taken),
    ).toBe('block');
  });

  it('says the same in whatever order sources come, under a version that names what it says', () => {
    const [one, other] = [made(20), made(20, 10)];
    expect(night([one, other]).version).toBe(night([other, one.toReversed()]).version);
    expect(night([one, other]).version).not.toBe(night([one, made(20, 11)]).version);
  });

  it('only suspects a domain where customers have real people, also one that the bundle blocks', () => {
    const proven = ['thrown-15.com', 'thrown-3.com', 'mailinator.com', 'ordinary.com', 'gmail.com'];
    const { tierOf, proven: count } = night([made(20), made(20, 10)], { proven });
    expect(proven.map(tierOf)).toEqual(['signal', 'signal', 'signal', null, null]);
    expect(tierOf('thrown-16.com')).toBe('block');
    expect(count).toBe(2);
  });

  it('leaves out suspected domains where there are more than it holds, those of the last sources first', () => {
    const sources = [made(20), made(20, 10)];
    const { tierOf, ...counts } = night(sources, { max: 25 });
    expect(counts).toMatchObject({ block: 10, signal: 15, leftOut: 5, count: 25 });
    expect(made(10).map(tierOf)).toEqual(made(10).map(() => 'signal'));
    expect(made(10, 10).map(tierOf)).toEqual(made(10).map(() => 'block'));
    expect(made(10, 20).filter((domain) => tierOf(domain) === 'signal')).toHaveLength(5);
  });
});

describe('the lists with an overlay', () => {
  const table = openTable(
    packNames(
      new Map([
        ...['new.com', 'pages.github.io', 'gmx.ch', 'com', 'hotmaiul.com'].map((name) => [name, 1] as const),
        ...['maybe.com', 'sure.maybe.com', 'mailinator.com'].map((name) => [name, 2] as const),
      ]),
    ),
  );
  const current = overlaid(lists, () => table, isProviderTypo);

  it.each([
    ['new.com', 'block'],
    ['mail.new.com', 'block'],
    ['deep.mail.new.com', 'block'],
    ['maybe.com', 'signal'],
    ['pages.github.io', 'block'],
    ['other.github.io', null],
    ['brand-new.com', null],
    ['gmx.ch', null],
    ['gmail.com', null],
    ['mailinator.com', 'block'],
    ['hotmaiul.com', null],
  ] as const)('say of %s: %s', (domain, tier) => {
    expect(current.disposableTier(domain)).toBe(tier);
  });

  it('leave every other question to the bundled lists', () => {
    expect(current.isFreeProvider('gmail.com')).toBe(true);
    expect(current.isRoleName('info')).toBe(true);
    expect(current.isKnown('new.com')).toBe(lists.isKnown('new.com'));
  });

  it('are the bundled ones before the first night', () => {
    const none = overlaid(lists, () => null, isProviderTypo);
    expect([none.disposableTier('mailinator.com'), none.disposableTier('new.com')]).toEqual(['block', null]);
  });
});

describe('HashTable', () => {
  it('holds each name once, with its last bits, through growth', () => {
    const table = new HashTable();
    const names = made(5_000);
    for (const bits of [1, 2]) for (const name of names) table.set(...hashOf(name), bits);
    expect(table.names.count).toBe(names.length);
    expect(names.every((name) => table.get(...hashOf(name)) === 2)).toBe(true);
    expect(table.get(...hashOf('other.com'))).toBe(0);
  });
});

describe('known sources', () => {
  const [curated, crawled, community, joined] = DEFAULT_SOURCES.map(({ url }) => url) as [
    string,
    string,
    string,
    string,
  ];

  it.each([
    ['the curated list and the crawled one are independent', [curated, crawled], []],
    ['what joins others copies them', [crawled, joined], [[1, 0]]],
    ['the community list copies the curated one', [community, curated], [[0, 1]]],
    [
      'two files of a project are one',
      [crawled, 'https://cdn.jsdelivr.net/gh/7c/fakefilter@main/json/data.json'],
      [[1, 0]],
    ],
    [
      'a project is told wherever it is served from',
      ['https://disposable.github.io/disposable-email-domains/domains.txt', crawled],
      [[0, 1]],
    ],
    ['lists that are not known are independent', ['https://a.example/x.txt', 'https://a.example/y.txt'], []],
  ])('%s', (_, urls, copies) => {
    expect(copiesAmong(urls)).toEqual(copies);
  });
});
