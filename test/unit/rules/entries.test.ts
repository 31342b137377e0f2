import { expect, it } from 'vitest';
import { readBatch } from '../../../src/domain/rules/rules.ts';

const read = (text: string) => (text === 'bad' ? 'invalid_domain' : { key: text.toLowerCase(), typed: text });

it('takes each key once, as first named, and every bad entry by its place', () => {
  const { found, rejected } = readBatch(['b', 'bad', 'a', 'B', 'bad', 'A'], read);
  expect([...found.values()]).toEqual([
    { key: 'b', typed: 'b' },
    { key: 'a', typed: 'a' },
  ]);
  expect(rejected).toEqual([
    { index: 1, reason: 'invalid_domain' },
    { index: 4, reason: 'invalid_domain' },
  ]);
});
