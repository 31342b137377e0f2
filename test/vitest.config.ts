import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig, type Plugin } from 'vitest/config';
import { workerProject } from './support/worker-project.ts';

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

interface Change {
  readonly include?: string[];
  readonly exclude?: string[];
  readonly testTimeout?: number;
  readonly fileParallelism?: boolean;
  readonly maxWorkers?: number;
  readonly sequence?: { readonly groupOrder: number };
  readonly isolate?: boolean;
  readonly env?: Record<string, string>;
}

/** One project a folder, by the runtime it needs. A test stands in the lowest one that can hold it. */
const nodeProject = (name: string, change: Change = {}) => ({
  plugins: [dataModules],
  test: {
    name,
    environment: 'node' as const,
    setupFiles: ['test/support/workers-globals.ts', 'test/support/real-clock.ts'],
    include: [`test/${name}/**/*.test.ts`],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Files of a worker share its modules, and store suites one PGlite: their start is a third of all the time.
    isolate: false,
    // Most of the time goes by in waiting, for a far database or a vendor that hangs.
    maxWorkers: availableParallelism() + 1,
    ...change,
  },
  // The object's class is the only file that needs the Workers runtime, and only for its base class.
  resolve: { alias: { 'cloudflare:workers': new URL('./support/cloudflare-workers.ts', import.meta.url).pathname } },
});

/** What only a server can hold: millions of rows, its planner and its page counts; connections that wait for each other, or by themselves. */
const SERVER_SUITES = ['trace-buffers', 'rule-writers', 'deployment'].map((name) => `test/db/${name}.test.ts`);

/** The store suites once more, on the Postgres that TEST_DATABASE_URL names. */
const postgresProject = nodeProject('postgres', { include: ['test/db/**/*.test.ts'] });

/** Suites that start whole stacks, after those that share the machine's cores. */
const ONE_AT_A_TIME: Change = {
  testTimeout: 120_000,
  fileParallelism: false,
  maxWorkers: 1,
  sequence: { groupOrder: 1 },
  isolate: true,
};

export default defineConfig({
  root: new URL('..', import.meta.url).pathname,
  test: {
    silent: 'passed-only',
    projects: [
      nodeProject('unit'),
      nodeProject('db', { exclude: SERVER_SUITES, env: { TEST_DATABASE_URL: '' } }),
      nodeProject('http'),
      nodeProject('contract'),
      workerProject,
      // The parts of the local stack, each by itself.
      nodeProject('stack', ONE_AT_A_TIME),
      // Whole stacks, used, killed and started again, one under every fault of every vendor: not part of `npm test`.
      nodeProject('long', ONE_AT_A_TIME),
      ...(process.env.TEST_DATABASE_URL === undefined ? [] : [postgresProject]),
    ],
  },
});
