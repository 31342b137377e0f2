import { printRows } from './bench/print-rows.ts';
import { runRollUps } from './bench/roll-ups.ts';
import { commandLine, wholeNumber } from './command-line.ts';

/**
 * `npm run bench:rollups [-- --exposures N] [--events N]`: a year of one organisation, rolled up on the Postgres that
 * `TEST_DATABASE_URL` names (in a schema of its own), and read. Ends with 1 when a figure misses its target.
 */
const program = commandLine(
  'bench:rollups',
  'Rolls up a year of one organisation on the Postgres of TEST_DATABASE_URL.',
)
  .option('--exposures <n>', 'how many', wholeNumber(1), 1_000_000)
  .option('--events <n>', 'how many', wholeNumber(1), 300_000)
  .parse();
const { exposures, events } = program.opts<{ exposures: number; events: number }>();
const url = process.env.TEST_DATABASE_URL ?? program.error('error: TEST_DATABASE_URL names no Postgres');
printRows('roll-up', await runRollUps(url, exposures, events));
