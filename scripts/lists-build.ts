import { commandLine } from './command-line.ts';
import { runInOrder } from './run-in-order.ts';

/** `npm run lists:build`: every list that is built into the Worker. Needs the package registry. */

commandLine(
  'lists:build',
  'Packs the tables kept by hand, the lists of domains and names, and what is made of names.',
).parse();

runInOrder(
  ['node', 'scripts/lists/own-tables.ts'],
  ['node', 'scripts/lists/build.ts'],
  ['node', 'scripts/lists/romanisation.ts'],
  ['node', 'scripts/lists/japanese-names.ts'],
  ['node', 'scripts/lists/census-names.ts'],
  ['node', 'scripts/lists/known-names.ts'],
  ['node', 'scripts/lists/letter-pairs.ts'],
);
