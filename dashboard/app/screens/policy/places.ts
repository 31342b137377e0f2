import { parse, type ValueNode } from '@humanwhocodes/momoa';
import { parsePolicy } from '../../../../src/domain/policy/document.ts';
import type { PolicyDocument } from '../../api/schema.ts';

/** Position of a value in JSON text, characters. */
export interface Place {
  readonly from: number;
  readonly to: number;
}

export interface Fault {
  /** Such as `rules[2].when.path`; empty if the problem names its subject. */
  readonly at: string;
  readonly problem: string;
  readonly place: Place | null;
  /** From 1. */
  readonly line: number | null;
}

const lineAt = (text: string, at: number): number => text.slice(0, at).split('\n').length;

/** Positions of all values of valid JSON text, by path. */
function placesOf(text: string): ReadonlyMap<string, Place> {
  const places = new Map<string, Place>();
  const note = (node: ValueNode, path: string): void => {
    places.set(path, { from: node.loc.start.offset, to: node.loc.end.offset });
    if (node.type === 'Array')
      for (const [index, { value }] of node.elements.entries()) note(value, `${path}[${index}]`);
    if (node.type === 'Object')
      for (const { name, value } of node.members) {
        const member = name.type === 'String' ? name.value : name.name;
        note(value, path === '' ? member : `${path}.${member}`);
      }
  };
  note(parse(text).body, '');
  return places;
}

interface Wrong {
  readonly at: string;
  readonly problem: string;
}

const FAULTS_NAMED = 5;

/** The first faults by line, and how many more there are. */
function placed(wrong: readonly Wrong[], text: string): readonly Fault[] {
  let places: ReadonlyMap<string, Place> = new Map();
  try {
    places = placesOf(text);
  } catch {
    // Without positions, faults are shown all the same.
  }
  const found = wrong
    .map(({ at, problem }) => {
      // A missing member has no position: its object's bracket is marked.
      let near = at;
      while (near !== '' && !places.has(near)) {
        const shorter = near.replace(/(?:\.[^.[\]]+|\[\d+\]|^[^.[\]]+)$/, '');
        near = shorter === near ? '' : shorter;
      }
      const value = at === '' ? undefined : places.get(near);
      const isBracket = value !== undefined && '{['.includes(text.charAt(value.from));
      return { at, problem, place: (isBracket ? { from: value.from, to: value.from + 1 } : value) ?? null };
    })
    .toSorted((one, other) => (one.place?.from ?? text.length) - (other.place?.from ?? text.length))
    .map((fault) => ({ ...fault, line: fault.place === null ? null : lineAt(text, fault.place.from) }));
  const more = found.length - FAULTS_NAMED;
  return more <= 0
    ? found
    : [...found.slice(0, FAULTS_NAMED), { at: '', problem: `${more} more`, place: null, line: null }];
}

/** Parses a refusal: a path between backticks, then the problem. */
const NAMED = /^`(?:policy\.)?([^`]+)` (.+)$/s;

export const faultsOf = (message: string, text: string): readonly Fault[] =>
  placed(
    message
      .replace(/\.$/, '')
      .split(/; (?=`|The policy|\d+ more)/)
      .map((part) => {
        const [, at = '', problem = part] = NAMED.exec(part) ?? [];
        return { at, problem };
      }),
    text,
  );

/** Position of a JSON syntax error, from the parser's message. */
function syntaxFault(text: string): Fault {
  let [problem, offset] = ['isn’t JSON', 0];
  try {
    parse(text);
  } catch (error) {
    const { message, offset: at } = Object(error);
    problem = String(message).replace(/\.? ?\(\d+:\d+\)$/, '');
    offset = Number(at) || 0;
  }
  const from = Math.min(offset, Math.max(0, text.length - 1));
  return { at: '', problem, place: { from, to: Math.min(from + 1, text.length) }, line: lineAt(text, from) };
}

/** Parses a policy with the service's own schema; null with faults if it is none. */
export function readPolicy(text: string): {
  readonly document: PolicyDocument | null;
  readonly faults: readonly Fault[];
} {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { document: null, faults: [syntaxFault(text)] };
  }
  const parsed = parsePolicy(value, () => null);
  if (parsed.ok) return { document: value as PolicyDocument, faults: [] };
  return {
    document: null,
    faults: placed(
      parsed.error.map(({ at, problem }) => (at === '' ? { at, problem: `The policy ${problem}` } : { at, problem })),
      text,
    ),
  };
}
