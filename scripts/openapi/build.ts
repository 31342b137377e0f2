import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandLine } from '../command-line.ts';
import { describeApi } from './document.ts';
import { faultsOf } from './faults.ts';

/**
 * A step of `npm run openapi:build`: writes the document that `/openapi.json` serves. With `--check` it writes nothing and fails
 * where the committed one is another. Either way it has to be valid OpenAPI, with examples that fit their schemas.
 */
const TARGET = join(import.meta.dirname, '../../public/openapi.json');

const { check } = commandLine('scripts/openapi/build.ts', 'Writes the OpenAPI document of the contract.')
  .option('--check', 'write nothing; fail where the committed files are others', false)
  .parse()
  .opts<{ check: boolean }>();

const text = `${JSON.stringify(await describeApi(), null, 1)}\n`;
const faults = await faultsOf(JSON.parse(text) as Record<string, unknown>);
if (faults.length > 0) {
  console.error(faults.join('\n'));
  process.exitCode = 1;
} else if (!check) {
  writeFileSync(TARGET, text);
} else if (readFileSync(TARGET, 'utf8') !== text) {
  console.error('public/openapi.json differs from the contract: run npm run openapi:build.');
  process.exitCode = 1;
}
