import { defineConfig } from 'vitest/config';
import { nodeProject } from '../test/support/node-project.ts';

export default defineConfig({
  root: new URL('..', import.meta.url).pathname,
  test: {
    silent: true,
    reporters: ['verbose'],
    projects: [
      nodeProject('proof', {
        include: ['proof/*.proof.ts'],
        globalSetup: ['test/support/database-folder.ts'],
        testTimeout: 600_000,
        // A part has the machine to itself.
        fileParallelism: false,
        maxWorkers: 1,
        isolate: true,
      }),
    ],
  },
});
