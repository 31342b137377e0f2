import { type Address, parseAddress } from '../domain/address/parse.ts';
import { DomainError } from '../kernel/errors.ts';

/** The address of a body's `email`, or a refusal. */
export function requireAddress(email: string): Address {
  const parsed = parseAddress(email);
  if (!parsed.ok) throw new DomainError('invalid_request', '`email` is not an address.');
  return parsed.address;
}
