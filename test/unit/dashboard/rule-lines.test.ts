import { describe, expect, it } from 'vitest';
import { readLines } from '../../../dashboard/app/screens/rules/read-lines.ts';

describe('the lines of rules to add', () => {
  it.each([
    ['spam.example', ['domain', 'spam.example']],
    ['  ada@example.com ', ['address', 'ada@example.com']],
    ['@spam.example', ['domain', 'spam.example']],
    ['"Ada Lovelace";"ada@example.com";3', ['address', 'ada@example.com']],
    ['3\tspam.example', ['domain', 'spam.example']],
    ['"x@y@z"', ['address', 'x@y@z']],
  ])('%j is read as what it names', (text, [kind, read]) => {
    expect(readLines(text)).toEqual({ lines: [{ line: 1, text: read, kind }], refused: [] });
  });

  it('keep the number that an editor shows, past empty lines and in every line ending', () => {
    const { lines, refused } = readLines('\uFEFFemail,name\r\n\r\na@b.example,x\rnothing here\nspam.example\n');
    expect(lines.map(({ line, text }) => [line, text])).toEqual([
      [3, 'a@b.example'],
      [5, 'spam.example'],
    ]);
    expect(refused).toEqual([{ line: 4, text: 'nothing here', reason: 'neither a domain nor an address' }]);
  });
});
