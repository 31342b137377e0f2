import type { Miniflare, Request, Response, V4WorkerOptions } from 'miniflare';
import { buildDashboardSite, buildDocsSite } from './sites.ts';
import { API, type ConfiguredWorker, DASHBOARD, workerOptions } from './worker-options.ts';

export interface SiteRuntime {
  /** Builds the sites; false if they are up to date. Otherwise the first request builds them. */
  build(): Promise<boolean>;
  /** A Worker's `ASSETS` binding, which waits for the build. */
  assetsOf(worker: ConfiguredWorker): (request: Request) => Promise<Response>;
  close(): Promise<void>;
}

const SERVE_ASSETS = 'export default { fetch: (request, env) => env.ASSETS.fetch(request) }';

/**
 * The static files of both Workers, by the platform's own rules for assets, on a runtime of their own: it lists the
 * files when it starts, and the API answers long before they are built.
 */
export function openSiteRuntime(project: string): SiteRuntime {
  let built: Promise<boolean> | null = null;
  let runtime: Promise<Miniflare> | null = null;

  const build = (): Promise<boolean> => {
    built ??= Promise.all([buildDashboardSite(project), buildDocsSite(project)]).then((sites) => sites.includes(true));
    return built;
  };

  async function open(): Promise<Miniflare> {
    await build();
    const { Miniflare, convertV4MiniflareOptions } = await import('miniflare');
    const workers = await Promise.all(
      [API, DASHBOARD].map(async (worker) => {
        const { compatibilityDate, assets } = await workerOptions(project, worker);
        return { name: worker.name, modules: true, script: SERVE_ASSETS, compatibilityDate, assets } as V4WorkerOptions;
      }),
    );
    return new Miniflare(convertV4MiniflareOptions({ host: '127.0.0.1', cf: false, workers }));
  }

  return {
    build,
    assetsOf: (worker) => async (request) => {
      runtime ??= open();
      const files = await (await runtime).getWorker(worker.name);
      // The platform's redirects (`/docs/api` to `/docs/api/`) are answers, as they are there.
      return files.fetch(request, { redirect: 'manual' });
    },
    close: async () => (await runtime?.catch(() => null))?.dispose(),
  };
}
