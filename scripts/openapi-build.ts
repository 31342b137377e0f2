import { commandLine } from './command-line.ts';
import { runInOrder } from './run-in-order.ts';

<<<<<<< HEAD
/** `npm run openapi:build`: the answers that the documents show, the document, and the types of the client and of the dashboard, which follow from it. */

commandLine(
  'openapi:build',
  'Writes the OpenAPI document of the contract, its examples and the types of the client library and the dashboard.',
=======
/**
 * `npm run openapi:build`: the answers that the documents show, the document, and the types of client and dashboard, which
 * follow from it.
 */

commandLine(
  'openapi:build',
  'Writes the OpenAPI document of the contract, its examples, and the types of the client library and the dashboard.',
>>>>>>> 78e843d (Public API of keys, the organisation, members, invitations and the audit log; the security table walks persons too)
).parse();

runInOrder(
  ['vitest', 'run', '--config', 'test/vitest.config.ts', '--project', 'http', 'test/http/openapi.test.ts', '--update'],
  ['node', 'scripts/openapi/build.ts'],
  ['node', 'client/build/types.ts'],
  ['node', 'scripts/openapi/dashboard-types.ts'],
);
