import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createConfig, formatProblems, lintFromString } from '@redocly/openapi-core';
import { commandLine } from '../command-line.ts';
import { describeApi } from './document.ts';

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
const config = await createConfig({
  extends: ['recommended-strict'],
  rules: {
    'no-invalid-media-type-examples': 'error',
    'no-invalid-parameter-examples': 'error',
    // The service's own licence is not an open one.
    'info-license': 'off',
    // `/health` refuses nothing.
    'operation-4xx-response': 'off',
    // A record over a closed set requires its keys without listing them as properties.
    'no-required-schema-properties-undefined': 'off',
  },
});
const problems = await lintFromString({ source: text, absoluteRef: TARGET, config });
if (problems.length > 0) {
  formatProblems(problems, { totals: { errors: problems.length, warnings: 0, ignored: 0 }, format: 'stylish' });
  process.exitCode = 1;
} else if (!check) {
  writeFileSync(TARGET, text);
} else if (readFileSync(TARGET, 'utf8') !== text) {
  console.error('public/openapi.json differs from the contract: run npm run openapi:build.');
  process.exitCode = 1;
}
