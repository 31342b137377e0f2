import { DatabaseSync } from 'node:sqlite';
import type { Sql, SqlRow, SqlValue } from '../../src/platform/sql.ts';

/** A Durable Object's storage on Node's own SQLite: same SQL, same transactions, an alarm that only remembers its time. */
export interface ObjectStorage {
  readonly sql: Sql;
  transactionSync<T>(work: () => T): T;
  setAlarm(at: number): Promise<void>;
  deleteAlarm(): Promise<void>;
  readonly alarmAt: () => number | null;
}

export function createObjectStorage(): ObjectStorage {
  const database = new DatabaseSync(':memory:');
  let alarm: number | null = null;
  let depth = 0;
  const sql: Sql = {
    exec<T extends SqlRow>(query: string, ...bindings: SqlValue[]) {
      if (bindings.length === 0 && query.includes(';')) {
        database.exec(query);
        return { toArray: () => [] };
      }
      const rows = database.prepare(query).all(...(bindings as (string | number | null)[])) as unknown as T[];
      return { toArray: () => rows };
    },
  };
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
