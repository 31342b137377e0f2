/** The codes of our own refusals; those of the API pass through. */
type Code =
  | 'invalid_request'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'rate_limited'
  | 'link_invalid'
  | 'second_factor_needed'
  | 'dependency_unavailable'
  | 'internal_error';

const STATUS: Record<Code, number> = {
  invalid_request: 400,
  link_invalid: 400,
  unauthorized: 401,
  forbidden: 403,
  second_factor_needed: 403,
  not_found: 404,
  method_not_allowed: 405,
  rate_limited: 429,
  internal_error: 500,
  dependency_unavailable: 503,
};

/** A refusal, thrown anywhere below the entrypoint and answered there in the API's envelope. */
export class Refusal extends Error {
  readonly code: Code;
  readonly retryAfterS: number | null;
  constructor(code: Code, message: string, retryAfterS: number | null = null) {
    super(message);
    this.code = code;
    this.retryAfterS = retryAfterS;
  }
}

export const json = (body: unknown, headers: HeadersInit = {}, status = 200): Response =>
  Response.json(body, { status, headers });

export function refused({ code, message, retryAfterS }: Refusal, traceId: string): Response {
  const headers: Record<string, string> = { 'x-trace-id': traceId };
  if (retryAfterS !== null) headers['retry-after'] = String(retryAfterS);
  return json({ error: { code, message, trace_id: traceId } }, headers, STATUS[code]);
}
