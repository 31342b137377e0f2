import { writeFileSync } from 'node:fs';
import { Option } from 'commander';
import { type BenchRow, figure, reaches } from './bench/row.ts';
import { commandLine } from './command-line.ts';

/**
 * `npm run bench [-- --only NAME] [--json FILE]`: every figure is a ratio, or stands beside another of the same run;
 * contestants take turns. Absolute times of one machine don't carry over to another; `dev-loop` alone shows one, a person's wait.
 */
const PARTS: Readonly<Record<string, () => Promise<{ run: (isQuick: boolean) => Promise<readonly BenchRow[]> }>>> = {
  bundle: () => import('./bench/bundle.ts'),
  'start-up': () => import('./bench/start-up.ts'),
  'dev-loop': () => import('./bench/dev-loop.ts'),
  lists: () => import('./bench/lists.ts'),
  'list-night': () => import('./bench/list-night.ts'),
  address: () => import('./bench/address.ts'),
  belief: () => import('./bench/belief.ts'),
  'verify-cpu': () => import('./bench/verify-cpu.ts'),
  rules: () => import('./bench/rules.ts'),
  history: () => import('./bench/history.ts'),
  outage: () => import('./bench/outage.ts'),
  policy: () => import('./bench/policy.ts'),
  simulate: () => import('./bench/simulate.ts'),
  'bulk-csv': () => import('./bench/bulk-csv.ts'),
  'bulk-files': () => import('./bench/bulk-files.ts'),
  'bulk-beside': () => import('./bench/bulk-beside.ts'),
  http: () => import('./bench/http.ts'),
  ladder: () => import('./bench/ladder.ts'),
  hot: () => import('./bench/hot.ts'),
  scale: () => import('./bench/scale.ts'),
};

const MARKS = { true: '✓', false: '✗', null: ' ' } as const;

function line(row: BenchRow): string {
  const { name, value, unit, range, target, note = '' } = row;
  const bound = target === undefined ? '' : 'atLeast' in target ? `≥ ${target.atLeast}` : `≤ ${target.atMost}`;
  const spread = range === undefined ? '' : `${figure(range[0])} … ${figure(range[1])}`;
  return `${MARKS[`${reaches(row)}`]} ${name.padEnd(46)} ${`${figure(value)} ${unit}`.padStart(13)}  ${bound.padEnd(9)}  ${spread.padEnd(15)}  ${note}`.trimEnd();
}

const options = commandLine('bench', 'Measures the service beside what else one could do.')
  .addOption(new Option('--only <part>', 'one part alone').choices(Object.keys(PARTS)))
  .option('--quick', 'fewer and smaller sizes, where a part has them')
  .option('--json <file>', 'write the figures there too')
  .parse()
  .opts<{ only?: string; json?: string; quick?: true }>();
const names = Object.keys(PARTS).filter((name) => options.only === undefined || name === options.only);

console.log(`  ${'figure'.padEnd(46)} ${'median'.padStart(13)}  ${'target'.padEnd(9)}  least … most`);
const results: Record<string, readonly BenchRow[]> = {};
for (const name of names) {
  const part = await PARTS[name]?.();
  const rows = (await part?.run(options.quick === true)) ?? [];
  results[name] = rows;
  console.log(`\n${name}`);
  for (const row of rows) console.log(line(row));
}
if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(results, null, 2)}\n`);
