import type { Decision, PolicyDocument } from '../../api/schema.ts';
import { formatExactShare, formatRow, formatSentences, plural } from '../../lib/format.ts';
import { DECISIONS } from '../../lib/order.ts';
import { countryCode, label } from '../../lib/vocabulary.ts';
import { isShare, wordsOf } from './catalogue.ts';
import { pathText } from './path-names.ts';
import { isComparison } from './switches.ts';

const OPERATORS: Readonly<Record<string, string>> = {
  eq: 'is',
  ne: 'is not',
  gt: 'is above',
  gte: 'is at least',
  lt: 'is below',
  lte: 'is at most',
  in: 'is one of',
  not_in: 'is none of',
  contains: 'contains',
  starts_with: 'begins with',
  ends_with: 'ends with',
};

/** A comparison in words. An operator that this page does not know stands as it is written. */
const COMPARISONS: Readonly<Record<string, (path: string, value: string) => string>> = {
  eq: (path, value) => `${path} is ${value}`,
  ne: (path, value) => `${path} is not ${value}`,
  gt: (path, value) => `${path} is above ${value}`,
  gte: (path, value) => `${path} is at least ${value}`,
  lt: (path, value) => `${path} is below ${value}`,
  lte: (path, value) => `${path} is at most ${value}`,
  in: (path, value) => `${path} is one of ${value}`,
  not_in: (path, value) => `${path} is none of ${value}`,
  contains: (path, value) => `${path} contains ${value}`,
  starts_with: (path, value) => `${path} begins with ${value}`,
  ends_with: (path, value) => `${path} ends with ${value}`,
};

/** An operator by itself, as in a list of them. */
export const operatorText = (op: string): string => (op === 'exists' ? 'is known' : (OPERATORS[op] ?? op));

/** A word of the catalogue by its name, a country in capitals, a share in per cent, all else as it was written. */
export function valueText(path: string, value: unknown): string {
  if (Array.isArray(value)) return formatRow(value.map((each) => valueText(path, each)));
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number' && isShare(path)) return formatExactShare(value);
  if (typeof value !== 'string') return JSON.stringify(value) ?? '…';
  return `“${wordsOf(path).includes(value) ? label(value) : (countryCode(path, value) ?? value)}”`;
}

/** A condition in words; … for what is none, as while JSON is typed. `nested`: it stands inside another. */
export function conditionText(when: unknown, nested = false): string {
  if (isComparison(when)) {
    const { path, op, value } = when;
    if (op === 'exists') return value === true ? `${pathText(path)} is known` : `${pathText(path)} is missing`;
    const [name, known] = [pathText(path), valueText(path, value)];
    return COMPARISONS[op]?.(name, known) ?? `${name} ${op} ${known}`;
  }
  const { all, any, not } = Object(when) as { readonly all?: unknown; readonly any?: unknown; readonly not?: unknown };
  if (not !== undefined) return `not (${conditionText(not)})`;
  const parts = all ?? any;
  if (!Array.isArray(parts)) return '…';
  if (parts.length === 0) return all === undefined ? 'never' : 'always';
  const text = parts
    .map((part) => conditionText(part, true))
    .reduce((one, other) => (all === undefined ? `${one} or ${other}` : `${one} and ${other}`));
  return nested && parts.length > 1 ? `(${text})` : text;
}

/** By how many rules people get a decision. */
const COUNTED: Readonly<Record<Decision, (count: number) => string>> = {
  allow: (count) => `${count} by which people are let in`,
  allow_with_flow: (count) => `${count} by which people are let in with a flow`,
  review: (count) => `${count} by which people are held for review`,
  challenge: (count) => `${count} by which people are asked to confirm`,
  deny: (count) => `${count} by which people are turned away`,
};

/** What becomes of everyone else. */
const OTHERWISE: Readonly<Record<string, string>> = {
  allow: 'Everyone else is let in.',
  allow_with_flow: 'Everyone else is let in with a flow.',
  review: 'Everyone else is held for review.',
  challenge: 'Everyone else is asked to confirm.',
  deny: 'Everyone else is turned away.',
};

/** What the policy does, in a sentence or two. */
export function policyText({ rules, default: otherwise }: PolicyDocument): string {
  const counted = new Map<Decision, number>();
  for (const { decision } of rules) counted.set(decision, (counted.get(decision) ?? 0) + 1);
  const parts = DECISIONS.toReversed().flatMap((decision) => {
    const count = counted.get(decision);
    return count === undefined ? [] : [COUNTED[decision](count)];
  });
  const list = formatRow(parts);
  return formatSentences(
    rules.length === 0
      ? 'The policy has no rules.'
      : plural(rules.length, `# rule: ${list}.`, `# rules, the first that matches decides: ${list}.`),
    OTHERWISE[otherwise] ?? `Everyone else: ${label(otherwise)}.`,
  );
}
