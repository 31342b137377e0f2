import { createHash } from 'node:crypto';
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** Fills an empty folder. */
type Build = (folder: string) => Promise<void>;

/** Files that are made of others. Paths are below the project. */
interface Built {
  /** Its sources, as file patterns. */
  readonly sources: readonly string[];
  readonly build: Build;
}

interface BuiltSite extends Built {
  /** The folder that a Worker serves. Contains nothing else. */
  readonly site: string;
}

interface KeptFolder extends Built {
  readonly name: string;
}

/** Names a state of the sources, whose paths are below `project`. */
export function stampOf(project: string, sources: readonly string[]): string {
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

/** Builds in a folder of `aside` and moves it into place, whole or not at all. A faster start's folder stays. */
export async function putFolder(aside: string, build: Build, folder: string): Promise<void> {
  mkdirSync(aside, { recursive: true });
  const fresh = mkdtempSync(join(aside, 'build-'));
  try {
    await build(fresh);
    mkdirSync(dirname(folder), { recursive: true });
    try {
      renameSync(fresh, folder);
    } catch (error) {
      if (!existsSync(folder)) throw error;
    }
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

/** Builds a site unless it is up to date; returns whether it built. Of concurrent builds the last one wins. */
export async function buildSite(project: string, { sources, site: path, build }: BuiltSite): Promise<boolean> {
  const site = join(project, path);
  const stampFile = join(project, 'dist', `${path.replaceAll('/', '-')}.built-from`);
  const stamp = stampOf(project, sources);
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp && existsSync(site)) return false;
  const replace: Build = async (fresh) => {
    await build(fresh);
    rmSync(site, { recursive: true, force: true });
  };
  await putFolder(join(project, 'dist'), replace, site);
  writeFileSync(stampFile, stamp);
  return true;
}

/** Copies of a name: the last one may be read while the next is made. */
const KEPT = 2;

/** The folder built from these sources, built if missing. Returns its path. */
export async function keptFolder(project: string, { sources, name, build }: KeptFolder): Promise<string> {
  const dist = join(project, 'dist');
  // The build may contain its own path.
  const stamp = createHash('sha256')
    .update(`${project}\0${stampOf(project, sources)}`)
    .digest('hex');
  const folder = join(dist, `${name}-${stamp.slice(0, 16)}`);
  if (existsSync(folder)) return folder;
  await putFolder(dist, build, folder);
  const all = globSync(`${name}-*`, { cwd: dist }).map((path) => ({ path, made: statSync(join(dist, path)).mtimeMs }));
  for (const { path } of all.toSorted((one, other) => other.made - one.made).slice(KEPT))
    rmSync(join(dist, path), { recursive: true, force: true });
  return folder;
}
