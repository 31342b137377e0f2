import type { Comparison, PolicyCondition, PolicyRule } from '../../api/schema.ts';
import { isPath, operatorsOf, typeOf } from './catalogue.ts';
import { isComparison } from './switches.ts';

/** A comparison as the form has it. */
export interface Row {
  readonly path: string;
  readonly op: string;
  readonly value: unknown;
}

/** ISO 3166-1 alpha-2. */
const COUNTRY = /^[A-Z]{2}$/;

/**
 * What is wrong with the value that is read, and with the one that it is held against; null means nothing that the form can
 * tell.
 */
export function faultsOf({ path, value }: Row): { readonly path: string | null; readonly value: string | null } {
  const values = Array.isArray(value) ? value : [value];
  const valueFault =
    values.length === 0 || values.some((each) => each === '')
      ? 'Enter a value'
      : typeOf(path).is === 'country' && values.some((each) => typeof each === 'string' && !COUNTRY.test(each))
        ? 'Two capital letters, as DE'
        : null;
  return {
    path: isPath(path) ? null : 'One of the list, or attributes. and a name of a-z, 0-9 and _',
    value: valueFault,
  };
}

/** A comparison of which the form knows path and operator. */
const isShown = (when: PolicyCondition): when is Comparison =>
  isComparison(when) && isPath(when.path) && operatorsOf(when.path).includes(when.op);

/** The rows of a condition that the form can show: comparisons of which all or any have to hold, and nothing else, which it would drop. */
export function rowsOf(when: PolicyCondition): { readonly join: 'all' | 'any'; readonly rows: readonly Row[] } | null {
  if (isShown(when)) return { join: 'all', rows: [when] };
  const { all, any } = when as { all?: PolicyCondition[]; any?: PolicyCondition[] };
  const list = all ?? any;
  if (!Array.isArray(list) || !list.every(isShown) || Object.keys(when).length > 1) return null;
  return { join: all === undefined ? 'any' : 'all', rows: list };
}

const MEMBERS: ReadonlySet<string> = new Set(['id', 'description', 'when', 'decision', 'flow', 'experiment']);

/** What a newer service keeps of a rule, and the form does not show. */
export const unknownMembers = (rule: PolicyRule): object =>
  Object.fromEntries(Object.entries(rule).filter(([name]) => !MEMBERS.has(name)));
