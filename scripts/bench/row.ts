/** What a figure has to reach, in its row's own unit. */
export type Target = { readonly atLeast: number } | { readonly atMost: number };

/** One figure of `npm run bench`. */
export interface BenchRow {
  readonly name: string;
  /** The median where there are rounds. */
  readonly value: number;
  readonly unit: string;
  /** Least and greatest of the rounds. */
  readonly range?: readonly [min: number, max: number];
  readonly target?: Target;
  /** What it stands beside, measured in the same run. */
  readonly note?: string;
}

/** Whether the row reaches its target; null without one. */
export function reaches({ value, target }: BenchRow): boolean | null {
  if (target === undefined) return null;
  return 'atLeast' in target ? value >= target.atLeast : value <= target.atMost;
}

const NUMBERS = new Intl.NumberFormat('en', { maximumSignificantDigits: 3, useGrouping: false });

/** A figure as it is shown. */
export const figure = (value: number): string => NUMBERS.format(value);
