import table from './data/romanisation.json' with { type: 'json' };

const BLOCK = 256;
const HAN = 0x4e00;
const HANGUL = 0xac00;
const HANGUL_COUNT = 11_172;
const TAILS = 28;
const VOWELS = 21;

const lists = new Map<string, readonly string[]>();

/** A list of the table, split on its first use: few requests meet more than one or two. */
function split(key: string, text: string): readonly string[] {
  const known = lists.get(key);
  if (known !== undefined) return known;
  const list = text.split(' ');
  lists.set(key, list);
  return list;
}

function hanSyllable(at: number): string {
  const digit = (i: number): number => {
    const code = table.han.charCodeAt(i);
    return code >= 0x61 ? code - 0x61 + 26 : code - 0x41;
  };
  return split('han', table.syllables)[digit(at * 2) * 52 + digit(at * 2 + 1)] ?? '';
}

/** Revised Romanization without the sound changes between syllables: spellings of names ignore them too. */
function hangulSyllable(at: number): string {
  const { leads, vowels, tails } = table.hangul;
  const lead = split('leads', leads)[Math.floor(at / (VOWELS * TAILS))] ?? '';
  const vowel = split('vowels', vowels)[Math.floor(at / TAILS) % VOWELS] ?? '';
  return lead + vowel + (split('tails', tails)[at % TAILS] ?? '');
}

/**
 * One character of NFKC text as lower-case ASCII letters; empty for marks, digits, punctuation, emoji and what no table
 * knows. Han reads as pinyin without tones. Source of the letters: any-ascii (`data/LICENSES.md`).
 */
export function romanLetter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x80) {
    const lower = code | 0x20;
    return lower >= 0x61 && lower <= 0x7a ? String.fromCharCode(lower) : '';
  }
  if (code >= HANGUL && code < HANGUL + HANGUL_COUNT) return hangulSyllable(code - HANGUL);
  if (code >= HAN && code < HAN + table.han.length / 2) return hanSyllable(code - HAN);
  const block = Math.floor(code / BLOCK).toString(16);
  const cells = (table.blocks as Readonly<Record<string, string>>)[block];
  return cells === undefined ? '' : (split(block, cells)[code % BLOCK] ?? '');
}

/** All of a text's letters, joined: `Łukasz` is `lukasz`. The text must be NFKC. */
export function romanLetters(text: string): string {
  let letters = '';
  for (const character of text) letters += romanLetter(character);
  return letters;
}
