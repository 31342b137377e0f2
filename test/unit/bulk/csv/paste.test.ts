import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { detect } from '../../../../src/domain/bulk/csv/detect.ts';
import { PASTE_READING, pasteFile } from '../../../../src/domain/bulk/csv/paste.ts';
import { addressesOf, decoded, ingested } from './files.ts';

describe('pasted addresses', () => {
  it('are a file of one column, each a row', () => {
    expect(decoded(pasteFile(['a@example.com', '', 'say "hi"@example.com']))).toBe(
      'email\n"a@example.com"\n""\n"say ""hi""@example.com"\n',
    );
    const found = ingested(pasteFile(['a@example.com', '', 'A@example.com', 'x\ny@example.com', ' , ']), PASTE_READING);
    expect(found).toMatchObject({ rows: 5, invalid: 2, unique: 2 });
  });

  it('are all there, whatever they hold', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' }), { minLength: 1, maxLength: 20 }), (emails) => {
        const facts = ingested(pasteFile(emails), PASTE_READING, 11);
        if (typeof facts === 'string') throw new Error(facts);
        expect(facts.rows).toBe(emails.length);
        for (const address of addressesOf(facts)) expect(emails.some((email) => email.includes(address))).toBe(true);
      }),
    );
  });

  it('are found again when the stored file is read once more', () => {
    expect(
      detect(pasteFile(['a@example.com', 'b;c@example.com']), true, { hasHeader: null, emailColumn: null }),
    ).toMatchObject(PASTE_READING);
  });
});
