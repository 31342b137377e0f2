import { sha256Hex } from '../../kernel/crypto.ts';
import { type BundledLists, DOMAIN_SETS, type DisposableTier, type Lists, domainSets } from './lists.ts';
import { HashTable, type Table, hashOf, packTable } from './table.ts';
import { isNeverDisposable } from './review-list.ts';

/** Whether a domain is a typo of a large provider's. Sources list such names, but people want the provider. */
export type TypoTest = (domain: string) => boolean;

/** The tier of the most specific listed name. `known`: customers have real people there, whatever lists say. */
function addedTier(table: Table | null, domain: string): DisposableTier | 'known' | null {
  const sets = table === null ? 0 : domainSets(table, domain);
  if (sets & DOMAIN_SETS.known) return 'known';
  if (sets & DOMAIN_SETS.block) return 'block';
  return sets & DOMAIN_SETS.signal ? 'signal' : null;
}

/**
 * The bundled lists with later additions (null: none). Only the disposable tiers change, never for a legitimate domain
 * or a provider's typo. Typos are recognised per look-up: for all listed domains it would take half a minute a night.
 */
export const overlaid = (bundled: Lists, additions: () => Table | null, isTypo: TypoTest): Lists => ({
  ...bundled,
  disposableTier(domain) {
    const before = bundled.disposableTier(domain);
    const added = addedTier(additions(), domain);
    if (added === 'known' && before === 'block') return 'signal';
    if (added === null || before === 'block' || isNeverDisposable(bundled, domain) || isTypo(domain)) return before;
    return added === 'block' ? added : (before ?? 'signal');
  },
});

/** Additions of the sources, as a packed table (`table.ts`). The version identifies the content. */
export interface Overlay {
  readonly version: string;
  readonly table: Uint8Array;
}

/** Independent sources needed to block a domain. */
const SOURCES_TO_BLOCK = 2;

/** 10 bytes each in KV, where a value has at most 25 MB, and in each isolate. */
const OVERLAY_MAX = 600_000;

/** A list that shares this percentage of its domains with another was copied from it, whatever the authors say. */
const COPIED_PER_HUNDRED = 90;

/** Bits of a name in the draft. The lowest say which sources list it. */
export const SOURCES_MAX = 5;
const SOURCES = 2 ** SOURCES_MAX - 1;
const NUMBERS = Array.from({ length: SOURCES_MAX }, (_, source) => source);
/** Customers have real people there. */
const PROVEN = 32;
/** Needs no addition: the bundle agrees, or knows it as legitimate. */
const SETTLED = 64;
/** One source's word adds nothing: the bundle suspects it already, or a reviewer removed it from the curated list. */
const NEEDS_BLOCK = 128;

/** For each source, the bits of those it copies from, directly or indirectly. */
function originsAmong(copies: readonly (readonly [copy: number, of: number])[]): readonly number[] {
  const origins = NUMBERS.map((source) =>
    copies.reduce((bits, [copy, of]) => (copy === source ? bits | (1 << of) : bits), 0),
  );
  for (const through of NUMBERS) {
    for (const source of NUMBERS) {
      const own = origins[source] as number;
      if (own & (1 << through)) origins[source] = own | (origins[through] as number);
    }
  }
  return origins;
}

/** How many of these sources are independent. Among mutual copies, the last one counts. */
function countVoices(bits: number, origins: readonly number[]): number {
  const left = NUMBERS.reduce((rest, source) => {
    const others = rest & ~(1 << source);
    return (origins[source] as number) & others ? others : rest;
  }, bits);
  return NUMBERS.filter((source) => left & (1 << source)).length;
}

export interface DraftCounts {
  readonly block: number;
  readonly signal: number;
  /** Listed by sources that would block them, but customers have real people there. */
  readonly proven: number;
  /** Left out for the size limit: suspected domains first, then blocked ones. */
  readonly leftOut: number;
}

/** The sources' domains together, added source by source. Stores hashes and no text. */
export class OverlayDraft {
  private readonly listed = new HashTable();
  private readonly bundled: BundledLists;

  constructor(bundled: BundledLists) {
    this.bundled = bundled;
  }

  enter(source: number, domains: Iterable<string>): void {
    for (const domain of domains) {
      const [high, low] = hashOf(domain);
      const before = this.listed.get(high, low);
      this.listed.set(high, low, (before === 0 ? this.judge(domain) : before) | (1 << source));
    }
  }

  /** Whether anything blocks or would block the domain, so that proof of real people matters. */
  concerns(domain: string): boolean {
    const bits = this.listed.get(...hashOf(domain));
    return (bits !== 0 && (bits & SETTLED) === 0) || this.bundled.disposableTier(domain) === 'block';
  }

  /** Customers have real people at the domain: at most suspected. */
  prove(domain: string): void {
    const [high, low] = hashOf(domain);
    const before = this.listed.get(high, low);
    // No source lists it, but the bundle does.
    this.listed.set(high, low, (before === 0 ? SETTLED : before) | PROVEN);
  }

  private judge(domain: string): number {
    const tier = this.bundled.disposableTier(domain);
    if (tier === 'block' || isNeverDisposable(this.bundled, domain)) return SETTLED;
    return tier === 'signal' || this.bundled.isWithdrawn(domain) ? NEEDS_BLOCK : 0;
  }

  /** Which sources were copied from which, by their entries: the longer from the shorter. */
  copies(): [copy: number, of: number][] {
    const bySources = new Uint32Array(SOURCES + 1);
    const { count, sets } = this.listed.names;
    for (let i = 0; i < count; i += 1) {
      const sources = (sets[i] as number) & SOURCES;
      bySources[sources] = (bySources[sources] as number) + 1;
    }
    const listedBy = (...sources: number[]): number =>
      bySources.reduce((sum, domains, bits) => sum + (sources.every((one) => bits & (1 << one)) ? domains : 0), 0);
    return NUMBERS.flatMap((copy) =>
      NUMBERS.filter((of) => {
        const [own, other] = [listedBy(copy), listedBy(of)];
        if (copy === of || other === 0 || own < other || (own === other && copy < of)) return false;
        return listedBy(copy, of) * 100 >= other * COPIED_PER_HUNDRED;
      }).map((of): [number, number] => [copy, of]),
    );
  }

  /** Packs the additions. A source does not count beside one that it copies, directly or indirectly. */
  finish(copies: readonly (readonly [copy: number, of: number])[], max = OVERLAY_MAX): Overlay & DraftCounts {
    const origins = originsAmong(copies);
    const isBlocked = Array.from({ length: SOURCES + 1 }, (_, bits) => countVoices(bits, origins) >= SOURCES_TO_BLOCK);
    const tierOf = (bits: number): number => {
      const isBundled = (bits & SETTLED) !== 0;
      if (bits & PROVEN && (isBundled || isBlocked[bits & SOURCES])) return DOMAIN_SETS.signal | DOMAIN_SETS.known;
      if (isBundled) return 0;
      if (isBlocked[bits & SOURCES]) return DOMAIN_SETS.block;
      return bits & NEEDS_BLOCK ? 0 : DOMAIN_SETS.signal;
    };
    const { count, highs, lows, sets } = this.listed.names;
    const tiers = sets.subarray(0, count).map(tierOf);
    const members = (tier: number): number => tiers.reduce((sum, one) => sum + (one === tier ? 1 : 0), 0);
    const [block, signal] = [members(DOMAIN_SETS.block), members(DOMAIN_SETS.signal)];
    const proven = members(DOMAIN_SETS.signal | DOMAIN_SETS.known);
    const size = Math.min(max, block + signal + proven);
    const kept = { count: size, highs: new Uint32Array(size), lows: new Uint32Array(size), sets: new Uint8Array(size) };
    let at = 0;
    // The size limit drops suspected domains first, of the later sources.
    for (const isSuspected of [false, true]) {
      for (let i = 0; i < count && at < size; i += 1) {
        const tier = tiers[i] as number;
        if (tier === 0 || (tier === DOMAIN_SETS.signal) !== isSuspected) continue;
        kept.highs[at] = highs[i] as number;
        kept.lows[at] = lows[i] as number;
        kept.sets[at] = tier;
        at += 1;
      }
    }
    const table = packTable(kept);
    const leftOut = block + signal + proven - size;
    return {
      version: sha256Hex(table).slice(0, 16),
      table,
      block,
      signal: Math.max(0, signal - leftOut),
      proven,
      leftOut,
    };
  }
}
