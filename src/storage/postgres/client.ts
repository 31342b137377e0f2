import { type FullQueryResults, NeonDbError, neon, neonConfig } from '@neondatabase/serverless';
import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/neon-http';
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';
import { DependencyError } from '../../kernel/errors.ts';
import { readText } from '../../kernel/read-body.ts';

/** Any Postgres that drizzle supports: Neon's HTTP driver in the Worker, PGlite or node-postgres in tests. */
export type Database = PgDatabase<PgQueryResultHKT>;

export interface DatabaseSettings {
  /** `postgresql://user:password@host/name` */
  readonly url: string;
  /** Replaces the URL that the driver derives from the host; the local stack sets it. */
  readonly httpUrl: string | null;
}

/** Valid settings for the driver when Postgres is not configured: statements never reach a server. */
const NO_DATABASE: DatabaseSettings = { url: 'postgresql://none:none@none.invalid/none', httpUrl: null };

/** `configured` null means every statement fails as if Postgres were away. */
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
    // drizzle asks for full results.
    requireAnswerTo(statement[0], answer as FullQueryResults<boolean>);
    return answer;
  }) as unknown as typeof query;
  return drizzle(client);
}

/** Distinguishes a slow statement from an outage. */
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

/** A failed query without a code has not reached Postgres, or its answer was unusable. */
function rethrow(error: unknown): never {
  const state = sqlState(error);
  const isOutage =
    state === null ? error instanceof NeonDbError : OUTAGE_STATES.some(({ begins }) => state.startsWith(begins));
  if (!isOutage) throw error;
  const cause = (error as { sourceError?: unknown }).sourceError ?? error;
  throw new DependencyError('postgres', 'Postgres gave no usable answer', { cause });
}

/** The SQLSTATE of a failed statement, also when wrapped; null if Postgres gave none. */
export function sqlState(error: unknown): string | null {
  const { code, cause } = Object(error) as { code?: unknown; cause?: unknown };
  if (typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code)) return code;
  return cause === undefined ? null : sqlState(cause);
}

/** Longer than our statements need; a hanging database must not hold up a request or an alarm. */
const QUERY_TIMEOUT_MS = 10_000;
/** Our largest answer, 10,000 rules with a long note each, has 22 MB; Neon allows up to 64. */
const ANSWER_BYTES_MAX = 32 * 2 ** 20;

/** What the driver reads of a `Response`. */
interface NeonReply {
  readonly ok: boolean;
  readonly status: number;
  json(): Promise<unknown>;
  text(): Promise<string>;
}

/**
 * Sends a statement to Neon's HTTP endpoint after an echo, a first statement that returns a random value. A 200 that
 * does not start with the echo answers another request, and leaves this statement's fate open.
 */
async function fetchWithEcho(url: string, init: RequestInit & { readonly body: string }): Promise<NeonReply> {
  const late = new AbortController();
  // Cleared with the answer; `AbortSignal.timeout` would keep an object awake for the rest of its time.
  const timer = setTimeout(() => late.abort(), QUERY_TIMEOUT_MS);
  const echo = crypto.randomUUID();
  try {
    const body = `{"queries":[{"query":"select $1::text","params":["${echo}"]},${init.body}]}`;
    const response = await fetch(url, { ...init, body, signal: late.signal });
    const read = await readText(response.body, ANSWER_BYTES_MAX);
    if (!read.ok) throw new Error(`the database’s answer is ${read.fault}`);
    const { ok, status } = response;
    // The driver reads JSON only for these statuses.
    const parsed = ok || status === 400 ? Object(JSON.parse(read.text)) : null;
    const json = ok ? confirmed(parsed, echo) : parsed;
    return { ok, status, json: async () => json, text: async () => read.text };
  } catch (error) {
    // Cancels the unread rest.
    late.abort();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

interface StatementResult {
  readonly command: string;
  readonly fields: readonly unknown[];
  readonly rows: readonly (readonly unknown[])[];
}

function confirmed({ results }: { readonly results?: unknown }, expected: string): StatementResult {
  const [echo, result, ...more] = Array.isArray(results) ? (results as unknown[]) : [];
  if (!isResult(echo) || echo.rows[0]?.[0] !== expected || !isResult(result) || more.length > 0)
    throw new Error('the database answered another statement');
  return result;
}

function isResult(value: unknown): value is StatementResult {
  const { command, fields, rows } = Object(value) as Partial<Record<keyof StatementResult, unknown>>;
  if (typeof command !== 'string' || !Array.isArray(fields) || !Array.isArray(rows)) return false;
  return rows.every((row) => Array.isArray(row) && row.length === fields.length);
}

/** The part of an answer that the driver passes on. */
interface Answer {
  readonly command: string;
  readonly rowCount: number | null;
  readonly rows: readonly unknown[];
}

const NO_CODE = /'[^']*'|"[^"]*"|--[^\n]*/g;
const BRACKET_OR_COMMAND = /[()]|\b(?:select|insert|update|delete)\b/gi;

/** The first word of Postgres' command tag: after `with …` it is the main statement's. */
export function commandOf(statement: string): string {
  const first = /\w+/.exec(statement)?.[0].toUpperCase() ?? '';
  if (first !== 'WITH') return first;
  let depth = 0;
  for (const [token] of statement.replaceAll(NO_CODE, '').matchAll(BRACKET_OR_COMMAND)) {
    if (token === '(') depth += 1;
    else if (token === ')') depth -= 1;
    else if (depth === 0) return token.toUpperCase();
  }
  return first;
}

const CHANGES: ReadonlySet<string> = new Set(['INSERT', 'UPDATE', 'DELETE']);
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

/** An answer that can't belong to the statement leaves open whether it ran, so it counts as an outage. */
const stray = (why: string): DependencyError =>
  new DependencyError('postgres', 'Postgres gave no usable answer', { cause: new Error(why) });

/** Throws if an answer's command or row count can't be those of the statement. */
function requireAnswerTo(statement: string, { command, rowCount, rows }: Answer): void {
  const sent = commandOf(statement);
  if (command.split(' ', 1)[0] !== sent) throw stray('the answer names another command');
  if (sent === 'SELECT' && rowCount !== rows.length) throw stray('the answer counts other rows than it has');
  // Only a statement with `returning` gives rows: each one that it changed.
  if (CHANGES.has(sent) && (!isCount(rowCount) || (rows.length > 0 && rows.length !== rowCount)))
    throw stray('the answer’s count of rows is impossible');
}

/** Throws if a statement changed, or found, more rows than its input allows. */
export function requireAtMost(rows: number, result: unknown): void {
  const { rowCount } = result as Partial<Answer>;
  if (isCount(rowCount) && rowCount > rows) throw stray('the answer counts more rows than were sent');
}
