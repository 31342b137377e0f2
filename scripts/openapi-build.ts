import { commandLine } from './command-line.ts';
import { writeTypes } from './openapi/types.ts';
import { runInOrder } from './run-in-order.ts';

/** `npm run openapi:build`: the document of the contract, with what the service answers to the examples in it, and the types that follow. */

commandLine('openapi:build', 'Writes the OpenAPI document of the contract, with answers of the service.').parse();

runInOrder(
  ['vitest', 'run', '--config', 'test/vitest.config.ts', '--project', 'http', 'test/http/openapi.test.ts', '--update'],
  ['node', 'scripts/openapi/check.ts'],
);
writeTypes();
