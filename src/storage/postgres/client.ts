import { type FullQueryResults, NeonDbError, neon, neonConfig } from '@neondatabase/serverless';
import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/neon-http';
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';
import { DependencyError } from '../../kernel/errors.ts';
import { requireAnswerTo } from './answer.ts';
import { fetchWithEcho } from './endpoint.ts';

/** Any Postgres that speaks drizzle: Neon's HTTP driver in the Worker, PGlite or node-postgres in tests. */
export type Database = PgDatabase<PgQueryResultHKT>;

export interface DatabaseSettings {
  /** `postgresql://user:password@host/name` */
  readonly url: string;
  /** Replaces the URL that the driver derives from the host; the local stack sets it. */
  readonly httpUrl: string | null;
}

/** Settings that the driver accepts when Postgres is not configured: statements never reach a server. */
const NO_DATABASE: DatabaseSettings = { url: 'postgresql://none:none@none.invalid/none', httpUrl: null };

/** `configured` null: every statement fails as if Postgres were away. */
export function connectDatabase(configured: DatabaseSettings | null): Database {
  const settings = configured ?? NO_DATABASE;
  // The driver's configuration is global, and so is our database.
  if (settings.httpUrl !== null) neonConfig.fetchEndpoint = settings.httpUrl;
  neonConfig.fetchFunction = fetchWithEcho;
  const client = neon(settings.url);
  const query = client.query.bind(client);
  client.query = (async (...statement: Parameters<typeof query>) => {
    if (configured === null) throw new DependencyError('settings', 'no database is configured');
    const answer = await query(...statement).catch(rethrow);
    // Full results are what drizzle asks for.
    requireAnswerTo(statement[0], answer as FullQueryResults<boolean>);
    return answer;
  }) as unknown as typeof query;
  return drizzle(client);
}

/** Whether Postgres answers at all, for when a statement timed out. */
export const isAnswering = (db: Database): Promise<boolean> =>
  db.execute(sql`select 1`).then(
    () => true,
    () => false,
  );

/** The first characters of error codes that our statements don't cause. */
const OUTAGE_STATES = [
  { begins: '08', why: 'the connection broke' },
  { begins: '28', why: 'the service’s login is refused' },
  { begins: '3D', why: 'the database is not there' },
  { begins: '40', why: 'another transaction won; the same statement may pass later' },
  { begins: '53', why: 'memory, disk or connections are used up' },
  { begins: '57', why: 'the server stops, starts or ends statements' },
  { begins: '58', why: 'the server’s own system failed' },
  { begins: 'XX', why: 'the server’s own data or code failed' },
  { begins: '25006', why: 'the server takes no writes' },
] as const;

/** A failed query without a code has not reached Postgres, or its answer could not be used. */
function rethrow(error: unknown): never {
  const state = sqlState(error);
  const isOutage =
    state === null ? error instanceof NeonDbError : OUTAGE_STATES.some(({ begins }) => state.startsWith(begins));
  if (!isOutage) throw error;
  const cause = (error as { sourceError?: unknown }).sourceError ?? error;
  throw new DependencyError('postgres', 'Postgres gave no usable answer', { cause });
}

/** The SQLSTATE of a failed statement, however often its error was wrapped; null when Postgres did not say. */
export function sqlState(error: unknown): string | null {
  const { code, cause } = Object(error) as { code?: unknown; cause?: unknown };
  if (typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code)) return code;
  return cause === undefined ? null : sqlState(cause);
}
