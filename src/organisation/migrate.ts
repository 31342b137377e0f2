import { sha256Hex } from '../kernel/keyed-hash.ts';
import type { Sql, Transact } from './sql/sql.ts';

/** One step of an object's schema. Append-only: a step that has run anywhere is never edited. */
export interface ObjectMigration {
  readonly name: string;
  readonly sql: string;
  /** A step that removes something names the first release that did without it. Every other step only adds. */
  readonly unusedSince?: number;
}

/**
 * Brings an object's SQLite to the newest schema. Unknown further steps belong to a newer release and keep what this one
 * needs. Throws when a step that ran before has changed or was replaced.
 */
export function migrateObject(sql: Sql, transact: Transact, migrations: readonly ObjectMigration[]): void {
  sql.exec(
    'create table if not exists migration (position integer primary key, name text not null, digest text not null)',
  );
  const done = sql
    .exec<{ name: string; digest: string }>('select name, digest from migration order by position')
    .toArray();
  for (const [position, step] of migrations.entries()) {
    const past = done[position];
    if (past === undefined) {
      transact(() => {
        sql.exec(step.sql);
        sql.exec('insert into migration (position, name, digest) values (?, ?, ?)', position, step.name, digest(step));
      });
    } else if (past.name !== step.name || past.digest !== digest(step)) {
      throw new Error(`migration ${past.name} has changed`);
    }
  }
}

const digest = (step: ObjectMigration): string => sha256Hex(step.sql).slice(0, 16);
