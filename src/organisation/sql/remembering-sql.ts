import {
  REMEMBERED_TABLES,
  type RememberedTable,
  type Sql,
  type SqlCursor,
  type SqlRow,
  type SqlValue,
} from './sql.ts';

/** Answers of one table: keys and domains that are asked for again and again are few. */
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

/** An object's storage. */
interface File {
  readonly sql: Sql;
  transactionSync<T>(work: () => T): T;
}

/**
 * An object's SQLite that remembers what was looked up in tables that every request reads and few calls change. All changes pass
 * here, since an object alone has its file: a table's answers are forgotten with its first one.
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

  /** Runs a transaction. What was read in one that is rolled back may be gone. */
  transact<T>(work: () => T): T {
    try {
      return this.file.transactionSync(work);
    } catch (error) {
      this.answers.clear();
      throw error;
    }
  }
}
