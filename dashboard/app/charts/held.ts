/** A group of addresses with like numbers, and what became of them. */
export interface Bin {
  readonly predicted: number;
  readonly observed: number;
  /** 90% interval of the rate behind `observed`. */
  readonly ci: readonly number[];
  readonly count: number;
}

export const isHeld = ({ predicted, ci: [low = 0, high = 1] }: Bin): boolean => predicted >= low && predicted <= high;
