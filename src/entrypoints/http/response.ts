import type { Context } from 'hono';
import type { ErrorCode } from '../../contract/error.ts';
import type { RateStatus } from '../../domain/metering/rate.ts';
import { failedDependency } from '../../kernel/errors.ts';
import { idOrNull } from '../../kernel/ids.ts';
import { log, logFailure } from '../../kernel/log.ts';
import type { Download } from '../../services/files.ts';
import type { ObjectExchange } from '../../services/object-exchange.ts';
import type { HttpEnv } from './env.ts';
import { versionTag } from './preconditions.ts';
import { SECURITY_HEADERS } from './security-headers.ts';

/**
 * An answer is about a person or a key, so nothing on its way keeps it. Assets have cache headers of their own. Made once: the
 * runtime copies it in a tenth of the time that it takes to read a record of as many.
 */
const ABOUT_A_CALLER = new Headers(Object.assign({ 'Cache-Control': 'no-store' }, SECURITY_HEADERS));

/** draft-ietf-httpapi-ratelimit-headers: the policy, and what is left of it. */
export function rateHeaders(rate: RateStatus | null): Readonly<Record<string, string>> {
  if (rate === null) return {};
  return {
    'RateLimit-Policy': `"default";q=${rate.limit};w=60`,
    RateLimit: `"default";r=${rate.remaining};t=${rate.resetS}`,
  };
}

interface JsonAnswer {
  readonly traceId: string;
  readonly status: number;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
}

/** An answer to a caller: its own headers beside those of every answer. */
function send(
  c: Context<HttpEnv>,
  body: string | ReadableStream,
  status: number,
  own: Readonly<Record<string, string>>,
): Response {
  const response = new Response(body, { status, headers: ABOUT_A_CALLER });
  for (const headers of [own, rateHeaders(c.get('exchange')?.rate() ?? null)])
    for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  return response;
}

export function sendJson(c: Context<HttpEnv>, { traceId, status, body, headers }: JsonAnswer): Response {
  const own = Object.assign({ 'Content-Type': 'application/json', 'x-trace-id': traceId }, headers);
  return send(c, JSON.stringify(body), status, own);
}

/** The trace that the answer names, else the request's id. */
export function traceIdOf(c: Context<HttpEnv>, answer: unknown): string {
  const named = typeof answer === 'object' && answer !== null && 'trace_id' in answer ? answer.trace_id : null;
  return typeof named === 'string' ? named : c.get('requestId');
}

/** Streams a file for the caller to save. */
export function sendFile(
  c: Context<HttpEnv>,
  traceId: string,
  { stream, disposition, charset }: Download,
  contentType: string,
): Response {
  return send(c, stream, 200, {
    'Content-Type': charset === null ? contentType : `${contentType}; charset=${charset}`,
    'Content-Disposition': disposition,
    'x-trace-id': traceId,
  });
}

/** The version of the policy an answer shows. */
export function versionHeader(answer: unknown): Readonly<Record<string, string>> {
  const [versioned] = Object.values(answer as Record<string, { readonly version: number }>);
  return versioned === undefined ? {} : { ETag: versionTag(versioned.version) };
}

/**
 * One line an invocation: ids, codes and times. The route as declared, never the path or body as sent: an outcome's `trace_id`
 * is the caller's own text.
 */
export function logRequest(c: Context<HttpEnv>, { status, headers }: Response, ms: number): void {
  logAnswer(c, {
    route: c.get('route') ?? 'unmatched',
    status,
    code: c.get('errorCode') ?? null,
    traceId: headers.get('x-trace-id'),
    exchange: c.get('exchange') ?? null,
    ms,
  });
}

export interface AnswerLine {
  readonly route: string;
  readonly status: number;
  readonly code: ErrorCode | null;
  readonly traceId: string | null;
  readonly exchange: ObjectExchange | null;
  readonly ms: number;
}

export const logAnswer = (c: Context<HttpEnv>, { route, status, code, traceId, exchange, ms }: AnswerLine): void =>
  log(status === 503 ? 'warn' : status >= 500 ? 'error' : 'info', 'request', {
    request_id: c.get('requestId'),
    trace_id: idOrNull(traceId),
    method: c.req.method,
    route,
    status,
    code,
    organisation: exchange?.organisationId ?? null,
    key_id: exchange?.keyId() ?? null,
    ms,
  });

/** Logs and counts a failure on our side, with its detail, under the request's id. */
export function reportFailure(c: Context<HttpEnv>, error: unknown, route = c.get('route') ?? 'unmatched'): void {
  c.get('deps').objects.counters.add('request_failed', 1, failedDependency(error) ?? 'bug');
  logFailure(error, { request_id: c.get('requestId'), route });
}
