import CONFUSABLES from './confusables.json' with { type: 'json' };
import { decodeALabels } from '../../address/idna.ts';

/**
 * Letters that read as an ASCII letter: UTS 39's confusables that a host name may contain, of other scripts or without
 * a decomposition.
 */
const OF = new Map(
  Object.entries(CONFUSABLES).flatMap(([ascii, letters]) => Array.from(letters, (letter) => [letter, ascii])),
);
const MARK = /\p{M}/u;

export interface Folded {
  readonly text: string;
  /** Letters of another script or shape in place of ASCII ones. */
  readonly lookAlikes: number;
  /** Accents removed (`gmáil`). */
  readonly marks: number;
}

/** A Unicode host name in ASCII as it reads; null if a letter reads as none. */
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

/** A typed domain as lower-case ASCII letters, digits, hyphens and dots, and what was changed for it. */
export interface TypedReading {
  readonly text: string;
  /** `exact`: as typed. `look_alike`: an internationalised name. `repaired`: the typed text is no host name. */
  readonly kind: 'exact' | 'look_alike' | 'repaired';
  /** Letters of another script or shape. */
  readonly lookAlikes: number;
  readonly marks: number;
  /** Characters that are not allowed in a domain. */
  readonly strays: number;
}

/** No typed address is longer; bounds the work on hostile input. */
const MAX_TYPED = 320;
/** With more of them the text is not a typo. */
const MOST_STRAYS = 2;
const HOST_CHARACTERS = /^[a-z0-9.-]+$/;
const MISPLACED = /^[.-]|\.\.|[.-]$/;
/** Typed for a dot: neighbouring keys, the same with shift, and the dots of East Asian input. */
const DOT_LIKE = new Set('.,;:/>。｡．、');
const NAME_CHARACTER = /[\p{L}\p{M}\p{N}-]/u;

/** A lower-case host name unchanged. */
export const exactly = (text: string): TypedReading => ({ text, kind: 'exact', lookAlikes: 0, marks: 0, strays: 0 });

/** Null if the text is unreadable. */
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

/** Dot-like keys become one dot; other punctuation is removed. */
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
