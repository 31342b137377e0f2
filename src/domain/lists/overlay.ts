import { domainSets } from './lists.ts';
import { isNeverDisposable } from './review-list.ts';
import { DOMAIN_SETS } from './sets.ts';
import type { Table } from './table.ts';
import type { DisposableTier, Lists } from './types.ts';

/** Whether a domain is a large provider's, mistyped. Sources list such names, but people who type them mean the provider. */
export type SlipTest = (domain: string) => boolean;

/** The tier of the most specific listed name. `known`: customers have real people there, whatever lists say. */
function addedTier(table: Table | null, domain: string): DisposableTier | 'known' | null {
  const sets = table === null ? 0 : domainSets(table, domain);
  if (sets & DOMAIN_SETS.known) return 'known';
  if (sets & DOMAIN_SETS.block) return 'block';
  return sets & DOMAIN_SETS.signal ? 'signal' : null;
}

/**
 * The bundled lists with what has been added since (null: nothing). It changes the disposable tiers only, and adds neither a
 * legitimate domain nor a slip of a provider's. The slip is told here, of the domain asked about: of all that sources list it
 * would take a night half a minute.
 */
export const overlaid = (bundled: Lists, additions: () => Table | null, isSlip: SlipTest): Lists => ({
  ...bundled,
  disposableTier(domain) {
    const before = bundled.disposableTier(domain);
    const added = addedTier(additions(), domain);
    if (added === 'known' && before === 'block') return 'signal';
    if (added === null || before === 'block' || isNeverDisposable(bundled, domain) || isSlip(domain)) return before;
    return added === 'block' ? added : (before ?? 'signal');
  },
});
