import { parse, type ValueNode } from '@humanwhocodes/momoa';
import type { PolicyDocument } from '../../api/schema.ts';
import { documentFaults, type Wrong } from './document-faults.ts';
import { type Fault, lineAt, type Place } from './fault.ts';
import { readJson } from './json-text.ts';

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

/** A fault as the service words it: a position between backticks, then what is wrong. */
const NAMED = /^`(?:policy\.)?([^`]+)` (.+)$/s;

/** Faults with their places in the text, in the order of its lines: as many as are asked for. */
function placed(wrong: readonly Wrong[], text: string, most = wrong.length): readonly Fault[] {
  let places: ReadonlyMap<string, Place> = new Map();
  try {
    places = placesOf(text);
  } catch {
    // The faults are shown without their places.
  }
  return wrong
    .map(({ at, problem }) => {
      // What is missing stands nowhere: the bracket of the object that lacks it is shown.
      let near = at;
      while (near !== '' && !places.has(near)) {
        const shorter = near.replace(/(?:\.[^.[\]]+|\[\d+\]|^[^.[\]]+)$/, '');
        near = shorter === near ? '' : shorter;
      }
      const found = at === '' ? undefined : places.get(near);
      const isBracket = found !== undefined && '{['.includes(text.charAt(found.from));
      return { at, problem, place: (isBracket ? { from: found.from, to: found.from + 1 } : found) ?? null };
    })
    .toSorted((one, other) => (one.place?.from ?? text.length) - (other.place?.from ?? text.length))
    .slice(0, most)
    .map((fault) => ({ ...fault, line: fault.place === null ? null : lineAt(text, fault.place.from) }));
}

/** The faults of a refusal. */
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

const FAULTS_NAMED = 5;

const namedFirst = (wrong: readonly Wrong[], text: string): readonly Fault[] => {
  if (wrong.length === 0) return [];
  const named = placed(wrong, text, FAULTS_NAMED).map((fault) => ({ ...fault, at: '' }));
  const more = wrong.length - named.length;
  return more === 0 ? named : [...named, { at: '', problem: `${more} more`, place: null, line: null }];
};

interface Read {
  /** Null means the text is none. */
  readonly document: PolicyDocument | null;
  /** What keeps the text from being a policy. */
  readonly faults: readonly Fault[];
  /** What a newer service may know, and this page does not: it keeps nothing from being saved. */
  readonly hints: readonly Fault[];
}

/** What a text says as a policy. */
export function readPolicy(text: string): Read {
  const read = readJson(text);
  if ('fault' in read) return { document: null, faults: [read.fault], hints: [] };
  const wrong = documentFaults(read.value);
  const faults = wrong.filter(({ isHint }) => !isHint);
  return {
    document: faults.length === 0 ? (read.value as PolicyDocument) : null,
    faults: namedFirst(faults, text),
    hints: namedFirst(
      wrong.filter(({ isHint }) => isHint),
      text,
    ),
  };
}
