import type { Context } from 'hono';
import type { ErrorCode } from '../../contract/error.ts';
import { inOrder } from '../../contract/field-order.ts';
import type { RouteDeclaration } from '../../contract/route.ts';
import type { RateStatus } from '../../domain/metering/rate.ts';
import { failedDependency } from '../../kernel/errors.ts';
import { idOrNull } from '../../kernel/ids.ts';
import { log, logFailure } from '../../kernel/log.ts';
import { discardRest } from '../../kernel/read-body.ts';
import type { Download } from '../../services/files.ts';
import type { ObjectExchange } from '../../services/object-exchange.ts';
import type { HttpEnv } from './env.ts';
import { errorAnswer } from './errors.ts';
import { versionTag } from './preconditions.ts';

/** draft-ietf-httpapi-ratelimit-headers: the policy, and what is left of it. */
export function rateHeaders(rate: RateStatus | null): Readonly<Record<string, string>> {
  if (rate === null) return {};
  return {
    'RateLimit-Policy': `"default";q=${rate.limit};w=60`,
    RateLimit: `"default";r=${rate.remaining};t=${rate.resetS}`,
  };
}

/** Puts an answer's fields in the contract's order. Metered answers are already made in that order. */
export const answerBody = ({ meter, response }: RouteDeclaration, answer: unknown): unknown =>
  meter === null && 'schema' in response ? inOrder(response.schema, answer) : answer;

export function respond(c: Context<HttpEnv>, route: RouteDeclaration, answer: unknown): Response {
  const { response } = route;
  const headers = { 'x-trace-id': traceIdOf(c, answer), ...rateHeaders(c.get('exchange')?.rate() ?? null) };
  if (!('contentType' in response)) {
    const versioned = route.versioned === true ? versionHeader(answer) : {};
    return c.json(answerBody(route, answer) as object, response.status, { ...headers, ...versioned });
  }
  const { stream, disposition, charset } = answer as Download;
  const type = charset === null ? response.contentType : `${response.contentType}; charset=${charset}`;
  return c.body(stream, 200, { ...headers, 'Content-Type': type, 'Content-Disposition': disposition });
}

/**
 * A caller who is still sending may find the connection closed and miss the answer, so the rest of a refused body is
 * read first: somewhat more than the largest file, for a limited time.
 */
const REST = { limitBytes: 64 * 2 ** 20, timeoutMs: 2_000 };

/** Answers any error, and reverses the request's charge. */
export async function answerError(error: unknown, c: Context<HttpEnv>): Promise<Response> {
  const { status, body, headers, failure } = errorAnswer(error, c.get('requestId'));
  c.set('errorCode', body.error.code);
  if (failure !== null) reportFailure(c, failure);
  await c.get('exchange')?.reverse();
  await discardRest(c.req.raw.body, REST);
  return c.json(body, status, { ...headers, ...rateHeaders(c.get('exchange')?.rate() ?? null) });
}

export function traceIdOf(c: Context<HttpEnv>, answer: unknown): string {
  const named = typeof answer === 'object' && answer !== null && 'trace_id' in answer ? answer.trace_id : null;
  return typeof named === 'string' ? named : c.get('requestId');
}

function versionHeader(answer: unknown): Readonly<Record<string, string>> {
  const [versioned] = Object.values(answer as Record<string, { readonly version: number }>);
  return versioned === undefined ? {} : { ETag: versionTag(versioned.version) };
}

/**
 * One line an invocation: ids, codes and times. The route as declared, never the path or body: an outcome's `trace_id`
 * is the caller's own text.
 */
export function logRequest(c: Context<HttpEnv>, ms: number): void {
  const { status, headers } = c.res;
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
