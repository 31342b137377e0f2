import { type Coverage, cover, isReadByLetters, isWhole } from './cover.ts';
import {
  type Edit,
  type Fold,
  type Letters,
  type LocalLetters,
  editLocalPart,
  foldConsonants,
  foldHangul,
  foldLetters,
  foldRomanisation,
  foldSpelling,
  movedSeparator,
  readLocalPart,
  wordsOf,
} from './letters.ts';
import type { Writing } from './parse-name.ts';
import { isJoinedToOtherName } from './typos.ts';
import { type KnownNames, type NameTables, type PackedNameTables, openKnownNames, openNameTables } from './tables.ts';
import { type NameTokens, type Token, foldTokens, readings } from './tokens.ts';

/** Shorter forms at a word's edge or inside it occur in too many unrelated words. */
const MIN_AT_EDGE = 4;
const MIN_INSIDE = 5;
/** Two adjacent names inside a longer word (`iamjohnsmith`). */
const MIN_PAIR = 7;
const MIN_IN_RUN = 3;

const slice = ({ text, starts }: Letters, from: number, to: number): Letters => ({
  text: text.slice(from, to),
  starts: starts.slice(from, to + 1),
});

const formsOf = (token: Token): readonly string[] => [...token.spellings, ...token.nicknames];

/** Adjacent units from `at` on, and the letters they take. */
function runFrom(word: string, at: number, tokens: readonly Token[]): { units: number; length: number } {
  let units = 0;
  let pos = at;
  for (let more = true; more;) {
    more = false;
    let longest = 0;
    let unit = 0;
    for (const token of tokens) {
      if (token.particle || units & (1 << token.unit)) continue;
      for (const form of formsOf(token)) {
        if (form.length >= MIN_IN_RUN && form.length > longest && word.startsWith(form, pos)) {
          longest = form.length;
          unit = 1 << token.unit;
        }
      }
    }
    if (longest > 0) {
      pos += longest;
      units |= unit;
      more = true;
    }
  }
  return { units, length: pos - at };
}

/** Units that a word contains beside other letters; none if it is another name (`mario` contains Maria's `mari`). */
function unitsWithin({ isGivenName }: KnownNames, word: string, tokens: readonly Token[]): number {
  if (isGivenName(word)) return 0;
  let units = 0;
  for (const token of tokens) {
    if (token.particle) continue;
    for (const form of formsOf(token)) {
      const at = form.length < MIN_IN_RUN ? -1 : word.indexOf(form);
      if (at < 0) continue;
      const run = runFrom(word, at, tokens);
      const atEdge = at === 0 || at + run.length === word.length;
      const several = (run.units & (run.units - 1)) !== 0;
      if (run.length >= (several ? MIN_PAIR : atEdge ? MIN_AT_EDGE : MIN_INSIDE)) units |= run.units;
    }
  }
  return units;
}

/**
 * Coverage when some words of the address are unrelated (`john.smith.photos`, `john_guitar`): each word is judged by
 * itself. An initial counts beside a name that is written out.
 */
function coverWords(names: KnownNames, letters: Letters, tokens: readonly Token[], truncation: boolean): Coverage {
  let named = 0;
  let initials = 0;
  for (const [from, to] of wordsOf(letters)) {
    const found = cover(names, slice(letters, from, to), tokens, { truncation, edits: null });
    if (found !== null && found.named !== 0) {
      named |= found.named;
      initials |= found.units & ~found.named;
    } else if (found !== null && to - from === 1) initials |= found.units;
    else named |= unitsWithin(names, letters.text.slice(from, to), tokens);
  }
  return { units: named === 0 ? initials : named | initials, named, edit: null };
}

export type NameMatch = 'match' | 'typo' | 'partial' | 'mismatch' | 'not_checked';

export interface NameMatchResult {
  readonly match: NameMatch;
  /** The local part with one letter corrected, else as typed (separators, digits, tag, case); only with `typo`. */
  readonly correctedLocalPart: string | null;
}

/** One way to compare: the letters as they are, or both sides rewritten. */
interface View {
  readonly letters: Letters;
  readonly tokens: readonly Token[];
  readonly truncation: boolean;
}

/** Rewritings for a script, beside the spellings that every name has. */
const FOLDS: Readonly<Record<Writing, readonly Fold[]>> = {
  latin: [],
  alphabet: [foldRomanisation],
  kana: [foldRomanisation],
  han: [foldRomanisation],
  kanji: [],
  hangul: [foldHangul],
  consonants: [foldRomanisation, foldConsonants],
};

const MIN_CONSONANTS = 2;

/** Likeliest first: another spelling, a typo in the written name, one in a nickname. */
const EDITED = ['variant', 'spelling', 'nickname'] as const;

const answer = (match: NameMatch): NameMatchResult => ({ match, correctedLocalPart: null });

/** Skeletons of one consonant are in every word. */
const withoutShortForms = (tokens: readonly Token[]): readonly Token[] =>
  tokens.map((token) => ({
    ...token,
    spellings: token.spellings.filter((form) => form.length >= MIN_CONSONANTS),
    nicknames: [],
  }));

/** Nothing was rewritten, so the view would repeat the plain one. */
const sameSpellings = (tokens: readonly Token[], before: readonly Token[]): boolean =>
  tokens.every((token, i) => token.spellings.join() === before[i]?.spellings.join());

function* viewsOf(letters: Letters, tokens: readonly Token[], writings: ReadonlySet<Writing>): Generator<View> {
  yield { letters, tokens, truncation: true };
  // A skeleton covers all that a fold to consonants would.
  const read = tokens.every(({ writing, skeleton }) => writing !== 'consonants' || skeleton !== null);
  const folds = new Set([
    foldSpelling,
    ...[...writings].flatMap((writing) => (read && writing === 'consonants' ? [] : FOLDS[writing])),
  ]);
  for (const fold of folds) {
    const rewritten = foldTokens(tokens, fold);
    const folded = foldLetters(letters, fold);
    if (fold === foldSpelling && folded.text === letters.text && sameSpellings(rewritten, tokens)) continue;
    const compared = fold === foldConsonants ? withoutShortForms(rewritten) : rewritten;
    yield { letters: folded, tokens: compared, truncation: fold === foldSpelling };
  }
}

/** A name, untrusted text of up to 200 characters, and a local part. Pure. */
export type NameMatcher = (name: string, localPart: string) => NameMatchResult;

/** Throws when a table is not what its builder wrote. */
export function createNameMatcher(packed: PackedNameTables): NameMatcher {
  const tables = openNameTables(packed);
  const names = { isGivenName: tables.nicknames.isGivenName, isBorne: openKnownNames(packed.knownNames) };
  return (name, localPart) => matchName(tables, names, name, localPart);
}

/**
 * Whether a name and a local part fit. `match`: given and family name are both accounted for, in any order and writing,
 * also by an initial or a nickname (for a name of one word, that word). `typo`: one letter away from that. `partial`:
 * one of them. `mismatch`: neither. `not_checked`: the name has no letter.
 */
function matchName(tables: NameTables, names: KnownNames, name: string, localPart: string): NameMatchResult {
  let best: NameMatchResult = answer('not_checked');
  for (const reading of readings(tables, name)) {
    const result = compare(tables, names, reading, localPart);
    if (result.match === 'match') return result;
    if (ORDER.indexOf(result.match) < ORDER.indexOf(best.match)) best = result;
  }
  return best;
}

const ORDER: readonly NameMatch[] = ['match', 'typo', 'partial', 'mismatch', 'not_checked'];

/**
 * The local part without a doubled letter: a rewriting reads `petrovv` as Петров, since it writes doubled letters once.
 * Null if that is not the only fault.
 */
function doubledLetter(names: KnownNames, letters: LocalLetters, tokens: readonly Token[]): string | null {
  if (!tokens.some(({ writing }) => writing === 'alphabet')) return null;
  const edit = cover(names, letters, tokens, { truncation: false, edits: 'spelling' })?.edit ?? null;
  if (edit?.kind !== 'remove' || letters.text[edit.at] !== letters.text[edit.at - 1]) return null;
  return editLocalPart(letters, edit);
}

/**
 * Whether the last letter is doubled in an address without the family name, or with only its initial: people lengthen a
 * name that is taken (`minhtuee` of Minh Tuệ Hà), and otherwise use their family name.
 */
function isDoubledOnPurpose(
  { text }: Letters,
  { kind, at }: Edit,
  { named }: Coverage,
  tokens: readonly Token[],
): boolean {
  const words = tokens.filter(({ particle }) => !particle);
  const family = words.findLast(({ role }) => role === 'family') ?? words.at(-1);
  return kind === 'remove' && at === text.length - 1 && family !== undefined && !(named & (1 << family.unit));
}

function compare(
  tables: NameTables,
  names: KnownNames,
  { tokens, writings }: NameTokens,
  localPart: string,
): NameMatchResult {
  if (tokens.length === 0) return answer('not_checked');
  const letters = readLocalPart(tables.roman, localPart);
  if (letters.text === '') return answer('mismatch');

  const views: View[] = [];
  const fits = (found: Coverage | null): boolean => found !== null && isWhole(found.units, tokens);
  /** Coverage when no word crosses a separator. */
  const parted = (view: View, parts: Letters, truncation = view.truncation): Coverage | null =>
    cover(names, parts, view.tokens, { truncation, edits: null, parted: true, rewritten: view.letters !== letters });
  let explained = false;
  for (const view of viewsOf(letters, tokens, writings)) {
    const rewritten = view.letters !== letters;
    const found = cover(names, view.letters, view.tokens, { truncation: view.truncation, edits: null, rewritten });
    if (fits(found)) {
      const moved =
        view.letters === letters && tokens.every(isReadByLetters)
          ? movedSeparator(
              letters,
              (parts) => fits(parted(view, parts)),
              (parts) => fits(parted(view, parts, false)),
            )
          : doubledLetter(names, letters, tokens);
      return moved === null ? answer('match') : { match: 'typo', correctedLocalPart: moved };
    }
    explained ||= found !== null && parted(view, view.letters) !== null;
    views.push(view);
  }

  // Every letter has its word: `macedo` of Marina Macedo has no typo.
  for (const edits of explained ? [] : EDITED) {
    const near = cover(names, letters, tokens, { truncation: false, edits });
    const typo = near?.edit ?? null;
    if (near === null || typo === null) continue;
    if (edits === 'variant') return answer('match');
    const forms = tokens.flatMap(({ spellings }) => spellings);
    const meant =
      isJoinedToOtherName(names.isBorne, letters, typo, forms) || isDoubledOnPurpose(letters, typo, near, tokens);
    const correctedLocalPart = meant ? null : editLocalPart(letters, typo);
    // A typo that can't be corrected in place does not count.
    return correctedLocalPart === null ? answer('partial') : { match: 'typo', correctedLocalPart };
  }

  // One letter away, but another name that people have: neither a typo nor a stranger's.
  const { isGivenName } = names;
  const isNear = (): boolean =>
    EDITED.some(
      (edits) => cover({ isGivenName, isBorne: isGivenName }, letters, tokens, { truncation: false, edits }) !== null,
    );
  const found = views.map((view) => coverWords(names, view.letters, view.tokens, view.truncation));
  // A longer word that contains a one-word name (`cherfan`) proves less.
  const several = new Set(tokens.filter((token) => !token.particle).map((token) => token.unit)).size > 1;
  if (several && found.some((words) => words.named !== 0 && fits(words))) return answer('match');
  const single = letters.text.length === 1;
  const isPart = found.some((words) => words.named !== 0 || (single && words.units !== 0));
  return answer(isPart || isNear() ? 'partial' : 'mismatch');
}
