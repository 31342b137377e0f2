import { availableParallelism } from 'node:os';
import { printRows } from '../../scripts/bench/measure.ts';
import { commandLine, wholeNumber } from '../../scripts/command-line.ts';
import { accountsAt } from '../../test/support/vendors/accounts.ts';
import { together, virtualRows, wallClockRows } from './figures.ts';
import type { Run } from './served-request.ts';
import { simulate } from './simulation.ts';
import { runOnStack } from './whole-stack.ts';

interface Options {
  readonly virtual: number;
  readonly stack: number;
  readonly seed: number;
}

/** List prices times these, a population each: the cheaper, the more vendors fit under one limit. */
const PRICE_FACTORS = [1, 0.3, 0.1, 0.03];

/**
 * Whether `max_cost_usd` and `max_latency_ms` hold, by the vendors' own ledgers and the caller's clock, while vendors fail in
 * every way. First in virtual time (the same seed gives the same figures), then by the wall clock on the whole local stack,
 * whose state is below TMPDIR (in memory, say, where the disk is busy). Ends with 1 when a target is missed.
 */
export const spendingLimits = commandLine(
  'spending-limits',
  'Holds the limits of cost and time against vendors that fail in every way.',
)
  .option('--virtual <n>', 'requests in virtual time; 0: none', wholeNumber(0), 10_000)
  .option('--stack <n>', 'requests on the whole local stack; 0: none', wholeNumber(0), 3_000)
  .option('--seed <n>', 'of all that is drawn', wholeNumber(0), 1)
  .action(async ({ virtual, stack, seed }: Options) => {
    if (virtual > 0) {
      const runs: Run[] = [];
      for (const [at, factor] of PRICE_FACTORS.entries()) {
        const requests = Math.ceil(virtual / PRICE_FACTORS.length);
        runs.push(await simulate(seed + at, requests, accountsAt(factor)));
      }
      printRows(`virtual time, ${virtual} requests`, virtualRows(together(runs)));
    }
    if (stack > 0) {
      const atOnce = availableParallelism();
      const run = await runOnStack(seed, stack, accountsAt(0.1), atOnce);
      printRows(`whole stack, ${stack} requests, ${atOnce} at a time`, wallClockRows(run));
    }
  });
