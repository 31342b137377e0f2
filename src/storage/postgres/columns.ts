import { getTableColumns, type SQL, sql } from 'drizzle-orm';
import { bigint, customType, type PgTable } from 'drizzle-orm/pg-core';
import { type Id, type IdPrefix, idFromUuid, idToUuid } from '../../kernel/ids.ts';

/** Epoch milliseconds: a number reads the same in every driver. */
export const time = (name: string) => bigint(name, { mode: 'number' });

/** Whole millionths of a dollar. */
export const amount = (name: string) => bigint(name, { mode: 'number' });

/** The UUID inside an id of one kind; rows have the id. */
export const idColumn = <P extends IdPrefix>(prefix: P, name: string) =>
  customType<{ data: Id<P>; driverData: string }>({
    dataType: () => 'uuid',
    toDriver: idToUuid,
    fromDriver: (uuid) => idFromUuid(prefix, uuid),
  })(name);

/** Words, one on each line; rows have them as a list. */
export const lines = customType<{ data: readonly string[]; driverData: string }>({
  dataType: () => 'text',
  toDriver: (words) => words.join('\n'),
  fromDriver: (text) => (text === '' ? [] : text.split('\n')),
});

/** A table of these records: `satisfies Holds<Record>` fails to compile when a field lacks a column of its type. */
export interface Holds<R> {
  readonly $inferSelect: { readonly [K in keyof R]-?: R[K] };
}

const columnsOf = (table: PgTable, without: readonly string[]) =>
  Object.entries(getTableColumns(table)).filter(([field]) => !without.includes(field));

/** The parts of a statement that takes records as JSON, with each column under the field it holds. */
export function jsonColumns<T extends PgTable>(table: T, without: readonly (keyof T['$inferSelect'] & string)[]) {
  const columns = columnsOf(table, without);
  const list = (text: (field: string, name: string, type: string) => string): SQL =>
    sql.raw(columns.map(([field, column]) => text(field, column.name, column.getSQLType())).join(', '));
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
