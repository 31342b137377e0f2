import { type Address, parseAddress } from '../domain/address/parse.ts';
import { DomainError } from '../kernel/errors.ts';
import { type Id, type IdPrefix, parseId } from '../kernel/ids.ts';

/**
 * A page's cursor; null for the first page. A verb reads it in `parse`, so that a bad one is refused after key and
 * role, and charges nothing. `prefixes`: the list's ids.
 */
export function readCursor<P extends IdPrefix>(cursor: string | undefined, ...prefixes: readonly P[]): Id<P> | null {
  if (cursor === undefined) return null;
  const ids = prefixes.flatMap((prefix) => parseId(prefix, cursor) ?? []);
  const [id] = ids;
  if (id === undefined) throw new DomainError('invalid_request', '`cursor` is not valid.');
  return id;
}

/** A page of a list that was read with one row more than `limit`, and the next cursor; null for the last page. */
export function pageOf<T>(
  listed: readonly T[],
  limit: number,
  idOf: (row: T) => string,
): { readonly shown: readonly T[]; readonly cursor: string | null } {
  const shown = listed.slice(0, limit);
  const last = shown.at(-1);
  return { shown, cursor: listed.length > limit && last !== undefined ? idOf(last) : null };
}

export function requireAddress(email: string): Address {
  const parsed = parseAddress(email);
  if (!parsed.ok) throw new DomainError('invalid_request', '`email` is not an address.');
  return parsed.address;
}
