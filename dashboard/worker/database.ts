import { neon, neonConfig } from '@neondatabase/serverless';
import { drizzle } from 'drizzle-orm/neon-http';
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';

export type Database = PgDatabase<PgQueryResultHKT>;

/** A row without the requested columns answers another statement, which is as good as none. */
const answersAnother = (): Error => new Error('Postgres is away: it answers another statement');

/** A non-null column in epoch milliseconds. */
export function timeOf(column: Date | null): number {
  if (column === null || Number.isNaN(column.getTime())) throw answersAnother();
  return column.getTime();
}

/** A column that contains an object as JSON. */
export function objectOf(column: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(column);
  } catch {
    throw answersAnother();
  }
  if (typeof value !== 'object' || value === null) throw answersAnother();
  return value as Readonly<Record<string, unknown>>;
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
