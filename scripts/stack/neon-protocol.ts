import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { isFromBrowser, isSecret } from './caller.ts';
import type { Database, QueryResult, RunQuery, TextValue } from './database.ts';

/** Faults for tests, read at each request. */
export interface Faults {
  /** The database's distance: added to every request. */
  delayMs: number;
  /** Connections are cut without an answer. */
  down: boolean;
}

/** Longer than workerd keeps a connection for the next request, since a closed one is a failed query. */
const IDLE_MS = 600_000;

interface Query {
  readonly query: string;
  readonly params?: readonly unknown[];
  readonly arrayMode?: boolean;
}

/** Fields of a Neon error beside its message: those of Postgres's ErrorResponse. */
const ERROR_FIELDS =
  'severity code detail hint position internalPosition internalQuery where schema table column dataType constraint file line routine'.split(
    ' ',
  );

const ISOLATION_LEVELS: Readonly<Record<string, string>> = {
  ReadUncommitted: 'READ UNCOMMITTED',
  ReadCommitted: 'READ COMMITTED',
  RepeatableRead: 'REPEATABLE READ',
  Serializable: 'SERIALIZABLE',
};

class BadRequest extends Error {
  readonly severity = 'ERROR';
}

const isSet = (headers: IncomingHttpHeaders, name: string): boolean => headers[name] === 'true';

const arrayElement = (value: unknown): string => {
  if (value === null) return 'NULL';
  if (Array.isArray(value)) return arrayText(value);
  return JSON.stringify(typeof value === 'object' ? JSON.stringify(value) : value);
};
const arrayText = (values: readonly unknown[]): string => `{${values.map(arrayElement).join(',')}}`;

/** The driver sends text already; Neon also takes JSON values. */
function textValue(value: unknown): TextValue {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? arrayText(value) : JSON.stringify(value);
}

/** The three batch headers as `SET TRANSACTION` has them. */
function transactionMode(headers: IncomingHttpHeaders): string {
  const isolation = headers['neon-batch-isolation-level'];
  const level = typeof isolation === 'string' ? ISOLATION_LEVELS[isolation] : undefined;
  if (isolation !== undefined && !level) throw new BadRequest('invalid isolation level');
  return [
    level && `ISOLATION LEVEL ${level}`,
    isSet(headers, 'neon-batch-read-only') && 'READ ONLY',
    isSet(headers, 'neon-batch-deferrable') && 'DEFERRABLE',
  ]
    .filter(Boolean)
    .join(', ');
}

function wireResult(result: QueryResult, asArrays: boolean) {
  const { fields, rows } = result;
  return {
    ...result,
    rowAsArray: asArrays,
    rows: asArrays ? rows : rows.map((row) => Object.fromEntries(row.map((value, i) => [fields[i]?.name, value]))),
  };
}

async function answer(database: Database, headers: IncomingHttpHeaders, body: Query | { queries: readonly Query[] }) {
  const runOne = async (run: RunQuery, { query, params = [], arrayMode }: Query) =>
    wireResult(await run(query, params.map(textValue)), arrayMode ?? isSet(headers, 'neon-array-mode'));
  if (!('queries' in body)) return runOne(database.query, body);
  return database.transaction(transactionMode(headers), async (run) => {
    const results = [];
    for (const query of body.queries) results.push(await runOne(run, query));
    return { results };
  });
}

/** A statement's error is 400 with Postgres's fields, from which the driver makes its own error. */
function errorAnswer(error: unknown): { status: number; body: Record<string, unknown> } {
  const fields = error as Record<string, unknown> & Error;
  const body = Object.fromEntries(ERROR_FIELDS.map((name) => [name, fields[name] ?? null]));
  return { status: fields.severity ? 400 : 500, body: { message: fields.message, ...body } };
}

/** The password of the connection string that Neon's driver sends with every request. */
function passwordOf({ 'neon-connection-string': url }: IncomingHttpHeaders): string {
  return typeof url === 'string' && URL.canParse(url) ? decodeURIComponent(new URL(url).password) : '';
}

/**
 * Neon's SQL-over-HTTP endpoint (`POST /sql`) before any Postgres, for callers whose connection string has `password`.
 * `POST /control` with `{ delay_ms?, down? }` switches the faults and answers the current ones.
 */
export function createNeonServer(database: Database, faults: Faults, password: string): Server {
  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const send = (status: number, body: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    };
    if (isFromBrowser(request.headers)) return send(403, { message: 'not for web pages' });
    if (!isSecret(passwordOf(request.headers), password)) return send(401, { message: 'wrong password' });
    if (request.method !== 'POST') return send(404, { message: 'not found' });
    if (request.url === '/control') {
      const wanted = (await json(request)) as { delay_ms?: number; down?: boolean };
      faults.delayMs = wanted.delay_ms ?? faults.delayMs;
      faults.down = wanted.down ?? faults.down;
      return send(200, { delay_ms: faults.delayMs, down: faults.down });
    }
    if (!request.url?.startsWith('/sql')) return send(404, { message: 'not found' });
    const body = (await json(request)) as Query;
    if (faults.delayMs > 0) await sleep(faults.delayMs);
    if (faults.down) {
      request.socket.destroy();
      return;
    }
    try {
      send(200, await answer(database, request.headers, body));
    } catch (error) {
      const failed = errorAnswer(error);
      send(failed.status, failed.body);
    }
  }

  return createServer({ keepAliveTimeout: IDLE_MS }, (request, response) => {
    // A body that is not JSON, or a caller that went away.
    handle(request, response).catch(() => request.socket.destroy());
  });
}

/** How to reach the database's endpoint, from the connection string that opens it. */
export const httpUrlOf = (connectionString: string): string => `http://${new URL(connectionString).host}`;

/** Switches the endpoint's faults (`POST /control`). */
export async function switchFaults(
  connectionString: string,
  faults: { readonly delay_ms?: number; readonly down?: boolean },
): Promise<void> {
  const response = await fetch(`${httpUrlOf(connectionString)}/control`, {
    method: 'POST',
    headers: { 'neon-connection-string': connectionString },
    body: JSON.stringify(faults),
  });
  if (!response.ok) throw new Error(`the database's faults can't be switched: ${await response.text()}`);
  await response.body?.cancel();
}

/** Runs one statement without parameters. */
export async function runStatement(connectionString: string, query: string): Promise<void> {
  const response = await fetch(`${httpUrlOf(connectionString)}/sql`, {
    method: 'POST',
    headers: { 'neon-connection-string': connectionString },
    body: JSON.stringify({ query, params: [] }),
  });
  if (!response.ok) throw new Error(`the database refused a statement: ${await response.text()}`);
  await response.body?.cancel();
}
