import { parseArgs } from 'node:util';
import { printRows } from './insights/print.ts';
import { coverageRows, noEffectRows, powerRows } from './insights/simulation.ts';

/**
 * `npm run bench:insights [-- --segments N] [--runs N] [--power N] [--rate R]`: how often the intervals of segments hold the rate they
 * were drawn with, how often pure noise is recommended, how often an effect is found. Ends with 1 when a target is missed.
 */
const { values: options } = parseArgs({
  options: {
    segments: { type: 'string', default: '10000' },
    runs: { type: 'string', default: '2000' },
    power: { type: 'string', default: '400' },
    rate: { type: 'string', default: '0.1' },
  },
});
const rate = Number(options.rate);
printRows('intervals', coverageRows(Number(options.segments)));
printRows('accounts without any effect', noEffectRows(Number(options.runs), rate));
printRows('one segment of 10 % at half the rate', powerRows(Number(options.power), rate));
