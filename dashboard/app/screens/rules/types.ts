import type { AddressList, DomainList } from '../../api/schema.ts';

export type RuleKind = 'domain' | 'address';
export type RuleSide = 'block' | 'allow';
export type DomainEntry = DomainList['entries'][number];
export type AddressEntry = AddressList['entries'][number];
export type RuleEntry = DomainEntry | AddressEntry;

export const shownOf = (entry: RuleEntry): string => ('domain' in entry ? entry.domain : entry.display);
