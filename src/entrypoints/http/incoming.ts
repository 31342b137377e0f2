import type { Context } from 'hono';
import { type RouteDeclaration, takesNoBody } from '../../contract/route.ts';
import { DomainError } from '../../kernel/errors.ts';
import { type BodyFault, readText, readWhole } from '../../kernel/read-body.ts';
import type { SignedBody } from '../../kernel/signed-body.ts';
import type { StreamedBody } from '../../services/files.ts';
import type { Incoming, ReadBody } from '../../services/frame.ts';
import type { HttpEnv } from './env.ts';
import { expectedVersions } from './preconditions.ts';

/** RFC 6750, with the scheme in any case (RFC 9110). */
const BEARER = /^bearer +(\S+)$/i;

/** Makes an HTTP request into what the frame takes. */
export function incoming(c: Context<HttpEnv>, route: RouteDeclaration): Incoming {
  const { signed, upload, versioned } = route;
  const person = c.get('person');
  return {
    key: BEARER.exec(c.req.header('Authorization') ?? '')?.[1] ?? '',
    ...(person && { person }),
    idempotencyKey: c.req.header('Idempotency-Key'),
    params: route.path.includes(':') ? c.req.param() : {},
    query: queryOf(c),
    readBody: async () =>
      route.body
        ? readJsonBody(c, route, route.body.limitBytes)
        : { text: '', value: undefined, fault: upload ? uploadFault(c, upload) : null },
    ...(signed && { signed: () => signedBody(c, signed) }),
    ...(upload && { upload: () => streamedBody(c) }),
    expected: expectedVersions(versioned === true ? c.req.header('If-Match') : undefined),
    defer: (work) => c.executionCtx.waitUntil(work),
    opened: (exchange) => c.set('exchange', exchange),
  };
}

/** A parameter that came once is a text; a repeated one is a list. */
const queryOf = (c: Context<HttpEnv>): Record<string, string | string[]> =>
  c.req.url.includes('?')
    ? Object.fromEntries(
        Object.entries(c.req.queries()).map(([name, values]) => [
          name,
          values.length === 1 ? (values[0] ?? '') : values,
        ]),
      )
    : {};

const CSV_TYPE = /^text\/csv\s*(?:;|$)/i;
const JSON_TYPE = /^application\/(?:[\w.-]{1,64}\+)?json\s*(?:;|$)/i;

/**
 * Reads the body of a JSON route; an empty one is `{}` where the route takes none. The frame refuses a faulty one, after key
 * and role.
 */
async function readJsonBody(c: Context<HttpEnv>, route: RouteDeclaration, limitBytes: number): Promise<ReadBody> {
  const faulty = (fault: DomainError) => ({ text: '', value: undefined, fault });
  const body = await readWhole(c.req.raw, limitBytes);
  const isAbsent = body.ok && body.text === '' && takesNoBody(route);
  if (!isAbsent && !JSON_TYPE.test(c.req.header('Content-Type') ?? '')) {
    return faulty(new DomainError('invalid_request', 'Send a JSON body with `Content-Type: application/json`.'));
  }
  if (!body.ok) return faulty(textFault(body.fault, limitBytes));
  const text = isAbsent ? '{}' : body.text;
  try {
    return { text, value: JSON.parse(text), fault: null };
  } catch {
    return faulty(new DomainError('invalid_request', 'The body is not valid JSON.'));
  }
}

export function textFault(fault: BodyFault, limitBytes: number): DomainError {
  if (fault === 'too_large') return new DomainError('too_large', `The body is larger than ${limitBytes / 1024} KB.`);
  return new DomainError(
    'invalid_request',
    fault === 'not_utf8' ? 'The body is not valid UTF-8.' : 'The body broke off.',
  );
}

/** The unparsed body of a signed route, with its headers. */
async function signedBody(
  c: Context<HttpEnv>,
  { headers, limitBytes }: NonNullable<RouteDeclaration['signed']>,
): Promise<SignedBody> {
  const body = await readText(c.req.raw.body, limitBytes);
  if (!body.ok) throw textFault(body.fault, limitBytes);
  return { body: body.text, headers: Object.fromEntries(headers.map((name) => [name, c.req.header(name) ?? null])) };
}

/** What is wrong with an upload before its first byte is read. */
function uploadFault(c: Context<HttpEnv>, { limitBytes }: { readonly limitBytes: number }): DomainError | null {
  if (!CSV_TYPE.test(c.req.header('Content-Type') ?? ''))
    return new DomainError('invalid_request', 'Send the file with `Content-Type: text/csv`.');
  return Number(c.req.header('Content-Length') ?? 0) > limitBytes
    ? new DomainError('too_large', `The file is larger than ${limitBytes / 2 ** 20} MB.`)
    : null;
}

/** The body as it arrives. An absent body is an empty one. */
function streamedBody(c: Context<HttpEnv>): StreamedBody {
  const { body } = c.req.raw;
  return body === null
    ? { stream: new Blob([]).stream(), isLengthKnown: false }
    : { stream: body, isLengthKnown: c.req.header('Content-Length') !== undefined };
}
