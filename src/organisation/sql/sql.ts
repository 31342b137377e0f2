import { asciiJson } from '../../kernel/encoding.ts';

export type SqlValue = string | number | null | ArrayBuffer;
export type SqlRow = Record<string, SqlValue>;

/** The used part of a Durable Object's `SqlStorage`; unit tests replace it by Node's SQLite. */
export interface Sql {
  exec<T extends SqlRow>(query: string, ...bindings: SqlValue[]): SqlCursor<T>;
  /** The first row, possibly from memory. `query` binds `key`, or nothing if that is empty. */
  lookUp?(table: RememberedTable, query: string, key: string): SqlRow | undefined;
}

/** Tables that every request reads and few calls change. */
export const REMEMBERED_TABLES = ['api_key', 'losses', 'domain_rule', 'address_rule', 'rehash'] as const;
export type RememberedTable = (typeof REMEMBERED_TABLES)[number];

/** Rows, read while they are iterated. */
export interface SqlCursor<T> extends Iterable<T> {
  toArray(): T[];
}

/** Undefined without rows. */
export const first = <T extends SqlRow>(sql: Sql, query: string, ...bindings: SqlValue[]): T | undefined =>
  sql.exec<T>(query, ...bindings).toArray()[0];

/** The first row of a table that seldom changes, from memory if possible. */
export const lookUp = <T extends SqlRow>(sql: Sql, table: RememberedTable, query: string, key = ''): T | undefined =>
  sql.lookUp === undefined
    ? first<T>(sql, query, ...(key === '' ? [] : [key]))
    : (sql.lookUp(table, query, key) as T | undefined);

/** Runs `work` as one transaction. */
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

/** A record as bound: every field, also optional ones. */
type Bound<R> = { readonly [K in keyof Required<R>]: SqlValue };

/** Inserts a record, each field in its column; `orElse` ends the statement. */
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
  const values = records.flatMap((record) => fields.map((field) => record[field]));
  return sql.exec<SqlRow>(insertion(table, columns, records.length, orElse), ...values).toArray();
}

function insertionOf(table: string, names: readonly string[], rows: number, orElse: string): string {
  const row = `(${names.map(() => '?').join(', ')})`;
  return `insert into ${table} (${names.join(', ')}) values ${Array(rows).fill(row).join(', ')} ${orElse}`;
}

const insertions = new WeakMap<object, Map<string, string[]>>();

/** Cached text: making it takes longer than some statements. */
function insertion(table: string, columns: Readonly<Record<string, string>>, rows: number, orElse: string): string {
  const ofColumns = insertions.get(columns) ?? new Map<string, string[]>();
  insertions.set(columns, ofColumns);
  const made = ofColumns.get(`${table} ${orElse}`) ?? [];
  ofColumns.set(`${table} ${orElse}`, made);
  made[rows] ??= insertionOf(table, Object.values(columns), rows, orElse);
  return made[rows];
}

/** Ends an insert: a row with the same key takes all of the record except these fields. */
export const orReplace = <R extends object>(
  key: string,
  columns: ColumnsOf<R>,
  kept: readonly (keyof R & string)[],
): string =>
  `on conflict (${key}) do update set ${Object.entries<string>(columns)
    .filter(([field, column]) => column !== key && !kept.includes(field as keyof R & string))
    .map(([, column]) => `${column} = excluded.${column}`)
    .join(', ')}`;

/**
 * In JSON: an escaped backslash or surrogate pair, which stays, or a character that Postgres refuses even when escaped.
 */
const ESCAPES =
  /(\\\\|\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2})|\\u(?:0000|[dD][89a-fA-F][\da-fA-F]{2})/g;

/** Drops characters that Postgres refuses. Inputs are checked for them; losing one is better than losing the record. */
export const storable = (record: string): string =>
  asciiJson(record.replace(ESCAPES, (_, kept?: string) => kept ?? '\ufffd'));

/** Cached answers of one table: few keys and domains recur. */
const ANSWERS_MAX = 1_000;

const NAMES = REMEMBERED_TABLES.map((table) => ({ table, name: new RegExp(`\\b${table}\\b`, 'i') }));
const IS_READ = /^\s*select\b/i;

/** The tables that a statement may change: those that it names, whatever its form. */
const changes = new Map<string, readonly RememberedTable[]>();
function changedBy(query: string): readonly RememberedTable[] {
  const known = changes.get(query);
  if (known !== undefined) return known;
  const named = NAMES.flatMap(({ table, name }) => (name.test(query) ? [table] : []));
  const tables = IS_READ.test(query) ? [] : named;
  changes.set(query, tables);
  return tables;
}

interface File {
  readonly sql: Sql;
  transactionSync<T>(work: () => T): T;
}

/**
 * An object's SQLite with a cache for tables that every request reads and few calls change. All changes pass here,
 * since an object alone has its file: the first change of a table drops its answers.
 */
export class RememberingSql implements Sql {
  private readonly file: File;
  private readonly answers = new Map<string, Map<string, SqlRow | undefined>>();

  constructor(file: File) {
    this.file = file;
  }

  exec<T extends SqlRow>(query: string, ...bindings: SqlValue[]): SqlCursor<T> {
    for (const table of changedBy(query)) this.answers.delete(table);
    return this.file.sql.exec<T>(query, ...bindings);
  }

  lookUp(table: RememberedTable, query: string, key: string): SqlRow | undefined {
    const known = this.answers.get(table) ?? new Map<string, SqlRow | undefined>();
    const name = `${query} ${key}`;
    if (known.has(name)) return known.get(name);
    const [row] = this.file.sql.exec(query, ...(key === '' ? [] : [key])).toArray();
    if (known.size < ANSWERS_MAX) known.set(name, row);
    this.answers.set(table, known);
    return row;
  }

  /** Runs a transaction. A rollback may drop what was read in it. */
  transact<T>(work: () => T): T {
    try {
      return this.file.transactionSync(work);
    } catch (error) {
      this.answers.clear();
      throw error;
    }
  }
}
