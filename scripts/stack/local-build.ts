import { readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { context, type Plugin } from 'esbuild';
import { keptFolder } from './built-folder.ts';
import { StackError } from './stack-error.ts';

export interface LocalModule {
  readonly type: 'ESModule' | 'Data';
  readonly path: string;
  readonly contents: Uint8Array;
}

export interface LocalBuild {
  /** The code first, then the packed lists it imports. */
  readonly modules: readonly LocalModule[];
  /** The source map of the code, as JSON. */
  readonly sourceMap: string;
}

export interface LocalBuilder {
  /** Rejects with a StackError that lists the faults; rebuilds only what changed. */
  build(): Promise<LocalBuild>;
  close(): Promise<void>;
}

export interface LocalEntry {
  /** A Worker's first file. */
  readonly source: string;
  /** The name of its code, as in the log's stacks. */
  readonly code: string;
  /** The folder of all that is its own. */
  readonly folder: string;
}

export const API_ENTRY: LocalEntry = { source: 'src/index.ts', code: 'index.js', folder: 'src' };

/** Where a build is kept. */
const SOURCE_MAP = 'source-map.json';
const LISTS = 'lists.json';

/**
 * A Worker for the local stack: with names and lines as written, and rebuilt in a fraction of a second. Resolved like
 * wrangler's builds; deployments use wrangler's own.
 */
export async function openLocalBuilder(project: string, entry: LocalEntry): Promise<LocalBuilder> {
  const lists = new Set<string>();
  const packedLists: Plugin = {
    name: 'packed-lists',
    setup(build) {
      build.onStart(() => lists.clear());
      // Loaded as bytes beside the code, by the rule in wrangler.toml.
      build.onResolve({ filter: /\.bin$/ }, ({ path, resolveDir }) => {
        const list = relative(project, join(resolveDir, path));
        lists.add(list);
        return { path: `./${list}`, external: true };
      });
    },
  };
  const builder = await context({
    absWorkingDir: project,
    entryPoints: [entry.source],
    outfile: entry.code,
    write: false,
    bundle: true,
    format: 'esm',
    target: 'es2024',
    conditions: ['workerd', 'worker', 'browser'],
    mainFields: ['browser', 'module', 'main'],
    external: ['cloudflare:*', 'node:*'],
    plugins: [packedLists],
    sourcemap: 'external',
    logLevel: 'silent',
  });
  return {
    async build() {
      const { outputFiles } = await builder.rebuild().catch((error: Error) => {
        throw new StackError(`The Worker can't be built:\n${error.message}`);
      });
      const output = (name: string) => outputFiles.find(({ path }) => path === join(project, name));
      const code = {
        type: 'ESModule',
        path: entry.code,
        contents: output(entry.code)?.contents ?? new Uint8Array(),
      } as const;
      return {
        modules: [code, ...[...lists].map((path) => listAt(project, path))],
        sourceMap: output(`${entry.code}.map`)?.text ?? '',
      };
    },
    close: () => builder.dispose(),
  };
}

function listAt(project: string, path: string): LocalModule {
  return { type: 'Data', path, contents: readFileSync(join(project, path)) };
}

/** The stored build of a Worker with these sources: building takes four seconds of CPU, reading a tenth. */
export async function localBuild(project: string, entry: LocalEntry): Promise<LocalBuild> {
  const folder = await keptFolder(project, {
    sources: [`${entry.folder}/**/*`, 'tsconfig.json', 'package-lock.json'],
    name: `local-${entry.code}`,
    async build(fresh) {
      const builder = await openLocalBuilder(project, entry);
      try {
        const { modules, sourceMap } = await builder.build();
        const [code, ...lists] = modules;
        writeFileSync(join(fresh, entry.code), code?.contents ?? '');
        writeFileSync(join(fresh, SOURCE_MAP), sourceMap);
        writeFileSync(join(fresh, LISTS), JSON.stringify(lists.map(({ path }) => path)));
      } finally {
        await builder.close();
      }
    },
  });
  const kept = (name: string) => readFileSync(join(folder, name));
  const lists = JSON.parse(String(kept(LISTS))) as string[];
  const code = { type: 'ESModule', path: entry.code, contents: kept(entry.code) } as const;
  return { modules: [code, ...lists.map((path) => listAt(project, path))], sourceMap: String(kept(SOURCE_MAP)) };
}
