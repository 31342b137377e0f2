import type { BenchRuntime } from '../runtime.ts';

/** What the curves are measured on. */
export interface Bench {
  readonly runtime: BenchRuntime;
  /** A Postgres on which schemas are made and dropped. */
  readonly postgresUrl: string;
}

export interface Cost {
  readonly name: string;
  /** Why it is on the table. */
  readonly why: string;
  readonly unit: string;
  /** What its exponent may be. */
  readonly atMost: number;
}

/** How costs grow with a size. Counts and CPU time: the machine is shared, so wall clock would say little. */
export interface Curve {
  /** What the size counts. */
  readonly by: string;
  /** Ascending. */
  readonly sizes: readonly number[];
  /** With `--quick`. */
  readonly quick: readonly number[];
  readonly needsPostgres: boolean;
  readonly costs: readonly Cost[];
  /** What each of the costs is at this size. */
  measure(bench: Bench, size: number): Promise<readonly number[]>;
}

/** Slope of the line through the logarithms, least squares: 0 does not grow, 1 grows as the size does. */
export function exponent(sizes: readonly number[], costs: readonly number[]): number {
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [sizes.map(Math.log), costs.map(Math.log)];
  const [meanX, meanY] = [mean(x), mean(y)];
  const along = x.reduce((sum, each) => sum + (each - meanX) ** 2, 0);
  return x.reduce((sum, each, i) => sum + (each - meanX) * ((y[i] ?? 0) - meanY), 0) / along;
}
