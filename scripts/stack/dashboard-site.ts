import { join } from 'node:path';
import { buildSite } from './built-folder.ts';
import { StackError } from './stack-error.ts';

/** Where the dashboard's pages go, and its Worker has them from. */
export const DASHBOARD_SITE = 'dashboard/dist/site';

/** Builds the dashboard's pages. */
export const buildDashboardSite = (project: string): Promise<void> =>
  buildSite(project, {
    sources: ['dashboard/app/**/*', 'dashboard/*.ts', 'src/domain/policy/{paths,values}.ts', 'package-lock.json'],
    site: DASHBOARD_SITE,
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
