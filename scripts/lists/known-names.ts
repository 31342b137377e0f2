/**
 * Builds the table of names that people bear: `node scripts/lists/known-names.ts` writes
 * `src/domain/screening/names/data/known-names.bin`; with `--check` it writes nothing and fails when the file there differs.
 * One of these names typed is never put right into another.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandLine } from '../command-line.ts';
import { collectKnownNames, packKnownNames } from './collect-known-names.ts';

const FILE = join(import.meta.dirname, '../../src/domain/screening/names/data/known-names.bin');

const { check } = commandLine('known-names', 'Packs the given and family names that people bear.')
  .option('--check', 'write nothing; fail where the committed file is another', false)
  .parse()
  .opts<{ check: boolean }>();
const packed = packKnownNames(collectKnownNames());
if (!check) writeFileSync(FILE, packed);
else if (!readFileSync(FILE).equals(packed))
  throw new Error('known-names.bin is out of date: run scripts/lists/known-names.ts');
