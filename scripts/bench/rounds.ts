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
 * Lets contestants take turns, `ROUNDS` times: what else the machine does then falls on all of them alike. Every other
 * round runs backwards, so that nobody is always first.
 */
export async function takeTurns<K extends string, T>(
  contestants: Readonly<Record<K, () => Promise<T> | T>>,
): Promise<Record<K, T[]>> {
  const names = Object.keys(contestants) as K[];
  const results = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<K, T[]>;
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) results[name].push(await contestants[name]());
  }
  return results;
}

/** One ratio a round: of two contestants measured next to each other. */
export const ratios = (over: readonly number[], under: readonly number[]): number[] =>
  over.map((value, i) => value / (under[i] ?? Number.NaN));

/** Microseconds of one call, over `inputs`, after a first pass that is not counted. */
export function microsecondsEach<T>(inputs: readonly T[], call: (input: T) => unknown): () => number {
  let sink = 0;
  const pass = () => {
    for (const input of inputs) if (call(input) === undefined) sink += 1;
  };
  pass();
  return () => {
    const started = process.hrtime.bigint();
    pass();
    const took = Number(process.hrtime.bigint() - started) / 1_000;
    // Read, so that no call is left out as unused.
    return sink < 0 ? Number.NaN : took / inputs.length;
  };
}
