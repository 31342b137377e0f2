import { asciiJson } from '../../kernel/encoding.ts';

export type SqlValue = string | number | null | ArrayBuffer;
export type SqlRow = Record<string, SqlValue>;

/** Tables that every request reads and few calls change. */
export const REMEMBERED_TABLES = ['api_key', 'losses', 'domain_rule', 'address_rule', 'rehash'] as const;
export type RememberedTable = (typeof REMEMBERED_TABLES)[number];

/** Rows, read while they are iterated. */
export interface SqlCursor<T> extends Iterable<T> {
  toArray(): T[];
}

/** Part of a statement: its text, and the values bound in it. */
export interface Clause {
  readonly text: string;
  readonly bindings: readonly SqlValue[];
}

/** Text that is the statement's own: a column, a table, a condition. */
export const raw = (text: string | number): Clause => ({ text: String(text), bindings: [] });

/** Where a condition does not apply. */
export const NOTHING = raw('');

const isClause = (value: SqlValue | Clause | undefined): value is Clause =>
  typeof value === 'object' && value !== null && 'bindings' in value;

/** The text of each statement without clauses, made once: SQLite and the cache below know it by its identity. */
const texts = new WeakMap<TemplateStringsArray, string>();
function textOf(parts: TemplateStringsArray): string {
  const known = texts.get(parts);
  if (known !== undefined) return known;
  const text = parts.join('?');
  texts.set(parts, text);
  return text;
}

/** A value is bound; a clause is put in. */
export function clause(parts: TemplateStringsArray, ...values: readonly (SqlValue | Clause)[]): Clause {
  if (!values.some(isClause)) return { text: textOf(parts), bindings: values as readonly SqlValue[] };
  let text = parts[0] ?? '';
  const bindings: SqlValue[] = [];
  for (const [place, value] of values.entries()) {
    text += isClause(value) ? value.text : '?';
    if (isClause(value)) bindings.push(...value.bindings);
    else bindings.push(value);
    text += parts[place + 1] ?? '';
  }
  return { text, bindings };
}

/** A list of values, however many, as one bound value. */
export const anyOf = (values: readonly unknown[]): Clause =>
  clause`(select value from json_each(${JSON.stringify(values)}))`;

/** The used part of the runtime's `SqlStorage`; unit tests replace it by Node's SQLite. */
interface Execute {
  exec<T extends SqlRow>(query: string, ...bindings: SqlValue[]): SqlCursor<T>;
}

type Statement = Parameters<typeof clause>;

/** A Durable Object's SQLite. A statement is a tagged template: ``sql.all<Row>`select …` ``. */
export class Sql {
  private readonly file: Execute;

  constructor(file: Execute) {
    this.file = file;
  }

  exec<T extends SqlRow>(query: string, ...bindings: SqlValue[]): SqlCursor<T> {
    return this.file.exec<T>(query, ...bindings);
  }

  all<T = SqlRow>(...statement: Statement): T[] {
    const { text, bindings } = clause(...statement);
    return this.exec<SqlRow & T>(text, ...bindings).toArray();
  }

  /** Undefined without rows. */
  first<T = SqlRow>(...statement: Statement): T | undefined {
    return this.all<T>(...statement)[0];
  }

  /** The only number of the only row; 0 for null. */
  count(...statement: Statement): number {
    return Object.values(this.all<Record<string, number | null>>(...statement)[0] ?? {})[0] ?? 0;
  }

  run(...statement: Statement): void {
    this.all(...statement);
  }

  /** The first row of a table that seldom changes, from memory if possible. `query` binds `key` unless it is empty. */
  lookUp<T = SqlRow>(_table: RememberedTable, query: string, key = ''): T | undefined {
    return this.exec<SqlRow & T>(query, ...(key === '' ? [] : [key])).toArray()[0];
  }
}

/** Runs `work` as one transaction. */
export type Transact = <T>(work: () => T) => T;

/** The column of each field of a record. A field without one does not compile. */
export type ColumnsOf<R> = { readonly [K in keyof Required<R>]: string };

/** `created_at as "createdAt", …`: rows are then records. */
export const selectList = (columns: Readonly<Record<string, string>>): Clause =>
  raw(
    Object.entries(columns)
      .map(([field, column]) => `${column} as "${field}"`)
      .join(', '),
  );

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

interface Storage {
  readonly sql: Execute;
  transactionSync<T>(work: () => T): T;
}

/**
 * An object's SQLite with a cache for tables that every request reads and few calls change. All changes pass here,
 * since an object alone has its file: the first change of a table drops its answers.
 */
export class RememberingSql extends Sql {
  private readonly storage: Storage;
  private readonly answers = new Map<string, Map<string, unknown>>();

  constructor(storage: Storage) {
    super(storage.sql);
    this.storage = storage;
  }

  override exec<T extends SqlRow>(query: string, ...bindings: SqlValue[]): SqlCursor<T> {
    for (const table of changedBy(query)) this.answers.delete(table);
    return super.exec<T>(query, ...bindings);
  }

  override lookUp<T = SqlRow>(table: RememberedTable, query: string, key = ''): T | undefined {
    const known = this.answers.get(table) ?? new Map<string, unknown>();
    const name = `${query} ${key}`;
    if (known.has(name)) return known.get(name) as T | undefined;
    const row = super.lookUp<T>(table, query, key);
    if (known.size < ANSWERS_MAX) known.set(name, row);
    this.answers.set(table, known);
    return row;
  }

  /** Runs a transaction. A rollback may drop what was read in it. */
  transact<T>(work: () => T): T {
    try {
      return this.storage.transactionSync(work);
    } catch (error) {
      this.answers.clear();
      throw error;
    }
  }
}
