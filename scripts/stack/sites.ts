import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildSite } from './built-folder.ts';
import { StackError } from './stack-error.ts';

/** What the pages are made of, with what they take from elsewhere. */
const INCLUDED = ['README.md', 'client/README.md', 'public/openapi.json'];
const SOURCES = ['docs/**/*', 'docs/.vitepress/**/*', ...INCLUDED, 'package-lock.json'];

/** Builds the documentation into `public/docs`, where the Worker has it from. */
export const buildDocsSite = (project: string): Promise<void> =>
  buildSite(project, { sources: SOURCES, site: 'public/docs', build: (folder) => buildDocs(project, folder) });

/** Characters of what VitePress says: it may go on for pages. */
const FAULT_SHOWN = 2_000;

/** VitePress writes beside its sources while it works: each build has a copy of them. */
async function buildDocs(project: string, folder: string): Promise<void> {
  const work = mkdtempSync(join(project, 'dist/docs-'));
  try {
    cpSync(join(project, 'docs'), join(work, 'docs'), { recursive: true });
    for (const file of INCLUDED) cpSync(join(project, file), join(work, file));
    const vitepress = join(project, 'node_modules/vitepress/bin/vitepress.js');
    await promisify(execFile)(process.execPath, [vitepress, 'build', join(work, 'docs'), '--outDir', folder]).catch(
      ({ stdout, stderr, message }: { stdout?: string; stderr?: string; message: string }) => {
        throw new StackError(
          `The documentation can't be built:\n${(stderr || stdout || message).slice(0, FAULT_SHOWN)}`,
        );
      },
    );
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Where the dashboard's pages go, and its Worker has them from. */
export const DASHBOARD_SITE = 'dashboard/dist/site';

/** Builds the dashboard's pages. */
export const buildDashboardSite = (project: string): Promise<void> =>
  buildSite(project, {
    sources: ['dashboard/app/**/*', 'dashboard/*.ts', 'src/domain/policy/*.ts', 'package-lock.json'],
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
