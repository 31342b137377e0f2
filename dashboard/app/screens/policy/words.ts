import type { PolicyDocument } from '../../api/schema.ts';
import { formatForm } from '../../lib/format.ts';
import { countryCode, label } from '../../lib/vocabulary.ts';
import { wordsOf } from './catalogue.ts';
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

export const operatorText = (op: string): string => (op === 'exists' ? 'is known' : (OPERATORS[op] ?? op));

/** A word of the catalogue by its name, a country in capitals, all else as it was written. */
export function valueText(path: string, value: unknown): string {
  if (Array.isArray(value)) return value.map((each) => valueText(path, each)).join(', ');
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value !== 'string') return JSON.stringify(value) ?? '…';
  return `“${wordsOf(path).includes(value) ? label(value) : (countryCode(path, value) ?? value)}”`;
}

/** A condition in words; … for what is none, as while JSON is typed. `nested`: it stands inside another. */
export function conditionText(when: unknown, nested = false): string {
  if (isComparison(when)) {
    const { path, op, value } = when;
    if (op === 'exists') return `${pathText(path)} is ${value === true ? 'known' : 'missing'}`;
    return `${pathText(path)} ${operatorText(op)} ${valueText(path, value)}`;
  }
  const { all, any, not } = Object(when) as { readonly all?: unknown; readonly any?: unknown; readonly not?: unknown };
  if (not !== undefined) return `not (${conditionText(not)})`;
  const parts = all ?? any;
  if (!Array.isArray(parts)) return '…';
  if (parts.length === 0) return all === undefined ? 'never' : 'always';
  const text = parts.map((part) => conditionText(part, true)).join(all === undefined ? ' or ' : ' and ');
  return nested && parts.length > 1 ? `(${text})` : text;
}

const DOES: Readonly<Record<string, string>> = {
  allow: 'let in',
  allow_with_flow: 'let in with a flow',
  review: 'held for review',
  challenge: 'asked to confirm',
  deny: 'turned away',
};
export const doesText = (decision: string): string => DOES[decision] ?? label(decision);

/** What the policy does, in a sentence or two. */
export function policyText({ rules, default: otherwise }: PolicyDocument): string {
  const counted = new Map<string, number>();
  for (const { decision } of rules) counted.set(decision, (counted.get(decision) ?? 0) + 1);
  const parts = ['deny', 'challenge', 'review', 'allow_with_flow', 'allow']
    .filter((decision) => counted.has(decision))
    .map((decision) => `${counted.get(decision)} by which people are ${doesText(decision)}`);
  const rulesText =
    parts.length === 0
      ? 'There are no rules'
      : `${formatForm(rules.length, {
          one: '# rule',
          other: '# rules, the first that matches decides',
        })}: ${parts.join(', ')}`;
  return `${rulesText}. Everyone else is ${doesText(otherwise)}.`;
}
