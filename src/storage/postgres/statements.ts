import { getTableColumns, type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn, AnyPgTable, PgTable } from 'drizzle-orm/pg-core';
import type { Database } from './client.ts';

type Statement = Parameters<typeof sql>;

/** Runs a statement of a template: ``query<Row>(db)`select …` ``. */
export const query =
  <T>(db: Database) =>
  async (...statement: Statement): Promise<T[]> =>
    ((await db.execute(sql(...statement))) as { rows: T[] }).rows;

const columnsOf = (table: PgTable, without: readonly string[]) =>
  Object.entries(getTableColumns(table)).filter(([field]) => !without.includes(field));

/** The parts of a statement that takes records as JSON, with each column under its field. */
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

/** The last record of each key with the highest rank: a statement may change a row only once. */
export function newestOf<T>(
  records: readonly T[],
  keyOf: (record: T) => string,
  rankOf: (record: T) => number = () => 0,
): T[] {
  const newest = new Map<string, T>();
  for (const record of records) {
    const key = keyOf(record);
    const other = newest.get(key);
    if (other === undefined || rankOf(other) <= rankOf(record)) newest.set(key, record);
  }
  return [...newest.values()];
}

/** For `on conflict`: sets all columns but these to the new values. */
export const excluded = <T extends PgTable>(
  table: T,
  without: readonly (keyof T['$inferSelect'] & string)[],
): Record<string, SQL> =>
  Object.fromEntries(columnsOf(table, without).map(([field, { name }]) => [field, sql.raw(`excluded.${name}`)]));

/** An address to erase: its keyed hash in an organisation. */
export interface ErasedAddress {
  readonly organisationId: string;
  readonly hash: string;
}

/** The addresses as a statement's table `gone`, with the columns `"organisationId"` and `hash`. */
export const goneTable = (addresses: readonly ErasedAddress[]): SQL =>
  sql`jsonb_to_recordset(${JSON.stringify(addresses)}::jsonb) as gone("organisationId" text, hash text)`;

/** Runs a statement that returns each changed row; returns how many. */
export const countChanged =
  (db: Database) =>
  async (...statement: Statement): Promise<number> => {
    const [row] = await query<{ count: number }>(db)`
      with changed as (${sql(...statement)}) select count(*)::int as count from changed`;
    return row?.count ?? 0;
  };

/** Returns the number of deleted rows. */
export const deleteWhere = (db: Database, table: AnyPgTable, where: SQL): Promise<number> =>
  countChanged(db)`delete from ${table} where ${where} returning 1`;

export type OwnedTable = AnyPgTable & { readonly organisationId: AnyPgColumn };

/** Deletes the rows of deleted organisations; returns how many. */
export const deleteOrphans = (db: Database, table: OwnedTable): Promise<number> =>
  deleteWhere(db, table, sql`not exists (select from organisation where organisation.id = ${table.organisationId})`);

/** Deletes a table's rows about these addresses; returns how many. `hash`: its column of their keyed hashes. */
export const deleteErased = (
  db: Database,
  table: OwnedTable,
  hash: AnyPgColumn,
  addresses: readonly ErasedAddress[],
): Promise<number> =>
  countChanged(db)`
    delete from ${table} using ${goneTable(addresses)}
    where ${table.organisationId} = gone."organisationId" and ${hash} = gone.hash
    returning 1`;

/** The rows that a filtered page examines at most. */
export const EXAMINED_MAX = 5_000;
