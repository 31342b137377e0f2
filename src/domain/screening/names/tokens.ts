import type { Fold } from './letters.ts';
import { type HanReading, type NameRole, type NameWord, parseName, type Writing } from './parse-name.ts';
import { type Skeleton, skeletonOf, withoutVowels } from './skeleton.ts';
import { spellingsOf } from './spellings.ts';
import type { NameTables } from './tables.ts';

/** A word of a name as the letters it may have in an address. */
export interface Token {
  readonly unit: number;
  readonly role: NameRole;
  readonly particle: boolean;
  readonly heads: number | null;
  readonly writing: Writing;
  /** Spellings of the word itself, the likeliest first. */
  readonly spellings: readonly string[];
  readonly nicknames: readonly string[];
  /** Of a word written without its vowels: what it may be with them. Of one in Latin letters: what it is without. */
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
 * Two given names before a family name (`Mary Ann Smith`): both together are not a whole name. A middle word that the table
 * doesn't know as a given name may as well be the first of two family names (`Gabriel García Márquez`).
 */
function givenUnits(words: readonly NameWord[], given: (word: NameWord) => boolean): ReadonlySet<number> {
  const named = words.filter((word) => !word.particle);
  const last = named.at(-1)?.unit;
  const units = new Set(named.filter((word) => word.unit !== last && given(word)).map((word) => word.unit));
  return units.size >= 2 && named[0] !== undefined && units.has(named[0].unit) ? units : new Set();
}

/** A word's consonants: with the vowels that its writing leaves out, or without those that people who write short do. */
function skeletonOfWord({ writing, written }: NameWord, [form = '']: readonly string[]): Skeleton | null {
  if (writing === 'consonants') return skeletonOf(written);
  return writing === 'latin' || writing === 'alphabet' ? withoutVowels(form) : null;
}

/** Reads a name, one in ideographs as Chinese and as Japanese. A text without a letter has no tokens. */
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

/** The tokens as one rewriting sees them, all rewritten at once. Initials stay: a fold joins what an initial keeps apart. */
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
