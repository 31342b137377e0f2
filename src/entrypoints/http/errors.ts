import { HTTPException } from 'hono/http-exception';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { ErrorCode, ErrorEnvelope } from '../../contract/error.ts';
import { DomainError, failedDependency, type RefusalCode } from '../../kernel/errors.ts';

interface Mapped {
  readonly status: ContentfulStatusCode;
  readonly code: ErrorCode;
}

/** Every refusal's status and public code. A code without a row is a compile error. */
const MAPPING: Record<RefusalCode, Mapped> = {
  invalid_request: { status: 400, code: 'invalid_request' },
  no_email_column: { status: 400, code: 'no_email_column' },
  unauthorized: { status: 401, code: 'unauthorized' },
  quota_exceeded: { status: 402, code: 'quota_exceeded' },
  screening_quota_exceeded: { status: 402, code: 'screening_quota_exceeded' },
  forbidden: { status: 403, code: 'forbidden' },
  not_found: { status: 404, code: 'not_found' },
  method_not_allowed: { status: 405, code: 'method_not_allowed' },
  conflict: { status: 409, code: 'invalid_request' },
  request_in_progress: { status: 409, code: 'request_in_progress' },
  gone: { status: 410, code: 'invalid_request' },
  version_conflict: { status: 412, code: 'version_conflict' },
  too_large: { status: 413, code: 'invalid_request' },
  rate_limited: { status: 429, code: 'rate_limited' },
  dependency_unavailable: { status: 503, code: 'dependency_unavailable' },
  simulated_bug: { status: 500, code: 'internal_error' },
};

export interface ErrorAnswer {
  readonly status: ContentfulStatusCode;
  readonly body: ErrorEnvelope & { readonly estimate?: object };
  readonly headers: Readonly<Record<string, string>>;
  /** A failure on our side, only for the log. Null means a refusal. */
  readonly failure: unknown;
}

/** Outages last seconds or much longer: 2 s suit both. */
const UNAVAILABLE = new DomainError(
  'dependency_unavailable',
  'A dependency of this call is unavailable: try again later.',
  {
    retryAfterS: 2,
  },
);

/** The code's part of the documentation (RFC 8288). */
const helpFor = (code: ErrorCode): string => `</docs/errors#${code}>; rel="help"`;

/** The answer to any error. Messages of failures on our side stay inside the service. */
export function errorAnswer(error: unknown, traceId: string): ErrorAnswer {
  const refusal = toRefusal(error);
  if (refusal === null) {
    const body = {
      error: { code: 'internal_error', message: 'Something went wrong on our side.', trace_id: traceId },
    } as const;
    return { status: 500, body, headers: { Link: helpFor('internal_error') }, failure: error };
  }
  const { status, code } = MAPPING[refusal.code];
  const headers: Record<string, string> = { Link: helpFor(code) };
  if (status === 401) headers['WWW-Authenticate'] = 'Bearer';
  if (refusal.details.retryAfterS !== undefined) headers['Retry-After'] = String(refusal.details.retryAfterS);
  if (refusal.details.allow !== undefined) headers.Allow = refusal.details.allow.join(', ');
  const { estimate } = refusal.details;
  const body = { error: { code, message: refusal.message, trace_id: traceId }, ...(estimate && { estimate }) };
  return { status, body, headers, failure: failedDependency(error) === null ? null : error };
}

/** Hono refuses a path it cannot decode (`/%ff`) with an exception of its own. */
function toRefusal(error: unknown): DomainError | null {
  if (error instanceof DomainError) return error;
  if (failedDependency(error) !== null) return UNAVAILABLE;
  if (error instanceof HTTPException && error.status === 400)
    return new DomainError('invalid_request', 'The request is malformed.');
  return null;
}
