import { Refusal } from './answers.ts';

const TEXTS_BYTES_MAX = 8_192;

/** A body as text. It counts the bytes that come: their number may be untold, and anyone may send one. */
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
