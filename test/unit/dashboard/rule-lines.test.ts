import { describe, expect, it } from 'vitest';
import { isWellFormed, readLines } from '../../../dashboard/app/screens/rules/read-lines.ts';

describe('the lines of rules to add', () => {
  it.each([
    ['spam.example', ['domain', 'spam.example']],
    ['  ada@example.com ', ['address', 'ada@example.com']],
    ['@spam.example', ['domain', 'spam.example']],
    ['"Ada Lovelace";"ada@example.com";3', ['address', 'ada@example.com']],
    ['3\tspam.example', ['domain', 'spam.example']],
    ['"x@y@z"', ['address', 'x@y@z']],
    ['Ada <ada@example.com>', ['address', 'ada@example.com']],
    ['mailto:a/b@example.com', ['address', 'a/b@example.com']],
    ['https://www.Spam.example/offer?x=1', ['domain', 'Spam.example']],
    ['*.spam.example', ['domain', 'spam.example']],
  ])('%j is read as what it names', (text, [kind, read]) => {
    expect(readLines(text)).toEqual({ lines: [{ line: 1, text: read, kind }], refused: [], duplicates: 0 });
  });

  it('keep the number that an editor shows, past empty lines and in every line ending', () => {
    const { lines, refused } = readLines('\uFEFFemail,name\r\n\r\na@b.example,x\rnothing here\nspam.example\n');
    expect(lines.map(({ line, text }) => [line, text])).toEqual([
      [3, 'a@b.example'],
      [5, 'spam.example'],
    ]);
    expect(refused).toEqual([{ line: 4, text: 'nothing here', reason: 'not a domain or an address' }]);
  });

  it('are sent once, however often they name the same', () => {
    const { lines, duplicates } = readLines('spam.example\n@Spam.example\nada@a.example\nada@A.example\nAda@a.example');
    expect(lines.map(({ text }) => text)).toEqual(['spam.example', 'ada@a.example', 'Ada@a.example']);
    expect(duplicates).toBe(2);
  });

  it.each([
    ['spam.example', true],
    ['bücher.example', true],
    ['foo..bar', false],
    ['spam.-', false],
    ['not a domain.', false],
    ['ada@example.com', true],
    ['ada@-', false],
    ['x@y@z.example', false],
  ])('%j is counted before they are sent only where it looks like a domain or an address', (text, isCounted) => {
    expect(readLines(text).lines.map(isWellFormed)).toEqual([isCounted]);
  });
});
