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

/** A record as it is bound: every field, also one that its type leaves optional. */
type Bound<R> = { readonly [K in keyof Required<R>]: SqlValue };

/** Inserts a record, each field under its column; `orElse` ends the statement. */
export const insertRecord = <R extends object>(
  sql: Sql,
  table: string,
  columns: ColumnsOf<R>,
  record: Bound<R>,
  orElse: string,
): SqlRow[] => insertRecords<R>(sql, table, columns, [record], orElse);

/** Inserts several records in one statement, which binds at most a hundred values. */
export function insertRecords<R extends object>(
  sql: Sql,
  table: string,
  columns: ColumnsOf<R>,
  records: readonly Bound<R>[],
  orElse: string,
): SqlRow[] {
  const fields = Object.keys(columns) as (keyof R & string)[];
  const names = fields.map((field) => columns[field]);
  const row = `(${names.map(() => '?').join(', ')})`;
  return sql
    .exec<SqlRow>(
      `insert into ${table} (${names.join(', ')}) values ${records.map(() => row).join(', ')} ${orElse}`,
      ...records.flatMap((record) => fields.map((field) => record[field])),
    )
    .toArray();
}

/** Ends an insert: a row with the same key takes all of the record but these fields. */
export const orReplace = <R extends object>(
  key: string,
  columns: ColumnsOf<R>,
  kept: readonly (keyof R & string)[],
): string =>
  `on conflict (${key}) do update set ${Object.entries<string>(columns)
    .filter(([field, column]) => column !== key && !kept.includes(field as keyof R & string))
    .map(([, column]) => `${column} = excluded.${column}`)
    .join(', ')}`;
