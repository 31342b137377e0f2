import { run } from './bench/bulk-run.ts';
import { printRows } from './bench/print-rows.ts';
import { commandLine } from './command-line.ts';

/**
 * `npm run bench:bulk-run`: a bulk job of 100,000 addresses on the Postgres that `TEST_DATABASE_URL` names, beside direct calls.
 * Ends with 1 when it takes longer than they may, in the median of three rounds.
 */
const program = commandLine(
  'bench:bulk-run',
  'Runs a bulk job of 100,000 addresses on the Postgres of TEST_DATABASE_URL.',
).parse();
const url = process.env.TEST_DATABASE_URL ?? program.error('error: TEST_DATABASE_URL names no Postgres');
printRows('bulk run', await run(url));
