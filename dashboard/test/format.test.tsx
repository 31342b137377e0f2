import { describe, expect, it } from 'vitest';
import { formatForm } from '../app/lib/format.ts';

describe('a text that depends on a count', () => {
  it.each([
    [0, '0 rows are left'],
    [1, '1 row is left'],
    [2, '2 rows are left'],
    [21, '21 rows are left'],
    [12_345, '12,345 rows are left'],
  ])('has the form of %s', (count, text) => {
    expect(formatForm(count, { one: '# row is left', other: '# rows are left' })).toBe(text);
  });

  it('has its last form where it lacks the one of the count', () => {
    expect(formatForm(1, { other: '# left' })).toBe('1 left');
  });
});
