import { neon, neonConfig } from '@neondatabase/serverless';
import { drizzle } from 'drizzle-orm/neon-http';
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';

/** Any Postgres that speaks drizzle: Neon's HTTP driver in the Worker, PGlite or node-postgres in tests. */
export type Database = PgDatabase<PgQueryResultHKT>;

/** No statement of ours needs longer; a hanging database must not hold a request or an alarm. */
const QUERY_TIMEOUT_MS = 10_000;

export interface DatabaseSettings {
  /** `postgresql://user:password@host/name` */
  readonly url: string;
  /** Stands in place of the address the driver derives from the host (the local stack's endpoint). */
  readonly httpUrl: string | null;
}

export function connectDatabase(settings: DatabaseSettings): Database {
  // The driver's configuration is one per bundle, and so is our database.
  if (settings.httpUrl !== null) neonConfig.fetchEndpoint = settings.httpUrl;
  neonConfig.fetchFunction = fetchWithin;
  return drizzle(neon(settings.url));
}

/** The timer ends with the answer: that of `AbortSignal.timeout` would keep an object awake for the rest of its time. */
async function fetchWithin(url: string, init: RequestInit): Promise<Response> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), QUERY_TIMEOUT_MS);
  try {
    const response = await fetch(url, { ...init, signal: late.signal });
    return new Response(await response.arrayBuffer(), response);
  } finally {
    clearTimeout(timer);
  }
}

/** The SQLSTATE of a failed statement; null when Postgres was not reached or did not say. */
export function sqlState(error: unknown): string | null {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  const code = (cause as { code?: unknown }).code;
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : null;
}
