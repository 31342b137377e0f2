import { join } from 'node:path';
import { buildOnce } from './built-site.ts';
import { StackError } from './stack-error.ts';

/** Builds the dashboard's pages into `dashboard/dist/site`. */
export const buildDashboardSite = (project: string): Promise<void> =>
  buildOnce(project, {
    sources: ['dashboard/app/**/*', 'dashboard/vite.config.ts', 'package-lock.json'],
    site: 'dashboard/dist/site',
    build: async (folder) => {
      const { build } = await import('vite');
      await build({
        root: join(project, 'dashboard/app'),
        configFile: join(project, 'dashboard/vite.config.ts'),
        build: { outDir: folder, emptyOutDir: true },
        logLevel: 'error',
      }).catch((error: Error) => {
        throw new StackError(`The dashboard's pages can't be built:\n${error.message}`);
      });
    },
  });
