import { cloudflareTest } from '@cloudflare/vitest-plugin';
import { httpUrlOf } from '../../scripts/stack/neon-protocol.ts';

const secret = (fill: number): string => Buffer.alloc(32, fill).toString('base64');

/** Every request of the Worker and its objects passes here: one that would leave this machine fails. */
const LOOPBACK_ONLY = `export default {
  fetch(request) {
    if (new URL(request.url).hostname !== '127.0.0.1') throw new Error('tests reach this machine only');
    return fetch(request);
  },
}`;

/** The Worker of wrangler.toml in workerd, the tests beside it in its isolate, one file after the other. */
export const workerProject = {
  plugins: [
    cloudflareTest(({ inject }) => ({
      wrangler: { configPath: './wrangler.toml' },
      // Otherwise the runtime prints every failed request, which some tests cause.
      verbose: false,
      miniflare: {
        bindings: {
          SERVICE_SECRET: secret(1),
          HASH_SECRET: secret(2),
          DATABASE_URL: inject('databaseUrl'),
          DATABASE_HTTP_URL: `${httpUrlOf(inject('databaseUrl'))}/sql`,
          DOH_URLS: inject('dohUrls'),
        },
        outboundService: 'loopback-only',
        workers: [{ name: 'loopback-only', modules: true, script: LOOPBACK_ONLY }],
      },
    })),
  ],
  test: {
    name: 'worker',
    include: ['test/worker/**/*.test.ts'],
    globalSetup: ['test/support/worker-services.ts'],
    // One runtime and one database for all, which some tests take down; each test makes an organisation of its own.
    isolate: false,
    fileParallelism: false,
    maxWorkers: 1,
    sequence: { groupOrder: 1 },
    testTimeout: 30_000,
  },
};
