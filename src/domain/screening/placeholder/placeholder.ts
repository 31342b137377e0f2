import { mailboxFault } from '../../address/mailbox-rules.ts';
import type { Lists } from '../../lists/types.ts';
import { domainLabel, isReservedDomain, isStandInDomain } from './domains.ts';
import { isGibberish } from './gibberish.ts';
import { isOneLetter, isRepeated } from './repeats.ts';
import { isScrapedName } from './scraped.ts';
import { type TypedAddress, wordsOf } from './typed.ts';
import { isKeyboardWalk, isShortWalk } from './walks.ts';
import { kindOf, type WordKind } from './words.ts';

type DomainFacts = Pick<Lists, 'isFreeProvider' | 'isRelay' | 'isAgent' | 'isKnown' | 'isRoleName'>;

/** `n/a`, as people leave a field out. */
const NOT_APPLICABLE: ReadonlySet<string> = new Set(['n/a', 'n\\a', 'n.a.', '-', '--', '.', '?']);

const DIGITS = /^\d+$/;

/** Fillers and joints joined; a word of one letter is an initial, so `n.ull` is a person. */
function kindOfWords(words: readonly string[]): WordKind | null {
  const bare = words.flatMap((word) => word.split(/\p{N}+/u)).filter((word) => word !== '');
  if (bare.length === 0 || (bare.length > 1 && bare.some((word) => word.length === 1))) return null;
  return kindOf(bare.join(''));
}

/** Whether a word, in lower case, is a filler in any place: a keyboard walk, one letter held, a stock word. */
export const isHollowWord = (word: string): boolean =>
  kindOf(word) === 'filler' || isKeyboardWalk(word) || isRepeated(word) || isGibberish([word]);

/** One letter over and over, three times or more: fewer are initials. */
const isOneLetterHeld = (text: string): boolean => text.length > 2 && isOneLetter(text);

/** Says nothing of anybody, though not certainly: a filler, a letter, three keys in a row. */
const isHollow = (text: string, kind: WordKind | null): boolean =>
  kind === 'weak' || kind === 'filler' || isOneLetter(text) || isShortWalk(text);

/**
 * Whether the address looks typed only to pass a form: keyboard walks, repeated letters, filler words, the form's own field
 * names, reserved and stand-in domains, file and package names, letters drawn by chance, or far fewer of them than its
 * provider gives out. What may be a person's short or odd name is not a placeholder; `isOfName`: the local part is made of
 * the name sent with it, so its letters are not chance.
 */
export function isPlaceholder(typed: TypedAddress, lists: DomainFacts, isOfName: boolean): boolean {
  const local = typed.local.toLowerCase();
  const domain = typed.domain.toLowerCase();
  if (NOT_APPLICABLE.has(local) || isReservedDomain(domain) || isScrapedName(domain)) return true;
  // `john_smith` or `ann` at Gmail is a mistake; `a` is typed to get past a form.
  if (!isOfName && mailboxFault(local, domain) === 'far_too_short') return true;
  // They make the local parts up themselves.
  if (lists.isRelay(domain) || lists.isAgent(domain)) return false;

  const words = wordsOf(local);
  const joined = words.join('');
  const kind = kindOfWords(words);
  const isConsumer = lists.isFreeProvider(domain);
  if (kind === 'filler' || isKeyboardWalk(joined) || isRepeated(joined)) return true;
  if (!isOfName && isGibberish(words, !isConsumer)) return true;

  const label = domainLabel(domain);
  // A real domain does not help: aa.com is an airline's, 123.com gives out mailboxes.
  if (joined === label && (isOneLetter(joined) || DIGITS.test(joined))) return true;
  // No desk of a company has a mailbox there.
  if (isConsumer) return kind === 'weak' || isOneLetterHeld(joined);
  if (isStandInDomain(domain, label)) return true;
  if (lists.isKnown(domain)) return false;
  // `info@info.com`: a function of a company called after it.
  if (joined === label && lists.isRoleName(local)) return true;
  return isHollow(joined, kind) && isHollow(label, kindOf(label));
}
