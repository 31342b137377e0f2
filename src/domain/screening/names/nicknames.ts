import { packedRows } from '../../../kernel/encoding.ts';

/** The first line of the table, which names its form. */
export const NICKNAMES_FORM = 'nicknames 1';

/** Given names and their short forms, as ASCII letters. */
export interface Nicknames {
  /** Whether letters are a given name of the table, formal or short. */
  readonly isGivenName: (name: string) => boolean;
  /** The other names of the same person: `robert` gives `bob`, `bob` gives `robert`. Symmetric. */
  readonly nicknamesOf: (name: string) => readonly string[];
}

type Group = readonly string[];

function groupsByName(rows: readonly string[]): Map<string, readonly Group[]> {
  const found = new Map<string, Group[]>();
  for (const row of rows) {
    const names = row.split(' ');
    for (const name of names) {
      const known = found.get(name);
      if (known === undefined) found.set(name, [names]);
      else known.push(names);
    }
  }
  return found;
}

/** `data`: the packed table, `data/nicknames.bin`, a line a group of names between blanks. */
export function openNicknames(data: ArrayBuffer | Uint8Array): Nicknames {
  const rows = packedRows(data, NICKNAMES_FORM);
  // Read on first use: a request without a name needs none of it.
  let groups: ReadonlyMap<string, readonly Group[]> | null = null;
  const groupsOf = (name: string): readonly Group[] => {
    groups ??= groupsByName(rows);
    return groups.get(name) ?? [];
  };
  return {
    isGivenName: (name) => groupsOf(name).length > 0,
    nicknamesOf(name) {
      const others = new Set(groupsOf(name).flat());
      others.delete(name);
      return [...others];
    },
  };
}
