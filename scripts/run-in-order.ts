import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');

/** Runs programs of `node_modules/.bin`, or `node`, one after the other on this terminal. The first that fails ends it, with its exit code. */
export function runInOrder(...programs: readonly (readonly [name: string, ...args: string[]])[]): void {
  for (const [name, ...args] of programs) {
    const program = name === 'node' ? process.execPath : join(ROOT, 'node_modules/.bin', name);
    const { status, error } = spawnSync(program, args, { cwd: ROOT, stdio: 'inherit' });
    if (error) console.error(error.message);
    if (status === 0) continue;
    process.exitCode = status ?? 1;
    return;
  }
}
