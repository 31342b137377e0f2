import { getDomain } from 'tldts';
import { HIGH_SEED, LOW_SEED, type Table, hashOf, mixLanes, nextHigh, nextLow, openTable } from './table.ts';

/** `block`: confirmed disposable. `signal`: worth a look, never a block. */
export type DisposableTier = 'block' | 'signal';

/**
 * What the lists say. Domains are lower-case A-labels. A domain question is answered by the most specific listed
 * name among the domain and its parents, down to the registrable domain: a public suffix (also one of a hosting provider)
 * never answers for the names below it. As one name answers every question, a domain is never both known and blocked.
 * Local parts are compared in lower case, without a plus tag.
 */
export interface Lists {
  disposableTier(domain: string): DisposableTier | null;
  /** A list calls it a consumer mailbox provider's (gmail.com, gmx.de ...). Not known beside: a wide list alone, often outdated. */
  isFreeProvider(domain: string): boolean;
  /** Forwards to a hidden real mailbox (privaterelay.appleid.com, duck.com ...). */
  isRelay(domain: string): boolean;
  /** Mailboxes read by software agents rather than people. */
  isAgent(domain: string): boolean;
  /** Known legitimate: never in the block tier. */
  isKnown(domain: string): boolean;
  /** Known to so many people that others imitate it: a provider, a brand, a popular site. */
  isImitated(domain: string): boolean;
  /** A function, not a person (info, sales, postmaster ...). */
  isRoleName(local: string): boolean;
  /** A group or household (team, staff, family ...). */
  isSharedName(local: string): boolean;
}

/** The lists that come with the Worker. */
export interface BundledLists extends Lists {
  /** Domains in either disposable tier. */
  readonly disposables: number;
  /** A reviewer removed it from the curated list, and it is on no other bundled list. */
  isWithdrawn(domain: string): boolean;
}

/** The sets an entry of the packed tables can be in, as bits of its byte. Their order is part of the file format. */
export const DOMAIN_SETS = {
  block: 1,
  signal: 2,
  free: 4,
  relay: 8,
  agent: 16,
  known: 32,
  /** The curated list once held it, and took it out on review. */
  withdrawn: 64,
  /** Providers, brands and popular sites: what a look-alike is meant to be taken for. */
  imitated: 128,
} as const;
export type DomainSet = keyof typeof DOMAIN_SETS;

export const NAME_SETS = {
  role: 1,
  shared: 2,
  /** Where or whose: no function alone, but breaks none (`us` in `sales-us`). */
  word: 4,
  /** Says shared in any place: `the.miller.family`. */
  household: 8,
} as const;

/** Hosting providers' own suffixes count as public: everybody may take a name below them. Names come normalised. */
export const SUFFIX_OPTIONS = {
  allowPrivateDomains: true,
  extractHostname: false,
  validateHostname: false,
  detectIp: false,
};

/** The packed tables as the list builder writes them (`data/domains.bin`, `data/names.bin`). */
export interface ListData {
  readonly domains: ArrayBuffer | Uint8Array;
  readonly names: ArrayBuffer | Uint8Array;
}

const DOT = 0x2e;

/** Set bits of the most specific listed name among a domain and its parents down to the registrable domain. */
export function domainSets(table: Table, domain: string): number {
  let high = HIGH_SEED;
  let low = LOW_SEED;
  let sets = 0;
  let parentAt = 0;
  for (let i = domain.length - 1; i >= 0; i -= 1) {
    const code = domain.charCodeAt(i);
    if (code === DOT) {
      const parent = table.find(mixLanes(high, low), mixLanes(low, high));
      if (parent !== 0) {
        sets = parent;
        parentAt = i + 1;
      }
    }
    high = nextHigh(high, code);
    low = nextLow(low, code);
  }
  const own = table.find(mixLanes(high, low), mixLanes(low, high));
  if (own !== 0 || sets === 0) return own;
  // Only a parent is listed, which is rare: now it is worth asking where the registrable domain begins.
  const registrable = getDomain(domain, SUFFIX_OPTIONS);
  return registrable !== null && registrable.length <= domain.length - parentAt ? sets : 0;
}

/** Hyphen, dot and underscore join words of a name alike (`no-reply`, `no.reply`, `no_reply`). */
const wordsOf = (local: string): string[] => {
  const lower = local.toLowerCase();
  const plus = lower.indexOf('+');
  return (plus > 0 ? lower.slice(0, plus) : lower).split(/[-._]/);
};

/** `info2` and `support01` are numbered mailboxes; more digits read as a year or a serial number. */
const unnumbered = (word: string): string => /^(\D{2,})\d{1,2}$/.exec(word)?.[1] ?? word;

function nameSets(table: Table, local: string): { whole: number; words: readonly number[] } {
  const find = (name: string): number => table.find(...hashOf(name));
  const words = wordsOf(local);
  words[words.length - 1] = unnumbered(words.at(-1) ?? '');
  const whole = find(words.join('-'));
  return { whole, words: words.length > 1 ? words.map(find) : [] };
}

/** Opens the packed lists. Nothing is parsed; throws when the data is not what the builder wrote. */
export function createLists(data: ListData): BundledLists {
  const domains = openTable(data.domains);
  const names = openTable(data.names);
  const isIn = (domain: string, set: number): boolean => (domainSets(domains, domain) & set) !== 0;
  const [block = 0, signal = 0] = domains.setCounts;
  return {
    disposables: block + signal,
    disposableTier(domain) {
      const sets = domainSets(domains, domain);
      if (sets & DOMAIN_SETS.block) return 'block';
      return sets & DOMAIN_SETS.signal ? 'signal' : null;
    },
    isFreeProvider: (domain) => isIn(domain, DOMAIN_SETS.free),
    isRelay: (domain) => isIn(domain, DOMAIN_SETS.relay),
    isAgent: (domain) => isIn(domain, DOMAIN_SETS.agent),
    isKnown: (domain) => isIn(domain, DOMAIN_SETS.known),
    isWithdrawn: (domain) => isIn(domain, DOMAIN_SETS.withdrawn),
    isImitated: (domain) => isIn(domain, DOMAIN_SETS.imitated),
    isRoleName(local) {
      const { whole, words } = nameSets(names, local);
      if (whole & NAME_SETS.role) return true;
      // Made of functions alone (`it-support`, `sales-us`): a person's name has no such words beside it.
      const known = words.every((word) => (word & (NAME_SETS.role | NAME_SETS.word)) !== 0);
      return known && words.some((word) => (word & NAME_SETS.role) !== 0);
    },
    isSharedName(local) {
      const { whole, words } = nameSets(names, local);
      return (whole & NAME_SETS.shared) !== 0 || words.some((word) => (word & NAME_SETS.household) !== 0);
    },
  };
}
