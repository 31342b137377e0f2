import type { Dialect } from './dialect.ts';

/** How a file is to be read. */
export interface CsvLayout {
  readonly dialect: Dialect;
  readonly hasHeader: boolean;
  /** Zero-based; null: no column holds addresses, and every row counts as skipped. */
  readonly emailColumn: number | null;
}
