import { writeFileSync } from 'node:fs';
import { Option } from 'commander';
import { type BenchRow, figure, reaches } from './bench/row.ts';
import { commandLine } from './command-line.ts';

/**
 * `npm run bench:screening -- --cases DIR [--only NAME] [--json FILE]`: the code checks of screening on labelled cases, beside
 * what people use today, all from one run. Ends with 1 when a figure misses its target.
 */
const PARTS: Readonly<Record<string, () => Promise<{ run: (folder: string) => Promise<readonly BenchRow[]> }>>> = {
  typo: () => import('./screening/typo.ts'),
  placeholder: () => import('./screening/placeholder.ts'),
  names: () => import('./screening/names.ts'),
  label: () => import('./screening/label.ts'),
};

const MARKS = { true: '✓', false: '✗', null: ' ' } as const;

function line(row: BenchRow): string {
  const { name, value, unit, range, target, note = '' } = row;
  const bound = target === undefined ? '' : 'atLeast' in target ? `≥ ${target.atLeast}` : `≤ ${target.atMost}`;
  const least = range === undefined ? '' : `${figure(range[0])} … ${figure(range[1])}`;
  return `${MARKS[`${reaches(row)}`]} ${name.padEnd(34)} ${`${figure(value)} ${unit}`.padStart(10)}  ${bound.padEnd(6)}  ${least.padEnd(13)}  ${note}`.trimEnd();
}

const options = commandLine('bench:screening', 'Holds the code checks of screening against labelled cases.')
  .requiredOption('--cases <folder>', 'where the case files are')
  .addOption(new Option('--only <part>', 'one part alone').choices(Object.keys(PARTS)))
  .option('--json <file>', 'write the figures there too')
  .parse()
  .opts<{ cases: string; only?: string; json?: string }>();
const names = Object.keys(PARTS).filter((name) => options.only === undefined || name === options.only);

const results: Record<string, readonly BenchRow[]> = {};
for (const name of names) {
  const part = await PARTS[name]?.();
  const rows = (await part?.run(options.cases)) ?? [];
  results[name] = rows;
  console.log(`\n${name}`);
  for (const row of rows) console.log(line(row));
}
if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(results, null, 2)}\n`);
process.exitCode = Object.values(results)
  .flat()
  .some((row) => reaches(row) === false)
  ? 1
  : 0;
