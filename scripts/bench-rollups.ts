import { parseArgs } from 'node:util';
import { printRows } from './insights/print.ts';
import { runRollUps } from './insights/roll-ups.ts';

/**
 * `npm run bench:rollups [-- --exposures N] [--events N]`: a year of one organisation, rolled up on the Postgres that
 * `TEST_DATABASE_URL` names (in a schema of its own), and read. Ends with 1 when a figure misses its target.
 */
const { values: options } = parseArgs({
  options: { exposures: { type: 'string', default: '1000000' }, events: { type: 'string', default: '300000' } },
});
const { TEST_DATABASE_URL: url } = process.env;
if (url === undefined) throw new Error('TEST_DATABASE_URL names no Postgres');
printRows('roll-up', await runRollUps(url, Number(options.exposures), Number(options.events)));
