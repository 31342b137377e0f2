import { readFileSync } from 'node:fs';
import { commandLine } from '../command-line.ts';
import { documentText, OPENAPI } from './document.ts';
import { faultsOf } from './faults.ts';

/** Fails if `public/openapi.json` differs from the contract, is invalid, or has an example that does not fit. */
commandLine('scripts/openapi/check.ts', 'Holds the OpenAPI document against the contract and its own schemas.').parse();

const text = readFileSync(OPENAPI, 'utf8');
const faults = await faultsOf(JSON.parse(text) as Record<string, unknown>);
if (faults.length > 0) {
  console.error(faults.join('\n'));
  process.exitCode = 1;
} else if (text !== (await documentText())) {
  console.error('public/openapi.json differs from the contract: run npm run openapi:build.');
  process.exitCode = 1;
}
