import { isLegitimate } from '../../domain/lists/review-list.ts';
import type { Lists } from '../../domain/lists/types.ts';
import type { DomainSuggester } from '../../domain/screening/typo/suggest.ts';
import type { Precheck } from '../../domain/verification/precheck.ts';

/** The account has said that the domain, or the address as it is, is meant. */
export const isAllowlisted = (reasons: Precheck['reasons']): boolean =>
  reasons.some((reason) => reason === 'domain_allowlisted' || reason === 'address_allowlisted');

/** The well-known domain that was meant, where the typed one is a slip of it; null where it is not. */
export function meantDomain(
  suggestDomain: DomainSuggester,
  lists: Lists,
  typed: string,
  { reasons, mx }: Precheck,
): string | null {
  if (isAllowlisted(reasons)) return null;
  const known = (domain: string): boolean => isLegitimate(lists, domain);
  return suggestDomain(typed, { known, receivesMail: mx })?.domain ?? null;
}
