import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildSite } from './built-folder.ts';
import { StackError } from './stack-error.ts';
import { API, DASHBOARD } from './worker-options.ts';

/** Inputs of the pages from outside their folder. */
const INCLUDED = ['client/README.md', 'public/openapi.json'];
const SOURCES = ['docs/**/*', 'docs/.vitepress/**/*', ...INCLUDED, 'package-lock.json'];

const DOCS_SITE = `${API.assets}/docs`;

/** Whether there are pages, possibly of earlier sources. */
export const hasSites = (project: string): boolean =>
  [DOCS_SITE, DASHBOARD.assets].every((site) => existsSync(join(project, site)));

/** Builds the documentation into `public/docs`, where the Worker has it from. */
export const buildDocsSite = (project: string): Promise<boolean> =>
  buildSite(project, { sources: SOURCES, site: DOCS_SITE, build: (folder) => buildDocs(project, folder) });

/** Characters of what VitePress says: it may go on for pages. */
const FAULT_SHOWN = 2_000;

/** VitePress writes beside its sources while it works, so each build has a copy of them. */
async function buildDocs(project: string, folder: string): Promise<void> {
  const work = mkdtempSync(join(project, 'dist/docs-'));
  try {
    cpSync(join(project, 'docs'), join(work, 'docs'), { recursive: true });
    for (const file of INCLUDED) cpSync(join(project, file), join(work, file));
    const vitepress = join(project, 'node_modules/vitepress/bin/vitepress.js');
    const built = promisify(execFile)(process.execPath, [vitepress, 'build', join(work, 'docs'), '--outDir', folder]);
    // An interrupted start ends it as well.
    const end = (): void => void built.child.kill();
    process.once('exit', end);
    await built
      .catch(({ stdout, stderr, message }: { stdout?: string; stderr?: string; message: string }) => {
        throw new StackError(
          `The documentation can't be built:\n${(stderr || stdout || message).slice(0, FAULT_SHOWN)}`,
        );
      })
      .finally(() => process.off('exit', end));
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Builds the dashboard's pages. */
export const buildDashboardSite = (project: string): Promise<boolean> =>
  buildSite(project, {
    sources: ['dashboard/app/**/*', 'dashboard/*.ts', 'src/domain/policy/*.ts', 'package-lock.json'],
    site: DASHBOARD.assets,
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
