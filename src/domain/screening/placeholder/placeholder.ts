import { getDomainWithoutSuffix, getPublicSuffix } from 'tldts';
import { mailboxFault } from '../../address/mailbox-rules.ts';
import type { Lists } from '../../lists/lists.ts';
import { type TypedAddress, wordsOf } from '../typed-address.ts';
import { isGibberish } from './gibberish.ts';
import TABLE from './words.json' with { type: 'json' };
import { isKeyboardWalk, isOneLetter, isRepeated, isShortWalk } from './walks.ts';

/**
 * What a word of a local part or the label of a domain says.
 * - `filler`: not a person's mailbox, alone, with digits or beside other words of this table;
 * - `weak`: a filler at a consumer provider or before a domain that is one itself; elsewhere it may be a desk, initials or a
 *   surname;
 * - `joint`: says nothing alone, but stands beside fillers (`mytest`, `no-email`).
 */
type WordKind = 'filler' | 'weak' | 'joint';

interface WordRow {
  /** Parted by spaces, lower case. */
  readonly words: string;
  readonly kind: WordKind;
  readonly reason: string;
}

const KINDS: ReadonlyMap<string, WordKind> = new Map(
  (TABLE.words as readonly WordRow[]).flatMap(({ words, kind }) =>
    words.split(' ').map((word) => [word, kind] as const),
  ),
);
const LENGTH_MAX = Math.max(...Array.from(KINDS.keys(), (word) => word.length));

/** The kind of a text that is one word of the table or several without a gap; null when anything else is in it. */
function kindOf(text: string): WordKind | null {
  const whole = KINDS.get(text);
  if (whole !== undefined) return whole;
  const canEnd: boolean[] = [true];
  // The strongest word on a way to each place: a filler makes the whole one.
  const strongest: (WordKind | null)[] = [null];
  for (let start = 0; start < text.length; start += 1) {
    if (canEnd[start] !== true) continue;
    for (let end = Math.min(text.length, start + LENGTH_MAX); end > start; end -= 1) {
      const kind = KINDS.get(text.slice(start, end));
      if (kind === undefined) continue;
      canEnd[end] = true;
      if (kind === 'filler' || strongest[start] === 'filler') strongest[end] = 'filler';
    }
  }
  return strongest[text.length] ?? null;
}

interface DomainRow {
  /** Parted by spaces, lower case. */
  readonly names: string;
  readonly reason: string;
}

const GENERIC_SUFFIXES: ReadonlySet<string> = new Set(['com', 'net', 'org', 'tld']);

const namesIn = (rows: readonly DomainRow[]): ReadonlySet<string> =>
  new Set(rows.flatMap(({ names }) => names.split(' ')));
/** With everything below them. */
const RESERVED = namesIn(TABLE.reserved);
/** Registrable labels, under any registrant. */
const STAND_INS = namesIn(TABLE.standIns);
/** Registrable labels under a generic suffix; under a country's they are somebody's: test.de, null.fr. */
const GENERIC_STAND_INS = namesIn(TABLE.genericStandIns);

/** Text typed into a form may be no host name at all: nothing is checked. */
const OPTIONS = { extractHostname: false, validateHostname: false, detectIp: false };

/** Set aside for examples and tests (RFC 2606, RFC 6761). Lower case. */
export function isReservedDomain(domain: string): boolean {
  const labels = domain.split('.');
  return RESERVED.has(labels.at(-1) ?? '') || RESERVED.has(labels.slice(-2).join('.'));
}

/** What stands before the public suffix, without hosts: `mail.acme.co.uk` → `acme`. Empty for a bare suffix. */
const domainLabel = (domain: string): string => getDomainWithoutSuffix(domain, OPTIONS) ?? '';

/** Whether any address at the domain, with this label (see `domainLabel`), stands in for another. */
const isStandInDomain = (domain: string, label: string): boolean =>
  STAND_INS.has(label) ||
  (GENERIC_STAND_INS.has(label) && GENERIC_SUFFIXES.has(getPublicSuffix(domain, OPTIONS) ?? ''));

interface SuffixRow {
  readonly suffixes: string;
  readonly reason: string;
}

/** None of them is a top-level domain (.zip, .mov, .md, .rs and .py are). */
const FILE_SUFFIX_ROWS: readonly SuffixRow[] = [
  { suffixes: 'png jpg jpeg gif svg webp avif bmp ico tif tiff heic', reason: 'Images: `logo@2x.png`' },
  { suffixes: 'css js mjs cjs json map html htm xml php jsx tsx', reason: 'Parts of a page: `swiper@8.min.js`' },
  { suffixes: 'woff woff2 ttf otf eot', reason: 'Fonts' },
  { suffixes: 'mp3 mp4 webm ogg wav pdf doc docx xls xlsx csv txt', reason: 'Media and documents' },
];

const FILE_SUFFIXES: ReadonlySet<string> = new Set(FILE_SUFFIX_ROWS.flatMap(({ suffixes }) => suffixes.split(' ')));

const DIGIT_FIRST = /^\d/;
const NUMBER = /^\d{1,3}$/;
/** `18.2.0-rc.1`, `4.0.0-beta` */
const PRERELEASE = /^\d+-(?:alpha|beta|rc|next|canary|dev|pre|snapshot)/;

/** Whether the domain is the end of a file's or package's name on a page: `icon@3x.png`, `react@18.2.0`. Lower case. */
function isScrapedName(domain: string): boolean {
  const labels = domain.split('.');
  if (labels.length < 2) return false;
  const last = labels.at(-1) ?? '';
  if (FILE_SUFFIXES.has(last)) return true;
  if (!DIGIT_FIRST.test(domain)) return false;
  if (labels.some((label) => PRERELEASE.test(label))) return true;
  // No top-level domain begins with a digit: a version, or a host's IPv4 address, which is only mistyped.
  return DIGIT_FIRST.test(last) && !(labels.length === 4 && labels.every((label) => NUMBER.test(label)));
}

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
