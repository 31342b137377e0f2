import { availableParallelism } from 'node:os';
import { type BenchRow, figure, reaches } from './bench/row.ts';
import { together, virtualRows, wallClockRows } from './ceilings/figures.ts';
import type { Run } from './ceilings/outcome.ts';
import { simulate } from './ceilings/simulation.ts';
import { runOnStack } from './ceilings/whole-stack.ts';
import { commandLine, wholeNumber } from './command-line.ts';
import { accountsAt } from './worlds/vendors.ts';

/**
 * `npm run bench:ceilings [-- --virtual N] [--stack N] [--seed N]`: whether `max_cost_usd` and `max_latency_ms` hold, by the
 * vendors' own ledgers and the caller's clock, while vendors fail in every way. First in virtual time (the same seed gives
 * the same figures), then by the wall clock on the whole local stack, whose state is below TMPDIR (in memory, say, where the
 * disk is busy); 0 leaves one out. Ends with 1 when a target is missed.
 */
const {
  virtual,
  stack: onStack,
  seed,
} = commandLine('bench:ceilings', 'Holds the ceilings of cost and time against vendors that fail in every way.')
  .option('--virtual <n>', 'requests in virtual time; 0: none', wholeNumber(0), 10_000)
  .option('--stack <n>', 'requests on the whole local stack; 0: none', wholeNumber(0), 3_000)
  .option('--seed <n>', 'of all that is drawn', wholeNumber(0), 1)
  .parse()
  .opts<{ virtual: number; stack: number; seed: number }>();

/** List prices times these, a world each: the cheaper, the more vendors fit under one ceiling. */
const PRICE_FACTORS = [1, 0.3, 0.1, 0.03];

function print(title: string, rows: readonly BenchRow[]): void {
  console.log(`\n${title}`);
  for (const row of rows) {
    const { name, value, unit, target, note = '' } = row;
    const bound = target === undefined ? '' : 'atLeast' in target ? `≥ ${target.atLeast}` : `≤ ${target.atMost}`;
    const mark = { true: '✓', false: '✗', null: ' ' }[`${reaches(row)}`];
    console.log(
      `${mark} ${name.padEnd(40)} ${`${figure(value)} ${unit}`.padStart(12)}  ${bound.padEnd(6)}  ${note}`.trimEnd(),
    );
  }
  if (rows.some((row) => reaches(row) === false)) process.exitCode = 1;
}

if (virtual > 0) {
  const runs: Run[] = [];
  for (const [at, factor] of PRICE_FACTORS.entries()) {
    const requests = Math.ceil(virtual / PRICE_FACTORS.length);
    runs.push(await simulate(seed + at, requests, accountsAt(factor)));
  }
  print(`virtual time, ${virtual} requests`, virtualRows(together(runs)));
}
if (onStack > 0) {
  const atOnce = availableParallelism();
  const run = await runOnStack(seed, onStack, accountsAt(0.1), atOnce);
  print(`whole stack, ${onStack} requests, ${atOnce} at a time`, wallClockRows(run));
}
