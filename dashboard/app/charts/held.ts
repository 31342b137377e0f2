/** Addresses with similar predictions, and their outcomes. */
export interface Bin {
  readonly predicted: number;
  readonly observed: number;
  /** 90% interval of the rate behind `observed`. */
  readonly ci: readonly number[];
  readonly count: number;
}

export const isHeld = ({ predicted, ci: [low = 0, high = 1] }: Bin): boolean => predicted >= low && predicted <= high;
