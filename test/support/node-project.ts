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
  /** What its files are read with, beside data modules. */
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

/** What every suite begins with. */
export const SETUP_FILES = ['test/support/workers-globals.ts', 'test/support/real-clock.ts'];

/** One project a folder, by the runtime it needs. A test stands in the lowest one that can hold it. */
export const nodeProject = (name: string, { plugins = [], ...change }: ProjectOptions = {}) => ({
  plugins: [dataModules, ...plugins],
  test: {
    name,
    environment: 'node' as const,
    setupFiles: SETUP_FILES,
    include: [`test/${name}/**/*.test.ts`],
    // Tests that compute for seconds take ten times as long beside others on a busy machine.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Files of a worker share its modules, and store suites one PGlite: their start is a third of all the time.
    isolate: false,
    // Most of the time goes by in waiting, for a far database or a vendor that hangs.
    maxWorkers: availableParallelism() + 1,
    ...change,
  },
  // The object's class is the only file that needs the Workers runtime, and only for its base class.
  resolve: { alias: { 'cloudflare:workers': new URL('./cloudflare-workers.ts', import.meta.url).pathname } },
});
