import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type BenchRow, reaches } from './bench/row.ts';

/**
 * `npm run bench [-- --only NAME] [--json FILE]`: every figure is a ratio, or stands beside another of the same run;
 * contestants take turns. What a machine does alone says nothing about another.
 */
const PARTS: Readonly<Record<string, () => Promise<{ run: () => Promise<BenchRow[]> }>>> = {
  http: () => import('./bench/http.ts'),
};

const { values: options } = parseArgs({ options: { only: { type: 'string' }, json: { type: 'string' } } });
const names = options.only === undefined ? Object.keys(PARTS) : [options.only];

const digits = (value: number): string => (Math.abs(value) >= 100 ? value.toFixed(0) : value.toPrecision(3));

function line(row: BenchRow): string {
  const { name, value, unit, range, target, note = '' } = row;
  const mark = { true: '✓', false: '✗', null: ' ' }[`${reaches(row)}`];
  const spread = range ? `${digits(range[0])} … ${digits(range[1])}` : '';
  const bound = target ? `${'atLeast' in target ? '≥' : '≤'} ${Object.values(target)[0]}` : '';
  return `${mark} ${name.padEnd(56)} ${`${digits(value)} ${unit}`.padStart(12)}  ${spread.padEnd(15)} ${bound.padEnd(8)} ${note}`.trimEnd();
}

const results: Record<string, readonly BenchRow[]> = {};
for (const name of names) {
  const part = await PARTS[name]?.();
  if (!part) throw new Error(`--only takes one of ${Object.keys(PARTS).join(', ')}`);
  console.log(`\n${name}`);
  const rows = await part.run();
  results[name] = rows;
  console.log(rows.map(line).join('\n'));
}
if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify(results, null, 2)}\n`);
