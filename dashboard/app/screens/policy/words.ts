import { formatExactShare, formatRow } from '../../lib/format.ts';
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
    return `${pathText(path)} ${OPERATORS[op] ?? op} ${valueText(path, value)}`;
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
