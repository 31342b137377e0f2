import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PGlite } from '@electric-sql/pglite';

interface Journal {
  readonly entries: readonly { readonly when: number }[];
}

/** By drizzle's own rule: what is older than the newest that was applied counts as applied. */
async function areApplied(db: PGlite, folder: string): Promise<boolean> {
  const { entries } = JSON.parse(readFileSync(join(folder, 'meta/_journal.json'), 'utf8')) as Journal;
  const { rows: tables } = await db.query(`select 1 where to_regclass('drizzle.__drizzle_migrations') is not null`);
  if (tables.length === 0) return false;
  const { rows } = await db.query<{ newest: string }>(
    'select max(created_at)::text as newest from drizzle.__drizzle_migrations',
  );
  return entries.every(({ when }) => when <= Number(rows[0]?.newest ?? 0));
}

/** Drizzle takes two seconds of CPU to load: it is where something is left to apply. */
export async function migrateEmbedded(db: PGlite, migrationsFolder: string): Promise<void> {
  if (await areApplied(db, migrationsFolder)) return;
  const [{ drizzle }, { migrate }] = await Promise.all([
    import('drizzle-orm/pglite'),
    import('drizzle-orm/pglite/migrator'),
  ]);
  await migrate(drizzle(db), { migrationsFolder });
}
