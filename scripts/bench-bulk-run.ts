import { run } from './bench/bulk-run.ts';
import { printRows } from './insights/print.ts';

/**
 * `npm run bench:bulk-run`: a bulk job of 100,000 addresses on the Postgres that `TEST_DATABASE_URL` names, beside direct calls.
 * Ends with 1 when it takes longer than they may, in the median of three rounds.
 */
const { TEST_DATABASE_URL: url } = process.env;
if (url === undefined) throw new Error('TEST_DATABASE_URL names no Postgres');
printRows('bulk run', await run(url));
