import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { drizzle as drizzleServer } from 'drizzle-orm/node-postgres';
import { migrate as migrateServer } from 'drizzle-orm/node-postgres/migrator';
import { drizzle as drizzleEmbedded } from 'drizzle-orm/pglite';
import { migrate as migrateEmbedded } from 'drizzle-orm/pglite/migrator';
import pg from 'pg';
import type { Database } from '../../src/platform/db/client.ts';

const MIGRATIONS = join(import.meta.dirname, '../../drizzle');

export interface TestDatabase {
  readonly db: Database;
  close(): Promise<void>;
}

/**
 * A database with the committed migrations: PGlite in memory, or with `TEST_DATABASE_URL` a schema of its own on that
 * Postgres, dropped on close. The same suites run on both; other suites' rows may stand beside a suite's own.
 */
export const openTestDatabase = (): Promise<TestDatabase> => {
  const { TEST_DATABASE_URL: url } = process.env;
  return url ? openSchema(url) : openEmbedded();
};

/** PGlite takes seconds of CPU to start: the files of one worker share it, one after the other. */
let embedded: Promise<TestDatabase> | undefined;

function openEmbedded(): Promise<TestDatabase> {
  embedded ??= startEmbedded();
  return embedded;
}

async function startEmbedded(): Promise<TestDatabase> {
  const db = drizzleEmbedded(await PGlite.create());
  await migrateEmbedded(db, { migrationsFolder: MIGRATIONS });
  // It is all in memory and ends with the worker.
  return { db: db as unknown as Database, close: async () => undefined };
}

async function openSchema(url: string): Promise<TestDatabase> {
  const schema = `test_${randomBytes(8).toString('hex')}`;
  const pool = new pg.Pool({ connectionString: url, max: 10, options: `-c search_path=${schema}` });
  await pool.query(`create schema ${schema}`);
  const db = drizzleServer(pool);
  await migrateServer(db, { migrationsFolder: MIGRATIONS, migrationsSchema: schema });
  return {
    db: db as unknown as Database,
    async close() {
      await pool.query(`drop schema ${schema} cascade`);
      await pool.end();
    },
  };
}
