import { describe, expect, it, vi } from 'vitest';
import { whichColumn } from '../../../scripts/operator/verify-file.ts';

describe('the column of a file', () => {
  const TWO = { columns: ['work', '', 'home'], email_column_other: 2 };
  const ASKED = 'Two columns hold addresses: 0 (“work”) and 2 (“home”). Which one? [0]';
  const SAID =
    'Two columns hold addresses: 0 (“work”) and 2 (“home”). The first of these is taken; --column 2 takes the other.';

  it.each([
    ['is the only one', { ...TWO, email_column_other: null }, '2', 0, null],
    ['is the one chosen', TWO, '2', 2, ASKED],
    ['is the likelier one where nothing is chosen', TWO, '', 0, ASKED],
    ['is the likelier one where nobody can be asked, and how to choose is said', TWO, null, 0, SAID],
  ])('%s', async (_, job, answer, expected, words) => {
    const said: string[] = [];
    vi.spyOn(console, 'error').mockImplementation((line) => void said.push(String(line)));
    const choose = (question: string) => {
      said.push(question);
      return Promise.resolve(answer ?? '');
    };
    expect(await whichColumn(job, 0, answer === null ? null : choose)).toBe(expected);
    expect(said).toEqual(words === null ? [] : [words]);
  });
});
