import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import packageJson from '../../package.json' with { type: 'json' };

/** Beside the packages of the same install, so that it goes with them. */
const TEMPLATE = join(
  import.meta.dirname,
  '../../node_modules/.cache/embedded-postgres',
  packageJson.devDependencies['@electric-sql/pglite'],
);

/** Made aside and moved into place: the template is whole or not there, however many processes make it at once. */
async function makeTemplate(): Promise<void> {
  const draft = `${TEMPLATE}.${process.pid}`;
  mkdirSync(dirname(TEMPLATE), { recursive: true });
  rmSync(draft, { recursive: true, force: true });
  await (await PGlite.create(draft)).close();
  try {
    renameSync(draft, TEMPLATE);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (!existsSync(TEMPLATE)) throw error;
  }
}

/**
 * Fills `dataDir` with an empty cluster. Making one takes seconds of CPU, copying one a tenth: the first is kept for every
 * fresh start and every test after it.
 */
export async function createCluster(dataDir: string): Promise<void> {
  if (!existsSync(TEMPLATE)) await makeTemplate();
  cpSync(TEMPLATE, dataDir, { recursive: true });
}
