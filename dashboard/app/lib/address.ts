/** Quotes text that looks like a number, as older links do. Quoted text gets a second pair. */
const QUOTED = /^"(?:[^"\\]|\\.)*"$/;

function plain(text: string): string {
  if (!QUOTED.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Reads search parameters as plain texts. */
export const parseSearch = (search: string): Record<string, string> =>
  Object.fromEntries(Array.from(new URLSearchParams(search), ([name, value]) => [name, plain(value)]));

const written = (value: unknown): string => {
  const text = String(value);
  return QUOTED.test(text) ? JSON.stringify(text) : text;
};

/** Writes search parameters without empty ones. */
export function stringifySearch(search: Readonly<Record<string, unknown>>): string {
  const set = Object.entries(search).filter(([, value]) => value !== undefined);
  const text = String(new URLSearchParams(set.map(([name, value]) => [name, written(value)])));
  return text === '' ? '' : `?${text}`;
}
