import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { unstable_getMiniflareWorkerOptions } from 'wrangler';
import { keptFolder } from './built-folder.ts';

type WorkerOptions = Omit<ReturnType<typeof unstable_getMiniflareWorkerOptions>['workerOptions'], 'modulesRules'>;

export interface ConfiguredWorker {
  readonly name: string;
  /** Of its wrangler.toml, below the project. */
  readonly folder: string;
  /** Of its static files. */
  readonly assets: string;
}

/**
 * A Worker's `wrangler.toml` as Miniflare takes it, without the rules for modules: a build lists them. It is kept, because
 * loading wrangler takes three seconds of CPU.
 *
 * The static files are built already.
 */
export async function workerOptions(
  project: string,
  { name, folder, assets }: ConfiguredWorker,
): Promise<WorkerOptions> {
  const kept = await keptFolder(project, {
    sources: [
      join(folder, 'wrangler.toml'),
      // Wrangler adds their variables to those of the Worker.
      join(folder, '{.dev.vars,.env}*'),
      // It reads these as well.
      join(assets, '{_headers,_redirects}'),
      'package-lock.json',
    ],
    name: `options-${name}`,
    async build(fresh) {
      const { unstable_getMiniflareWorkerOptions: read } = await import('wrangler');
      const { modulesRules: _, ...options } = read(join(project, folder, 'wrangler.toml')).workerOptions;
      writeFileSync(join(fresh, 'options.json'), JSON.stringify(options));
    },
  });
  return JSON.parse(readFileSync(join(kept, 'options.json'), 'utf8')) as WorkerOptions;
}
