import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StackError } from './stack-error.ts';

/** What the pages are made of. */
const SOURCES = ['dashboard/app/**/*', 'dashboard/vite.config.ts', 'package-lock.json'];

/** Names a state of the sources. */
function stampOf(project: string): string {
  const hash = createHash('sha256');
  for (const path of SOURCES.flatMap((pattern) => globSync(pattern, { cwd: project, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort()) {
    hash.update(`${path}\0`).update(readFileSync(path)).update('\0');
  }
  return hash.digest('hex');
}

/**
 * Builds the pages into `dashboard/dist/site`, where they are not of these sources already: a start builds them once. Another start
 * may build at the same time; the last one stands.
 */
export async function buildDashboardSite(project: string): Promise<void> {
  const dist = join(project, 'dashboard/dist');
  const [site, stampFile] = [join(dist, 'site'), join(dist, 'built-from')];
  const stamp = stampOf(project);
  const isBuilt = () => existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp && existsSync(site);
  if (isBuilt()) return;
  const { build } = await import('vite');
  mkdirSync(dist, { recursive: true });
  const fresh = mkdtempSync(join(dist, 'build-'));
  try {
    await build({
      root: join(project, 'dashboard/app'),
      configFile: join(project, 'dashboard/vite.config.ts'),
      build: { outDir: fresh, emptyOutDir: true },
      logLevel: 'error',
    }).catch((error: Error) => {
      throw new StackError(`The dashboard's pages can't be built:\n${error.message}`);
    });
    rmSync(site, { recursive: true, force: true });
    try {
      renameSync(fresh, site);
    } catch (error) {
      // Another start was quicker.
      if (!existsSync(site)) throw error;
    }
    writeFileSync(stampFile, stamp);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}
