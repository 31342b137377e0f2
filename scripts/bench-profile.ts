import { Option } from 'commander';
import { run } from './bench/profile.ts';
import { commandLine, wholeNumber } from './command-line.ts';

/** `npm run bench:profile [-- --route check|verify] [--seconds N]`: where the service's isolate spends its time under load. */
const { route, seconds } = commandLine('bench:profile', 'Samples the isolate of the service under load, by function.')
  .addOption(new Option('--route <route>', 'which one').choices(['check', 'verify']).default('check'))
  .option('--seconds <n>', 'how long', wholeNumber(1), 10)
  .parse()
  .opts<{ route: string; seconds: number }>();
await run(route, seconds);
