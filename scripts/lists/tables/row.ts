/** A row of a curated table: names parted by white space, and why they stand here. */
export interface Row {
  readonly names: string;
  readonly reason: string;
  /** Public lists that have names of the row, and how many of them. Without it none of the lists looked at has one. */
  readonly listedBy?: string;
}

/** A row about one service or company. */
export interface NamedRow extends Row {
  readonly who: string;
}

/** The names of a table's rows, in order. */
export const namesIn = (rows: readonly Row[]): string[] =>
  rows.flatMap((row) => row.names.split(/\s+/).filter((name) => name !== ''));
