import { packedRows } from '../../../kernel/encoding.ts';

/** The first line of the table, which names its form. */
export const NATIVE_NAMES_FORM = 'native names 1';

/** The usual Latin spellings of a name in another script, NFKC and lower case; null when the table has none. */
export type NativeReading = (written: string) => readonly string[] | null;

function spellingsByForm(rows: readonly string[]): Map<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const row of rows) {
    const [written = '', latin = ''] = row.split('=');
    // Two languages share characters: a written form keeps the spellings of both.
    for (const form of written.split(' ')) found.set(form, [...(found.get(form) ?? []), ...latin.split(' ')]);
  }
  return found;
}

/** `data`: the packed table, `data/native-names.bin`, a line a name: `written forms=spellings`, between blanks. */
export function openNativeNames(data: ArrayBuffer | Uint8Array): NativeReading {
  const rows = packedRows(data, NATIVE_NAMES_FORM);
  // Read on first use: most names need none of it.
  let spellings: ReadonlyMap<string, readonly string[]> | null = null;
  return (written) => {
    spellings ??= spellingsByForm(rows);
    return spellings.get(written) ?? null;
  };
}
