import { getDomain } from 'tldts';
import { sha256Hex } from '../../kernel/keyed-hash.ts';
import { isLegitimate } from './review-list.ts';
import { SUFFIX_OPTIONS } from './suffix.ts';
import type { DisposableTier, Lists } from './types.ts';

/** What the sources add to the bundled tiers, in order. Its version names its content. */
export interface Overlay {
  readonly version: string;
  readonly block: readonly string[];
  readonly signal: readonly string[];
}

/** A domain blocks when two sources list it. Where one is configured its word has to do. */
const SOURCES_TO_BLOCK = 2;

/** About 100 bytes a domain in each isolate's memory. */
const DOMAINS_MAX = 50_000;

/** Whether a domain is a large provider's, mistyped. Sources list such names, but people who type them mean the provider. */
export type SlipTest = (domain: string) => boolean;

/** Null: more than an isolate should hold. */
export function composeOverlay(
  sources: readonly (readonly string[])[],
  bundled: Lists,
  isSlip: SlipTest,
): Overlay | null {
  const reports = new Map<string, number>();
  for (const domains of sources) for (const domain of domains) reports.set(domain, (reports.get(domain) ?? 0) + 1);
  const enough = Math.min(SOURCES_TO_BLOCK, sources.length);
  const tiers: Record<DisposableTier, string[]> = { block: [], signal: [] };
  for (const [domain, count] of [...reports].sort(([one], [other]) => (one < other ? -1 : 1))) {
    const tier: DisposableTier = count >= enough ? 'block' : 'signal';
    const before = bundled.disposableTier(domain);
    const isAdded = before !== 'block' && before !== tier && !isLegitimate(bundled, domain) && !isSlip(domain);
    if (isAdded) tiers[tier].push(domain);
  }
  if (tiers.block.length + tiers.signal.length > DOMAINS_MAX) return null;
  return { version: sha256Hex(JSON.stringify(tiers)).slice(0, 16), ...tiers };
}

/** The overlay's tiers by domain. */
export type Additions = ReadonlyMap<string, DisposableTier>;

export const additionsOf = ({ block, signal }: Pick<Overlay, DisposableTier>): Additions =>
  new Map([
    ...signal.map((domain) => [domain, 'signal'] as const),
    ...block.map((domain) => [domain, 'block'] as const),
  ]);

/** The tier of the most specific added name among the domain and its parents, down to the registrable domain. */
function addedTier(additions: Additions, domain: string): DisposableTier | null {
  for (let name = domain; ; ) {
    const tier = additions.get(name);
    if (tier !== undefined) {
      const registrable = name === domain ? domain : getDomain(domain, SUFFIX_OPTIONS);
      return registrable !== null && name.length >= registrable.length ? tier : null;
    }
    const dot = name.indexOf('.');
    if (dot === -1) return null;
    name = name.slice(dot + 1);
  }
}

/**
 * The bundled lists with what has been added since. It adds to the disposable tiers only, and adds neither a legitimate
 * domain nor a slip of a provider's.
 */
export const overlaid = (bundled: Lists, additions: () => Additions, isSlip: SlipTest): Lists => ({
  ...bundled,
  disposableTier(domain) {
    const before = bundled.disposableTier(domain);
    if (before === 'block') return before;
    const tier = addedTier(additions(), domain);
    return tier === null || isLegitimate(bundled, domain) || isSlip(domain)
      ? before
      : tier === 'block'
        ? tier
        : (before ?? tier);
  },
});
