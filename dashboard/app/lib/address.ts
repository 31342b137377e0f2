/** As links of before have a text that looks like a number: in quotes. A text that has quotes itself gets a second pair. */
const QUOTED = /^"(?:[^"\\]|\\.)*"$/;

function plain(text: string): string {
  if (!QUOTED.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** What a page's address says: texts, as they stand there. */
export const parseSearch = (search: string): Record<string, string> =>
  Object.fromEntries(Array.from(new URLSearchParams(search), ([name, value]) => [name, plain(value)]));

const written = (value: unknown): string => {
  const text = String(value);
  return QUOTED.test(text) ? JSON.stringify(text) : text;
};

/** The other way round. What has no value is left out. */
export function stringifySearch(search: Readonly<Record<string, unknown>>): string {
  const set = Object.entries(search).filter(([, value]) => value !== undefined);
  const text = String(new URLSearchParams(set.map(([name, value]) => [name, written(value)])));
  return text === '' ? '' : `?${text}`;
}
