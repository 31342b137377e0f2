/**
 * Builds the table of names that people bear: `node scripts/lists/known-names.ts` writes `src/domain/screening/names/data/`; with
 * `--check` it writes nothing and fails when the files there differ. One of these names typed is never put right into another.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandLine } from '../command-line.ts';
import { collectKnownNames } from './collect-known-names.ts';
import { packKnownNames } from './pack-known-names.ts';
import { installed } from './packages.ts';

const DATA = join(import.meta.dirname, '../../src/domain/screening/names/data');

function build(check: boolean): void {
  const from = installed('@faker-js/faker');
  const licence = from.text('LICENSE').trim();
  const written = {
    'known-names.bin': packKnownNames(collectKnownNames()),
    'LICENSES-known-names.md': Buffer.from(
      `# Licence of the table of known names\n\nWritten by \`scripts/lists/known-names.ts\` from ${from.name} ${from.version} (${from.licence}).\n\n\`\`\`text\n${licence}\n\`\`\`\n`,
    ),
  };
  for (const [file, bytes] of Object.entries(written)) {
    const at = join(DATA, file);
    if (!check) writeFileSync(at, bytes);
    else if (!readFileSync(at).equals(bytes))
      throw new Error(`${file} is out of date: run scripts/lists/known-names.ts`);
  }
}

const { check } = commandLine('known-names', 'Packs the given and family names that people bear.')
  .option('--check', 'write nothing; fail where the committed files are others', false)
  .parse()
  .opts<{ check: boolean }>();
build(check);
