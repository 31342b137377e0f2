import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import type { PluginOption } from 'vite';
import type { Plugin } from 'vitest/config';

/** `.bin` modules are an ArrayBuffer, as wrangler's `Data` rule makes them. */
const dataModules: Plugin = {
  name: 'data-modules',
  enforce: 'pre',
  load(id) {
    if (!id.endsWith('.bin')) return null;
    const base64 = readFileSync(id).toString('base64');
    return `const b = Buffer.from('${base64}', 'base64'); export default b.buffer.slice(b.byteOffset, b.byteOffset + b.length);`;
  },
};

export interface ProjectOptions {
  /** Vite plugins besides data modules. */
  readonly plugins?: PluginOption[];
  readonly environment?: 'node' | 'happy-dom';
  readonly environmentOptions?: { readonly happyDOM: { readonly url: string } };
  readonly include?: string[];
  readonly exclude?: string[];
  readonly testTimeout?: number;
  readonly fileParallelism?: boolean;
  readonly maxWorkers?: number;
  readonly sequence?: { readonly groupOrder: number };
  readonly isolate?: boolean;
  readonly env?: Record<string, string>;
  readonly setupFiles?: string[];
  readonly globalSetup?: string[];
}

/** Setup files of every suite. */
export const SETUP_FILES = ['test/support/workers-globals.ts', 'test/support/after-each.ts'];

/** One project per folder, by the runtime it needs. A test belongs in the lowest project that can hold it. */
export const nodeProject = (name: string, { plugins = [], ...change }: ProjectOptions = {}) => ({
  plugins: [dataModules, ...plugins],
  test: {
    name,
    environment: 'node' as const,
    setupFiles: SETUP_FILES,
    include: [`test/${name}/**/*.test.ts`],
    // On a busy machine, tests that compute for seconds take ten times as long.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Test files of a worker share modules, and store suites one PGlite, whose start is a third of the time.
    isolate: false,
    // Most tests wait, for a distant database or a hanging vendor.
    maxWorkers: availableParallelism() + 1,
    ...change,
  },
  // The object's class is the only file that needs the Workers runtime, and only for its base class.
  resolve: { alias: { 'cloudflare:workers': new URL('./cloudflare-workers.ts', import.meta.url).pathname } },
});
