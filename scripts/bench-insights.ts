import { amount, commandLine, wholeNumber } from './command-line.ts';
import { printRows } from './insights/print.ts';
import { coverageRows, noEffectRows, powerRows } from './insights/simulation.ts';

/**
 * `npm run bench:insights [-- --segments N] [--runs N] [--power N] [--rate R]`: how often the intervals of segments hold the rate they
 * were drawn with, how often pure noise is recommended, how often an effect is found. Ends with 1 when a target is missed.
 */
const { segments, runs, power, rate } = commandLine(
  'bench:insights',
  'Simulates the intervals and recommendations of segments.',
)
  .option('--segments <n>', 'segments for the intervals', wholeNumber(1), 10_000)
  .option('--runs <n>', 'accounts without any effect', wholeNumber(1), 2_000)
  .option('--power <n>', 'accounts with one', wholeNumber(1), 400)
  .option('--rate <share>', 'how many go on to the metric', amount, 0.1)
  .parse()
  .opts<{ segments: number; runs: number; power: number; rate: number }>();
printRows('intervals', coverageRows(segments));
printRows('accounts without any effect', noEffectRows(runs, rate));
printRows('one segment of 10 % at half the rate', powerRows(power, rate));
