import { defineConfig } from 'vitest/config';
import { nodeProject } from '../test/support/node-project.ts';

export default defineConfig({
  root: new URL('..', import.meta.url).pathname,
  test: { silent: 'passed-only', projects: [nodeProject('research', { include: ['research/test/**/*.test.ts'] })] },
});
