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

/** draft-ietf-httpapi-ratelimit-headers: the policy, and what is left of it. */
export function setRateHeaders(headers: Headers, rate: RateStatus | null): void {
  if (rate === null) return;
  headers.set('RateLimit-Policy', `"default";q=${rate.limit};w=60`);
  headers.set('RateLimit', `"default";r=${rate.remaining};t=${rate.resetS}`);
}

/** The trace that the answer names, else the request's id. */
export function traceIdOf(c: Context<HttpEnv>, answer: unknown): string {
  const named = typeof answer === 'object' && answer !== null && 'trace_id' in answer ? answer.trace_id : null;
  return typeof named === 'string' ? named : c.get('requestId');
}

/** Streams a file for the caller to save. */
export function sendFile(
  c: Context<HttpEnv>,
  { stream, disposition, charset }: Download,
  contentType: string,
): Response {
  c.header('Content-Type', charset === null ? contentType : `${contentType}; charset=${charset}`);
  c.header('Content-Disposition', disposition);
  return c.body(stream, 200);
}

/** The version of the policy an answer shows. */
export function setVersionTag(c: Context<HttpEnv>, answer: unknown): void {
  const [versioned] = Object.values(answer as Record<string, { readonly version: number }>);
  if (versioned !== undefined) c.header('ETag', versionTag(versioned.version));
}

/**
 * One line an invocation: ids, codes and times. The route as declared, never the path or body as sent: an outcome's `trace_id`
 * is the caller's own text.
 */
export function logRequest(c: Context<HttpEnv>, ms: number): void {
  logAnswer(c, {
    route: c.get('route') ?? 'unmatched',
    status: c.res.status,
    code: c.get('errorCode') ?? null,
    traceId: c.res.headers.get('x-trace-id'),
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
