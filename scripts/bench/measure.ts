/** A figure's target, in its row's own unit. */
export type Target = { readonly atLeast: number } | { readonly atMost: number };

/** One figure of a benchmark or of a measurement of research. */
export interface BenchRow {
  readonly name: string;
  /** The median where there are rounds. */
  readonly value: number;
  readonly unit: string;
  readonly range?: readonly [min: number, max: number];
  readonly target?: Target;
  /** What it is compared with, measured in the same run. */
  readonly note?: string;
}

/** Whether the row reaches its target; null without one. */
function reaches({ value, target }: BenchRow): boolean | null {
  if (target === undefined) return null;
  return 'atLeast' in target ? value >= target.atLeast : value <= target.atMost;
}

const NUMBERS = new Intl.NumberFormat('en', { maximumSignificantDigits: 3, useGrouping: false });

/** A figure as it is shown. */
export const figure = (value: number): string => NUMBERS.format(value);

const MARKS = { true: '✓', false: '✗', null: ' ' } as const;

/** Prints rows beside their targets; a miss is the exit code. */
export function printRows(title: string, rows: readonly BenchRow[]): void {
  console.log(`\n${title}`);
  const hasRanges = rows.some(({ range }) => range !== undefined);
  for (const row of rows) {
    const { name, value, unit, range, target, note = '' } = row;
    const bound = target === undefined ? '' : 'atLeast' in target ? `≥ ${target.atLeast}` : `≤ ${target.atMost}`;
    const shown = `${figure(value)} ${unit}`.padStart(12);
    const leastToMost = range === undefined ? '' : `${figure(range[0])} … ${figure(range[1])}`;
    const beside = hasRanges ? `${leastToMost.padEnd(15)}  ${note}` : note;
    console.log(`${MARKS[`${reaches(row)}`]} ${name.padEnd(52)} ${shown}  ${bound.padEnd(8)}  ${beside}`.trimEnd());
  }
  if (rows.some((row) => reaches(row) === false)) process.exitCode = 1;
}

/** Odd, so that the median is one of the rounds. */
export const ROUNDS = 9;

export interface Spread {
  readonly median: number;
  readonly range: readonly [min: number, max: number];
}

export function spread(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (i: number) => sorted[i] ?? Number.NaN;
  return { median: at(sorted.length >> 1), range: [at(0), at(sorted.length - 1)] };
}

/**
 * Lets contestants take turns, once a round: other load then falls on all of them alike. Every other round runs
 * backwards, so that no contender is always first.
 */
export async function takeTurns<K extends string, T>(
  contestants: Readonly<Record<K, () => Promise<T> | T>>,
  rounds: number = ROUNDS,
): Promise<Record<K, T[]>> {
  const names = Object.keys(contestants) as K[];
  const results = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<K, T[]>;
  for (let round = 0; round < rounds; round += 1) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) results[name].push(await contestants[name]());
  }
  return results;
}

export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** One ratio a round: of two contestants measured next to each other. */
const ratios = (over: readonly number[], under: readonly number[]): number[] =>
  over.map((value, i) => value / (under[i] ?? Number.NaN));

/** The ratio of two contestants of the same rounds, with both medians in its note. */
export function ratio(name: string, over: readonly number[], under: readonly number[], unit: string) {
  const { median: value, range } = spread(ratios(over, under));
  const medians = [over, under].map((values) => figure(spread(values).median)).join(' / ');
  return { name, value, unit: '×', range, note: `${medians} ${unit}` };
}

/** Measures the microseconds of one call, over all `inputs`; a first pass warms up and is not counted. */
export function microsecondsEach<T>(inputs: readonly T[], call: (input: T) => unknown): () => number {
  const pass = (): number => {
    let answers = 0;
    const started = process.hrtime.bigint();
    for (const input of inputs) if (call(input) !== undefined) answers += 1;
    const taken = Number(process.hrtime.bigint() - started) / 1_000;
    // Counted, so that no call can be left out as unused.
    if (answers !== inputs.length) throw new Error('every call answers');
    return taken / inputs.length;
  };
  pass();
  return pass;
}
