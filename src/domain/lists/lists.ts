import { getDomain } from 'tldts';
import { HIGH_SEED, hashOf, LOW_SEED, mixLanes, nextHigh, nextLow } from './hash.ts';
import { DOMAIN_SETS, NAME_SETS } from './sets.ts';
import { SUFFIX_OPTIONS } from './suffix.ts';
import { openTable, type Table } from './table.ts';
import type { BundledLists } from './types.ts';

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
