import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Inside node_modules, so that a reinstall removes it. */
const CACHE = join(import.meta.dirname, '../../node_modules/.cache/programs');

const FETCH_LIMIT_MS = 180_000;

/**
 * Path of a program that one suite needs and `npm ci` doesn't install. It is fetched once, at exactly this version, into a
 * draft folder that is then moved into place. `command`: the program's name if it differs from the package's. `beside`: its
 * peer dependencies with versions.
 */
export async function fetchedProgram(
  name: string,
  version: string,
  command: string = name,
  beside: readonly string[] = [],
): Promise<string> {
  const folder = join(CACHE, `${name}-${version}`);
  const program = join(folder, 'node_modules/.bin', command);
  if (existsSync(program)) return program;
  const draft = `${folder}.${process.pid}`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true });
  writeFileSync(join(draft, 'package.json'), JSON.stringify({ private: true, allowScripts: { [name]: true } }));
  try {
    await promisify(execFile)(
      'npm',
      ['install', '--no-audit', '--no-fund', '--save-exact', `${name}@${version}`, ...beside],
      {
        cwd: draft,
        timeout: FETCH_LIMIT_MS,
      },
    );
    rmSync(folder, { recursive: true, force: true });
    renameSync(draft, folder);
  } catch (error) {
    const { stderr = '', message } = error as Error & { stderr?: string };
    const said = stderr.split('\n').find((line) => line.startsWith('npm error')) ?? message.split('\n')[0];
    throw new Error(`${name} ${version}, which this suite needs, can't be fetched from the package registry: ${said}`, {
      cause: error,
    });
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return program;
}
