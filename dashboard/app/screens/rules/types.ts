import type { AddressList, DomainList } from '../../api/schema.ts';

export type RuleKind = 'domain' | 'address';
export type RuleSide = 'block' | 'allow';

export const otherSide = (side: RuleSide): RuleSide => (side === 'block' ? 'allow' : 'block');

/** What a list is called, in its one spelling. */
export const listName = (side: RuleSide): string => `${side} list`;

/** What a list of each kind holds, by count. */
export const COUNTED = {
  domain: { one: '# domain', other: '# domains' },
  address: { one: '# address', other: '# addresses' },
} as const;

export type DomainEntry = DomainList['entries'][number];
export type AddressEntry = AddressList['entries'][number];
export type RuleEntry = DomainEntry | AddressEntry;

export const shownOf = (entry: RuleEntry): string => ('domain' in entry ? entry.domain : entry.display);
