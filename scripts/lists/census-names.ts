/**
 * Writes `tables/census-names.txt`: the names that most people in the United States bear. Run it when the source below changes:
 * `node scripts/lists/census-names.ts`. Needs the registry; none of the package's code is run.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandLine } from '../command-line.ts';
import { readCensusNames } from './sources.ts';

commandLine('census-names', 'Picks the commonest names of a census.').parse();

const TARGET = join(import.meta.dirname, 'tables/census-names.txt');

/**
 * Each name more is a typo that is no longer put right: one in 300 for the commonest given names, one in 150 for those behind
 * them, one in 160 for family names. So the commonest alone, and of family names those that few typos make.
 */
const PICKED = [
  { list: 'first_male', first: 1_219, lettersMin: 2 },
  { list: 'first_female', first: 1_200, lettersMin: 2 },
  { list: 'last', first: 5_000, lettersMin: 5 },
] as const;

const census = readCensusNames();
const text = census.text('lib/names.js');

const names = PICKED.map(({ list, first, lettersMin }) => {
  const block = new RegExp(`exports\\.${list} = \\[([^\\]]*)\\]`).exec(text)?.[1];
  if (block === undefined) throw new Error(`no list ${list} in ${census.name}`);
  const all = Array.from(block.matchAll(/'([a-z]+)'/gi), ([, name = '']) => name.toLowerCase());
  return all.slice(0, first).filter((name) => name.length >= lettersMin);
});

const picked = [...new Set(names.flat())].sort();

writeFileSync(TARGET, `${picked.join('\n')}\n`);
process.stdout.write(`${picked.length} names\n`);
