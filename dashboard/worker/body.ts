import { Refusal } from './answers.ts';

const BODY_CHARACTERS_MAX = 8_192;

/** The named texts of a small JSON body; an absent one is empty. */
export async function readTexts<Name extends string>(
  request: Request,
  names: readonly Name[],
): Promise<Record<Name, string>> {
  if (Number(request.headers.get('content-length') ?? 0) > BODY_CHARACTERS_MAX)
    throw new Refusal('invalid_request', 'The body is too large.');
  const body = await request.text().then(parsed);
  return Object.fromEntries(names.map((name) => [name, textOf(body, name)])) as Record<Name, string>;
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  if (text.length > BODY_CHARACTERS_MAX) throw new Refusal('invalid_request', 'The body is too large.');
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
