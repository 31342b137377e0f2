import { plural, t } from '@lingui/core/macro';
import type { Decision, PolicyDocument } from '../../api/schema.ts';
import { formatExactShare, formatRow, formatSentences } from '../../lib/format.ts';
import { DECISIONS } from '../../lib/order.ts';
import { countryCode, label } from '../../lib/vocabulary.ts';
import { isShare, wordsOf } from './catalogue.ts';
import { pathText } from './path-names.ts';
import { isComparison } from './switches.ts';

const OPERATORS: Readonly<Record<string, string>> = {
  eq: t`is`,
  ne: t`is not`,
  gt: t`is above`,
  gte: t`is at least`,
  lt: t`is below`,
  lte: t`is at most`,
  in: t`is one of`,
  not_in: t`is none of`,
  contains: t`contains`,
  starts_with: t`begins with`,
  ends_with: t`ends with`,
};

/** A comparison in words. An operator that this page does not know stands as it is written. */
const COMPARISONS: Readonly<Record<string, (path: string, value: string) => string>> = {
  eq: (path, value) => t`${path} is ${value}`,
  ne: (path, value) => t`${path} is not ${value}`,
  gt: (path, value) => t`${path} is above ${value}`,
  gte: (path, value) => t`${path} is at least ${value}`,
  lt: (path, value) => t`${path} is below ${value}`,
  lte: (path, value) => t`${path} is at most ${value}`,
  in: (path, value) => t`${path} is one of ${value}`,
  not_in: (path, value) => t`${path} is none of ${value}`,
  contains: (path, value) => t`${path} contains ${value}`,
  starts_with: (path, value) => t`${path} begins with ${value}`,
  ends_with: (path, value) => t`${path} ends with ${value}`,
};

/** An operator by itself, as in a list of them. */
export const operatorText = (op: string): string => (op === 'exists' ? t`is known` : (OPERATORS[op] ?? op));

/** A word of the catalogue by its name, a country in capitals, a share in per cent, all else as it was written. */
export function valueText(path: string, value: unknown): string {
  if (Array.isArray(value)) return formatRow(value.map((each) => valueText(path, each)));
  if (typeof value === 'boolean') return value ? t`yes` : t`no`;
  if (typeof value === 'number' && isShare(path)) return formatExactShare(value);
  if (typeof value !== 'string') return JSON.stringify(value) ?? '…';
  return `“${wordsOf(path).includes(value) ? label(value) : (countryCode(path, value) ?? value)}”`;
}

/** A condition in words; … for what is none, as while JSON is typed. `nested`: it stands inside another. */
export function conditionText(when: unknown, nested = false): string {
  if (isComparison(when)) {
    const { path, op, value } = when;
    if (op === 'exists') return value === true ? t`${pathText(path)} is known` : t`${pathText(path)} is missing`;
    const [name, known] = [pathText(path), valueText(path, value)];
    return COMPARISONS[op]?.(name, known) ?? `${name} ${op} ${known}`;
  }
  const { all, any, not } = Object(when) as { readonly all?: unknown; readonly any?: unknown; readonly not?: unknown };
  if (not !== undefined) return t`not (${conditionText(not)})`;
  const parts = all ?? any;
  if (!Array.isArray(parts)) return '…';
  if (parts.length === 0) return all === undefined ? t`never` : t`always`;
  const text = parts
    .map((part) => conditionText(part, true))
    .reduce((one, other) => (all === undefined ? t`${one} or ${other}` : t`${one} and ${other}`));
  return nested && parts.length > 1 ? `(${text})` : text;
}

/** By how many rules people get a decision. */
const COUNTED: Readonly<Record<Decision, (count: number) => string>> = {
  allow: (count) => t`${count} by which people are let in`,
  allow_with_flow: (count) => t`${count} by which people are let in with a flow`,
  review: (count) => t`${count} by which people are held for review`,
  challenge: (count) => t`${count} by which people are asked to confirm`,
  deny: (count) => t`${count} by which people are turned away`,
};

/** What becomes of everyone else. */
const OTHERWISE: Readonly<Record<string, string>> = {
  allow: t`Everyone else is let in.`,
  allow_with_flow: t`Everyone else is let in with a flow.`,
  review: t`Everyone else is held for review.`,
  challenge: t`Everyone else is asked to confirm.`,
  deny: t`Everyone else is turned away.`,
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
      ? t`The policy has no rules.`
      : plural(rules.length, {
          one: `# rule: ${list}.`,
          other: `# rules, the first that matches decides: ${list}.`,
        }),
    OTHERWISE[otherwise] ?? t`Everyone else: ${label(otherwise)}.`,
  );
}
