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
  /** Lower case, separated by spaces. */
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

/** The kind of a text made only of the table's words, without gaps; else null. */
function kindOf(text: string): WordKind | null {
  const whole = KINDS.get(text);
  if (whole !== undefined) return whole;
  const canEnd: boolean[] = [true];
  // The strongest word on a way to each place: a filler decides.
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
  /** Lower case, separated by spaces. */
  readonly names: string;
  readonly reason: string;
}

const GENERIC_SUFFIXES: ReadonlySet<string> = new Set(['com', 'net', 'org', 'tld']);

const namesIn = (rows: readonly DomainRow[]): ReadonlySet<string> =>
  new Set(rows.flatMap(({ names }) => names.split(' ')));
/** Including everything below them. */
const RESERVED = namesIn(TABLE.reserved);
/** Registrable labels, under any registrant. */
const STAND_INS = namesIn(TABLE.standIns);
/** Registrable labels under a generic suffix; under a country's they are real: test.de, null.fr. */
const GENERIC_STAND_INS = namesIn(TABLE.genericStandIns);

/** Text from a form may be no host name: nothing is checked. */
const OPTIONS = { extractHostname: false, validateHostname: false, detectIp: false };

/** Reserved for examples and tests (RFC 2606, RFC 6761). Lower case. */
export function isReservedDomain(domain: string): boolean {
  const labels = domain.split('.');
  return RESERVED.has(labels.at(-1) ?? '') || RESERVED.has(labels.slice(-2).join('.'));
}

/** The label before the public suffix, without hosts: `mail.acme.co.uk` → `acme`. Empty for a bare suffix. */
const domainLabel = (domain: string): string => getDomainWithoutSuffix(domain, OPTIONS) ?? '';

/** Whether any address at the domain, with this label (see `domainLabel`), is a placeholder. */
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

/** Whether the domain is the end of a scraped file's or package's name: `icon@3x.png`, `react@18.2.0`. Lower case. */
function isScrapedName(domain: string): boolean {
  const labels = domain.split('.');
  if (labels.length < 2) return false;
  const last = labels.at(-1) ?? '';
  if (FILE_SUFFIXES.has(last)) return true;
  if (!DIGIT_FIRST.test(domain)) return false;
  if (labels.some((label) => PRERELEASE.test(label))) return true;
  // No top-level domain starts with a digit: a version, or a host's IPv4 address, which is only mistyped.
  return DIGIT_FIRST.test(last) && !(labels.length === 4 && labels.every((label) => NUMBER.test(label)));
}

type DomainFacts = Pick<Lists, 'isFreeProvider' | 'isRelay' | 'isAgent' | 'isKnown' | 'isRoleName'>;

/** `n/a` and the like in a form field. */
const NOT_APPLICABLE: ReadonlySet<string> = new Set(['n/a', 'n\\a', 'n.a.', '-', '--', '.', '?']);

const DIGITS = /^\d+$/;

/** Fillers and joints joined; a word of one letter is an initial, so `n.ull` is a person. */
function kindOfWords(words: readonly string[]): WordKind | null {
  const bare = words.flatMap((word) => word.split(/\p{N}+/u)).filter((word) => word !== '');
  if (bare.length === 0 || (bare.length > 1 && bare.some((word) => word.length === 1))) return null;
  return kindOf(bare.join(''));
}

/** Whether a lower-case word is a filler anywhere: a keyboard walk, one held letter, a stock word. */
export const isHollowWord = (word: string): boolean =>
  kindOf(word) === 'filler' || isKeyboardWalk(word) || isRepeated(word) || isGibberish([word]);

/** One letter three times or more: fewer are initials. */
const isOneLetterHeld = (text: string): boolean => text.length > 2 && isOneLetter(text);

/** Says nothing about anybody, though not certainly: a filler, a letter, three adjacent keys. */
const isHollow = (text: string, kind: WordKind | null): boolean =>
  kind === 'weak' || kind === 'filler' || isOneLetter(text) || isShortWalk(text);

/**
 * Whether the address looks typed only to pass a form: keyboard walks, repeated letters, filler words, the form's own
 * field names, reserved and stand-in domains, file and package names, random letters, or far too few. A person's
 * possibly short or odd name is not a placeholder; `isOfName`: the local part is made of the name sent with it, so its
 * letters are not random.
 */
export function isPlaceholder(typed: TypedAddress, lists: DomainFacts, isOfName: boolean): boolean {
  const local = typed.local.toLowerCase();
  const domain = typed.domain.toLowerCase();
  if (NOT_APPLICABLE.has(local) || isReservedDomain(domain) || isScrapedName(domain)) return true;
  // `john_smith` or `ann` at Gmail is a mistake; `a` is typed to get past a form.
  if (!isOfName && mailboxFault(local, domain) === 'far_too_short') return true;
  // They generate the local parts.
  if (lists.isRelay(domain) || lists.isAgent(domain)) return false;

  const words = wordsOf(local);
  const joined = words.join('');
  const kind = kindOfWords(words);
  const isConsumer = lists.isFreeProvider(domain);
  if (kind === 'filler' || isKeyboardWalk(joined) || isRepeated(joined)) return true;
  if (!isOfName && isGibberish(words, !isConsumer)) return true;

  const label = domainLabel(domain);
  // A real domain does not help: aa.com is an airline's, 123.com provides mailboxes.
  if (joined === label && (isOneLetter(joined) || DIGITS.test(joined))) return true;
  // No company has a functional mailbox there.
  if (isConsumer) return kind === 'weak' || isOneLetterHeld(joined);
  if (isStandInDomain(domain, label)) return true;
  if (lists.isKnown(domain)) return false;
  // `info@info.com`: a function of a company of that name.
  if (joined === label && lists.isRoleName(local)) return true;
  return isHollow(joined, kind) && isHollow(label, kindOf(label));
}
