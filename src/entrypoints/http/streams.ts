import type { Context } from 'hono';
import type { RouteDeclaration } from '../../contract/route.ts';
import type { SignedBody } from '../../kernel/crypto.ts';
import { DomainError } from '../../kernel/errors.ts';
import { readText } from '../../kernel/read-body.ts';
import type { StreamedBody } from '../../services/files.ts';
import type { HttpEnv } from './env.ts';
import { textFault } from './validate.ts';

const CSV_TYPE = /^text\/csv\s*(?:;|$)/i;

/** The unparsed body of a signed route, with its headers. */
export async function signedBody(
  c: Context<HttpEnv>,
  { headers, limitBytes }: NonNullable<RouteDeclaration['signed']>,
): Promise<SignedBody> {
  const body = await readText(c.req.raw.body, limitBytes);
  if (!body.ok) throw textFault(body.fault, limitBytes);
  return { body: body.text, headers: Object.fromEntries(headers.map((name) => [name, c.req.header(name) ?? null])) };
}

/** The fault of an upload before its first byte is read. */
export function uploadFault(c: Context<HttpEnv>, { limitBytes }: { readonly limitBytes: number }): DomainError | null {
  if (!CSV_TYPE.test(c.req.header('Content-Type') ?? ''))
    return new DomainError('invalid_request', 'Send the file with `Content-Type: text/csv`.');
  return Number(c.req.header('Content-Length') ?? 0) > limitBytes
    ? new DomainError('too_large', `The file is larger than ${limitBytes / 2 ** 20} MB.`)
    : null;
}

/** The body as it arrives. An absent body is an empty one. */
export function streamedBody(c: Context<HttpEnv>): StreamedBody {
  const { body } = c.req.raw;
  return body === null
    ? { stream: new Blob([]).stream(), isLengthKnown: false }
    : { stream: body, isLengthKnown: c.req.header('Content-Length') !== undefined };
}
