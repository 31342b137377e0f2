import type { Context } from './context.ts';

/** Codes of our own refusals; the API's pass through. */
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

/** One JSON line. Never an address, a token or an exception's message. */
export function log(
  level: 'info' | 'warn' | 'error',
  event: string,
  fields: Readonly<Record<string, unknown>> = {},
): void {
  console[level](JSON.stringify({ level, event, ...fields }));
}

const NONCE = /__NONCE__/g;

/** No inline script, and no style but those with this response's nonce: Mantine puts its variables into such. */
const policy = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');

/** The page: the same for every path, as the app reads the path itself. */
export async function servePage({ assets }: Context): Promise<Response> {
  const page = await assets.fetch('https://assets.internal/index.html');
  if (!page.ok) throw new Error('the page is not built');
  const nonce = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16))));
  const html = (await page.text()).replace(NONCE, nonce);
  return new Response(html, {
    headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy(nonce) },
  });
}
