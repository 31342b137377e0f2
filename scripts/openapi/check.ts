import { readFileSync } from 'node:fs';
import { createConfig, formatProblems, lintFromString } from '@redocly/openapi-core';
import { commandLine } from '../command-line.ts';
import { documentText, OPENAPI } from './document.ts';

/** Fails where `public/openapi.json` is not what the contract says, no valid OpenAPI, or has an example that does not fit its schema. */
commandLine('scripts/openapi/check.ts', 'Holds the OpenAPI document against the contract and its own schemas.').parse();

const text = readFileSync(OPENAPI, 'utf8');
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
const problems = await lintFromString({ source: text, absoluteRef: OPENAPI, config });
if (problems.length > 0) {
  formatProblems(problems, { totals: { errors: problems.length, warnings: 0, ignored: 0 }, format: 'stylish' });
  process.exitCode = 1;
} else if (text !== (await documentText())) {
  console.error('public/openapi.json differs from the contract: run npm run openapi:build.');
  process.exitCode = 1;
}
