import { sha256Hex } from '../kernel/keyed-hash.ts';
import type { Sql, Transact } from './sql.ts';

/** One step of an object's schema. Append-only: a step that has run anywhere is never edited. */
export interface ObjectMigration {
  readonly name: string;
  readonly sql: string;
}

/** Brings an object's SQLite to the newest schema. Throws when a step that ran before has changed or is gone. */
export function migrateObject(sql: Sql, transact: Transact, migrations: readonly ObjectMigration[]): void {
  sql.exec(
    'create table if not exists migration (position integer primary key, name text not null, digest text not null)',
  );
  const done = sql
    .exec<{ name: string; digest: string }>('select name, digest from migration order by position')
    .toArray();
  done.forEach((past, position) => {
    const step = migrations[position];
    if (step?.name !== past.name || digest(step) !== past.digest) throw new Error(`migration ${past.name} has changed`);
  });
  for (const [position, step] of migrations.entries()) {
    if (position < done.length) continue;
    transact(() => {
      sql.exec(step.sql);
      sql.exec('insert into migration (position, name, digest) values (?, ?, ?)', position, step.name, digest(step));
    });
  }
}

const digest = (step: ObjectMigration): string => sha256Hex(step.sql).slice(0, 16);
