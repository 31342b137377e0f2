import type { TestProject } from 'vitest/node';
import { startDnsServer } from '../../scripts/stack/dns-server.ts';
import { startNeonEndpoint } from './neon-endpoint.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Connection string of the endpoint that stands in for Neon's. */
    databaseUrl: string;
    /** RFC 8484 endpoints, comma-separated. */
    dohUrls: string;
  }
}

/** A delay that reveals any database call on an answer's path. */
const DATABASE_DELAY_MS = 50;

/** Nothing listens there: names outside the test zone are answered from the bundled one, never from the Internet. */
const NO_RESOLVERS = ['http://127.0.0.1:9/dns-query', 'http://127.0.0.1:9/dns-query?second'];

/** What the Worker needs beside itself, in processes of Node: Postgres behind Neon's endpoint, DNS over HTTPS. */
export default async function startServices({ provide }: TestProject): Promise<() => Promise<void>> {
  const neon = await startNeonEndpoint(undefined, { args: ['--delay-ms', String(DATABASE_DELAY_MS)] });
  const dns = await startDnsServer(NO_RESOLVERS);
  provide('databaseUrl', neon.url);
  provide('dohUrls', dns.urls.join(','));
  return async () => {
    await dns.stop();
    await neon.remove();
  };
}
