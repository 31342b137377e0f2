import LETTERS from './letters.json' with { type: 'json' };

/** The Latin letters that one letter of another writing may have, longest first. */
export type Sounds = Readonly<Record<string, readonly string[]>>;

/**
 * Consonants. Arabic, Persian and Urdu as passports, the press, and French and English use romanise them; Hebrew with and without the
 * dot that hardens; Thai, whose Pali and Sanskrit names keep sounds that are not spoken. Indian writings have their letters in the
 * order of ISCII, each in a block of its own, so Devanagari serves all; Tamil writes voiced and unvoiced with one letter.
 */
const { arabic, hebrew, thai, devanagari, tamil, others } = LETTERS.hard;

const BLOCK = 0x80;
const DEVANAGARI_BLOCK = 0x0900;
const INDIAN_BLOCKS = [0x0980, 0x0a00, 0x0a80, 0x0b00, 0x0b80, 0x0c00, 0x0c80, 0x0d00];

/** A letter's like in another block. */
const inBlock = (letter: string, block: number): string =>
  String.fromCharCode((letter.codePointAt(0) ?? 0) - DEVANAGARI_BLOCK + block);

const INDIAN: Sounds = Object.fromEntries(
  [DEVANAGARI_BLOCK, ...INDIAN_BLOCKS].flatMap((block) =>
    Object.entries(devanagari).map(([letter, sounds]) => [inBlock(letter, block), sounds] as const),
  ),
);

/** `others`: letters without a like in Devanagari, as Bengali t and Malayalam’s consonants without a vowel. */
export const HARD: Sounds = { ...arabic, ...hebrew, ...thai, ...INDIAN, ...tamil, ...others };

/** Letters that are a vowel, a glide or nothing at all, by what they may begin a word with. */
export const SOFT: Readonly<Record<string, string>> = LETTERS.soft;
/** Not voiced before a glide begins a word: אי, עו. */
export const SILENT = /^[اأإعאע]$/;

/** Signs for vowels that stand alone or begin a word, in Indian writings and in Thai: by their place in the block, and by themselves. */
export function isVowelSign(letter: string): boolean {
  const code = letter.codePointAt(0) ?? 0;
  if (code >= DEVANAGARI_BLOCK && code < 0x0d80) {
    const place = code % BLOCK;
    return (place >= 0x04 && place <= 0x14) || (place >= 0x3a && place <= 0x4d) || place === 0x55 || place === 0x71;
  }
  return /[\u0e2f-\u0e4e]/.test(letter);
}

/** Signs that may be pronounced as n or m before a consonant: anusvara and its kin. */
export function isNasal(letter: string): boolean {
  const code = letter.codePointAt(0) ?? 0;
  const place = code % BLOCK;
  return code >= DEVANAGARI_BLOCK && code < 0x0d80 && (place === 0x01 || place === 0x02 || place === 0x70);
}
