import { join } from 'node:path';

/** What every database of this service is migrated with, as drizzle-kit lays it out. */
export const MIGRATIONS = join(import.meta.dirname, '../../drizzle');

/** What the Neon endpoint needs of a Postgres: values as Postgres text both ways. */
export type TextValue = string | null;

export interface ResultField {
  readonly name: string;
  readonly dataTypeID: number;
  readonly tableID: number;
  readonly columnID: number;
  readonly dataTypeSize: number;
  readonly dataTypeModifier: number;
  readonly format: 'text';
}

export interface QueryResult {
  readonly command: string;
  /** The number in the command tag; null where it has none. */
  readonly rowCount: number | null;
  readonly rows: readonly (readonly TextValue[])[];
  readonly fields: readonly ResultField[];
}

export type RunQuery = (text: string, values: readonly TextValue[]) => Promise<QueryResult>;

export interface Database {
  /** Applies the migrations of a drizzle-kit folder that have not run yet. */
  migrate(folder: string): Promise<void>;
  query: RunQuery;
  /** Runs `work` in one transaction. `mode` follows `SET TRANSACTION`, empty for the defaults. */
  transaction<T>(mode: string, work: (run: RunQuery) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Values are passed through untouched: the caller's driver parses them. */
export const asText = <T>(value: T): T => value;
