import { mailboxDomainAt } from './mailbox-domains.ts';
import { suffixSlipCost } from './suffix-slips.ts';
import { suffixShare } from './suffixes.ts';
import type { DomainEvidence, DomainSuggester } from './suggest.ts';
import { takeApart } from './typed-domain.ts';

/** Whether a domain (lower-case A-labels) is a mailbox provider's, mistyped. Then no list makes it a throwaway domain. */
export type ProviderSlipTest = (domain: string) => boolean;

/** Of a hundred domains that lists hold for throwaway ones one may be, although it is taken for a slip. */
const SURE = 0.99;
/** Suffixes people end a domain in without a thought; under the others a provider's name is somebody's on purpose. */
const COMMON_SUFFIX = 0.004;

/** As if the domain had mail hosts: what people listed was in use. */
export const createProviderSlipTest =
  (suggest: DomainSuggester, known: DomainEvidence['known']): ProviderSlipTest =>
  (domain) => {
    // Letters of other scripts are chosen, not struck.
    if (domain.includes('xn--')) return false;
    const suggestion = suggest(domain, { known, receivesMail: true });
    if (suggestion === null || suggestion.probability < SURE) return false;
    const provider = mailboxDomainAt(suggestion.domain);
    if (provider === null) return false;
    const { name, suffix } = takeApart(domain);
    return (
      name !== provider.brand ||
      suffixShare(suffix) >= COMMON_SUFFIX ||
      suffixSlipCost(suffix, provider.suffix) < Number.POSITIVE_INFINITY
    );
  };
