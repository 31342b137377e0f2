import { cloudflareTest } from '@cloudflare/vitest-plugin';
import { defineConfig } from 'vitest/config';

/** One project a folder, by the runtime it needs. A test stands in the lowest one that can hold it. */
const node = (name: string, timeoutMs = 10_000) => ({
  test: { name, environment: 'node' as const, include: [`test/${name}/**/*.test.ts`], testTimeout: timeoutMs, hookTimeout: 60_000 },
  // The object's class is the only file that needs the Workers runtime, and only for its base class.
  resolve: { alias: { 'cloudflare:workers': new URL('./support/cloudflare-workers.ts', import.meta.url).pathname } },
});

export default defineConfig({
  root: new URL('..', import.meta.url).pathname,
  test: {
    projects: [node('unit'), node('db', 30_000), node('http'), node('contract'), node('stack', 120_000)],
  },
});
