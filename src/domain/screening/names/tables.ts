import { packedRows, packedRowsLater } from '../../../kernel/encoding.ts';
import { hashOf } from '../../lists/table.ts';

const BLOCK = 256;
const HAN = 0x4e00;
const HANGUL = 0xac00;
const HANGUL_COUNT = 11_172;
const TAILS = 28;
const VOWELS = 21;
const DIGITS = 52;

export const ROMANISATION_FORM = 'romanisation 1';

/** Romanises letters of any script. Source of the letters: any-ascii (`THIRD_PARTY.md`). */
export interface Romaniser {
  /**
   * One character of NFKC text as lower-case ASCII letters; empty for marks, digits, punctuation, emoji and unknown
   * characters. Han reads as pinyin without tones.
   */
  letter(character: string): string;
  /** All letters of an NFKC text: `Łukasz` is `lukasz`. */
  letters(text: string): string;
}

/**
 * `data`: the packed table, `data/romanisation.bin`, lines of ASCII text: its form · the syllables of Han · leads ·
 * vowels · tails of Hangul · for each ideograph two letters, its syllable's number · a line for every block of 256 code
 * points with letters, `hexadecimal number of the block=letters`. Lists are separated by spaces and split on first use.
 * Throws if the builder did not write it.
 */
export function openRomaniser(data: ArrayBuffer | Uint8Array): Romaniser {
  const [syllables = '', leads = '', vowels = '', tails = '', han = '', ...rows] = packedRows(data, ROMANISATION_FORM);
  const blocks = new Map(rows.map((row) => [Number.parseInt(row, 16), row.slice(row.indexOf('=') + 1)]));
  const lists = new Map<string, readonly string[]>();

  function split(text: string): readonly string[] {
    const known = lists.get(text);
    if (known !== undefined) return known;
    const list = text.split(' ');
    lists.set(text, list);
    return list;
  }

  function hanSyllable(at: number): string {
    const digit = (i: number): number => {
      const code = han.charCodeAt(i);
      return code >= 0x61 ? code - 0x61 + 26 : code - 0x41;
    };
    return split(syllables)[digit(at * 2) * DIGITS + digit(at * 2 + 1)] ?? '';
  }

  /** Revised Romanization without sound changes between syllables, which spellings of names ignore too. */
  function hangulSyllable(at: number): string {
    const lead = split(leads)[Math.floor(at / (VOWELS * TAILS))] ?? '';
    const vowel = split(vowels)[Math.floor(at / TAILS) % VOWELS] ?? '';
    return lead + vowel + (split(tails)[at % TAILS] ?? '');
  }

  function letter(character: string): string {
    const code = character.codePointAt(0) ?? 0;
    if (code < 0x80) {
      const lower = code | 0x20;
      return lower >= 0x61 && lower <= 0x7a ? String.fromCharCode(lower) : '';
    }
    if (code >= HANGUL && code < HANGUL + HANGUL_COUNT) return hangulSyllable(code - HANGUL);
    if (code >= HAN && code < HAN + han.length / 2) return hanSyllable(code - HAN);
    const cells = blocks.get(Math.floor(code / BLOCK));
    return cells === undefined ? '' : (split(cells)[code % BLOCK] ?? '');
  }

  return { letter, letters: (text) => Array.from(text, letter).join('') };
}

export const JAPANESE_NAMES_FORM = 'japanese names 1';

/** Kanji names, whose reading only their bearers know: the readings that the characters have in names. */
export interface JapaneseNames {
  readonly isFamilyName: (written: string) => boolean;
  /** Readings in Latin letters with long vowels written out, likeliest first. */
  readonly readings: (written: string) => readonly string[];
}

/** Enough for a name of three characters to include its own. */
const MAX_READINGS = 32;

/** Combined readings of the characters, lowest ranks first. */
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
 * `data`: the packed table, `data/japanese-names.bin`: a line of family names, then a line for every character, and for
 * every name that its characters don't explain: `written=readings`, separated by spaces.
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

export const NATIVE_NAMES_FORM = 'native names 1';

/** The usual Latin spellings of a name in another script, NFKC and lower case, or null. */
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

/** `data`: the packed table, `data/native-names.bin`, a line a name: `written forms=spellings`, separated by spaces. */
export function openNativeNames(data: ArrayBuffer | Uint8Array): NativeReading {
  const rows = packedRows(data, NATIVE_NAMES_FORM);
  // Read on first use: most names don't need it.
  let spellings: ReadonlyMap<string, readonly string[]> | null = null;
  return (written) => {
    spellings ??= spellingsByForm(rows);
    return spellings.get(written) ?? null;
  };
}

export const NICKNAMES_FORM = 'nicknames 1';

/** Given names and their short forms, as ASCII letters. */
export interface Nicknames {
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

/** `data`: the packed table, `data/nicknames.bin`, a line a group of names, separated by spaces. */
export function openNicknames(data: ArrayBuffer | Uint8Array): Nicknames {
  const rows = packedRows(data, NICKNAMES_FORM);
  // Read on first use: a request without a name doesn't need it.
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

export const KNOWN_NAMES_FORM = 'known names 1';

/** Bits of a name's hash that number its bucket, which holds sixteen more: one other word in 7,000 passes. */
const BUCKET_BITS = 12;
export const BUCKETS = 2 ** BUCKET_BITS;

export type NameTest = (word: string) => boolean;

export interface KnownNames {
  /** A common given name, formal or short, which is not another name with extra letters. */
  readonly isGivenName: NameTest;
  /** A given or family name in use. */
  readonly isBorne: NameTest;
}

export function placeOf(name: string): readonly [bucket: number, mark: number] {
  const [high, low] = hashOf(name);
  return [high >>> (32 - BUCKET_BITS), low >>> 16];
}

/**
 * `data`: the packed table, `data/known-names.bin`: its form, a line break, the end of each bucket, and the marks,
 * bucket by bucket; all 16 bits wide, little-endian. Read in place.
 */
export function openKnownNames(data: ArrayBuffer | Uint8Array): NameTest {
  const bytes = data instanceof Uint8Array ? data : new Uint8Array(data);
  const head = `${KNOWN_NAMES_FORM}\n`;
  if (new TextDecoder().decode(bytes.subarray(0, head.length)) !== head)
    throw new Error(`${KNOWN_NAMES_FORM}: not a table of this form`);
  const words = new DataView(bytes.buffer, bytes.byteOffset + head.length, bytes.byteLength - head.length);
  const at = (word: number): number => words.getUint16(2 * word, true);
  if (words.byteLength !== 2 * (BUCKETS + at(BUCKETS - 1))) throw new Error(`${KNOWN_NAMES_FORM}: wrong length`);
  return (name) => {
    const [bucket, mark] = placeOf(name);
    const end = at(bucket);
    for (let i = bucket === 0 ? 0 : at(bucket - 1); i < end; i += 1) if (at(BUCKETS + i) === mark) return true;
    return false;
  };
}

export interface NameTables {
  readonly roman: Romaniser;
  readonly nicknames: Nicknames;
  readonly nativeReading: NativeReading;
  readonly japanese: JapaneseNames;
}

export interface PackedReadingTables {
  readonly romanisation: ArrayBuffer | Uint8Array;
  readonly nicknames: ArrayBuffer | Uint8Array;
  readonly nativeNames: ArrayBuffer | Uint8Array;
  readonly japaneseNames: ArrayBuffer | Uint8Array;
}

export interface PackedNameTables extends PackedReadingTables {
  readonly knownNames: ArrayBuffer | Uint8Array;
}

/** Throws when one of them is not what its builder wrote. */
export const openNameTables = (packed: PackedReadingTables): NameTables => ({
  roman: openRomaniser(packed.romanisation),
  nicknames: openNicknames(packed.nicknames),
  nativeReading: openNativeNames(packed.nativeNames),
  japanese: openJapaneseNames(packed.japaneseNames),
});
