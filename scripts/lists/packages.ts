import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A published package as the builder reads it. Paths are those inside the package. */
export interface Package {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  readonly paths: readonly string[];
  text(path: string): string;
}

const require = createRequire(import.meta.url);

/** What a CommonJS package exports, for the packages that keep their list in code. */
export const exported = <T>(name: string): T => require(name) as T;

/** An installed development dependency; its version is the lock file's. */
export function installed(name: string): Package {
  // By folder: some packages don't export their package.json.
  const folders = require.resolve.paths(name) ?? [];
  const root = folders.map((folder) => join(folder, name)).find((folder) => existsSync(join(folder, 'package.json')));
  if (root === undefined) throw new Error(`${name} is not installed: run npm ci`);
  const text = (path: string): string => readFileSync(join(root, path), 'utf8');
  const { version, license } = JSON.parse(text('package.json')) as { version: string; license: string };
  return { name, version, licence: license, text, paths: readdirSync(root) };
}

/**
 * A package not to be installed (its own script fetches from the network, or it is large): its tarball from the registry,
 * checked against the pinned integrity, read in memory, none of its code run.
 */
export function pinned(name: string, version: string, integrity: string): Package {
  const folder = mkdtempSync(join(tmpdir(), 'lists-'));
  try {
    execFileSync('npm', ['pack', `${name}@${version}`, '--ignore-scripts', '--silent'], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const tarball = readFileSync(join(folder, readdirSync(folder)[0] ?? ''));
    const found = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
    if (found !== integrity) throw new Error(`${name}@${version}: integrity is ${found}, expected ${integrity}`);
    const tar = (flags: string, ...members: string[]): string =>
      execFileSync('tar', [flags, '-', ...members], { input: tarball, encoding: 'utf8', maxBuffer: 256 * 2 ** 20 });
    const paths = tar('-tzf')
      .split('\n')
      .map((path) => path.replace('package/', ''));
    const text = (path: string): string => tar('-xzOf', `package/${path}`);
    const { license } = JSON.parse(text('package.json')) as { license: string };
    return { name, version, licence: license, text, paths };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
