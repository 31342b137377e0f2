import { trimUnseen } from '../../address/characters.ts';
import { parseAddress } from '../../address/parse.ts';
import { withoutSurroundings } from '../../address/surroundings.ts';
import { splitTyped, type TypedAddress } from '../placeholder/typed.ts';

/** Without what stands around it: a correction keeps none of it. */
export function typedAs(email: string): TypedAddress {
  const bare = withoutSurroundings(email) ?? email;
  const parsed = parseAddress(bare);
  return parsed.ok ? parsed.address : splitTyped(trimUnseen(bare));
}

/** The address with what is wrong put right; null when nothing is, or when it would not be an address. */
export function corrected(typed: TypedAddress, domain: string | null, local: string | null): string | null {
  if (domain === null && local === null) return null;
  const address = `${local ?? typed.local}@${domain ?? typed.domain}`;
  return parseAddress(address).ok ? address : null;
}

/**
 * The address at the domain that was meant, where the typed one is a slip of it, and without what stands around it. Null where
 * neither applies, or when it would not be an address.
 */
export const correctionOf = (email: string, meantDomain: string | null): string | null =>
  meantDomain === null ? withoutSurroundings(email) : corrected(typedAs(email), meantDomain, null);
