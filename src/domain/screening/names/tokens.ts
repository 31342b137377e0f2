import type { Fold } from './letters.ts';
import { type HanReading, type NameRole, type NameWord, parseName, type Writing } from './parse-name.ts';
import { HARD, isNasal, isVowelSign, SILENT, SOFT } from './sounds.ts';
import { spellingsOf } from './spellings.ts';
import type { NameTables } from './tables.ts';

/** No name has more consonants, or with its marks more parts. Bounds the work at one place of a text. */
const [MAX_HARD, MAX_PARTS] = [10, 32];
const VOWELS = 'aeiouy';

/** The places after one step, from a place before it. */
type Step = (text: string, pos: number) => readonly number[];

/** A word's possible Latin spellings, with the vowels that its script omits. */
interface Skeleton {
  readonly steps: readonly Step[];
  readonly initials: readonly string[];
}

/** The article, joined to the name in Arabic and changed by the sun letters. */
const ARTICLE = /^ال(?=.{3})/u;
/** A Thai mark silences its consonant, and often the one before. */
const SILENCED = /(?<before>[\u0e01-\u0e2e]?)[\u0e01-\u0e2e][\u0e34-\u0e39]?\u0e4c/gu;
/** Thai writes some vowels before the consonant that they follow in speech. */
const FRONT_VOWEL = /([\u0e40-\u0e44])([\u0e01-\u0e2e])/gu;
/** Two consonants that are one sound in another spelling: क्ष, ज्ञ, and n before b in Arabic. */
const CLUSTERS: Readonly<Record<string, readonly string[]>> = {
  क्ष: ['ksh', 'kkh', 'ks', 'x', 'ch'],
  ক্ষ: ['kkh', 'ksh', 'kh', 'x'],
  ज्ञ: ['dny', 'gy', 'gn', 'jn', 'g'],
  نب: ['nb', 'mb', 'np'],
  نپ: ['np', 'mp'],
};
const CLUSTER = new RegExp(Object.keys(CLUSTERS).join('|'), 'gu');

/** A part of a word: a consonant in its spellings, or vowels. */
interface Part {
  readonly sounds: readonly string[] | null;
  readonly optional: boolean;
  readonly written: string;
}

const consonant = (sounds: readonly string[], written: string, optional = false): Part => ({
  sounds,
  optional,
  written,
});

function partOf(letter: string): Part | null {
  const sounds = HARD[letter] ?? CLUSTERS[letter];
  if (sounds !== undefined) return consonant(sounds, letter);
  if (isNasal(letter)) return consonant(['n', 'm'], letter, true);
  return letter in SOFT || isVowelSign(letter) ? { sounds: null, optional: true, written: letter } : null;
}

/** The letters of a word, with Thai's silent ones optional. */
function partsOf(written: string): (Part | null)[] {
  const marked = written.replace(FRONT_VOWEL, '$2$1').replace(SILENCED, '$<before>\u0e4c');
  const letters = marked.replace(CLUSTER, (found) => `\0${found}\0`).split('\0');
  const parts = letters.flatMap((piece) => (piece in CLUSTERS ? [partOf(piece)] : Array.from(piece, partOf)));
  return parts.map((part, i) =>
    part !== null && parts[i + 1]?.written === '\u0e4c' ? { ...part, optional: true } : part,
  );
}

const lettersOf =
  (of: string, min: number, max: number): Step =>
  (text, pos) => {
    const ends: number[] = min === 0 ? [pos] : [];
    for (let count = 1; count <= max && pos + count <= text.length; count += 1) {
      if (!of.includes(text.charAt(pos + count - 1))) break;
      if (count >= min) ends.push(pos + count);
    }
    return ends;
  };

/** What is between two consonants, without letters that may start the next: a text has one reading. */
function vowels(soft: string, next: readonly string[]): Step {
  const glides = /[\u0590-\u06ff]/.test(soft) ? 'wvj' : '';
  const h = /[هہھةהห]/.test(soft) ? 'ht' : '';
  const first = new Set(next.map((sound) => sound.charAt(0)));
  const allowed = Array.from(VOWELS + glides + h).filter((letter) => !first.has(letter));
  return lettersOf(allowed.join(''), 0, soft === '' ? 3 : 4);
}

/** A letter once or twice: doubling a consonant is optional. */
function soundOf({ sounds, optional }: Part, twice: boolean): Step {
  const once: Step = (text, pos) =>
    (sounds ?? []).flatMap((sound) => {
      if (!text.startsWith(sound, pos)) return [];
      const end = pos + sound.length;
      return sound.length === 1 && sound !== 'h' && text.startsWith(sound, end) ? [end, end + 1] : [end];
    });
  return (text, pos) => {
    const ends = once(text, pos);
    const more = twice ? ends.flatMap((end) => once(text, end)) : [];
    return optional ? [pos, ...ends, ...more] : [...ends, ...more];
  };
}

/** The Arabic article before a name: `al`, `ash`. */
const article: Step = (text, pos) => {
  const found = /^[aeou][lrstdzn](h?)/.exec(text.slice(pos, pos + 3));
  if (found === null) return [pos];
  return found[1] === 'h' ? [pos, pos + 2, pos + 3] : [pos, pos + 2];
};

/** A word's possible initial vowels; null for a consonant. */
function beginningOf(parts: readonly Part[]): string | null {
  const [head, next] = parts;
  if (head === undefined || head.sounds !== null) return null;
  const letters = SOFT[head.written] ?? VOWELS;
  return SILENT.test(head.written) ? letters + (SOFT[next?.written ?? ''] ?? '') : letters;
}

/** Reads a word of a script that omits vowels or pronounces them in its own way; null for others and overlong words. */
export function skeletonOf(written: string): Skeleton | null {
  const hasArticle = ARTICLE.test(written);
  const clean = written.replace(/[\u0610-\u061a\u0640\u064b-\u065f\u0670\u0591-\u05c7\u093c\u09bc\u0a3c'-]/gu, '');
  const parts: Part[] = [];
  for (const part of partsOf(clean.replace(ARTICLE, ''))) {
    if (part === null) return null;
    parts.push(part);
  }
  const hard = parts.filter(({ sounds, optional }) => sounds !== null && !optional).length;
  if (hard === 0 || hard > MAX_HARD || parts.length > MAX_PARTS) return null;
  const begins = beginningOf(parts);
  const steps: Step[] = [];
  if (hasArticle) steps.push(article);
  if (begins !== null) steps.push(lettersOf(begins, 1, 1));
  let soft = '';
  let last: Part | null = null;
  parts.forEach((part, i) => {
    if (part.sounds === null) soft += part.written;
    else if (last !== null && part.written === last.written && isJoined(soft)) soft = '';
    else {
      if (i > 0) steps.push(vowels(soft, part.sounds));
      steps.push(soundOf(part, isDoubled(parts, i)));
      soft = '';
      last = part;
    }
  });
  steps.push(vowels(soft, []));
  const initials = begins === null ? (parts[0]?.sounds ?? []) : Array.from(begins);
  return { steps, initials: [...initials, ...(hasArticle ? ['a', 'e'] : [])] };
}

/** The sign by which an Indian script joins two consonants. */
const isJoined = (soft: string): boolean => soft.length === 1 && soft.charCodeAt(0) % 0x80 === 0x4d;

const isDoubled = (parts: readonly Part[], i: number): boolean =>
  isJoined(parts[i + 1]?.written ?? '') && parts[i + 2]?.written === parts[i]?.written;

/** A shorter one is in too many words. */
const MIN_READ = 3;

/** A Latin word by its consonants and an initial vowel (`kvn` for Kevin); null if too few identify it. */
function withoutVowels(form: string): Skeleton | null {
  const left = form.charAt(0) + form.slice(1).replace(/[aeiouy]/g, '');
  if (left.length < MIN_READ || left === form) return null;
  const runs = left.match(/(.)\1?/g) ?? [];
  return { steps: runs.map((run) => lettersOf(run.charAt(0), 1, run.length)), initials: [] };
}

/** How many letters at a place may be the word: the longest, then without the vowels at its end. */
export function lengthsAt({ steps }: Skeleton, text: string, pos: number): number[] {
  let places = new Set([pos]);
  for (const step of steps) places = new Set([...places].flatMap((place) => step(text, place)));
  const end = Math.max(...places);
  const lengths: number[] = [];
  if (places.size === 0) return lengths;
  const stem = text.slice(pos, end).replace(/[aeiouy]+h?$/, '').length;
  for (let length = end - pos; length >= Math.max(stem, MIN_READ); length -= 1) lengths.push(length);
  return lengths;
}

/** A word of a name as the letters it may have in an address. */
export interface Token {
  readonly unit: number;
  readonly role: NameRole;
  readonly particle: boolean;
  readonly heads: number | null;
  readonly writing: Writing;
  /** Spellings of the word itself, likeliest first. */
  readonly spellings: readonly string[];
  readonly nicknames: readonly string[];
  /** A word of a script without vowels: the letters with them. A Latin word: the letters without. */
  readonly skeleton: Skeleton | null;
  /** One letter of a spelling or a nickname, or two of a spelling for one sound (`sh`, `yu`). */
  readonly initials: readonly string[];
}

export interface NameTokens {
  readonly tokens: readonly Token[];
  readonly writings: ReadonlySet<Writing>;
}

const DIGRAPH = /^(?:[szckt]h|t[sz]|[yij][uaeo])/;

function initialsOf(spellings: readonly string[], nicknames: readonly string[]): readonly string[] {
  const initials = new Set(spellings.map((form) => form.charAt(0)));
  for (const form of spellings) {
    const digraph = DIGRAPH.exec(form)?.[0];
    if (digraph !== undefined) initials.add(digraph);
  }
  for (const form of nicknames) initials.add(form.charAt(0));
  return [...initials];
}

/**
 * Two given names before a family name (`Mary Ann Smith`): both together are not a whole name. A middle word unknown as
 * a given name may be the first of two family names (`Gabriel García Márquez`).
 */
function givenUnits(words: readonly NameWord[], given: (word: NameWord) => boolean): ReadonlySet<number> {
  const named = words.filter((word) => !word.particle);
  const last = named.at(-1)?.unit;
  const units = new Set(named.filter((word) => word.unit !== last && given(word)).map((word) => word.unit));
  return units.size >= 2 && named[0] !== undefined && units.has(named[0].unit) ? units : new Set();
}

/** A word's consonants: with the vowels that its script omits, or without those that people drop. */
function skeletonOfWord({ writing, written }: NameWord, [form = '']: readonly string[]): Skeleton | null {
  if (writing === 'consonants') return skeletonOf(written);
  return writing === 'latin' || writing === 'alphabet' ? withoutVowels(form) : null;
}

/** Reads a name; ideographs as Chinese and as Japanese. A text without a letter has no tokens. */
export function* readings(tables: NameTables, name: string): Generator<NameTokens> {
  const first = readName(tables, name, 'chinese');
  yield first;
  if (first.writings.has('han')) yield readName(tables, name, 'japanese');
}

export function readName(tables: NameTables, name: string, han: HanReading): NameTokens {
  const { isGivenName, nicknamesOf } = tables.nicknames;
  const words = parseName(tables, name, han);
  const spelt = new Map(words.map((word) => [word, spellingsOf(tables, word)]));
  const given = givenUnits(words, (word) => (spelt.get(word) ?? []).some(isGivenName));
  const tokens = words.map((word): Token => {
    const spellings = spelt.get(word) ?? [];
    const nicknames = word.particle
      ? []
      : [...new Set(spellings.flatMap(nicknamesOf))].filter((form) => !spellings.includes(form));
    const skeleton = word.particle ? null : skeletonOfWord(word, spellings);
    return {
      unit: word.unit,
      role: word.role ?? (given.has(word.unit) ? 'given' : null),
      particle: word.particle,
      heads: word.heads,
      writing: word.writing,
      spellings,
      nicknames,
      skeleton,
      initials: [...new Set([...initialsOf(spellings, nicknames), ...(skeleton?.initials ?? [])])],
    };
  });
  return { tokens, writings: new Set(words.map((word) => word.writing)) };
}

/** All tokens in one rewriting. Initials stay: a fold joins what an initial separates. */
export function foldTokens(tokens: readonly Token[], fold: Fold): readonly Token[] {
  const forms = tokens.flatMap((token) => [...token.spellings, ...token.nicknames]);
  const folded = fold(forms.join(' ')).split(' ');
  let at = 0;
  const next = (count: number): string[] => {
    const taken = new Set(folded.slice(at, at + count));
    at += count;
    taken.delete('');
    return [...taken];
  };
  return tokens.map((token) => ({
    ...token,
    spellings: next(token.spellings.length),
    nicknames: next(token.nicknames.length),
    skeleton: null,
  }));
}
