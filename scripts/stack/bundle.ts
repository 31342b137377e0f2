import { execFile } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { StackError } from './stack-error.ts';

const WRANGLER = join(import.meta.dirname, '../../node_modules/wrangler/bin/wrangler.js');

/** How wrangler's output is loaded, by file name; its main module comes first. */
const MODULE_TYPES = {
  '.js': 'ESModule',
  '.bin': 'Data',
  '.wasm': 'CompiledWasm',
  '.txt': 'Text',
  '.html': 'Text',
  '.sql': 'Text',
} as const;

export interface BundleModule {
  readonly type: (typeof MODULE_TYPES)[keyof typeof MODULE_TYPES];
  readonly path: string;
}

/** Builds the Worker into `outDir` as a deployment would, and lists its modules. */
export async function bundleWorker(project: string, outDir: string): Promise<BundleModule[]> {
  rmSync(outDir, { recursive: true, force: true });
  const args = [WRANGLER, 'deploy', '--dry-run', '--outdir', outDir];
  await promisify(execFile)(process.execPath, args, { cwd: project }).catch((error: { stdout: string; stderr: string }) => {
    throw new StackError(`The Worker can't be built:\n${error.stdout}${error.stderr}`);
  });
  return readdirSync(outDir)
    .flatMap((path) => {
      const type = MODULE_TYPES[extname(path) as keyof typeof MODULE_TYPES];
      return type ? [{ type, path }] : [];
    })
    .sort((a, b) => Number(b.path === 'index.js') - Number(a.path === 'index.js'));
}
