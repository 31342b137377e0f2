import { commandLine } from './command-line.ts';
import { runInOrder } from './run-in-order.ts';

/** `npm run openapi:build`: the answers that the documents show, the document, and the types of the client and of the dashboard, which follow from it. */

commandLine(
  'openapi:build',
  'Writes the OpenAPI document of the contract, its examples and the types of the client library and the dashboard.',
).parse();

runInOrder(
  ['vitest', 'run', '--config', 'test/vitest.config.ts', '--project', 'http', 'test/http/openapi.test.ts', '--update'],
  ['node', 'scripts/openapi/build.ts'],
  ['node', 'client/build/types.ts'],
  ['node', 'scripts/openapi/dashboard-types.ts'],
);
