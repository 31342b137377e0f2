import { packedRowsLater } from '../../../kernel/encoding.ts';

/** The first line of the table, which names its form. */
export const JAPANESE_NAMES_FORM = 'japanese names 1';

/** Names in kanji, whose reading only their own people know: those that the characters have in names. */
export interface JapaneseNames {
  readonly isFamilyName: (written: string) => boolean;
  /** Readings in Latin letters with long vowels written out, the likeliest first; none for a character that no name has. */
  readonly readings: (written: string) => readonly string[];
}

/** As many as a name of three characters needs for its own to be among them. */
const MAX_READINGS = 32;

/** The readings of the characters side by side, those of the lowest ranks first. */
function combined(parts: readonly (readonly string[])[]): string[] {
  const found: string[] = [];
  if (parts.some((readings) => readings.length === 0)) return found;
  const last = parts.reduce((sum, readings) => sum + readings.length - 1, 0);
  function add(at: number, letters: string, rank: number): void {
    const readings = parts[at];
    if (readings === undefined) {
      if (rank === 0) found.push(letters);
      return;
    }
    readings.slice(0, rank + 1).forEach((reading, i) => {
      if (found.length < MAX_READINGS) add(at + 1, letters + reading, rank - i);
    });
  }
  for (let rank = 0; rank <= last && found.length < MAX_READINGS; rank += 1) add(0, '', rank);
  return found;
}

const readingsByForm = (rows: readonly string[]): ReadonlyMap<string, readonly string[]> =>
  new Map(
    rows.map((row) => {
      const [written = '', readings = ''] = row.split('=');
      return [written, readings.split(' ')];
    }),
  );

/**
 * `data`: the packed table, `data/japanese-names.bin`: a line of family names between blanks, then a line for every character,
 * and for every name that its characters don't explain: `written=readings`, between blanks.
 */
export function openJapaneseNames(data: ArrayBuffer | Uint8Array): JapaneseNames {
  const rows = packedRowsLater(data, JAPANESE_NAMES_FORM);
  let known: ReadonlySet<string> | null = null;
  let table: ReadonlyMap<string, readonly string[]> | null = null;
  return {
    isFamilyName(written) {
      known ??= new Set(rows()[0]?.split(' '));
      return known.has(written);
    },
    readings(written) {
      table ??= readingsByForm(rows().slice(1));
      const characters = Array.from(written, (character) => table?.get(character) ?? []);
      return [...new Set([...(table.get(written) ?? []), ...combined(characters)])];
    },
  };
}
