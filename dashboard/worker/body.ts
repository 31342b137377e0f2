import { Refusal } from './answers.ts';

const TEXTS_BYTES_MAX = 8_192;

/** A body as text. Counts arriving bytes: the length may be missing, and anyone may send one. */
export async function readBody({ body }: Request, bytesMax: number): Promise<string> {
  if (body === null) return '';
  const decoder = new TextDecoder();
  let [text, length] = ['', 0];
  for await (const part of body as unknown as AsyncIterable<Uint8Array>) {
    length += part.byteLength;
    if (length > bytesMax) throw new Refusal('invalid_request', 'The body is too large.');
    text += decoder.decode(part, { stream: true });
  }
  return text + decoder.decode();
}

/** The named texts of a small JSON body; an absent one is empty. */
export async function readTexts<Name extends string>(
  request: Request,
  names: readonly Name[],
): Promise<Record<Name, string>> {
  const body = parsed(await readBody(request, TEXTS_BYTES_MAX));
  return Object.fromEntries(names.map((name) => [name, textOf(body, name)])) as Record<Name, string>;
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    return Object(text === '' ? {} : JSON.parse(text)) as Readonly<Record<string, unknown>>;
  } catch {
    throw new Refusal('invalid_request', 'The body is not valid JSON.');
  }
}

function textOf(body: Readonly<Record<string, unknown>>, name: string): string {
  const value = body[name] ?? '';
  if (typeof value !== 'string') throw new Refusal('invalid_request', `${name} must be a text.`);
  return value;
}

const JSON_TYPE = /^application\/json\s*(?:;|$)/i;
/** An upload's. A form of another site can send neither type without asking first, and every such question is refused. */
const CSV_TYPE = /^text\/csv\s*(?:;|$)/i;

/** A link that was followed from another site, as one in a webmail. It leads to a page alone: the same for everybody, without a session. */
const isFollowedLink = ({ headers }: Request, pathname: string): boolean =>
  headers.get('sec-fetch-mode') === 'navigate' &&
  headers.get('sec-fetch-dest') === 'document' &&
  !pathname.startsWith('/api/') &&
  !pathname.startsWith('/auth/');

/** Refuses what another site may have sent with the person's cookies. */
export function requireOwnOrigin(request: Request, url: string): void {
  const site = request.headers.get('sec-fetch-site');
  const reads = request.method === 'GET' || request.method === 'HEAD';
  if (site === 'cross-site' && !(reads && isFollowedLink(request, new URL(request.url).pathname)))
    throw new Refusal('forbidden', 'This was sent from another site.');
  if (reads) return;
  if (request.headers.get('origin') !== url || (site !== null && site !== 'same-origin'))
    throw new Refusal('forbidden', 'This was sent from another site.');
  const type = request.headers.get('content-type');
  if (type === null ? request.body !== null : !JSON_TYPE.test(type) && !CSV_TYPE.test(type))
    throw new Refusal('invalid_request', 'Send JSON.');
}
