import { NAME_SETS } from '../../src/domain/lists/lists.ts';
import type { Assignment, Exclusion } from './assign-domains.ts';

export interface NameInputs {
  /** As collected: judged here. */
  readonly roleNames: readonly string[];
  readonly firstNames: readonly string[];
  /** Our own tables: taken as they are. */
  readonly curated: {
    readonly role: readonly string[];
    readonly qualifiers: readonly string[];
    readonly notRole: readonly string[];
    readonly despiteFirstName: readonly string[];
    readonly shared: readonly string[];
    readonly household: readonly string[];
  };
}

/** Dots and underscores join words as hyphens do; the look-up writes them all as hyphens. */
const joined = (name: string): string => name.trim().toLowerCase().replaceAll(/[._]/g, '-');

/** Which sets each local part is in. */
export function assignNames({ roleNames, firstNames, curated }: NameInputs): Assignment {
  const exclusions: Exclusion[] = [];
  const persons = new Set(firstNames.map(joined));
  for (const name of curated.despiteFirstName) persons.delete(name);
  const notRole = new Set(curated.notRole);
  const role = new Set(curated.role);
  const household = new Set(curated.household);
  const reasons: readonly (readonly [string, (name: string) => boolean])[] = [
    ['digits only: a year', (name) => /^\d+$/.test(name)],
    ['two letters: initials or a country', (name) => name.length <= 2],
    ['a first name', (name) => persons.has(name)],
    ['no role by a curated table', (name) => notRole.has(name)],
    ['a household, no function', (name) => household.has(name)],
  ];
  for (const name of roleNames.map(joined)) {
    if (role.has(name)) continue;
    const why = reasons.find(([, holds]) => holds(name))?.[0];
    if (why === undefined) role.add(name);
    else exclusions.push({ from: 'role', why, name });
  }

  const sets = new Map<string, number>();
  const add = (names: Iterable<string>, bits: number): void => {
    for (const name of names) sets.set(name, (sets.get(name) ?? 0) | bits);
  };
  add(role, NAME_SETS.role);
  add(curated.qualifiers, NAME_SETS.word);
  add(curated.shared, NAME_SETS.shared);
  add(household, NAME_SETS.shared | NAME_SETS.household);
  return { sets, exclusions };
}
