import { isShared } from '../verification/host-tables.ts';
import type { PreparedRow } from './row-counts.ts';

/** Of one company alone, whatever is seen of it, nothing follows for the account: its addresses have one server. */
const OF_A_DOMAIN = 4;

/** The rows up to the first few telling ones of each company's domain; all of domains where many people have their mailboxes. */
export function fewOfEachDomain(rows: readonly PreparedRow[], isTelling: (row: PreparedRow) => boolean): PreparedRow[] {
  const counted = new Map<string, number>();
  return rows.filter((row) => {
    const { domain, host } = row.address;
    if (isShared(host)) return true;
    const before = counted.get(domain) ?? 0;
    if (isTelling(row)) counted.set(domain, before + 1);
    return before < OF_A_DOMAIN;
  });
}
