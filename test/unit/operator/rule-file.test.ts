import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readRuleFile, writeRuleFile } from '../../../scripts/operator/rules.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const read = (text: string, kind: 'domain' | 'address' = 'domain') => readRuleFile(bytes(text), kind);
const line = (number: number, value: string, note = '') => ({ line: number, value, note });

describe('a rule file', () => {
  it.each([
    ['one entry a line', 'a.example\nb.example\n', [line(1, 'a.example'), line(2, 'b.example')]],
    ['any line ending, and none at the end', 'a.example\r\nb.example\rc.example', [1, 2, 3]],
    ['white space, empty lines and comments', '# mine\n\n  a.example \n#b.example\n', [line(3, 'a.example')]],
    ['a byte order mark', '\ufeffa.example', [line(1, 'a.example')]],
    ['what the service refuses', 'http://a.example\ncom', [line(1, 'http://a.example'), line(2, 'com')]],
    ['a column that is named', 'domain\na.example\n', [line(2, 'a.example')]],
    ['columns in any order and case', 'Note,DOMAIN\nspam,a.example\n,b.example', [2, 3]],
    ['other delimiters', 'id;domain;note\n1;a.example;spam, twice\n', [line(2, 'a.example', 'spam, twice')]],
    ['tabs', 'domain\tnote\na.example\tspam\n', [line(2, 'a.example', 'spam')]],
    [
      'line breaks within a cell',
      'domain,note\na.example,"one\ntwo"\n\nb.example,x\n',
      [line(2, 'a.example', 'one\ntwo'), line(5, 'b.example', 'x')],
    ],
    ['comments with a comma above its entries', '# mine, of May\na.example\n', [line(2, 'a.example')]],
    [
      'empty lines and comments above its columns',
      '\r\n# mine, of May\r\n\r\nDomain,Note\r\na.example,spam\r\n',
      [line(5, 'a.example', 'spam')],
    ],
    ['one column, quoted', '"a.example"\n"b.example"', [line(1, 'a.example'), line(2, 'b.example')]],
    ['a column in the plural', 'Domains\na.example\n', [line(2, 'a.example')]],
    ['nothing', '', []],
  ])('may hold %s', (_, text, expected) => {
    const lines = read(text);
    if (typeof expected[0] === 'number') expect(lines.map((each) => each.line)).toEqual(expected);
    else expect(lines).toEqual(expected);
  });

  it('has its addresses in a column `email`', () => {
    expect(read('name,Email\nAda,ada@a.example\n', 'address')).toEqual([line(2, 'ada@a.example')]);
    expect(read('emails\nada@a.example\n', 'address')).toEqual([line(2, 'ada@a.example')]);
    expect(read('ada@a.example\n', 'address')).toEqual([line(1, 'ada@a.example')]);
    expect(read('"ada l"@a.example\n"""bob b""@a.example"', 'address').map(({ value }) => value)).toEqual([
      '"ada l"@a.example',
      '"bob b"@a.example',
    ]);
  });

  it.each([
    ['columns, the one it needs missing', 'a.example,spam\n', 'domain', /none of them is named `domain`/],
    ['masks', 'display,note\na•••@a.example,\n', 'address', /holds masks/],
    ['a quote that is not closed', '\ndomain,note\na.example,"spam\n', 'domain', /^Line 3: a quote/],
    [
      'a column of addresses where domains are asked for',
      'name,E-Mail\n',
      'domain',
      /`e-mail`: give --kind address\.$/,
    ],
    ['a column of domains where addresses are asked for', 'domain\n', 'address', /`domain`: give --kind domain\.$/],
  ] as const)('is refused with %s', (_, text, kind, message) => {
    expect(() => read(text, kind)).toThrow(message);
  });

  it('is refused when it is not UTF-8', () => {
    expect(() => readRuleFile(new Uint8Array([0xff, 0xfe, 0x61, 0]), 'domain')).toThrow(/UTF-8/);
  });

  it('reads back after an export, and contains no cell that a spreadsheet would run', () => {
    const entries = [
      { domain: 'a.example', note: 'one, "two"\nthree' },
      { domain: 'b.example', note: null },
      { domain: 'c.example', note: '=1+1' },
    ];
    const text = writeRuleFile(entries, ['domain', 'note']);
    expect(read(text).map(({ value, note }) => [value, note])).toEqual([
      ['a.example', 'one, "two"\nthree'],
      ['b.example', ''],
      ['c.example', '=1+1'],
    ]);
    expect(text).toContain("'=1+1");
  });

  it('returns every note as stored after an export', () => {
    const note = fc.string({ unit: fc.constantFrom("'", '=', '-', '@', 'a', ' ', '"', ',', '\n', '\r\n', '\t') });
    fc.assert(
      fc.property(
        note.map((text) => text.trim()),
        (kept) => {
          const text = writeRuleFile([{ domain: 'a.example', note: kept }], ['domain', 'note']);
          expect(read(text).map((each) => each.note)).toEqual([kept]);
        },
      ),
    );
  });
});
