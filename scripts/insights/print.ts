import { type BenchRow, figure, reaches } from '../bench/row.ts';

const MARKS = { true: '✓', false: '✗', null: ' ' } as const;

/** Prints rows beside their targets; a miss is the exit code. */
export function printRows(title: string, rows: readonly BenchRow[]): void {
  console.log(`\n${title}`);
  for (const row of rows) {
    const { name, value, unit, target, note = '' } = row;
    const bound = target === undefined ? '' : 'atLeast' in target ? `≥ ${target.atLeast}` : `≤ ${target.atMost}`;
    const shown = `${figure(value)} ${unit}`.padStart(12);
    console.log(`${MARKS[`${reaches(row)}`]} ${name.padEnd(52)} ${shown}  ${bound.padEnd(8)}  ${note}`.trimEnd());
  }
  if (rows.some((row) => reaches(row) === false)) process.exitCode = 1;
}
