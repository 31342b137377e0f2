import { unnumbered } from '../typed-address.ts';
import TABLE from './letter-pairs.json' with { type: 'json' };

/** The forty most common Korean family names typed on a Latin keyboard: 김 is `rla`, 박 is `qkr`. */
const FAMILY_NAMES =
  'rla dl qkr chl wjd rkd wh dbs wkd dla gks dh tj tls rnjs ghkd dks thd fb ghd wjs rh ans ths did qo gj db ska tla sh gk rhkr tjd ck wn dn rn als wls wl'.split(
    ' ',
  );

/** A syllable on the standard layout (Dubeolsik, KS X 5002): consonant, vowel, and up to two closing consonants. */
const SYLLABLE = '[rsefaqtdwczxvg](?:hk|ho|hl|nj|np|nl|ml|[koijpuhynbml])(?:rt|sw|sg|f[raqtxvg]|qt|[rsefaqtdwczxvg])?';

/**
 * A Korean name typed with the keyboard set to Latin: `qkrwldud` is 박지영. One to three syllables follow the family name.
 */
const KOREAN_NAME = new RegExp(`^(?:${FAMILY_NAMES.join('|')})(?:${SYLLABLE}){1,3}$`);

/**
 * How much likelier than chance a letter follows another in names: a row for each first letter, the last for the start;
 * in it a code letter for each second one. `q`: chance; each letter on or back: 0.25 nats more or less.
 */
const LETTER_PAIRS: readonly string[] = TABLE.pairs;
/** The letters of `VOWELLESS_TRIPLES`, in its order. */
const CONSONANTS = TABLE.consonants;
/**
 * The same for a consonant after two others, in names without vowels. A string for the letter before last, in it code
 * letters for each last letter; the start comes after the consonants.
 */
const VOWELLESS_TRIPLES: readonly string[] = TABLE.vowellessTriples;

const [EVEN_CODE, STEP_NATS] = ['q'.charCodeAt(0), 0.25];
const A_CODE = 'a'.charCodeAt(0);

/** Fewer letters are often initials. */
const LETTERS_MIN = 7;
/** Letters and digits mixed: serial numbers and initials are short. */
const MIXED_MIN = 9;
/**
 * Nats by which chance must be likelier than a name. Cross-validated over 140,000 local parts made of names: 1 in 5,000
 * is lost, 1 in 800 in languages left out; of eight random letters 68 % are detected, of twelve 86 %.
 */
const CERTAIN_NATS = 5;
/**
 * Companies have addresses named after programs: `sqlguru`, `httpdlogs`, `xlsxwriter` score up to 6.75, and with digits
 * inside `r2d2c3po1` 6.5.
 */
const COMPANY_NATS = 7;
/** By `VOWELLESS_TRIPLES`: 1 in 700 names without vowels is lost, 64 % of random consonants are detected. */
const VOWELLESS_NATS = 7.5;
/** A vowel may remain at the start (`abdlrhmn`). */
const VOWEL_INSIDE = /.[aeiou]/;
/** Digits before or among letters are as rare in names as they are common by chance. */
const DIGITS_INSIDE_NATS = 2.5;
/** A digest or a row's id in hexadecimal: `945ca223c08554fe`. Shorter ones may be words (`facade2`, `decade2020`). */
const HEX_DIGEST = /^(?=\d*[a-f])(?=[a-f]*\d)[\da-f]{16,}$/;

/** Digits for letters: `m4x1mus` is a name and not a serial number. */
const LETTER_FOR: Readonly<Record<string, string>> = { 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't' };

/** Nats by which a name is likelier than chance. Lower-case ASCII letters. */
function nameNats(letters: string, atStart: boolean): number {
  let steps = 0;
  let row = atStart ? LETTER_PAIRS.at(-1) : undefined;
  for (let i = 0; i < letters.length; i += 1) {
    const column = letters.charCodeAt(i) - A_CODE;
    if (row !== undefined) steps += row.charCodeAt(column) - EVEN_CODE;
    row = LETTER_PAIRS[column];
  }
  return steps * STEP_NATS;
}

const oddNats = (words: readonly string[]): number => -words.reduce((sum, word) => sum + nameNats(word, true), 0);

/** The same for words without a vowel after their first letter. */
function oddConsonantNats(words: readonly string[]): number {
  let steps = 0;
  for (const word of words) {
    let [before, last] = [CONSONANTS.length, CONSONANTS.length];
    for (const letter of word) {
      const column = CONSONANTS.indexOf(letter);
      if (column < 0) continue;
      const code = VOWELLESS_TRIPLES[before]?.charCodeAt(last * CONSONANTS.length + column) ?? EVEN_CODE;
      steps += EVEN_CODE - code;
      [before, last] = [last, column];
    }
  }
  return steps * STEP_NATS;
}

/** Letters with digits before or among them (trailing ones are a year or a number). */
function mixedNats(word: string): number {
  const runs = word.match(/[a-z]+|\d+/g) ?? [];
  const isLetters = (run: string): boolean => run.charCodeAt(0) >= A_CODE;
  const letters = runs.filter(isLetters);
  const inside = runs.filter((run, i) => !isLetters(run) && i < runs.length - 1).length;
  const first = runs[0] === letters[0];
  return inside * DIGITS_INSIDE_NATS - letters.reduce((sum, run, i) => sum + nameNats(run, first && i === 0), 0);
}

/**
 * Whether the words of a local part (lower case, split at separators) look random rather than made of names:
 * `xkqzvwjp`, `r8m3uw5bb`. Judges only ASCII, and only when all but certain. `atCompany`: not at a mailbox provider.
 */
export function isGibberish(words: readonly string[], atCompany = false): boolean {
  const text = words.join('');
  if (!/^[a-z0-9]+$/.test(text)) return false;
  if (HEX_DIGEST.test(text)) return true;
  const spelt = words.map(unnumbered).filter((word) => word !== '');
  const letters = spelt.join('');
  if (/^[a-z]*$/.test(letters))
    return letters.length >= LETTERS_MIN && areOddLetters(spelt, letters, atCompany) && !KOREAN_NAME.test(letters);
  if (text.length < MIXED_MIN) return false;
  const read = spelt.map((word) => word.replaceAll(/\d/g, (digit) => LETTER_FOR[digit] ?? digit));
  if (read.every((word) => /^[a-z]+$/.test(word)) && oddNats(read) <= 0) return false;
  return words.reduce((sum, word) => sum + mixedNats(word), 0) >= (atCompany ? COMPANY_NATS : CERTAIN_NATS);
}

function areOddLetters(words: readonly string[], letters: string, atCompany: boolean): boolean {
  if (!atCompany) return oddNats(words) >= CERTAIN_NATS;
  return VOWEL_INSIDE.test(letters) ? oddNats(words) >= COMPANY_NATS : oddConsonantNats(words) >= VOWELLESS_NATS;
}
