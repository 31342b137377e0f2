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
 * Lets contestants take turns, each once a round: what else the machine does then falls on all of them alike. Every other
 * round runs backwards, so that no contender is always first.
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
export const ratios = (over: readonly number[], under: readonly number[]): number[] =>
  over.map((value, i) => value / (under[i] ?? Number.NaN));

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
