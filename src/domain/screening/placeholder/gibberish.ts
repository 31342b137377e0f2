import { unnumbered } from '../typed-address.ts';
import TABLE from './letter-pairs.json' with { type: 'json' };

/** Family names as they come out when a Korean keyboard types Latin letters: 김 is `rla`, 박 is `qkr`. The most common forty. */
const FAMILY_NAMES =
  'rla dl qkr chl wjd rkd wh dbs wkd dla gks dh tj tls rnjs ghkd dks thd fb ghd wjs rh ans ths did qo gj db ska tla sh gk rhkr tjd ck wn dn rn als wls wl'.split(
    ' ',
  );

/** A syllable on the standard layout (Dubeolsik, KS X 5002): consonant, vowel, and up to two consonants that close it. */
const SYLLABLE = '[rsefaqtdwczxvg](?:hk|ho|hl|nj|np|nl|ml|[koijpuhynbml])(?:rt|sw|sg|f[raqtxvg]|qt|[rsefaqtdwczxvg])?';

/**
 * A Korean name in lower case, typed with the keyboard set to Latin: `qkrwldud` is 박지영. One to three syllables stand behind
 * the family name.
 */
const KOREAN_NAME = new RegExp(`^(?:${FAMILY_NAMES.join('|')})(?:${SYLLABLE}){1,3}$`);

/**
 * How much likelier than by chance a letter follows another in names: a row for each letter before (a to z), the last row for the
 * beginning; in it a code letter for each letter after. `q`: by chance; each letter on or back: 0.25 nats more or less.
 */
const LETTER_PAIRS: readonly string[] = TABLE.pairs;
/** The letters of `VOWELLESS_TRIPLES`, in its order. */
const CONSONANTS = TABLE.consonants;
/**
 * The same of a consonant behind two others, in names without their vowels. A string for the letter before last, in it code letters
 * for each last letter; the beginning comes behind the consonants.
 */
const VOWELLESS_TRIPLES: readonly string[] = TABLE.vowellessTriples;

const [EVEN_CODE, STEP_NATS] = ['q'.charCodeAt(0), 0.25];
const A_CODE = 'a'.charCodeAt(0);

/** Fewer letters are initials as often as not. */
const LETTERS_MIN = 7;
/** Letters and digits mixed: serial numbers and initials are short. */
const MIXED_MIN = 9;
/**
 * How much likelier by chance than as a name, in nats, before it is said. Cross-validated over 140,000 local parts made of
 * names: 1 in 5,000 is lost, 1 in 800 in languages left out; of eight random letters 68 % are found, of twelve 86 %.
 */
const CERTAIN_NATS = 5;
/**
 * A company gives out what its programs are called: `sqlguru`, `httpdlogs`, `xlsxwriter` stand at up to 6.75, and with digits
 * among the letters `r2d2c3po1` at 6.5.
 */
const COMPANY_NATS = 7;
/** By `VOWELLESS_TRIPLES`. Of names without vowels 1 in 700 is lost (`dvdmrqz` stands at 1); of random consonants 64 % are found. */
const VOWELLESS_NATS = 7.5;
/** A vowel may be left at the beginning (`abdlrhmn`). */
const VOWEL_INSIDE = /.[aeiou]/;
/** Digits before or among letters are as rare in names as they are common by chance. */
const DIGITS_INSIDE_NATS = 2.5;
/** A digest or a row's id in hexadecimal: `945ca223c08554fe`. Shorter ones may be words (`facade2`, `decade2020`). */
const HEX_DIGEST = /^(?=\d*[a-f])(?=[a-f]*\d)[\da-f]{16,}$/;

/** Digits written for letters: `m4x1mus` is a name and not a serial number. */
const LETTER_FOR: Readonly<Record<string, string>> = { 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't' };

/** How much likelier than by chance the letters are as a name, in nats. Lower-case ASCII letters. */
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

/** The words a text is made of, at separators. */
const oddNats = (words: readonly string[]): number => -words.reduce((sum, word) => sum + nameNats(word, true), 0);

/** The same of words without a vowel behind their first letter. */
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
 * Whether the words of a local part (lower case, parted at separators) look drawn by chance rather than made of names:
 * `xkqzvwjp`, `r8m3uw5bb`. ASCII alone is judged; says no unless it is all but certain.
 * `atCompany`: not at a mailbox provider.
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
