import QuickLRU from 'quick-lru';
import { isLegitimate } from '../../domain/lists/review-list.ts';
import type { Lists } from '../../domain/lists/lists.ts';
import { isMailboxDomain } from '../../domain/screening/typo/mailbox-domains.ts';
import { isNamedAfter } from '../../domain/screening/typo/typed-domain.ts';
import type { DomainSuggester, DomainSuggestion } from '../../domain/screening/typo/suggest.ts';
import { HOUR_MS } from '../../kernel/clock.ts';

/** Up to twice as many entries of about 200 bytes. */
const SUGGESTIONS_KEPT = 5_000;
/** RFC 1035 §2.3.4. Longer text is not worth the memory. */
const DOMAIN_CHARS_MAX = 253;

/**
 * A suggester with a cache of recent domains: an unknown domain takes a third of a check's time. Lists of known domains
 * change nightly, so an entry is cached for an hour.
 */
export function withSuggestionMemory(suggest: DomainSuggester): DomainSuggester {
  const memory = new QuickLRU<string, DomainSuggestion | null>({ maxSize: SUGGESTIONS_KEPT, maxAge: HOUR_MS });
  return (typed, evidence) => {
    if (typed.length > DOMAIN_CHARS_MAX) return suggest(typed, evidence);
    const key = `${evidence.receivesMail} ${typed}`;
    const known = memory.get(key);
    if (known !== undefined) return known;
    const suggestion = suggest(typed, evidence);
    memory.set(key, suggestion);
    return suggestion;
  };
}

/**
 * The well-known domain that the typed one is a typo of, or null. `mx`: whether it has mail hosts, or null. `name`: the
 * person's, as typed. A domain with mail and the person's name is no typo.
 */
export function meantDomain(
  suggestDomain: DomainSuggester,
  lists: Lists,
  typed: string,
  mx: boolean | null,
  name: string | null,
): string | null {
  if (name !== null && mx === true && isNamedAfter(typed, name)) return null;
  const known = (domain: string): boolean => isLegitimate(lists, domain);
  const meant = suggestDomain(typed, { known, receivesMail: mx })?.domain ?? null;
  // With its ending corrected, `brightfoundry.con` may belong to nobody: too little to correct an address.
  return meant !== null && (isMailboxDomain(meant) || known(meant)) ? meant : null;
}
