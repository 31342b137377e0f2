import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { previousList, reviewList, SOURCE_DOMAINS_MAX } from '../../../src/domain/lists/review-list.ts';
import { readSource } from '../../../src/domain/lists/source-text.ts';
import { DAY_MS } from '../../../src/kernel/clock.ts';
import { lists } from '../../support/lists.ts';

/** Throwaway domains that do not exist: `count` of them, from this number on. */
const made = (count: number, from = 0): string[] =>
  Array.from({ length: count }, (_, i) => `thrown-${from + i}.com`).sort();

describe('readSource', () => {
  it.each<[string, string, { domains: readonly string[]; malformed: number } | null]>([
    ['a domain a line', 'b.com\na.com\n', { domains: ['a.com', 'b.com'], malformed: 0 }],
    ['a JSON array', ' ["b.com", "a.com"]', { domains: ['a.com', 'b.com'], malformed: 0 }],
    [
      'comments, empty lines, line ends of Windows',
      '# x\r\n\r\n// y\r\na.com\r\n',
      { domains: ['a.com'], malformed: 0 },
    ],
    [
      'capitals, doubles and other scripts',
      'A.com\na.COM\nbücher.de',
      { domains: ['a.com', 'xn--bcher-kva.de'], malformed: 0 },
    ],
    ['a public suffix', 'a.com\nco.uk\ncom\ngithub.io', { domains: ['a.com'], malformed: 3 }],
    ['a name below a hosting provider', 'spam.github.io', { domains: ['spam.github.io'], malformed: 0 }],
    [
      'wildcards, URLs, addresses, IP addresses',
      '*.a.com\nhttps://a.com/\nb@a.com\n10.0.0.1\n.a.com',
      { domains: [], malformed: 5 },
    ],
    ['a comment behind a domain', 'a.com # since May', { domains: [], malformed: 1 }],
    ['a page of HTML', '<!doctype html>\n<title>Not found</title>', { domains: [], malformed: 2 }],
    ['values of other types', '[1, null, {"a":1}, ["a.com"], "a.com"]', { domains: ['a.com'], malformed: 4 }],
    ['names that objects have', 'constructor\n__proto__\ntoString.com', { domains: ['tostring.com'], malformed: 2 }],
    ['nothing', '', { domains: [], malformed: 0 }],
    ['JSON that breaks off', '["a.com", "b.c', null],
    ['a JSON object', '{"domains":["a.com"]}', { domains: [], malformed: 1 }],
  ])('reads %s', (_, text, expected) => {
    expect(readSource(text)).toEqual(expected);
  });

  it('reads whatever it is given, and gives back what it would read the same again', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.array(fc.domain()).map((all) => all.join('\n')),
        ),
        (text) => {
          const read = readSource(text);
          if (read !== null)
            expect(readSource(read.domains.join('\n'))).toEqual({ domains: read.domains, malformed: 0 });
        },
      ),
    );
  });
});

describe('reviewList', () => {
  const said = (domains: readonly string[], malformed = 0) => ({ domains, malformed });
  const had = (domains: readonly string[], ...earlier: { domains: number; until: number }[]) =>
    previousList(domains, earlier, NOW);
  const NOW = 100 * DAY_MS;
  const before = had(made(10_000));
  const twiceAsMany = (daysAgo: number) => had(made(10_000), { domains: 20_000, until: NOW - daysAgo * DAY_MS });

  it.each([
    { what: 'a short list', source: said(made(3)), previous: null, gained: 3, lost: 0, legitimate: 0 },
    {
      what: 'a long one, seen for the first time',
      source: said(made(60_000)),
      previous: null,
      gained: 60_000,
      lost: 0,
      legitimate: 0,
    },
    { what: 'the same as before', source: said(made(10_000)), previous: before, gained: 0, lost: 0, legitimate: 0 },
    {
      what: 'what came and went in a night',
      source: said(made(9_900, 200)),
      previous: before,
      gained: 100,
      lost: 200,
      legitimate: 0,
    },
    {
      what: 'five hundred more on a short list',
      source: said(made(503)),
      previous: had(made(3)),
      gained: 500,
      lost: 0,
      legitimate: 0,
    },
    {
      what: 'half of the most it had more than 30 days ago',
      source: said(made(9_000)),
      previous: twiceAsMany(30),
      gained: 0,
      lost: 1_000,
      legitimate: 0,
    },
    {
      what: 'just half of the most it had lately',
      source: said(made(10_000)),
      previous: twiceAsMany(1),
      gained: 0,
      lost: 0,
      legitimate: 0,
    },
    {
      what: 'a few lines of something else',
      source: said(made(1_000), 10),
      previous: null,
      gained: 1_000,
      lost: 0,
      legitimate: 0,
    },
    {
      what: 'a few legitimate domains, without them',
      source: said([...made(990), 'gmx.ch', 'duck.com']),
      previous: null,
      gained: 990,
      lost: 0,
      legitimate: 2,
    },
  ])('believes $what', ({ source, previous, gained, lost, legitimate }) => {
    const verdict = reviewList(source, previous, lists);
    expect(verdict).toMatchObject({ ok: true, gained, lost, legitimate });
    expect(verdict.ok ? verdict.domains : []).toEqual(source.domains.filter((domain) => domain.startsWith('thrown-')));
  });

  it.each([
    { fault: 'empty', source: said([]), previous: null },
    { fault: 'malformed', source: said([], 4), previous: null },
    { fault: 'malformed', source: said(made(100), 2), previous: null },
    { fault: 'too_many', source: said(made(SOURCE_DOMAINS_MAX + 1)), previous: null },
    { fault: 'large_provider', source: said([...made(10_000), 'gmail.com']), previous: null },
    { fault: 'large_provider', source: said([...made(10_000), 'qq.com']), previous: before },
    { fault: 'legitimate_domains', source: said([...made(100), 'gmx.ch', 'duck.com']), previous: null },
    { fault: 'legitimate_domains', source: said(['gmx.ch']), previous: null },
    { fault: 'lost_too_many', source: said(made(4_999)), previous: before },
    { fault: 'lost_too_many', source: said(made(6_000, 6_000)), previous: before },
    { fault: 'lost_too_many', source: said(made(9_999)), previous: twiceAsMany(29) },
    { fault: 'gained_too_many', source: said(made(11_001)), previous: before },
    { fault: 'gained_too_many', source: said(made(504)), previous: had(made(3)) },
  ])(
    'refuses a source whole: $fault ($source.domains.length domains, $source.malformed others)',
    ({ fault, source, previous }) => {
      expect(reviewList(source, previous, lists)).toMatchObject({ ok: false, fault });
    },
  );
});
