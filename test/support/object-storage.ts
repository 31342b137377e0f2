import { DatabaseSync } from 'node:sqlite';
import { statement } from './platform.ts';
import { Sql, type SqlCursor, type SqlRow, type SqlValue } from '../../src/organisation/sql/sql.ts';

/** A Durable Object's storage on Node's own SQLite: same SQL, same transactions, an alarm that only remembers its time. */
export interface ObjectStorage {
  readonly sql: Sql;
  transactionSync<T>(work: () => T): T;
  setAlarm(at: number): Promise<void>;
  deleteAlarm(): Promise<void>;
  readonly alarmAt: () => number | null;
}

/** Like the runtime's cursor: a statement runs to its first row at once; further rows are read on demand. */
function cursorOf<T>(rows: Iterator<T>): SqlCursor<T> {
  const first = rows.next();
  function* all() {
    try {
      for (let next = first; next.done !== true; next = rows.next()) yield next.value;
    } finally {
      rows.return?.();
    }
  }
  const cursor = all();
  return { toArray: () => [...cursor], [Symbol.iterator]: () => cursor };
}

/** The runtime gives blobs as `ArrayBuffer`. */
function* inRuntimeTypes<T extends SqlRow>(rows: Iterator<T>): Generator<T> {
  try {
    for (let next = rows.next(); next.done !== true; next = rows.next()) {
      const values = Object.entries(next.value).map(([name, value]: [string, unknown]) => [
        name,
        value instanceof Uint8Array ? value.slice().buffer : value,
      ]);
      yield Object.fromEntries(values) as T;
    }
  } finally {
    rows.return?.();
  }
}

/** Runs the stores' statements and records the plan of each, one line per step. */
export function explaining(sql: Sql): { readonly sql: Sql; readonly plans: string[][] } {
  const plans: string[][] = [];
  const exec: Sql['exec'] = (query, ...bindings) => {
    const plan = sql.exec<{ detail: string }>(`explain query plan ${query}`, ...bindings).toArray();
    plans.push(plan.map(({ detail }) => detail));
    return sql.exec(query, ...bindings);
  };
  return { sql: new Sql({ exec }), plans };
}

export function createObjectStorage(): ObjectStorage {
  const database = new DatabaseSync(':memory:');
  let alarm: number | null = null;
  let depth = 0;
  const sql = new Sql({
    exec<T extends SqlRow>(query: string, ...bindings: SqlValue[]) {
      statement(query, bindings);
      if (bindings.length === 0 && query.includes(';')) {
        database.exec(query);
        return cursorOf<T>([].values());
      }
      const bound = bindings.map((value) => (value instanceof ArrayBuffer ? new Uint8Array(value) : value));
      const rows = database.prepare(query).iterate(...bound);
      return cursorOf(inRuntimeTypes(rows as unknown as Iterator<T>));
    },
  });
  return {
    sql,
    transactionSync(work) {
      const savepoint = `s${depth}`;
      depth += 1;
      database.exec(`savepoint ${savepoint}`);
      try {
        const value = work();
        database.exec(`release ${savepoint}`);
        return value;
      } catch (error) {
        database.exec(`rollback to ${savepoint}; release ${savepoint}`);
        throw error;
      } finally {
        depth -= 1;
      }
    },
    setAlarm: async (at) => {
      alarm = at;
    },
    deleteAlarm: async () => {
      alarm = null;
    },
    alarmAt: () => alarm,
  };
}
