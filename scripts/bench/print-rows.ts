import { type BenchRow, figure, reaches } from './row.ts';

const MARKS = { true: '✓', false: '✗', null: ' ' } as const;

/** Prints rows beside their targets; a miss is the exit code. */
export function printRows(title: string, rows: readonly BenchRow[]): void {
  console.log(`\n${title}`);
  const hasRanges = rows.some(({ range }) => range !== undefined);
  for (const row of rows) {
    const { name, value, unit, range, target, note = '' } = row;
    const bound = target === undefined ? '' : 'atLeast' in target ? `≥ ${target.atLeast}` : `≤ ${target.atMost}`;
    const shown = `${figure(value)} ${unit}`.padStart(12);
    const spread = range === undefined ? '' : `${figure(range[0])} … ${figure(range[1])}`;
    const beside = hasRanges ? `${spread.padEnd(15)}  ${note}` : note;
    console.log(`${MARKS[`${reaches(row)}`]} ${name.padEnd(52)} ${shown}  ${bound.padEnd(8)}  ${beside}`.trimEnd());
  }
  if (rows.some((row) => reaches(row) === false)) process.exitCode = 1;
}
