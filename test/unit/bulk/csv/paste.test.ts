import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bare } from '../../../../src/domain/bulk/csv/dialect.ts';
import { detect } from '../../../../src/domain/bulk/csv/detect.ts';
import { PASTE_LAYOUT, pasteFile } from '../../../../src/domain/bulk/csv/identity.ts';
import { addressesOf, decoded, ingested, utf8 } from './files.ts';

describe('pasted addresses', () => {
  it('are a file of one column, each a row', () => {
    expect(decoded(pasteFile(['a@example.com', '', 'say "hi"@example.com']))).toBe(
      'email\n"a@example.com"\n""\n"say ""hi""@example.com"\n',
    );
    const found = ingested(pasteFile(['a@example.com', '', 'A@example.com', 'x\ny@example.com', ' , ']), PASTE_LAYOUT);
    expect(found).toMatchObject({ rows: 5, invalid: 2, unique: 2 });
  });

  it('are all there, whatever they hold', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' }), { minLength: 1, maxLength: 20 }), (emails) => {
        const facts = ingested(pasteFile(emails), PASTE_LAYOUT, 11, true);
        if (typeof facts === 'string') throw new Error(facts);
        expect(facts.rows).toBe(emails.length);
        for (const address of addressesOf(facts)) expect(emails.map(bare)).toContain(address);
      }),
      { examples: [[['@', '']], [[`"'=a@example.com"`]], [[`"'@example.com"`, ` "'@" `]]] },
    );
  });

  it.each([
    ['=HYPERLINK("http://x.test")', `"'=HYPERLINK(""http://x.test"")"`],
    ['+tag@example.com', `"'+tag@example.com"`],
    ['-a@example.com', `"'-a@example.com"`],
    ['@SUM(1)', `"'@SUM(1)"`],
    ['\t=1+1', `"'\t=1+1"`],
    ['\r=1+1', `"'\r=1+1"`],
    [' =1+1', `"' =1+1"`],
    ['\uff1d1+1', `"'\uff1d1+1"`],
    [`'=1+1`, `"''=1+1"`],
    ['1=1', '"1=1"'],
    ["o'hara@example.com", `"o'hara@example.com"`],
  ])('are never formulas in a spreadsheet: %j', (email, cell) => {
    expect(decoded(pasteFile([email]))).toBe(`email\n${cell}\n`);
  });

  it('are checked as they were pasted, formula or not', () => {
    const start = fc.constantFrom('', "'", "''", '=', '+', '-', '@', ' ', '\t', '\uff1d', '"', 'x');
    const local = fc.tuple(fc.array(start, { maxLength: 4 }), fc.nat({ max: 9 })).map((parts) => parts.flat().join(''));
    fc.assert(
      fc.property(local, fc.constantFrom('', '"', '" '), (begun, end) => {
        const typed = `${begun}@example.com${end}`;
        const asUploaded = ingested(utf8(`"${typed.replaceAll('"', '""')}"\n`), { ...PASTE_LAYOUT, hasHeader: false });
        const asPasted = ingested(pasteFile([typed]), PASTE_LAYOUT, 7, true);
        if (typeof asUploaded === 'string' || typeof asPasted === 'string') throw new Error('unread');
        expect(addressesOf(asPasted)).toEqual(addressesOf(asUploaded));
      }),
      { numRuns: 1_000 },
    );
  });

  it('are found again when the stored file is read once more', () => {
    expect(
      detect(pasteFile(['a@example.com', 'b;c@example.com']), true, { hasHeader: null, emailColumn: null }),
    ).toMatchObject(PASTE_LAYOUT);
  });
});
