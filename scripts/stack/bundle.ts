import { execFile } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { StackError } from './stack-error.ts';

/** The command line itself: the package's executable adds a process around it, which would not end it when killed. */
const WRANGLER = fileURLToPath(import.meta.resolve('wrangler'));

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

/** Builds the Worker into `outDir` as a deployment would, and lists its modules. `signal` ends the build. */
export async function bundleWorker(project: string, outDir: string, signal: AbortSignal): Promise<BundleModule[]> {
  rmSync(outDir, { recursive: true, force: true });
  const args = ['--no-warnings', WRANGLER, 'deploy', '--dry-run', '--outdir', outDir];
  const built = promisify(execFile)(process.execPath, args, { cwd: project, signal });
  await built.catch(({ stdout, stderr }: { stdout: string; stderr: string }) => {
    throw new StackError(`The Worker can't be built:\n${stdout}${stderr}`);
  });
  return listModules(outDir);
}

/** The modules of a Worker that was built into `folder`. */
function listModules(folder: string): BundleModule[] {
  return readdirSync(folder)
    .flatMap((path) => {
      const type = MODULE_TYPES[extname(path) as keyof typeof MODULE_TYPES];
      return type ? [{ type, path }] : [];
    })
    .sort((a, b) => Number(b.path === 'index.js') - Number(a.path === 'index.js'));
}

/**
 * Isolates wrangler: the default environment, no variables of this process, no telemetry, no update check, no banner,
 * its logs and registry inside the state directory. Set before it is loaded.
 */
export const quietWrangler = (dir: string): Record<string, string> => ({
  CI: '1',
  CLOUDFLARE_ENV: '',
  CLOUDFLARE_INCLUDE_PROCESS_ENV: 'false',
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
  DO_NOT_TRACK: '1',
  NO_COLOR: '1',
  WRANGLER_HIDE_BANNER: 'true',
  WRANGLER_LOG_PATH: `${dir}/wrangler`,
  WRANGLER_REGISTRY_PATH: `${dir}/wrangler/registry`,
  WRANGLER_SEND_ERROR_REPORTS: 'false',
  WRANGLER_SEND_METRICS: 'false',
});
