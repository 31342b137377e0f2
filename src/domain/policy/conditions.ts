import type { Op } from '../../contract/policy.ts';
import { isCountryCode } from './countries.ts';
import { OPS } from '../../contract/words.ts';
import { OPS_BY_TYPE, type PathType, pathProblem, pathType } from './paths.ts';

/** A document's fault: where (`rules[2].when.all[0].path`) and what, without repeating a value. */
export interface Fault {
  readonly at: string;
  readonly problem: string;
}

export type Report = (at: string, problem: string) => void;

export type Members = Readonly<Record<string, unknown>>;

const FAULTS_NAMED = 5;

/** The first faults with their positions (below `root`, if the document is a member), and the number of others. */
export function faultsMessage(faults: readonly Fault[], root = ''): string {
  const named = faults.slice(0, FAULTS_NAMED).map(({ at, problem }) => {
    const position = root === '' || at === '' ? at || root : `${root}.${at}`;
    return `${position === '' ? 'The policy' : `\`${position}\``} ${problem}`;
  });
  const more = faults.length - named.length;
  return `${[...named, ...(more > 0 ? [`${more} more`] : [])].join('; ')}.`;
}

/** A name that a message may repeat: any other text could be personal data. */
const PLAIN_NAME = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const memberAt = (at: string, name: string): string => (at === '' ? name : `${at}.${name}`);

/**
 * Reads an object and reports disallowed members, including `__proto__`. Null, with the fault, if the value is no
 * object.
 */
export function objectAt(value: unknown, at: string, allowed: readonly string[], report: Report): Members | null {
  if (!isObject(value)) {
    report(at, 'must be an object');
    return null;
  }
  for (const name of Object.keys(value)) {
    if (allowed.includes(name)) continue;
    if (PLAIN_NAME.test(name)) report(memberAt(at, name), 'is not a known member');
    else report(at, 'has an unknown member');
  }
  return value;
}

/** An own member, or undefined. */
export const member = (object: Members, name: string): unknown =>
  Object.hasOwn(object, name) ? object[name] : undefined;

/** Reads a list within its limits. Empty, with the fault, if the value is no list. */
export function listAt(
  value: unknown,
  at: string,
  { min = 0, max }: { readonly min?: number; readonly max: number },
  report: Report,
): readonly unknown[] {
  if (!Array.isArray(value)) {
    report(at, value === undefined ? 'is required' : 'must be a list');
    return [];
  }
  if (value.length < min) report(at, 'must not be empty');
  if (value.length <= max) return value;
  report(at, `must have at most ${max} entries`);
  return [];
}

export function isWordAt<T extends string>(
  value: unknown,
  at: string,
  words: readonly T[],
  report: Report,
): value is T {
  if (typeof value === 'string' && (words as readonly string[]).includes(value)) return true;
  report(at, value === undefined ? 'is required' : `must be one of ${words.join(', ')}`);
  return false;
}

/** Deeper than a person can read, and safe for the stack. */
const DEPTH_MAX = 8;
const CHILDREN_MAX = 50;
const VALUES_MAX = 100;
const TEXT_MAX = 256;

const NODES = [
  { by: 'path', members: ['path', 'op', 'value'] },
  { by: 'all', members: ['all'] },
  { by: 'any', members: ['any'] },
  { by: 'not', members: ['not'] },
] as const;
const NODE_MEMBERS = NODES.flatMap(({ members }) => members as readonly string[]);

/** Checks a `when`. Calls `count` for each comparison, so that the whole document can have a limit. */
export function checkCondition(value: unknown, at: string, report: Report, count: () => void, depth = 1): void {
  if (depth > DEPTH_MAX) return report(at, `is nested deeper than ${DEPTH_MAX} levels`);
  if (value === undefined) return report(at, 'is required');
  const node = NODES.find(({ by }) => Object.hasOwn(value ?? {}, by));
  const object = objectAt(value, at, node?.members ?? NODE_MEMBERS, report);
  if (object === null) return;
  switch (node?.by) {
    case 'all':
    case 'any':
      listAt(object[node.by], memberAt(at, node.by), { min: 1, max: CHILDREN_MAX }, report).forEach((child, i) =>
        checkCondition(child, `${memberAt(at, node.by)}[${i}]`, report, count, depth + 1),
      );
      return;
    case 'not':
      return checkCondition(object.not, memberAt(at, 'not'), report, count, depth + 1);
    case 'path':
      count();
      return checkComparison(object, at, report);
    case undefined:
      return report(at, 'must have `all`, `any`, `not`, or `path`, `op` and `value`');
  }
}

function checkComparison(object: Members, at: string, report: Report): void {
  const path = member(object, 'path');
  const op = member(object, 'op');
  const type = typeof path === 'string' ? pathType(path) : null;
  if (type === null) report(memberAt(at, 'path'), pathProblem(path));
  if (!isWordAt(op, memberAt(at, 'op'), OPS, report) || type === null) return;
  if (!OPS_BY_TYPE[type.is].includes(op)) {
    return report(memberAt(at, 'op'), `does not suit this path: use one of ${OPS_BY_TYPE[type.is].join(', ')}`);
  }
  checkValue(member(object, 'value'), memberAt(at, 'value'), op, type, report);
}

function checkValue(value: unknown, at: string, op: Op, type: PathType, report: Report): void {
  if (value === undefined) return report(at, 'is required');
  if (op === 'in' || op === 'not_in') {
    return listAt(value, at, { min: 1, max: VALUES_MAX }, report).forEach((one, i) => {
      const problem = problemOf(one, type);
      if (problem !== null) report(`${at}[${i}]`, problem);
    });
  }
  const problem = problemOf(value, typeFor(op, type));
  if (problem !== null) report(at, problem);
}

const TEXT_OPS: ReadonlySet<Op> = new Set(['contains', 'starts_with', 'ends_with']);
const ORDER_OPS: ReadonlySet<Op> = new Set(['gt', 'gte', 'lt', 'lte']);

/** The type of the value to compare with: the operator's, else the path's. */
function typeFor(op: Op, type: PathType): PathType {
  if (op === 'exists') return { is: 'boolean' };
  if (ORDER_OPS.has(op)) return { is: 'number' };
  return TEXT_OPS.has(op) && type.is !== 'words' ? { is: 'string' } : type;
}

function problemOf(value: unknown, type: PathType): string | null {
  switch (type.is) {
    case 'boolean':
      return typeof value === 'boolean' ? null : 'must be true or false';
    case 'number':
      return Number.isFinite(value) ? null : 'must be a number';
    case 'string':
      return textProblem(value);
    case 'country':
      return typeof value === 'string' && isCountryCode(value) ? null : 'must be an ISO 3166-1 alpha-2 code';
    case 'word':
    case 'words':
      return (type.of as readonly unknown[]).includes(value) ? null : `must be one of ${type.of.join(', ')}`;
    case 'any':
      if (typeof value === 'string') return textProblem(value);
      return typeof value === 'boolean' || Number.isFinite(value) ? null : 'must be text, a number or true or false';
  }
}

export function textProblem(value: unknown, max: number = TEXT_MAX): string | null {
  if (typeof value !== 'string') return value === undefined ? 'is required' : 'must be text';
  if (value.trim() === '') return 'must not be empty';
  return value.length > max ? `must be at most ${max} characters` : null;
}
