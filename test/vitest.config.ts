import { defineConfig } from 'vitest/config';
import { nodeProject, type ProjectOptions, SETUP_FILES } from './support/node-project.ts';
import { workerProject } from './support/worker-project.ts';

/** What only a server can hold: millions of rows, its planner and its page counts; connections that wait for each other, or by themselves. */
const SERVER_SUITES = ['trace-buffers', 'rule-writers', 'deployment', 'restore'].map(
  (name) => `test/db/${name}.test.ts`,
);

/** A year of an organisation's traces, rolled up again and again. */
const ROLL_UPS = 'test/db/roll-up.test.ts';

/** The store suites once more, on the Postgres that TEST_DATABASE_URL names. */
const postgresProject = nodeProject('postgres', { include: ['test/db/**/*.test.ts'] });

/** Built once: two stacks that start at a time would build them under each other. */
const SITES = ['test/support/docs-site.ts', 'test/support/dashboard-site.ts'];

/** For suites that start the service in their own process. */
const DATABASE_FOLDER = 'test/support/database-folder.ts';

/** Suites that start parts of the stack or whole ones, after those that share the machine's cores. */
const FEW_AT_A_TIME: ProjectOptions = {
  testTimeout: 120_000,
  sequence: { groupOrder: 1 },
  isolate: true,
};

export default defineConfig({
  root: new URL('..', import.meta.url).pathname,
  test: {
    silent: 'passed-only',
    projects: [
      nodeProject('unit'),
      nodeProject('db', { exclude: [...SERVER_SUITES, ROLL_UPS], env: { TEST_DATABASE_URL: '' } }),
      // The Worker has the documentation's pages from a folder that a fresh checkout lacks.
      nodeProject('http', { globalSetup: [DATABASE_FOLDER, 'test/support/docs-site.ts'] }),
      // The same service through its nights.
      nodeProject('night', {
        include: ['test/night/**/*.test.ts', ROLL_UPS],
        globalSetup: [DATABASE_FOLDER, 'test/support/docs-site.ts'],
        env: { TEST_DATABASE_URL: '' },
      }),
      nodeProject('contract', { globalSetup: [DATABASE_FOLDER] }),
      nodeProject('client', { include: ['client/test/**/*.test.ts'] }),
      // The pages in a document without a browser, over answers that a test gives.
      nodeProject('pages', {
        include: ['dashboard/test/**/*.test.tsx'],
        environment: 'happy-dom',
        environmentOptions: { happyDOM: { url: 'https://dashboard.test/' } },
        setupFiles: [...SETUP_FILES, 'dashboard/test/cleanup.ts'],
        testTimeout: 120_000,
      }),
      workerProject,
      // The parts of the local stack, each by itself.
      nodeProject('stack', { ...FEW_AT_A_TIME, fileParallelism: false, maxWorkers: 1 }),
      // Whole stacks, used, killed and started again, one under every fault of every vendor.
      // A stack waits half of its time: two at once use two cores.
      nodeProject('long', { ...FEW_AT_A_TIME, maxWorkers: 2, globalSetup: [DATABASE_FOLDER, ...SITES] }),
      ...(process.env.TEST_DATABASE_URL === undefined ? [] : [postgresProject]),
    ],
  },
});
