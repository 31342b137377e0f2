import { plural } from '../../lib/format.ts';
import type { AddressList, DomainList } from '../../api/schema.ts';

export type RuleKind = 'domain' | 'address';
export type RuleSide = 'block' | 'allow';

export const otherSide = (side: RuleSide): RuleSide => (side === 'block' ? 'allow' : 'block');

/** So many entries of a list. */
export const entriesText = (kind: RuleKind, count: number): string =>
  kind === 'domain' ? plural(count, '# domain', '# domains') : plural(count, '# address', '# addresses');

export type DomainEntry = DomainList['entries'][number];
export type AddressEntry = AddressList['entries'][number];
export type RuleEntry = DomainEntry | AddressEntry;

export const shownOf = (entry: RuleEntry): string => ('domain' in entry ? entry.domain : entry.display);
