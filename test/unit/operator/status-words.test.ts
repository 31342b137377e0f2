import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { COUNTED_OVER, COUNTERS, STATUS_WORDS, TOTALS } from '../../../scripts/operator/status-words.ts';

const docs = readFileSync(join(import.meta.dirname, '../../../docs/operations.md'), 'utf8');

it.each([
  ...Object.entries(TOTALS).map(([name, words]) => ({ name, words })),
  ...Object.entries(COUNTERS).map(([name, { label, counts }]) => ({
    name: label === '' ? name : `${name}:${label}`,
    words: counts,
  })),
])('the help of `status` and the documents say the same of $name', ({ name, words }) => {
  expect(STATUS_WORDS).toMatch(new RegExp(`^ {2}${name} +${words.replaceAll(/[()]/g, '.')}$`, 'm'));
  expect(docs).toContain(`| \`${name}\` | ${words} |`);
});

it('both say over what time the counters go', () => {
  for (const text of [STATUS_WORDS, docs]) expect(text).toContain(COUNTED_OVER);
});
