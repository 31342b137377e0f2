import { parse } from 'tldts';
import { LARGEST_OF_BRAND, MAIL_BRANDS, WORLD_BRANDS } from './mailbox-domains.ts';
import type { LabelModel } from './typos.ts';
import type { TypedReading } from './typed-reading.ts';

/**
 * What happens to a domain as a whole, with its probability, as a natural logarithm. Judged from how often these forms stand
 * beside single typos in lists of mistyped addresses: a tenth to a hundredth as often.
 */
export const EVENT = {
  /** The domain is not in the table of mailbox domains: a company's, school's or person's own, or a small provider's. */
  ownDomain: Math.log(0.3),
  /** A name under which only a mailbox service is known, under a suffix the service has no mail at: `gmail.de`. */
  borrowedBrand: Math.log(0.01),
  /** The name of a smaller mailbox service under the suffix of another country, where it may well have mail: `chello.no`. */
  brandAbroad: Math.log(8e-6),
  /** A name with one digit behind it is a name of its own: 24 of the 2,719 names that brands and top sites have. */
  numbered: Math.log(24 / 2_719),
  /** A last label that exists nowhere, and was meant: a network of somebody's own. */
  privateSuffix: Math.log(1e-4),
  /** An internationalised name, before what its letters cost. */
  idn: Math.log(1e-3),
  /** One letter of such a name, for the one ASCII letter it is taken for. */
  idnLetter: Math.log(0.05),

  /** A suffix that exists, in the place of the provider's own. */
  otherSuffix: Math.log(1e-3),
  /** `yahoo.uk` for `yahoo.co.uk`. */
  secondLevelOmitted: Math.log(5e-4),
  /** `gmail.com.com`, `gmailcom.com`, `gmail.comcom`. */
  suffixRepeated: Math.log(5e-5),
  /** `gmail.com.br`. */
  suffixAdded: Math.log(5e-5),
  /** `gmail`. */
  suffixForgotten: Math.log(1e-4),
  /** The same where the brand is larger under another suffix: people leave out the suffix that goes without saying. */
  lesserSuffixForgotten: Math.log(1e-5),
  /** A character that has no place in a domain: `gmail,com`. */
  stray: Math.log(1e-4),
  /** A letter of another script or shape: copied from a look-alike, or typed on another keyboard. */
  lookAlike: Math.log(1e-2),
  /** Digits written for the letters they look like, all over: `yah00.com`. */
  digits: Math.log(5e-5),
  /** A mark too many: `gmáil.com`. */
  mark: Math.log(2e-3),
} as const;

/** How likely a domain has mail hosts. */
export const RECEIVES = {
  meant: 0.97,
  /** A typo of a provider everybody has: nearly every such name is taken, half of them parked with mail hosts. */
  typoOfLarge: 0.5,
  typoOfOther: 0.2,
} as const;

/** Providers large enough that somebody holds their near misses: a share of one in two hundred. */
export const LARGE = Math.log(0.005);

/**
 * Shares of public suffixes: how likely an address of a company, school or person's own domain ends so. Orders of magnitude
 * from the registries' published counts of registrations (the quarterly Domain Name Industry Brief and the registries' own
 * reports), .edu and .gov by their people.
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
/** The share of each of the thousand other suffixes. */
const OTHER_SHARE = 0.0001;

export const suffixShare = (suffix: string): number => SHARES.get(suffix) ?? OTHER_SHARE;

/** What a domain whose last label exists nowhere may have been meant to end in. */
export const DOMAIN_SUFFIXES: readonly string[] = [...SHARES.keys()];

/** Last labels that were meant as they stand although they are not delegated. */
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
 * Words that names of services end in, so often that another word or letter before one is a name of its own (`zcloud`),
 * although its letters are rare together. Each with how many of 2,719 names end in it behind something else: those of the
 * domains of simple-icons and the Moz Top 500, each name once.
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

/** Words a name ends in, each with ln P(a name does). */
const NAME_HEADS: readonly (readonly [word: string, log: number])[] = Object.entries(ENDING).map(([word, names]) => [
  word,
  Math.log(names / COUNTED),
]);

const SUFFIX_OPTIONS = { extractHostname: false, validateHostname: false, detectIp: false };

export interface TypedDomain {
  readonly text: string;
  /** Before the suffix, without the dot; the whole text when it has no dot, `""` when it is a public suffix. */
  readonly name: string;
  /** The public suffix; the last label when it exists nowhere; `""` without a dot. */
  readonly suffix: string;
  /** Whether mail can be meant for the suffix at all. */
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

/** A word and one digit. */
const NUMBERED = /^(\D+)\d$/;

/**
 * ln P(a name is spelt so): letter by letter, as another word before one that many names end in, or with a digit behind it (but
 * for a mailbox service's, which has no number).
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

/** ln P(an address is meant for a smaller mailbox service in a country that the table of mailbox domains does not have). */
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
  // No host name: it can't be meant.
  if (kind === 'repaired') return Number.NEGATIVE_INFINITY;
  let log = ownDomainLog(labelCost, name, suffix);
  if (suffixExists) log = Math.max(log, abroadLog(name, suffix));
  if (suffix === '') log = nameLog(labelCost, name) + EVENT.suffixForgotten;
  else if (!suffixExists) log = nameLog(labelCost, name) + EVENT.privateSuffix - labelCost(suffix);
  if (kind === 'look_alike') log += EVENT.idn + (lookAlikes + marks) * EVENT.idnLetter;
  return log;
}

/**
 * Whether a domain is called as a person is: `webb.de` of Jane Webb is her family's, and no typo of `web.de`. `name`: as typed.
 */
export function isNamedAfter(domain: string, name: string): boolean {
  const words = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^a-z]+/);
  const label = takeApart(domain.toLowerCase()).name;
  return label !== '' && words.includes(label);
}
