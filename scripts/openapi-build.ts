import { commandLine } from './command-line.ts';
import { runInOrder } from './run-in-order.ts';

/** `npm run openapi:build`: the contract's document with the service's answers to its examples, and the types. */

commandLine('openapi:build', 'Writes the OpenAPI document of the contract, with answers of the service.').parse();

runInOrder(
  ['vitest', 'run', '--config', 'test/vitest.config.ts', '--project', 'http', 'test/http/openapi.test.ts', '--update'],
  // The types are written before it.
  ['node', '--import', './scripts/preflight.mjs', 'scripts/openapi/check.ts'],
);
