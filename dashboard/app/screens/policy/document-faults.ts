import { formatRow } from '../../lib/format.ts';
import { DECISIONS } from '../../lib/order.ts';
import { isPath, KNOWN_PATHS, OPERATORS, operatorsOf, type PathType, typeOf } from './catalogue.ts';
import { unknownHere, unknownText } from './words-nearby.ts';

/** What the screens need of a document. Limits of length and the words of values are left to the service. */

/** Where it stands, as `rules[2].when.path`, and a sentence. */
export interface Wrong {
  readonly at: string;
  readonly problem: string;
  /** Wrong under this release alone: a newer service may know it, and decides. */
  readonly isHint?: true;
}

interface Report {
  readonly fault: (at: string, problem: string) => void;
  readonly hint: (at: string, word: string, known: readonly string[]) => void;
}

const DEPTH_MAX = 8;

interface Member {
  readonly fits: (value: unknown) => boolean;
  readonly kind: string;
  readonly isOptional?: true;
  /** The words of a closed set. */
  readonly of?: readonly string[];
}
type Shape = Readonly<Record<string, Member>>;

const isText = (value: unknown): value is string => typeof value === 'string';
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  Object(value) === value && !Array.isArray(value);
const isList =
  (fits: Member['fits']) =>
  (value: unknown): boolean =>
    Array.isArray(value) && value.every(fits);
const isScalar = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value);

const TEXT: Member = { fits: isText, kind: 'text in double quotes' };
const NUMBER: Member = { fits: (value) => typeof value === 'number', kind: 'a number' };
const TRUTH: Member = { fits: (value) => typeof value === 'boolean', kind: 'true or false' };
const SCALAR: Member = { fits: isScalar, kind: 'text, a number, true or false' };
const OBJECT: Member = { fits: isObject, kind: 'an object in { }' };
const LIST: Member = { fits: Array.isArray, kind: 'a list in [ ]' };
const TEXTS: Member = { fits: isList(isText), kind: 'a list of texts' };
/** The service takes null for a list that is left out. */
const TEXTS_OR_NULL: Member = { ...TEXTS, fits: (value) => value === null || TEXTS.fits(value) };
/** Checked by itself. */
const ANY: Member = { fits: () => true, kind: '' };
const DECISION: Member = { ...TEXT, of: DECISIONS };

const optional = (member: Member): Member => ({ ...member, isOptional: true });

const PROFILE: Shape = {
  industries: optional(TEXTS_OR_NULL),
  employees_ranges: optional(TEXTS_OR_NULL),
  countries: optional(TEXTS_OR_NULL),
  seniorities: optional(TEXTS_OR_NULL),
};
const DOCUMENT: Shape = { name: TEXT, rules: LIST, default: DECISION, icp: optional(ANY) };
const RULE: Shape = {
  id: TEXT,
  description: optional(TEXT),
  when: ANY,
  decision: DECISION,
  flow: optional(TEXT),
  experiment: optional(OBJECT),
};
const EXPERIMENT: Shape = { id: TEXT, weight: NUMBER, min_sample: NUMBER, guardrails: optional(TEXTS) };

/** What each kind of condition has. The first that fits. */
const CONDITIONS: readonly { readonly by: string; readonly shape: Shape }[] = [
  { by: 'path', shape: { path: TEXT, op: TEXT, value: ANY } },
  { by: 'all', shape: { all: LIST } },
  { by: 'any', shape: { any: LIST } },
  { by: 'not', shape: { not: ANY } },
];
const BARE: Shape = {
  path: optional(ANY),
  op: optional(ANY),
  value: optional(ANY),
  all: optional(ANY),
  any: optional(ANY),
  not: optional(ANY),
};

const memberAt = (at: string, name: string): string => (at === '' ? name : `${at}.${name}`);

/** The members of an object; null, with what is wrong reported: it is none. `who`: what the sentences are about. */
function membersOf(
  value: unknown,
  at: string,
  who: string,
  shape: Shape,
  report: Report,
): Readonly<Record<string, unknown>> | null {
  if (!isObject(value)) {
    report.fault(at, `${who} has to be an object in { }`);
    return null;
  }
  for (const name of Object.keys(value))
    if (!Object.hasOwn(shape, name)) report.hint(memberAt(at, name), name, Object.keys(shape));
  for (const [name, { fits, kind, isOptional, of }] of Object.entries(shape)) {
    const own = Object.hasOwn(value, name) ? value[name] : undefined;
    if (own === undefined) {
      if (!isOptional) report.fault(at, `${who} has no \`${name}\``);
    } else if (!fits(own)) report.fault(memberAt(at, name), `${who}: \`${name}\` has to be ${kind}`);
    else if (of !== undefined && isText(own) && !of.includes(own))
      report.fault(memberAt(at, name), unknownText(own, of));
  }
  return value;
}

const BY_TYPE: Readonly<Record<PathType['is'], Member>> = {
  number: NUMBER,
  boolean: TRUTH,
  string: TEXT,
  country: TEXT,
  word: TEXT,
  words: TEXT,
  any: SCALAR,
};

/** What an operator compares with. */
function valueMember(path: string, op: string): Member {
  if (op === 'exists') return TRUTH;
  const { fits, kind } = BY_TYPE[typeOf(path).is];
  return op === 'in' || op === 'not_in' ? { fits: isList(fits), kind: `a list in [ ], each ${kind}` } : { fits, kind };
}

function checkComparison(
  { path, op, value }: Readonly<Record<string, unknown>>,
  at: string,
  who: string,
  report: Report,
): void {
  if (!isText(path) || !isText(op)) return;
  const isKnown = isPath(path);
  if (path.startsWith('attributes.') && !isKnown)
    report.fault(
      memberAt(at, 'path'),
      `\`${path}\` is unknown: after \`attributes.\` stand up to 64 of a-z, 0-9 and _, a letter first`,
    );
  else if (!isKnown) report.hint(memberAt(at, 'path'), path, KNOWN_PATHS);
  if (!OPERATORS.includes(op)) return report.hint(memberAt(at, 'op'), op, OPERATORS);
  if (!isKnown) return;
  const operators = operatorsOf(path);
  if (!operators.includes(op))
    return report.fault(
      memberAt(at, 'op'),
      `\`${op}\` does not suit \`${path}\`. Use one of ${formatRow(operators.map((each) => `\`${each}\``))}`,
    );
  const { fits, kind } = valueMember(path, op);
  if (value !== undefined && !fits(value)) report.fault(memberAt(at, 'value'), `${who}: \`value\` has to be ${kind}`);
}

function checkCondition(value: unknown, at: string, who: string, report: Report, depth = 1): void {
  if (depth > DEPTH_MAX) return report.fault(at, `${who}: the condition is nested deeper than ${DEPTH_MAX} levels`);
  const found = isObject(value) ? CONDITIONS.find(({ by }) => Object.hasOwn(value, by)) : undefined;
  const members = membersOf(value, at, `${who}: a condition`, found?.shape ?? BARE, report);
  if (members === null) return;
  const names = Object.keys(members);
  // With unknown members alone, it may be a new kind of condition.
  if (found === undefined && names.length > 0 && names.every((name) => !Object.hasOwn(BARE, name))) return;
  if (found === undefined)
    return report.fault(at, `${who}: a condition has \`path\`, \`op\` and \`value\`, or \`all\`, \`any\` or \`not\``);
  const own = members[found.by];
  if (found.by === 'path') checkComparison(members, at, who, report);
  else if (found.by === 'not') checkCondition(own, memberAt(at, 'not'), who, report, depth + 1);
  else if (Array.isArray(own))
    for (const [place, each] of own.entries())
      checkCondition(each, `${memberAt(at, found.by)}[${place}]`, who, report, depth + 1);
}

function checkRule(rule: unknown, place: number, report: Report): void {
  const at = `rules[${place}]`;
  const { id } = Object(rule) as { readonly id?: unknown };
  const who = isText(id) && id !== '' ? `Rule ${id}` : `The rule at place ${place + 1}`;
  const members = membersOf(rule, at, who, RULE, report);
  if (members === null) return;
  const { when, experiment } = members;
  if (when !== undefined) checkCondition(when, `${at}.when`, who, report);
  if (isObject(experiment))
    membersOf(experiment, `${at}.experiment`, `The experiment of rule ${String(id)}`, EXPERIMENT, report);
}

/** What keeps a value of JSON from being shown and saved as a policy, and what only this page does not know. Empty: nothing. */
export function documentFaults(value: unknown): readonly Wrong[] {
  const found: Wrong[] = [];
  const report: Report = {
    fault: (at, problem) => void found.push({ at, problem }),
    hint: (at, word, known) => void found.push({ at, problem: unknownHere(word, known), isHint: true }),
  };
  const members = membersOf(value, '', 'The policy', DOCUMENT, report);
  const { rules, icp } = members ?? {};
  if (Array.isArray(rules)) for (const [place, rule] of rules.entries()) checkRule(rule, place, report);
  if (icp !== undefined && icp !== null) membersOf(icp, 'icp', 'The ideal customer', PROFILE, report);
  return found;
}
