import { getDomain } from 'tldts';
import { HIGH_SEED, LOW_SEED, type Table, hashOf, mixLanes, nextHigh, nextLow, openTable } from './table.ts';

/** `block`: confirmed disposable. `signal`: suspected, never a reason to block. */
export type DisposableTier = 'block' | 'signal';

/**
 * Look-ups in the lists. Domains are lower-case A-labels. The most specific listed name among a domain and its parents
 * decides, down to the registrable domain: a public suffix (also a hosting provider's) never decides for names below
 * it. So a domain is never both known and blocked. Local parts are compared in lower case, without a plus tag.
 */
export interface Lists {
  disposableTier(domain: string): DisposableTier | null;
  /** Listed as a consumer mailbox provider (gmail.com ...). A wide list's word alone does not make it known. */
  isFreeProvider(domain: string): boolean;
  /** Forwards to a hidden real mailbox (privaterelay.appleid.com, duck.com ...). */
  isRelay(domain: string): boolean;
  /** Mailboxes read by software agents rather than people. */
  isAgent(domain: string): boolean;
  /** Known legitimate: never on the block tier. */
  isKnown(domain: string): boolean;
  /** Known well enough to be imitated: a provider, a brand, a popular site. */
  isImitated(domain: string): boolean;
  /** A function, not a person (info, sales, postmaster ...). */
  isRoleName(local: string): boolean;
  /** A group or household (team, staff, family ...). */
  isSharedName(local: string): boolean;
}

export interface BundledLists extends Lists {
  /** Domains on either disposable tier. */
  readonly disposables: number;
  /** A reviewer removed it from the curated list, and no other bundled list has it. */
  isWithdrawn(domain: string): boolean;
}

/** The sets of a packed entry, as bits of its byte. Their order is part of the file format. */
export const DOMAIN_SETS = {
  block: 1,
  signal: 2,
  free: 4,
  relay: 8,
  agent: 16,
  known: 32,
  /** A review removed it from the curated list. */
  withdrawn: 64,
  /** Providers, brands and popular sites that look-alikes imitate. */
  imitated: 128,
} as const;
export type DomainSet = keyof typeof DOMAIN_SETS;

export const NAME_SETS = {
  role: 1,
  shared: 2,
  /** Neither a function nor a contradiction of one: where or whose (`us` in `sales-us`). */
  word: 4,
  /** Shared at any position: `the.miller.family`. */
  household: 8,
} as const;

/** Hosting providers' suffixes count as public: anybody may take a name below them. Names come normalised. */
export const SUFFIX_OPTIONS = {
  allowPrivateDomains: true,
  extractHostname: false,
  validateHostname: false,
  detectIp: false,
};

/** The packed tables of the list builder (`data/domains.bin`, `data/names.bin`). */
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
  // Only a parent is listed, which is rare enough to look up the registrable domain.
  const registrable = getDomain(domain, SUFFIX_OPTIONS);
  return registrable !== null && registrable.length <= domain.length - parentAt ? sets : 0;
}

/** Hyphen, dot and underscore join words alike (`no-reply`, `no.reply`, `no_reply`). */
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

/** Opens the packed lists without parsing; throws on data that the builder did not write. */
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
      // Only functions (`it-support`, `sales-us`), without a word that a person's name would have.
      const known = words.every((word) => (word & (NAME_SETS.role | NAME_SETS.word)) !== 0);
      return known && words.some((word) => (word & NAME_SETS.role) !== 0);
    },
    isSharedName(local) {
      const { whole, words } = nameSets(names, local);
      return (whole & NAME_SETS.shared) !== 0 || words.some((word) => (word & NAME_SETS.household) !== 0);
    },
  };
}
