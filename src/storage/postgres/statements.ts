import { getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn, AnyPgTable, PgTable } from 'drizzle-orm/pg-core';
import type { Database } from './client.ts';

const columnsOf = (table: PgTable, without: readonly string[]) =>
  Object.entries(getTableColumns(table)).filter(([field]) => !without.includes(field));

/** The parts of a statement that takes records as JSON, with each column under the field it holds. */
export function jsonColumns<T extends PgTable>(table: T, without: readonly (keyof T['$inferSelect'] & string)[]) {
  const columns = columnsOf(table, without);
  const list = (write: (field: string, name: string, type: string) => string): SQL =>
    sql.raw(columns.map(([field, column]) => write(field, column.name, column.getSQLType())).join(', '));
  return {
    /** `created_at, …` */
    names: list((_, name) => name),
    /** `"createdAt" bigint, …` */
    fields: list((field, _, type) => `"${field}" ${type}`),
    /** `"createdAt", …`: JSON null becomes SQL null. */
    values: list((field, _, type) => (type === 'jsonb' ? `nullif("${field}", 'null'::jsonb)` : `"${field}"`)),
    /** `created_at = excluded.created_at, …` */
    updates: list((_, name) => `${name} = excluded.${name}`),
  };
}

/** The last record of each key: a statement may change a row only once. */
export const newestOf = <T>(records: readonly T[], keyOf: (record: T) => string): T[] => [
  ...new Map(records.map((record) => [keyOf(record), record])).values(),
];

/** Sets all columns but these to the values of the conflicting row, for `on conflict`. */
export const excluded = <T extends PgTable>(
  table: T,
  without: readonly (keyof T['$inferSelect'] & string)[],
): Record<string, SQL> =>
  Object.fromEntries(columnsOf(table, without).map(([field, { name }]) => [field, sql.raw(`excluded.${name}`)]));

/** An address to forget: its keyed hash in an organisation. */
export interface ErasedAddress {
  readonly organisationId: string;
  readonly hash: string;
}

/** The addresses as a table of a statement, `gone`, with the columns `"organisationId"` and `hash`. */
export const goneTable = (addresses: readonly ErasedAddress[]): SQL =>
  sql`jsonb_to_recordset(${JSON.stringify(addresses)}::jsonb) as gone("organisationId" text, hash text)`;

/** Runs a statement that tells what it has cut off, and how much that was. */
export async function countErased(db: Database, statement: SQL): Promise<number> {
  const { rows } = (await db.execute(sql`with erased as (${statement}) select count(*)::int as count from erased`)) as {
    rows: { count: number }[];
  };
  return rows[0]?.count ?? 0;
}

/** Deletes a table's rows about these addresses; returns how many. `hash`: its column of their keyed hashes. */
export const deleteErased = (
  db: Database,
  table: AnyPgTable & { readonly organisationId: AnyPgColumn },
  hash: AnyPgColumn,
  addresses: readonly ErasedAddress[],
): Promise<number> =>
  countErased(
    db,
    sql`delete from ${table}
      using ${goneTable(addresses)}
      where ${table.organisationId} = gone."organisationId" and ${hash} = gone.hash
      returning 1`,
  );

/** The rows that a page looks at, at most, for those that have all it is narrowed to. */
export const EXAMINED_MAX = 5_000;
