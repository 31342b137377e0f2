import type { AddressStanding, DomainStanding } from '../../contract/rules.ts';
import type { DisposableTier } from '../lists/lists.ts';
import type { RuleMatch } from './types.ts';

/** What rules and disposable lists say about a domain. An allow rule sets the lists aside, a block rule does not. */
export function domainStanding(domain: string, match: RuleMatch, tier: DisposableTier | null): DomainStanding {
  const rule = match.domain?.rule ?? null;
  const disposable = tier === 'block' && rule !== 'allow';
  const suspected = tier === 'signal' && rule !== 'allow';
  const listed = disposable ? 'disposable' : suspected ? 'suspected' : 'none';
  return {
    domain,
    status: rule === null ? listed : rule === 'block' ? 'blocked' : 'allowed',
    org_rule: rule,
    note: match.notes?.domain ?? null,
    matched_domain: match.domain?.matchedDomain ?? null,
    disposable,
    suspected,
  };
}

/** What the rules say about an address, shown as its mask: its own rule beats any on its domain. */
export const addressStanding = (display: string, match: RuleMatch): AddressStanding => ({
  org_rule: match.address,
  note: match.notes?.address ?? null,
  display,
  domain_rule: match.domain?.rule ?? null,
  effective: match.address ?? match.domain?.rule ?? 'none',
});
