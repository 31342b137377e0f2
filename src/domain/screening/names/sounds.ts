import LETTERS from './letters.json' with { type: 'json' };

/** Latin spellings of a letter in another script, longest first. */
export type Sounds = Readonly<Record<string, readonly string[]>>;

/**
 * Consonants. Arabic, Persian and Urdu as passports, the press, French and English romanise them; Hebrew with and
 * without the hardening dot; Thai, whose Pali and Sanskrit names keep silent letters. Indian scripts follow the order
 * of ISCII, each in its own block, so Devanagari serves all; Tamil writes voiced and unvoiced with one letter.
 */
const { arabic, hebrew, thai, devanagari, tamil, others } = LETTERS.hard;

const BLOCK = 0x80;
const DEVANAGARI_BLOCK = 0x0900;
const INDIAN_BLOCKS = [0x0980, 0x0a00, 0x0a80, 0x0b00, 0x0b80, 0x0c00, 0x0c80, 0x0d00];

const inBlock = (letter: string, block: number): string =>
  String.fromCharCode((letter.codePointAt(0) ?? 0) - DEVANAGARI_BLOCK + block);

const INDIAN: Sounds = Object.fromEntries(
  [DEVANAGARI_BLOCK, ...INDIAN_BLOCKS].flatMap((block) =>
    Object.entries(devanagari).map(([letter, sounds]) => [inBlock(letter, block), sounds] as const),
  ),
);

/** `others`: letters without a counterpart in Devanagari: Bengali t, Malayalam’s consonants without a vowel. */
export const HARD: Sounds = { ...arabic, ...hebrew, ...thai, ...INDIAN, ...tamil, ...others };

/** Letters that are a vowel, a glide or silent, by what they may start a word with. */
export const SOFT: Readonly<Record<string, string>> = LETTERS.soft;
/** Silent before a word's initial glide: אי, עו. */
export const SILENT = /^[اأإعאע]$/;

/** Independent and initial vowel signs in Indian scripts and Thai: by their place in the block, and individually. */
export function isVowelSign(letter: string): boolean {
  const code = letter.codePointAt(0) ?? 0;
  if (code >= DEVANAGARI_BLOCK && code < 0x0d80) {
    const place = code % BLOCK;
    return (place >= 0x04 && place <= 0x14) || (place >= 0x3a && place <= 0x4d) || place === 0x55 || place === 0x71;
  }
  return /[\u0e2f-\u0e4e]/.test(letter);
}

/** Signs that may be pronounced n or m before a consonant: anusvara and its kin. */
export function isNasal(letter: string): boolean {
  const code = letter.codePointAt(0) ?? 0;
  const place = code % BLOCK;
  return code >= DEVANAGARI_BLOCK && code < 0x0d80 && (place === 0x01 || place === 0x02 || place === 0x70);
}
