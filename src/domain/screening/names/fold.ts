/** Makes spellings that count as the same equal. Takes words parted by blanks: no rule works across one. */
export type Fold = (letters: string) => string;

type Rule = readonly [found: RegExp, written: string];

const rewriting =
  (rules: readonly Rule[]): Fold =>
  (letters) =>
    rules.reduce((text, [found, written]) => text.replace(found, written), letters);

/**
 * One sound in two conventions of the Latin alphabet: umlauts written out, Slavic and Arabic digraphs, `y` and `i`. Letters
 * typed twice stay: they are slips.
 */
const SPELLING: readonly Rule[] = [
  [/shch|sch/g, 'sh'],
  [/kh/g, 'h'],
  [/ph/g, 'f'],
  [/t[sz]/g, 'c'],
  [/ae/g, 'a'],
  [/oe|ou/g, 'o'],
  [/ue/g, 'u'],
  [/iy|yi/g, 'i'],
  [/y/g, 'i'],
  [/w/g, 'v'],
];

/** The romanisations of an alphabet beside one another (Щукин: Shchukin, Schukin, Ščukin). */
const ROMANISATION: readonly Rule[] = [
  ...SPELLING,
  [/ee/g, 'i'],
  [/ks|x/g, 'ks'],
  [/ch|tch/g, 'c'],
  [/sh/g, 's'],
  [/zh/g, 'z'],
  [/j/g, 'i'],
  [/q/g, 'k'],
  [/([a-z])\1+/g, '$1'],
];

/** Hangul: the same consonant voiced or not, and vowels that English spelling writes in several ways. */
const HANGUL: readonly Rule[] = [
  [/eo|eu|oo|ou|u/g, 'o'],
  [/ee|y(?=[aeiou])/g, ''],
  [/ae|ai/g, 'e'],
  [/ch|zh|z/g, 'j'],
  [/sh/g, 's'],
  [/ck|k|c/g, 'g'],
  [/p/g, 'b'],
  [/t/g, 'd'],
  [/l/g, 'r'],
  [/w/g, ''],
  [/([a-z])\1+/g, '$1'],
];

/** Consonants alone, for writing that leaves the vowels out. */
const CONSONANTS: readonly Rule[] = [
  [/[sz]h|ch|j|g/g, 's'],
  [/dh|d|th/g, 't'],
  [/[ckq]/g, 'k'],
  [/[bpf]/g, 'b'],
  [/z/g, 's'],
  [/v/g, 'w'],
  // What stands first may be an initial before the family name (`hrostami`).
  [/\b[aeiouy]+|\B[aeiouyhw]/g, ''],
  [/([a-z])\1+/g, '$1'],
];

export const foldSpelling = rewriting(SPELLING);
export const foldRomanisation = rewriting(ROMANISATION);
export const foldHangul = rewriting(HANGUL);
export const foldConsonants = rewriting(CONSONANTS);
