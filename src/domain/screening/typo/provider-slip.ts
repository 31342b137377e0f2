import { mailboxDomainAt } from './mailbox-domains.ts';
import { suffixSlipCost } from './suffix-slips.ts';
import { suffixShare } from './suffixes.ts';
import type { DomainEvidence, DomainSuggester } from './suggest.ts';
import { takeApart } from './typed-domain.ts';

/** Whether a domain (lower-case A-labels) is a mailbox provider's, mistyped. It is then not disposable, whatever lists say. */
export type ProviderSlipTest = (domain: string) => boolean;

/** Of a hundred listed domains that are taken for slips, one may be a throwaway domain after all. */
const SURE = 0.99;
/** The share of a suffix that people type out of habit. Under a rarer one a provider's name was registered on purpose. */
const COMMON_SUFFIX = 0.004;

/** The domain counts as one with mail hosts: people listed it because it was in use. */
export const createProviderSlipTest =
  (suggest: DomainSuggester, known: DomainEvidence['known']): ProviderSlipTest =>
  (domain) => {
    // Letters of other scripts are chosen. A finger does not slip to them.
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
