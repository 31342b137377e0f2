import { parse } from 'tldts';
import { LARGEST_OF_BRAND, MAIL_BRANDS, WORLD_BRANDS } from './mailbox-domains.ts';
import type { LabelModel } from './typos.ts';
import type { TypedReading } from './typed-reading.ts';

/**
 * Log probabilities of what happens to a whole domain. Judged from lists of mistyped addresses, where these forms are a
 * tenth to a hundredth as frequent as single typos.
 */
export const EVENT = {
  /** Not in the table of mailbox domains: a company's, school's or person's own, or a small provider's. */
  ownDomain: Math.log(0.3),
  /** A mailbox service's exclusive name under a suffix where it has no mail: `gmail.de`. */
  borrowedBrand: Math.log(0.01),
  /** A smaller mailbox service's name under another country's suffix, where it may have mail: `chello.no`. */
  brandAbroad: Math.log(8e-6),
  /** A name with one digit after it is a name of its own: 24 of the 2,719 names of brands and top sites. */
  numbered: Math.log(24 / 2_719),
  /** A non-existent last label that is intended: a private network. */
  privateSuffix: Math.log(1e-4),
  /** An internationalised name, before the cost of its letters. */
  idn: Math.log(1e-3),
  /** A letter of such a name read as one ASCII letter. */
  idnLetter: Math.log(0.05),

  /** An existing suffix in place of the provider's own. */
  otherSuffix: Math.log(1e-3),
  /** `yahoo.uk` for `yahoo.co.uk`. */
  secondLevelOmitted: Math.log(5e-4),
  /** `gmail.com.com`, `gmailcom.com`, `gmail.comcom`. */
  suffixRepeated: Math.log(5e-5),
  /** `gmail.com.br`. */
  suffixAdded: Math.log(5e-5),
  /** `gmail`. */
  suffixForgotten: Math.log(1e-4),
  /** The same where the brand is larger under another suffix: people leave out the obvious one. */
  lesserSuffixForgotten: Math.log(1e-5),
  /** A character that is not allowed in a domain: `gmail,com`. */
  stray: Math.log(1e-4),
  /** A letter of another script or shape: copied from a look-alike, or typed on another keyboard. */
  lookAlike: Math.log(1e-2),
  /** Digits for the letters they look like, throughout: `yah00.com`. */
  digits: Math.log(5e-5),
  /** A mark too many: `gmáil.com`. */
  mark: Math.log(2e-3),
} as const;

/** Probability that a domain has mail hosts. */
export const RECEIVES = {
  meant: 0.97,
  /** A typo of a universal provider: nearly every such name is taken, half of them parked with mail hosts. */
  typoOfLarge: 0.5,
  typoOfOther: 0.2,
} as const;

/** Providers large enough for their near misses to be registered: a share of one in two hundred. */
export const LARGE = Math.log(0.005);

/**
 * Shares of public suffixes among own domains of companies, schools and persons. Orders of magnitude from published
 * registration counts (the quarterly Domain Name Industry Brief and the registries' reports), .edu and .gov by their
 * people.
 */
const ROWS: readonly { readonly share: number; readonly suffixes: string }[] = [
  { share: 0.45, suffixes: 'com' },
  { share: 0.04, suffixes: 'net org de' },
  { share: 0.02, suffixes: 'co.uk nl fr it ru edu com.br' },
  { share: 0.01, suffixes: 'com.au ca pl ch es eu cn co.jp in' },
  { share: 0.004, suffixes: 'at be se dk cz jp us info io co no fi gov org.uk ac.uk com.cn co.za com.mx com.ar' },
  {
    share: 0.0015,
    suffixes: `
      biz me tv ai app dev hu ro gr pt ie sk ua kr co.kr co.nz co.in com.tr com.tw com.hk com.sg com.my com.co ir il
      co.il mx cl ar nz tr uk id co.id com.vn vn ne.jp or.jp net.au org.au edu.au mil online xyz site shop store tech`,
  },
];

const SHARES = new Map(
  ROWS.flatMap(({ share, suffixes }) =>
    suffixes
      .trim()
      .split(/\s+/)
      .map((suffix) => [suffix, share] as const),
  ),
);
const OTHER_SHARE = 0.0001;

export const suffixShare = (suffix: string): number => SHARES.get(suffix) ?? OTHER_SHARE;

/** Suffixes that a non-existent last label may be a typo of. */
export const DOMAIN_SUFFIXES: readonly string[] = [...SHARES.keys()];

/** Intended last labels although they are not delegated. */
export const NOT_DELEGATED: ReadonlySet<string> = new Set(
  [
    // Country codes once delegated and since retired (ISO 3166-3): addresses in old files.
    'an cs dd tp um yu zr',
    // Country codes of ISO 3166-1 never delegated.
    'bl bq eh mf',
    // Special-use names (RFC 6761, 6762, 9476) and ICANN's reserved or never-delegated private ones.
    'alt corp example home internal invalid lan local localdomain localhost mail test intranet private',
  ].flatMap((names) => names.split(' ')),
);

/**
 * Words that so many service names end in that another word or letter before one makes a name of its own (`zcloud`),
 * though its letters are rare together. Each with its count among 2,719 names: simple-icons' domains and the Moz Top
 * 500, each name once.
 */
const ENDING: Readonly<Record<string, number>> = {
  net: 11,
  box: 10,
  cloud: 9,
  post: 6,
  space: 7,
  web: 6,
  link: 3,
  cast: 3,
  stream: 3,
};
const COUNTED = 2_719;

const NAME_HEADS: readonly (readonly [word: string, log: number])[] = Object.entries(ENDING).map(([word, names]) => [
  word,
  Math.log(names / COUNTED),
]);

const SUFFIX_OPTIONS = { extractHostname: false, validateHostname: false, detectIp: false };

export interface TypedDomain {
  readonly text: string;
  /** Before the suffix, without the dot; the whole text without a dot, `""` for a public suffix. */
  readonly name: string;
  /** The public suffix; the last label if none exists; `""` without a dot. */
  readonly suffix: string;
  readonly suffixExists: boolean;
}

export function takeApart(text: string): TypedDomain {
  const dot = text.lastIndexOf('.');
  if (dot < 0) return { text, name: text, suffix: '', suffixExists: false };
  const { publicSuffix, isIcann } = parse(text, SUFFIX_OPTIONS);
  const listed = isIcann === true && publicSuffix !== null;
  const suffix = listed ? publicSuffix : text.slice(dot + 1);
  const name = text.slice(0, Math.max(0, text.length - suffix.length - 1));
  return { text, name, suffix, suffixExists: listed || NOT_DELEGATED.has(suffix) };
}

/** ln P(an address is meant for this name under this suffix), for a domain of a smaller mailbox service. */
export const ownDomainLog = (labelCost: LabelModel, name: string, suffix: string): number =>
  nameLog(labelCost, name) + Math.log(suffixShare(suffix));

const nameLog = (labelCost: LabelModel, name: string): number =>
  EVENT.ownDomain + spellingLog(labelCost, name) + (MAIL_BRANDS.has(name) ? EVENT.borrowedBrand : 0);

const NUMBERED = /^(\D+)\d$/;

/**
 * ln P(a name is spelt so): letter by letter, as another word before a common ending, or with a final digit (except a
 * mailbox service's name).
 */
function spellingLog(labelCost: LabelModel, name: string): number {
  let log = -labelCost(name);
  const numbered = NUMBERED.exec(name)?.[1];
  if (numbered !== undefined && !MAIL_BRANDS.has(numbered)) log = Math.max(log, EVENT.numbered - labelCost(numbered));
  for (const [word, wordLog] of NAME_HEADS) {
    if (name.length > word.length && name.endsWith(word) && !LARGEST_OF_BRAND.has(name))
      log = Math.max(log, wordLog - labelCost(name.slice(0, -word.length)));
  }
  return log;
}

/** ln P(an address is meant for a smaller mailbox service in a country without an entry in the table). */
function abroadLog(name: string, suffix: string): number {
  const provider = LARGEST_OF_BRAND.get(name);
  const isSmaller = provider !== undefined && !MAIL_BRANDS.has(name) && !WORLD_BRANDS.has(name);
  return isSmaller && isCountry(suffix) ? provider.logShare + EVENT.brandAbroad : Number.NEGATIVE_INFINITY;
}

const isCountry = (suffix: string): boolean => suffix.length - suffix.lastIndexOf('.') === 3;

/** ln P(the domain was meant as typed), before DNS is asked. */
export function meantLog(
  { name, suffix, suffixExists }: TypedDomain,
  { kind, lookAlikes, marks }: TypedReading,
  labelCost: LabelModel,
): number {
  // No host name, so never intended.
  if (kind === 'repaired') return Number.NEGATIVE_INFINITY;
  let log = ownDomainLog(labelCost, name, suffix);
  if (suffixExists) log = Math.max(log, abroadLog(name, suffix));
  if (suffix === '') log = nameLog(labelCost, name) + EVENT.suffixForgotten;
  else if (!suffixExists) log = nameLog(labelCost, name) + EVENT.privateSuffix - labelCost(suffix);
  if (kind === 'look_alike') log += EVENT.idn + (lookAlikes + marks) * EVENT.idnLetter;
  return log;
}

/** Whether a domain has a person's name: `webb.de` of Jane Webb is her family's, no typo of `web.de`. */
export function isNamedAfter(domain: string, name: string): boolean {
  const words = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^a-z]+/);
  const label = takeApart(domain.toLowerCase()).name;
  return label !== '' && words.includes(label);
}
