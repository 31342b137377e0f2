import { parse, type ValueNode } from '@humanwhocodes/momoa';
import { parsePolicy } from '../../../../src/domain/policy/document.ts';
import type { PolicyDocument } from '../../api/schema.ts';

/** Where a value stands in a text of JSON, in characters. */
export interface Place {
  readonly from: number;
  readonly to: number;
}

export interface Fault {
  /** `rules[2].when.path`; empty: the problem says what it is about. */
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

/** The first faults with their places in the text, in the order of its lines, and how many more there are. */
function placed(wrong: readonly Wrong[], text: string): readonly Fault[] {
  let places: ReadonlyMap<string, Place> = new Map();
  try {
    places = placesOf(text);
  } catch {
    // The faults are shown without their places.
  }
  const found = wrong
    .map(({ at, problem }) => {
      // What is missing stands nowhere: the bracket of the object that lacks it is shown.
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

/** A fault as the service words it in a refusal: a position between backticks, then what is wrong. */
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

/** Where a text stops to be JSON, as the parser says it. */
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

/** What a text says as a policy, by the rules of the service itself; null with what keeps it from being one. */
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
