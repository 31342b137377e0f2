import { neon, neonConfig } from '@neondatabase/serverless';
import { drizzle } from 'drizzle-orm/neon-http';
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';

export type Database = PgDatabase<PgQueryResultHKT>;

/** A column that is never null, in epoch milliseconds. Where a row has no time there, it answers another statement: as good as none. */
export function timeOf(column: Date | null): number {
  if (column === null || Number.isNaN(column.getTime()))
    throw new Error('Postgres is away: it answers another statement');
  return column.getTime();
}

const QUERY_TIMEOUT_MS = 10_000;

/** `httpUrl` replaces the URL that the driver derives from the host; the local stack sets it. */
export function connectDatabase(url: string, httpUrl: string | null): Database {
  // The driver's configuration is global, and so is our database.
  if (httpUrl !== null) neonConfig.fetchEndpoint = httpUrl;
  neonConfig.fetchFunction = (input: string, init: RequestInit) =>
    fetch(input, { ...init, signal: AbortSignal.timeout(QUERY_TIMEOUT_MS) });
  return drizzle(neon(url));
}
