import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { unstable_getMiniflareWorkerOptions } from 'wrangler';
import { keptFolder } from './built-folder.ts';

type WorkerOptions = Omit<ReturnType<typeof unstable_getMiniflareWorkerOptions>['workerOptions'], 'modulesRules'>;

export interface ConfiguredWorker {
  readonly name: string;
  /** Where its wrangler.toml is, below the project. */
  readonly folder: string;
  /** Where its static files are. They may not be built yet. */
  readonly assets: string;
}

export const API: ConfiguredWorker = { name: 'api', folder: '.', assets: 'public' };
export const DASHBOARD: ConfiguredWorker = { name: 'dashboard', folder: 'dashboard', assets: 'dashboard/dist/site' };

/**
 * A Worker's `wrangler.toml` as Miniflare takes it, without the rules for modules, which a build lists. Cached, because
 * loading wrangler takes a second of CPU.
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
