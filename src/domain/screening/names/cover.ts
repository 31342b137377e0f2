import type { KnownNames } from './tables.ts';
import { type Edit, editLetters, type Letters } from './letters.ts';
import { lengthsAt, type Token } from './tokens.ts';
import { type Reading, areNeighbours, changesTo, isOtherName } from './typos.ts';

/** How well letters cover a name. */
export interface Coverage {
  readonly units: number;
  /** Bits of units covered by more than an initial. */
  readonly named: number;
  readonly edit: Edit | null;
}

/** Where one letter may differ: an ordinary variant of a word, a typo in it, or a typo in a nickname. */
export type Edited = 'variant' | 'spelling' | 'nickname';

export interface CoverOptions {
  /** Words may be cut short (`jonsmi`): not for rewritings, which have few letters. */
  readonly truncation: boolean;
  readonly edits: Edited | null;
  /** No word, and no misspelt word, crosses a separator. */
  readonly parted?: boolean;
  /** The letters are rewritten, so neighbouring keys are unknown. */
  readonly rewritten?: boolean;
}

const MIN_TRUNCATED = 3;
/** Letters of a word with an initial attached (`samb`): shorter ones are in too many words. */
const MIN_BEFORE_INITIAL = 3;
/** A word that lacks one letter is misspelt rather than cut short, unless it is three letters of a name of four. */
const MIN_CUT = 2;
const cutAt = ({ length }: string): number => (length === MIN_TRUNCATED + 1 ? MIN_TRUNCATED : length - MIN_CUT);
/** Shorter words share their letters with too many others; a particle precedes the name it heads. */
const MIN_SHARING = 3;
const MIN_SHARING_PARTICLE = 2;
const MIN_EDITED = { variant: 3, spelling: 3, nickname: 4 } as const;
/** Letters that make a word count as written out, which rules out another spelling or a nickname. */
const MIN_WRITTEN = { variant: 3, spelling: 3, nickname: 1 } as const;
const MIN_EDITED_LETTERS = 5;
const MAX_INITIALS = 4;
/** Bounds the work on ambiguous names (`Ana Anna Ann An`); real ones take a few dozen. */
const MAX_STEPS = 200;
/** Each step looks at every form of the name's words; eight words with all their nicknames get fewer steps. */
const MAX_LOOKS = 20_000;

function count(bits: number): number {
  let ones = 0;
  for (let left = bits; left !== 0; left &= left - 1) ones += 1;
  return ones;
}

/** Whether given and family name, or the only name, are among the units. */
export function isWhole(units: number, tokens: readonly Token[]): boolean {
  const named = tokens.filter((token) => !token.particle);
  const all = named.reduce((bits, { unit }) => bits | (1 << unit), 0);
  if (count(all) === 1) return units !== 0;
  if (count(units) < 2) return false;
  const roles = named.filter(({ unit }) => units & (1 << unit)).map(({ role }) => role);
  return roles.includes(null) || new Set(roles).size === 2;
}

/** Whether a word crosses a separator. */
const isParted = ({ starts }: Letters, pos: number, length: number): boolean =>
  starts.slice(pos + 1, pos + length).includes(true);

/** For other scripts the letters are a guess: a difference is more likely another romanisation than a typo. */
export const isReadByLetters = ({ writing }: Token): boolean => writing === 'latin' || writing === 'alphabet';

/** The unit that a token accounts for. A particle's first letter may stand for the name it heads. */
function unitOf({ particle, heads, unit }: Token, before: Before): number {
  if (!particle) return 1 << unit;
  return before === 'initial' && heads !== null ? 1 << heads : 0;
}

/** The preceding token: a word as written, a nickname, a cut word, an initial, or a supposed middle initial. */
type Before = 'word' | 'nickname' | 'cut' | 'initial' | 'filler';

/** Whether a letter is part of a word that is a name of its own: `julian.smith` is not Julia with an initial. */
function isInGivenName({ isGivenName }: KnownNames, text: string, starts: readonly boolean[], pos: number): boolean {
  let from = pos;
  while (from > 0 && starts[from] !== true) from -= 1;
  const to = starts.indexOf(true, pos + 1);
  return isGivenName(text.slice(from, to));
}

/** How far the letters are explained, and by what. */
interface State extends Coverage {
  readonly letters: Letters;
  readonly pos: number;
  readonly used: number;
  /** A letter was taken for a middle initial. */
  readonly filled: boolean;
  readonly before: Before;
}

/**
 * Explains letters as words of a name, in any order, none twice; every letter needs a word. Returns the explanation
 * that accounts for most, or null.
 */
export function cover(
  names: KnownNames,
  address: Letters,
  tokens: readonly Token[],
  { truncation, edits, parted = false, rewritten = false }: CoverOptions,
): Coverage | null {
  const numbered = [...tokens.entries()];
  const isSingle = new Set(tokens.filter((token) => !token.particle).map(({ unit }) => unit)).size === 1;
  const firstUnit = 1 << (tokens.find(({ particle }) => !particle)?.unit ?? 0);
  const forms = tokens.reduce((sum, token) => sum + token.spellings.length + token.nicknames.length, 1);
  let steps = Math.min(MAX_STEPS, Math.ceil(MAX_LOOKS / forms));
  let best: Coverage | null = null;

  /** True when the search can stop: nothing better exists. */
  function keepIfBetter({ letters: { text }, units, named, filled, edit }: State): boolean {
    const initialsAlone = named === 0;
    if (initialsAlone && (text.length > MAX_INITIALS || filled)) return false;
    // A single name with another's initial is at most half of a name (`annam` of Anna).
    const whole = isWhole(units, tokens) && !(filled && isSingle);
    // Without the first name, the differing letter may be the initial of a relative.
    if (edit !== null && (!whole || initialsAlone || !(units & firstUnit))) return false;
    if (best === null || count(named) > count(best.named) || count(units) > count(best.units))
      best = { units: filled && isSingle ? 0 : units, named, edit };
    return whole;
  }

  function search(state: State): boolean {
    if (steps === 0) return true;
    steps -= 1;
    const { letters, pos, edit } = state;
    if (pos >= letters.text.length) return keepIfBetter(state);
    // Before the exact words: `jonh` is John with two letters swapped rather than Jon with one too many.
    if (edits !== null && edit === null && letters.text.length >= MIN_EDITED_LETTERS && searchEdited(state, edits))
      return true;
    const free = numbered.filter(([i]) => !(state.used & (1 << i)));
    return (
      free.some(([i, token]) => searchWords(state, i, token)) ||
      free.some(([i, token]) => searchInitials(state, i, token) || searchCut(state, i, token)) ||
      (isMiddleInitial(state) && search({ ...state, pos: pos + 1, filled: true, before: 'filler' }))
    );
  }

  /** Continues after `length` letters that stand for a token. */
  function take(state: State, i: number, token: Token, length: number, before: Before): boolean {
    const unit = unitOf(token, before);
    return search({
      ...state,
      pos: state.pos + length,
      used: state.used | (1 << i),
      units: state.units | unit,
      named: before === 'initial' ? state.named : state.named | unit,
      before,
    });
  }

  function searchWords(state: State, i: number, token: Token): boolean {
    const { letters, pos } = state;
    if (pos + 1 === letters.text.length) return false;
    const takes = (length: number, before: Before): boolean =>
      !((parted || edits !== null) && isParted(letters, pos, length)) && take(state, i, token, length, before);
    const fits = (form: string, before: Before): boolean =>
      form.length > 1 && letters.text.startsWith(form, pos) && takes(form.length, before);
    return (
      token.spellings.some((form) => fits(form, 'word')) ||
      token.nicknames.some((form) => fits(form, 'nickname')) ||
      (state.before === 'word' &&
        token.spellings.some((form) => sharesLetter(state, token, form) && takes(form.length - 1, 'word'))) ||
      // Not together with a typo: without vowels too few letters are left.
      (edits === null &&
        token.skeleton !== null &&
        lengthsAt(token.skeleton, letters.text, pos).some((length) =>
          takes(length, token.writing === 'consonants' ? 'word' : 'cut'),
        ))
    );
  }

  /** Whether a word shares its first letter with the previous word's last: `granthompson` of Grant Thompson. */
  function sharesLetter({ letters: { text, starts }, pos }: State, { particle }: Token, form: string): boolean {
    const isLong = form.length >= (particle ? MIN_SHARING_PARTICLE : MIN_SHARING);
    const shared = edits === null && isLong && starts[pos] !== true && text[pos - 1] === form[0];
    return shared && text.startsWith(form.slice(1), pos);
  }

  function searchInitials(state: State, i: number, token: Token): boolean {
    const { letters, pos, before } = state;
    const { text, starts } = letters;
    const begins = starts[pos] === true;
    // `lundin` is not Lund with two initials; and typos are recognised in names, not in a particle.
    if ((before === 'filler' && !begins) || (edits !== null && token.particle)) return false;
    const initial = token.initials.some(
      (form) => text.startsWith(form, pos) && take(state, i, token, form.length, 'initial'),
    );
    if (initial || !begins || token.spellings.some((form) => form.length > 1)) return initial;
    // `J. Smith` may write john.smith: the name has only that word's initial.
    const end = starts.indexOf(true, pos + 1);
    return token.initials.includes(text.charAt(pos)) && take(state, i, token, end - pos, 'initial');
  }

  function searchCut(state: State, i: number, token: Token): boolean {
    if (!truncation || token.particle) return false;
    const { letters, pos } = state;
    return token.spellings.some((form) => {
      let same = 0;
      while (same < form.length && letters.text.charCodeAt(pos + same) === form.charCodeAt(same)) same += 1;
      for (let length = Math.min(same, cutAt(form)); length >= MIN_TRUNCATED; length -= 1) {
        if (take(state, i, token, length, 'cut')) return true;
      }
      return false;
    });
  }

  /**
   * A letter that no word explains may be a middle initial: alone between separators (`j.r.smith`), after an initial
   * (`jrsmith`), or between names where it is not a typo of a neighbour's (`johnrsmith`, not `johnnsmith`). Or the name
   * is shorter than the address, whose owner has a family name: after a word as written, or before one (`annam`).
   */
  function isMiddleInitial({ letters: { text, starts }, pos, filled, before }: State): boolean {
    if (filled) return false;
    if (starts[pos] === true && starts[pos + 1] === true) return true;
    if (edits !== null || before === 'cut') return false;
    const letter = text.charAt(pos);
    if (truncation && !rewritten && text.length > MIN_BEFORE_INITIAL) {
      const behind = starts[pos + 1] === true && before === 'word';
      if (behind) return !isTypoOf(letter, text.charAt(pos - 1)) && !isInGivenName(names, text, starts, pos);
      const inFront = starts[pos] === true && before !== 'initial' && isSpelt(text, pos + 1);
      if (inFront) return !isTypoOf(letter, text.charAt(pos + 1)) && !isInGivenName(names, text, starts, pos);
    }
    if (pos === 0 || pos === text.length - 1) return false;
    if (before === 'initial' && starts[pos] !== true) return true;
    const beside = [text.charAt(pos - 1), text.charAt(pos + 1)];
    return !beside.some((other) => areNeighbours(letter, other)) && !isInGivenName(names, text, starts, pos);
  }

  /** With one name alone, a neighbouring key may as well be the other's initial. */
  const isTypoOf = (letter: string, other: string): boolean =>
    isSingle ? letter === other : areNeighbours(letter, other);

  const isSpelt = (text: string, pos: number): boolean =>
    tokens.some(({ particle, spellings }) => !particle && spellings.some((form) => text.startsWith(form, pos)));

  /** Continues from the same place with a letter corrected, so that a word of `length` letters is there. */
  function put(state: State, edit: Edit, length: number): boolean {
    const edited = editLetters(state.letters, edit);
    return !isParted(edited, state.pos, length) && search({ ...state, letters: edited, edit });
  }

  const isRareTypo = ({ text }: Letters, edit: Edit): boolean =>
    edit.kind === 'replace' && !areNeighbours(text.charAt(edit.at), edit.letter);

  /** Continues from the same place with one letter corrected, as if the word had been typed. */
  function searchEdited(state: State, where: Edited): boolean {
    const { letters, pos, used, named } = state;
    const { text, starts } = letters;
    return tokens.some((token, i) => {
      if (used & (1 << i) || token.particle || !isReadByLetters(token)) return false;
      // `hcoffstad`: the initial and the next letter swapped.
      const turned = where === 'spelling' && starts[pos + 1] !== true && token.initials.includes(text.charAt(pos + 1));
      const swap = { kind: 'swap', at: pos } as const;
      if (turned && !isOtherName(names.isBorne, letters, pos, '', swap) && put(state, swap, 1)) return true;
      // A word that is there as written can only have its last letter doubled, and rules out a nickname, also after an
      // initial.
      const written = token.spellings.filter(
        (form) =>
          form.length >= MIN_WRITTEN[where] &&
          (text.startsWith(form, pos) || (where === 'nickname' && text.startsWith(form, pos + 1))),
      );
      if (written.length > 0 && where === 'nickname') return false;
      const reading: Reading = {
        read: token.writing !== 'latin',
        isTypoOf,
        isInitial: (letter) =>
          tokens.some((other, j) => j !== i && !(used & (1 << j)) && other.initials.includes(letter)),
      };
      const meant = written.length > 0 ? written : where === 'nickname' ? token.nicknames : token.spellings;
      const long = meant.filter(
        (form) =>
          form.length >= MIN_EDITED[where] ||
          // After a name, a short one's last letter may still be doubled (`jonlii`).
          (where === 'spelling' && named !== 0 && form.length > 1 && text.startsWith(form, pos)),
      );
      const changes = long.flatMap((form) =>
        changesTo(letters, pos, form, reading).map((change) => ({ form, ...change })),
      );
      // `mueler` of Müller lacks an l of `mueller` rather than has an e for the l of `muller`.
      const rare = changes.filter(({ edit }) => isRareTypo(letters, edit));
      return [...changes.filter((change) => !rare.includes(change)), ...rare].some(
        ({ form, edit, variant }) =>
          variant === (where === 'variant') &&
          !isOtherName(variant ? names.isGivenName : names.isBorne, letters, pos, form, edit) &&
          put(state, edit, form.length),
      );
    });
  }

  search({ letters: address, pos: 0, used: 0, units: 0, named: 0, filled: false, before: 'word', edit: null });
  return best;
}
