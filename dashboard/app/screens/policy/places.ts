/** Where a value stands in a text of JSON, in characters. */
export interface Place {
  readonly from: number;
  readonly to: number;
}

export interface Fault {
  /** `rules[2].when.path`; empty: the whole document. */
  readonly at: string;
  readonly problem: string;
  readonly place: Place | null;
  /** From 1. */
  readonly line: number | null;
}

const lineAt = (text: string, at: number): number => text.slice(0, at).split('\n').length;

/** The places of all values of a text that is JSON, by their path. */
function placesOf(text: string): ReadonlyMap<string, Place> {
  const places = new Map<string, Place>();
  let at = 0;
  const blank = (): void => {
    while (/\s/.test(text.charAt(at)) && at < text.length) at += 1;
  };
  const word = (): void => {
    if (text.charAt(at) === '"') {
      for (at += 1; at < text.length && text.charAt(at) !== '"'; at += 1) if (text.charAt(at) === '\\') at += 1;
      at += 1;
    } else while (at < text.length && !/[\s,\]}]/.test(text.charAt(at))) at += 1;
  };
  const value = (path: string): void => {
    blank();
    const from = at;
    const open = text.charAt(at);
    if (open === '{' || open === '[') {
      at += 1;
      blank();
      for (let index = 0; at < text.length && !/[\]}]/.test(text.charAt(at)); index += 1) {
        let below = `${path}[${index}]`;
        if (open === '{') {
          const name = at;
          word();
          const member = String(JSON.parse(text.slice(name, at)));
          below = path === '' ? member : `${path}.${member}`;
          blank();
          at += 1;
        }
        value(below);
        blank();
        if (text.charAt(at) === ',') at += 1;
        blank();
      }
      at += 1;
    } else word();
    places.set(path, { from, to: at });
  };
  value('');
  return places;
}

/** The document in a text, or the one fault that keeps it from being JSON. */
export function readJson(text: string): { readonly value: unknown } | { readonly fault: Fault } {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    const position = /position (\d+)/.exec(message)?.[1];
    const at = position === undefined ? text.trimEnd().length : Number(position);
    return {
      fault: {
        at: '',
        problem: 'is not JSON here',
        place: { from: Math.max(0, at - 1), to: Math.min(text.length, at + 1) },
        line: lineAt(text, at),
      },
    };
  }
}

/** A fault as the service words it: a position between backticks, then what is wrong. */
const NAMED = /^`(?:policy\.)?([^`]+)` (.+)$/s;

/** The faults of a refusal, each with its place in the text. */
export function faultsOf(message: string, text: string): readonly Fault[] {
  let places: ReadonlyMap<string, Place> = new Map();
  try {
    places = placesOf(text);
  } catch {
    // The faults are shown without their places.
  }
  return message
    .replace(/\.$/, '')
    .split(/; (?=`|The policy|\d+ more)/)
    .map((part) => {
      const [, at = '', problem = part] = NAMED.exec(part) ?? [];
      // What is missing stands nowhere: the object that lacks it is shown.
      let near = at;
      while (near !== '' && !places.has(near)) near = near.replace(/(?:\.[^.[\]]+|\[\d+\]|^[^.[\]]+)$/, '');
      const place = at === '' ? null : (places.get(near) ?? null);
      return { at, problem, place, line: place === null ? null : lineAt(text, place.from) };
    });
}
