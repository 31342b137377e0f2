/**
 * A published figure of the seeded tables: a share or a rate, its weight in pseudo-observations, and where it comes from.
 */
export interface Figure {
  readonly mean: number;
  /** At most 40: published figures are few, from interested parties, and about lists unlike the one at hand. */
  readonly weight: number;
  readonly source: string;
}

export const figure = (mean: number, weight: number, source: string): Figure => ({ mean, weight, source });
