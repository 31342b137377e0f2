import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { context, type Plugin } from 'esbuild';
import { StackError } from './stack-error.ts';

export interface LocalModule {
  readonly type: 'ESModule' | 'Data';
  readonly path: string;
  readonly contents: Uint8Array;
}

export interface LocalBuild {
  /** The code first, then the packed lists it imports. */
  readonly modules: readonly LocalModule[];
  /** Of the code, as JSON. */
  readonly sourceMap: string;
}

export interface LocalBuilder {
  /** Rejects with a StackError that names the faults; what is built again is what changed. */
  build(): Promise<LocalBuild>;
  close(): Promise<void>;
}

/** A Worker's first file, and the name of its code: stacks in the log name it. */
export interface LocalEntry {
  readonly source: string;
  readonly code: string;
}

const API_ENTRY: LocalEntry = { source: 'src/index.ts', code: 'index.js' };

/**
 * A Worker for the local stack: names and lines as they are written, and built again in a fraction of a second. Resolved as
 * wrangler does it; a deployment's own build is wrangler's alone.
 */
export async function openLocalBuilder(project: string, entry: LocalEntry = API_ENTRY): Promise<LocalBuilder> {
  const lists = new Set<string>();
  const packedLists: Plugin = {
    name: 'packed-lists',
    setup(build) {
      build.onStart(() => lists.clear());
      // Loaded as bytes beside the code, as the rule in wrangler.toml has it.
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
      const data = [...lists].map((path) => {
        return { type: 'Data', path, contents: readFileSync(join(project, path)) } as const;
      });
      return { modules: [code, ...data], sourceMap: output(`${entry.code}.map`)?.text ?? '' };
    },
    close: () => builder.dispose(),
  };
}
