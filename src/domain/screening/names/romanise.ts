import { packedRows } from '../../../kernel/encoding.ts';

const BLOCK = 256;
const HAN = 0x4e00;
const HANGUL = 0xac00;
const HANGUL_COUNT = 11_172;
const TAILS = 28;
const VOWELS = 21;
const DIGITS = 52;

/** The first line of the table, which names its form. */
export const ROMANISATION_FORM = 'romanisation 1';

/** Reads letters of any script as ASCII ones. Source of the letters: any-ascii (`THIRD_PARTY.md`). */
export interface Romaniser {
  /**
   * One character of NFKC text as lower-case ASCII letters; empty for marks, digits, punctuation, emoji and what no table
   * knows. Han reads as pinyin without tones.
   */
  letter(character: string): string;
  /** All of a text's letters, joined: `Łukasz` is `lukasz`. The text must be NFKC. */
  letters(text: string): string;
}

/**
 * `data`: the packed table, `data/romanisation.bin`, lines of ASCII text: its form · the syllables of Han · leads · vowels ·
 * tails of Hangul · for each ideograph two letters, its syllable's number · and a line for every block of 256 code points
 * that has letters, `hexadecimal number of the block=letters`. The parts of a list stand between blanks; it is split on its
 * first use, as few requests meet more than one or two. Throws when it is not what the builder wrote.
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

  /** Revised Romanization without the sound changes between syllables: spellings of names ignore them too. */
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
