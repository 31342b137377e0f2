import type { ScreeningLabels } from '../../../contract/screening.ts';
import { isHollowWord } from '../placeholder/placeholder.ts';

interface InventedRow {
  /** Parted by `|`, lower case, without marks. */
  readonly names: string;
  readonly reason: string;
}

/**
 * Well-known invented figures. An address made of such a name does not make the name a person's. Names that people bear as
 * well (James Bond, Peter Pan, Homer Simpson, Ronald McDonald) stay out: where the address agrees, a person is called so.
 */
const ROWS: readonly InventedRow[] = [
  {
    names: `mickey mouse|minnie mouse|donald duck|daisy duck|scrooge mcduck|micky maus|dagobert duck|tinker bell|winnie pooh|
      winnie the pooh|captain hook|cruella de vil`,
    reason: 'Disney; the usual names of people who hide theirs',
  },
  {
    names: `bugs bunny|daffy duck|porky pig|elmer fudd|tweety bird|fred flintstone|wilma flintstone|scooby doo|yogi bear|
      betty boop|spongebob squarepants|hello kitty|
      kermit the frog|miss piggy`,
    reason: 'Cartoons and puppets',
  },
  {
    names: `darth vader|luke skywalker|anakin skywalker|leia organa|obi wan kenobi|
      frodo baggins|bilbo baggins|albus dumbledore|severus snape|draco malfoy|lord voldemort|
      katniss everdeen|super mario`,
    reason: 'Films, novels and games',
  },
  {
    names: 'sherlock holmes|humpty dumpty|pippi longstocking|pippi langstrumpf|count dracula',
    reason: 'Books, tales and advertising',
  },
  {
    names: 'santa claus|father christmas|easter bunny|tooth fairy|pere noel|papa noel|babbo natale|ded moroz',
    reason: 'Figures of the feasts of the year, in several languages',
  },
];

/** The words of a name in any order, as a family name may stand first. */
const keyOf = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter((word) => word !== '')
    .sort()
    .join(' ');

const INVENTED: ReadonlySet<string> = new Set(ROWS.flatMap(({ names }) => names.split('|').map(keyOf)));

/** In characters, as the API bounds it. */
const NAME_MAX = 200;

/** Controls, invisible and direction marks, halves of surrogate pairs, private use: nothing of a name is heard in them. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}]+/gu;

/** A name as a model gets it: NFC, no unseen characters, single blanks, 200 characters at most. May be empty. */
export const modelName = (name: string): string =>
  Array.from(name.normalize('NFC').replace(/\s+/gu, ' ').replace(UNSEEN, '').trim()).slice(0, NAME_MAX).join('').trim();

const LETTER = /\p{L}/gu;
/** What is written in names beside letters and blanks: d'Arc, Jean-Luc, J. R., Smith, Jr. (and 々, ・ in Japanese). */
const NOT_OF_NAMES = /[^\p{L}\p{M}\s'’ʼ`´.,·・-]/u;

/** Digits, signs or filler words where people have names. */
const isOdd = (name: string): boolean =>
  NOT_OF_NAMES.test(name) ||
  name
    .toLowerCase()
    .split(/[^\p{L}\p{M}]+/u)
    .some(isHollowWord);

/**
 * Whether the code checks leave doubt that the name (see `modelName`) is a person's, so that the model is asked. An address
 * that fits the name, in part or whole, speaks for it unless the name looks odd or is an invented figure's: `Test Test` fits
 * `test.test@`, and Mickey Mouse `mickey.mouse@`. Fewer than
 * two letters are too little of a name to judge, except where one character writes a syllable (李); digits in their place are.
 */
export function leavesDoubt(name: string, match: ScreeningLabels['name_match']): boolean {
  const letters = name.match(LETTER) ?? [];
  if (letters.length === 0) return /\p{N}/u.test(name);
  if (letters.length === 1 && /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]/u.test(name)) return false;
  return match === 'mismatch' || match === 'not_checked' || isOdd(name) || INVENTED.has(keyOf(name));
}
