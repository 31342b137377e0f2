import { sha256Hex } from '../kernel/keyed-hash.ts';
import { readableUpTo, requireReadable } from '../kernel/version.ts';
import { first, type Sql, type Transact } from './sql/sql.ts';

/** One step of an object's schema. Append-only: a step that has run anywhere is never edited. */
export interface ObjectMigration {
  readonly name: string;
  readonly sql: string;
  /** A step that takes something away names the first release that did without it. Every other step only adds. */
  readonly unusedSince?: number;
}

/**
 * Brings an object's SQLite to the newest schema. Steps beyond those known here are a newer release's: they leave this one
 * what it needs. Throws when a step that ran before has changed, or when another one stands in its place.
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

/**
 * Holds what an object's rows hold (JSON, for the most part) to one version for all of them: refuses to start on what only a
 * later release reads. A release that was rolled back leaves the version of the one after it.
 */
export function keepStateVersion(sql: Sql, written: number): void {
  sql.exec(
    'create table if not exists state_version (id integer primary key check (id = 1), version integer not null)',
  );
  const found = first<{ version: number }>(sql, 'select version from state_version')?.version ?? 0;
  requireReadable("the object's state", found, readableUpTo(written));
  if (found < written)
    sql.exec(
      'insert into state_version (id, version) values (1, ?) on conflict (id) do update set version = excluded.version',
      written,
    );
}

const digest = (step: ObjectMigration): string => sha256Hex(step.sql).slice(0, 16);
