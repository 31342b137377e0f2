/**
 * What happens to a domain as a whole, with its probability, as a natural logarithm. Judged from how often these forms stand
 * beside single slips in lists of mistyped addresses: a tenth to a hundredth as often.
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
  /** A slip of a provider everybody has: nearly every such name is taken, half of them parked with mail hosts. */
  slipOfLarge: 0.5,
  slipOfOther: 0.2,
} as const;

/** Providers large enough that somebody holds their near misses: a share of one in two hundred. */
export const LARGE = Math.log(0.005);
