import type { Edit, Letters } from './letters.ts';
import type { NameTest } from './tables.ts';

/** One letter that differs between the typed text and a name; `''` for none. */
export interface Difference {
  readonly typed: string;
  readonly meant: string;
  readonly before: string;
  readonly after: string;
  readonly word: string;
}

const VOWEL = /^[aeiouy]$/;
const CONSONANT = /^[bcdfghjklmnpqrstvwxz]$/;
/** A shorter word without its last letter is another word. */
const MIN_BEFORE_ENDING = 5;
const ROWS = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm'];

/** Whether two letters are equal, or neighbours on a keyboard. */
export function areNeighbours(letter: string, other: string): boolean {
  const row = ROWS.findIndex((keys) => keys.includes(letter));
  const otherRow = ROWS.findIndex((keys) => keys.includes(other));
  const columns = (ROWS[row]?.indexOf(letter) ?? 0) - (ROWS[otherRow]?.indexOf(other) ?? 0);
  return Math.abs(row - otherRow) <= 1 && Math.abs(columns) <= 1;
}

/** Consonants that alternate between two spellings of one name. Of keyboard neighbours only the most frequent. */
const ALIKE = new Set(['bp', 'ck', 'dt', 'gj', 'gk', 'kq', 'kx', 'sz', 'uw', 'vw']);

/** One sound of another alphabet in two letters. */
const DIGRAPHS = new Set('ch sh zh kh ph gh th dj gj kj lj nj dz ts tz ck ks mp nt ng nk'.split(' '));

interface Variant {
  readonly reason: string;
  readonly is: (difference: Difference) => boolean;
}

/** A letter that only one of the two has. */
const extra = ({ typed, meant }: Difference): string | null => (typed === '' ? meant : meant === '' ? typed : null);

/** Ordinary spelling variants, and other people's names, which are likelier than a slip of the hand. */
const VARIANTS: readonly Variant[] = [
  {
    reason:
      'h is hardly heard behind some consonants, and at the end: Karthik and Kartik, Shiva and Siva, Sarah and Sara',
    is: (one) => extra(one) === 'h' && one.after !== 'h' && (/[bdgjkrst]/.test(one.before) || one.after === ''),
  },
  {
    reason: 'a last a or e is not heard: Srinivasa and Srinivas, Clarke and Clark',
    is: (one) =>
      /^[ae]$/.test(extra(one) ?? '') &&
      one.after === '' &&
      CONSONANT.test(one.before) &&
      one.word.length - one.meant.length >= MIN_BEFORE_ENDING,
  },
  {
    reason: 'one vowel for another that is not beside it on the keyboard: Larsen and Larson, Mohamed and Mohamad',
    is: ({ typed, meant }) => VOWEL.test(typed) && VOWEL.test(meant) && !areNeighbours(typed, meant),
  },
  {
    reason: 'one sound in two letters: Erik and Eric, Sousa and Souza, Bernd and Bernt',
    // z starts no name before a consonant, and is between no two: `ztokes`, `zijlztra`.
    is: ({ typed, meant, before, after }) =>
      (ALIKE.has(typed + meant) || ALIKE.has(meant + typed)) &&
      !(typed === 'z' && CONSONANT.test(after) && !VOWEL.test(before)),
  },
  {
    reason: 'a word written by its consonants alone is cut short: jhn for John',
    is: ({ typed, meant, word }) =>
      typed === '' && VOWEL.test(meant) && word.length > 2 && word.replace(/[aeiouy]/g, '').length === word.length - 1,
  },
];

/** For our romanisation of another alphabet, whose people write the vowels in more ways than a table holds. */
const READ: readonly Variant[] = [
  ...VARIANTS,
  {
    reason: 'a vowel that parts two consonants: Aleksandr and Aleksander, Dmitri and Dimitri',
    is: ({ typed, meant, before, after }) =>
      VOWEL.test(typed) && meant === '' && CONSONANT.test(before) && CONSONANT.test(after),
  },
  {
    reason: 'a narrow vowel beside another, or for it: Daniil and Danil, Evgeniia and Evgenia, Sargsyan and Sargsan',
    is: ({ typed, meant, before, after }) =>
      /^[eiuy]{1,2}$/.test(typed + meant) && (VOWEL.test(before) || VOWEL.test(after)),
  },
  {
    reason: 's between vowels in two letters: Борисов is Borisov and Borissov',
    is: ({ typed, meant, before, after }) => typed === 's' && meant === '' && before === 's' && VOWEL.test(after),
  },
  {
    reason: 'οι and ει are heard as i: Οικονόμου is Oikonomou and Ikonomou',
    is: ({ typed, meant, after }) => typed === '' && /^[eo]$/.test(meant) && after === 'i',
  },
  {
    reason: 'a sound that some write in two letters: Ђоковић is Djokovic and Dokovic, Χρήστος Christos and Hristos',
    is: (one) => {
      const letter = extra(one) ?? '';
      return letter !== '' && (DIGRAPHS.has(one.before + letter) || DIGRAPHS.has(letter + one.after));
    },
  },
  {
    reason:
      'a letter from elsewhere on the keyboard: Moushouri and Mouskouri, Vartan and Vardan, Eleytherios and Eleftherios',
    is: ({ typed, meant }) => typed !== '' && meant !== '' && !areNeighbours(typed, meant),
  },
];

/** A doubled letter that no romanisation doubles: `diamanntopoulos`, `galstyyan`, `kliiment`; but `evgeniia`. */
const isStruckTwice = ({ typed, meant, before, after }: Difference): boolean =>
  meant === '' &&
  (typed === before || typed === after) &&
  (/^[^aeios]$/.test(typed) || (/^[ei]$/.test(typed) && CONSONANT.test(after)));

/** Whether a difference is one of spelling. `read`: the name is in another alphabet, romanised by us. */
const isVariant = (one: Difference, read: boolean): boolean =>
  !isStruckTwice(one) && (read ? READ : VARIANTS).some(({ is }) => is(one));

/** Shorter words are all one letter apart. */
const MIN_FIRST_LETTER_WRONG = 4;

/** How a form compares with the typed text. */
export interface Reading {
  /** The form is our romanisation of another alphabet. */
  readonly read: boolean;
  /** Whether a letter before the form is a typo of its first one rather than an initial. */
  readonly isTypoOf: (letter: string, other: string) => boolean;
  /** Whether a letter is the initial of a word that is still missing. */
  readonly isInitial: (letter: string) => boolean;
}

/** A letter to correct, or one that is only spelt another way. */
export interface Change {
  readonly edit: Edit;
  readonly variant: boolean;
}

/**
 * The changes that make the letters at `pos` start with `form`; none if they already do, apart from a doubled last
 * letter. A letter before the whole form is an initial unless it is a typo of the first one.
 */
export function changesTo(
  { text, starts }: Letters,
  pos: number,
  form: string,
  { read, isTypoOf, isInitial }: Reading,
): Change[] {
  let same = 0;
  while (same < form.length && text.charCodeAt(pos + same) === form.charCodeAt(same)) same += 1;
  const at = pos + same;
  const typed = text.charAt(at);
  const letter = form.charAt(same);
  if (letter === '') {
    const doubled = typed === form.at(-1) && starts[at] !== true;
    return doubled ? [{ edit: { kind: 'remove', at }, variant: false }] : [];
  }
  if (same === 0 && form.length < MIN_FIRST_LETTER_WRONG) return [];
  const rest = form.slice(same + 1);
  const found: Change[] = [];
  const add = (edit: Edit, from: string, meant: string, after: string): void => {
    const before = form.charAt(same - 1);
    found.push({ edit, variant: isVariant({ typed: from, meant, before, after, word: form }, read) });
  };
  if (
    typed !== '' &&
    text.charAt(at + 1) === letter &&
    (letter + typed + text.slice(at + 2)).startsWith(letter + rest)
  ) {
    found.push({ edit: { kind: 'swap', at }, variant: false });
  }
  const initial = same === 0 && starts[pos] === true && (isInitial(typed) || !isTypoOf(typed, letter));
  const after = rest.charAt(0);
  if (!initial && text.startsWith(letter + rest, at + 1)) add({ kind: 'remove', at }, typed, '', letter);
  if (typed !== '' && text.startsWith(rest, at + 1)) add({ kind: 'replace', at, letter }, typed, letter, after);
  if (text.startsWith(rest, at)) add({ kind: 'insert', at, letter, behind: same > 0 }, '', letter, after);
  return found;
}

const GROWTH = { replace: 0, swap: 0, insert: -1, remove: 1 } as const;

/** Whether the typed text is another person's name: `mario.rossi` for Maria Rossi, `le.phan` for Le Pham. */
export function isOtherName(
  isName: NameTest,
  { text, starts }: Letters,
  pos: number,
  form: string,
  edit: Edit,
): boolean {
  if (isName(text.slice(pos, pos + form.length + GROWTH[edit.kind]))) return true;
  let from = Math.min(edit.at, text.length - 1);
  while (from > 0 && starts[from] !== true) from -= 1;
  let to = from + 1;
  while (to < text.length && starts[to] !== true) to += 1;
  return isName(text.slice(from, to));
}

/** Whether a misspelt word is a word of the name joined to another name: `floyddubuque` of Floy DuBuque. */
export function isJoinedToOtherName(
  isName: NameTest,
  { text, starts }: Letters,
  { at }: Edit,
  forms: readonly string[],
): boolean {
  let from = Math.min(at, text.length - 1);
  while (from > 0 && starts[from] !== true) from -= 1;
  const word = text.slice(from, starts.indexOf(true, from + 1));
  return forms.some(
    (form) =>
      form.length > 1 &&
      ((word.startsWith(form) && from + form.length <= at + 1 && isName(word.slice(form.length))) ||
        (word.endsWith(form) && at <= from + word.length - form.length && isName(word.slice(0, -form.length)))),
  );
}
