import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import { type Database, MIGRATIONS } from '../../scripts/stack/database.ts';
import { openEmbedded } from '../../scripts/stack/embedded-database.ts';

const EMPTY = ['drop schema public cascade', 'drop schema drizzle cascade', 'create schema public'];

/** Databases returned by earlier test files. Embedded Postgres takes 2 s of CPU to start, new tables a third of a second. */
const idle: Database[] = [];

const start = (): Promise<Database> =>
  openEmbedded(join(mkdtempSync(join(inject('databaseFolder'), 'of-')), 'postgres'));

/** A migrated database for one service. Closed, it is emptied and kept for the next. */
export async function openServiceDatabase(): Promise<Database> {
  const database = idle.pop() ?? (await start());
  await database.migrate(MIGRATIONS);
  return {
    ...database,
    async close() {
      for (const statement of EMPTY) await database.query(statement, []);
      idle.push(database);
    },
  };
}
