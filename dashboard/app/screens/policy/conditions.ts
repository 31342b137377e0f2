import type { Comparison, PolicyCondition } from '../../api/schema.ts';
import { isPath, typeOf } from './catalogue.ts';
import { isComparison } from './switches.ts';

export type Join = 'all' | 'any' | 'none';

/** How conditions are joined; `none` is a negated `any`. */
export interface Joined {
  readonly join: Join;
  readonly parts: readonly PolicyCondition[];
}

/** A condition in the editor: always a group, possibly of one comparison. */
export function joinedOf(when: PolicyCondition): Joined {
  if ('all' in when) return { join: 'all', parts: when.all };
  if ('any' in when) return { join: 'any', parts: when.any };
  if ('not' in when) return { join: 'none', parts: 'any' in when.not ? when.not.any : [when.not] };
  return { join: 'all', parts: [when] };
}

export function conditionOf({ join, parts }: Joined): PolicyCondition {
  const [only] = parts;
  if (only !== undefined && parts.length === 1) return join === 'none' ? { not: only } : only;
  return join === 'none' ? { not: { any: [...parts] } } : join === 'any' ? { any: [...parts] } : { all: [...parts] };
}

/** ISO 3166-1 alpha-2. */
const COUNTRY = /^[A-Z]{2}$/;

/** Faults of a comparison's path and value; null where the form finds none. */
export function faultsOf({ path, value }: Comparison): { readonly path: string | null; readonly value: string | null } {
  const values = [value].flat();
  return {
    path: isPath(path) ? null : 'Choose from the list, or type attributes. and a name of a-z, 0-9 and _',
    value:
      values.length === 0 || values.some((each) => each === '')
        ? 'Enter a value'
        : typeOf(path).is === 'country' && values.some((each) => typeof each === 'string' && !COUNTRY.test(each))
          ? 'Two capital letters, like DE'
          : null,
  };
}

export function isComplete(when: PolicyCondition): boolean {
  if (isComparison(when)) return Object.values(faultsOf(when)).every((fault) => fault === null);
  const { parts } = joinedOf(when);
  return parts.length > 0 && parts.every(isComplete);
}
