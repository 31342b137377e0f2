/** Values the object's SQLite takes and gives. */
export type SqlValue = string | number | null | ArrayBuffer;
export type SqlRow = Record<string, SqlValue>;

/** The part of a Durable Object's `SqlStorage` that we use; unit tests replace it by Node's SQLite. */
export interface Sql {
  exec<T extends SqlRow>(query: string, ...bindings: SqlValue[]): SqlCursor<T>;
}

/** Rows, read while they are iterated. */
export interface SqlCursor<T> extends Iterable<T> {
  toArray(): T[];
}

/** The first row, or undefined without rows. */
export const first = <T extends SqlRow>(sql: Sql, query: string, ...bindings: SqlValue[]): T | undefined =>
  sql.exec<T>(query, ...bindings).toArray()[0];

/** Runs `work` as one transaction: all of its writes, or none, are kept. */
export type Transact = <T>(work: () => T) => T;

/** The column of each field of a record. A field without one does not compile. */
export type ColumnsOf<R> = { readonly [K in keyof Required<R>]: string };

/** A row whose columns are selected under the names of a record's fields. */
export type RowOf<R> = SqlRow & { -readonly [K in keyof R]: R[K] };

/** `created_at as "createdAt", …`: rows are then records. */
export const selectList = (columns: Readonly<Record<string, string>>): string =>
  Object.entries(columns)
    .map(([field, column]) => `${column} as "${field}"`)
    .join(', ');

/** Inserts a record, each field under its column; `orElse` ends the statement. */
export function insertRecord<R extends object>(
  sql: Sql,
  table: string,
  columns: ColumnsOf<R>,
  record: { readonly [K in keyof R]: SqlValue },
  orElse: string,
): SqlRow[] {
  const fields = Object.keys(columns) as (keyof R & string)[];
  const names = fields.map((field) => columns[field]);
  return sql
    .exec<SqlRow>(
      `insert into ${table} (${names.join(', ')}) values (${names.map(() => '?').join(', ')}) ${orElse}`,
      ...fields.map((field) => record[field]),
    )
    .toArray();
}
