/** Values the object's SQLite takes and gives. */
export type SqlValue = string | number | null | ArrayBuffer;
export type SqlRow = Record<string, SqlValue>;

/** The part of a Durable Object's `SqlStorage` that stores use; Node's SQLite stands in for it in unit tests. */
export interface Sql {
  exec<T extends SqlRow>(query: string, ...bindings: SqlValue[]): SqlCursor<T>;
}

/** Rows, read as they are taken. */
export interface SqlCursor<T> extends Iterable<T> {
  toArray(): T[];
}

/** The only row, or undefined when there is none. */
export const first = <T extends SqlRow>(sql: Sql, query: string, ...bindings: SqlValue[]): T | undefined =>
  sql.exec<T>(query, ...bindings).toArray()[0];

/** Runs `work` as one transaction: all of its writes or none. */
export type Transact = <T>(work: () => T) => T;
