import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** Files that are made of others. Paths are below the project. */
interface BuiltSite {
  /** What it is made of, as patterns of files. */
  readonly sources: readonly string[];
  /** The folder it goes to, which holds nothing else. */
  readonly site: string;
  /** Fills an empty folder. */
  readonly build: (folder: string) => Promise<void>;
}

/** Names a state of the sources. */
function stampOf(project: string, sources: readonly string[]): string {
  const hash = createHash('sha256');
  for (const path of sources
    .flatMap((pattern) => globSync(pattern, { cwd: project, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort()) {
    hash
      .update(`${relative(project, path)}\0`)
      .update(readFileSync(path))
      .update('\0');
  }
  return hash.digest('hex');
}

/**
 * Builds a site where it is not of these sources already: a start builds it once. Another start may build at the same time; the last
 * one stands.
 */
export async function buildOnce(project: string, { sources, site: path, build }: BuiltSite): Promise<void> {
  const site = join(project, path);
  const stampFile = join(project, 'dist', `${path.replaceAll('/', '-')}.built-from`);
  const stamp = stampOf(project, sources);
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp && existsSync(site)) return;
  mkdirSync(join(project, 'dist'), { recursive: true });
  const fresh = mkdtempSync(join(project, 'dist/build-'));
  try {
    await build(fresh);
    mkdirSync(dirname(site), { recursive: true });
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
