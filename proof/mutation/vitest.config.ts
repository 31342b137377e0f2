import { defineConfig } from 'vitest/config';
import { nodeProject } from '../../test/support/node-project.ts';

/** The unit tests that are to find a mutant: those of the folders that the run names. */
export default defineConfig({
  root: new URL('../..', import.meta.url).pathname,
  ...nodeProject('unit', {
    include: (process.env['MUTATION_TESTS'] ?? '').split(',').map((folder) => `test/unit/${folder}/**/*.test.ts`),
  }),
});
