import { NICKNAMES } from './nickname-table.ts';

let groupsByName: Map<string, readonly (readonly string[])[]> | null = null;

/** Read on first use: a request without a name needs none of it. */
function read(): Map<string, readonly (readonly string[])[]> {
  const found = new Map<string, (readonly string[])[]>();
  for (const { groups } of NICKNAMES) {
    for (const group of groups.split('|')) {
      const names = group.split(' ');
      for (const name of names) {
        const known = found.get(name);
        if (known === undefined) found.set(name, [names]);
        else known.push(names);
      }
    }
  }
  return found;
}

const groupsOf = (name: string): readonly (readonly string[])[] => {
  groupsByName ??= read();
  return groupsByName.get(name) ?? [];
};

/** Whether ASCII letters are a given name of the table, formal or short. */
export const isGivenName = (name: string): boolean => groupsOf(name).length > 0;

/** The other names of the same person, as ASCII letters: `robert` gives `bob`, `bob` gives `robert`. Symmetric. */
export function nicknamesOf(name: string): readonly string[] {
  const others = new Set(groupsOf(name).flat());
  others.delete(name);
  return [...others];
}
