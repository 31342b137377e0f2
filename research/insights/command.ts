import { printRows } from '../../scripts/bench/measure.ts';
import { amount, commandLine, wholeNumber } from '../../scripts/command-line.ts';
import { coverageRows, noEffectRows, powerRows } from './simulation.ts';

interface Options {
  readonly segments: number;
  readonly runs: number;
  readonly power: number;
  readonly rate: number;
}

/**
 * Measures how often a segment's interval holds its true rate, how often pure noise is recommended, and how often an effect is
 * found. Exits with 1 when a target is missed.
 */
export const insights = commandLine('insights', 'Simulates the intervals and recommendations of segments.')
  .option('--segments <n>', 'segments for the intervals', wholeNumber(1), 10_000)
  .option('--runs <n>', 'accounts without any effect', wholeNumber(1), 2_000)
  .option('--power <n>', 'accounts with one', wholeNumber(1), 400)
  .option('--rate <share>', 'how many go on to the metric', amount, 0.1)
  .action(({ segments, runs, power, rate }: Options) => {
    printRows('intervals', coverageRows(segments));
    printRows('accounts without any effect', noEffectRows(runs, rate));
    printRows('one segment of 10 % at half the rate', powerRows(power, rate));
  });
