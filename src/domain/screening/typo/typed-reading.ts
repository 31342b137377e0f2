import CONFUSABLES from './confusables.json' with { type: 'json' };
import { decodeALabels } from '../../address/idna.ts';

/**
 * Letters of other scripts, and Latin ones without a decomposition, that read as an ASCII letter: those of UTS 39's
 * confusables that a host name may hold.
 */
const OF = new Map(
  Object.entries(CONFUSABLES).flatMap(([ascii, letters]) => Array.from(letters, (letter) => [letter, ascii])),
);
const MARK = /\p{M}/u;

export interface Folded {
  readonly text: string;
  /** Letters of another script or shape taken for ASCII ones. */
  readonly lookAlikes: number;
  /** Marks left off (`gmáil`). */
  readonly marks: number;
}

/** A Unicode host name in the ASCII it reads as; null when a letter reads as none. */
function foldLookAlikes(name: string): Folded | null {
  let text = '';
  let lookAlikes = 0;
  let marks = 0;
  for (const letter of name.normalize('NFKD')) {
    const ascii = OF.get(letter);
    if (letter < '\u0080') text += letter;
    else if (ascii !== undefined) {
      text += ascii;
      lookAlikes += 1;
    } else if (MARK.test(letter)) marks += 1;
    else return null;
  }
  return { text, lookAlikes, marks };
}

/** A typed domain as lower-case ASCII letters, digits, hyphens and dots, and the cost of reading it so. */
export interface TypedReading {
  readonly text: string;
  /** `exact`: as typed. `look_alike`: an internationalised name that reads so. `repaired`: the typed text is not a host name. */
  readonly kind: 'exact' | 'look_alike' | 'repaired';
  /** Letters of another script or shape. */
  readonly lookAlikes: number;
  /** Marks on letters. */
  readonly marks: number;
  /** Characters that have no place in a domain. */
  readonly strays: number;
}

/** Nothing typed is longer (an address is at most 320), which bounds the work on hostile input. */
const MAX_TYPED = 320;
/** With more of them the text is not a typo. */
const MOST_STRAYS = 2;
const HOST_CHARACTERS = /^[a-z0-9.-]+$/;
const MISPLACED = /^[.-]|\.\.|[.-]$/;
/** Struck for a dot: the keys beside it, the same keys with shift, and the dots of East Asian input. */
const DOT_LIKE = new Set('.,;:/>。｡．、');
const NAME_CHARACTER = /[\p{L}\p{M}\p{N}-]/u;

/** A host name in lower case as it stands. */
export const exactly = (text: string): TypedReading => ({ text, kind: 'exact', lookAlikes: 0, marks: 0, strays: 0 });

/** Null when nothing can be read from it. */
export function readDomain(typed: string): TypedReading | null {
  if (typed.length > MAX_TYPED) return null;
  const lower = typed.trim().toLowerCase();
  if (isHostName(lower)) {
    const decoded = lower.includes('xn--') ? decodeALabels(lower) : lower;
    // `axn--a` is not an A-label, and `xn--gmail-` does not decode.
    return decoded === lower ? exactly(lower) : readIdn(decoded);
  }
  const { text, strays } = withoutStrays(lower);
  if (strays > MOST_STRAYS) return null;
  return isHostName(text) ? { ...exactly(text), kind: 'repaired', strays } : readIdn(text);
}

const isHostName = (name: string): boolean => HOST_CHARACTERS.test(name) && !MISPLACED.test(name);

/** Keys struck for a dot become one; other punctuation goes. */
function withoutStrays(lower: string): { text: string; strays: number } {
  let text = '';
  let strays = 0;
  for (const character of lower) {
    const dot = DOT_LIKE.has(character);
    if (dot && text !== '' && !text.endsWith('.')) {
      text += '.';
      strays += character === '.' ? 0 : 1;
    } else if (!dot && NAME_CHARACTER.test(character)) text += character;
    else strays += 1;
  }
  const trimmed = text.replace(/[.-]$/, '');
  return { text: trimmed, strays: strays + text.length - trimmed.length };
}

function readIdn(name: string): TypedReading | null {
  const folded = foldLookAlikes(name);
  return folded !== null && isHostName(folded.text) ? { ...folded, kind: 'look_alike', strays: 0 } : null;
}
