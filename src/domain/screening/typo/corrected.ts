import { parseAddress } from '../../address/parse.ts';
import { splitTyped, type TypedAddress } from '../placeholder/typed.ts';

export function typedAs(email: string): TypedAddress {
  const parsed = parseAddress(email);
  return parsed.ok ? parsed.address : splitTyped(email.trim());
}

/** The address with what is wrong put right; null when nothing is, or when it would not be an address. */
export function corrected(typed: TypedAddress, domain: string | null, local: string | null): string | null {
  if (domain === null && local === null) return null;
  const address = `${local ?? typed.local}@${domain ?? typed.domain}`;
  return parseAddress(address).ok ? address : null;
}

/** The address at the domain that was meant; null without one, or when it would not be an address. */
export const atMeantDomain = (email: string, meantDomain: string | null): string | null =>
  meantDomain === null ? null : corrected(typedAs(email), meantDomain, null);
