import { parseAddress } from '../../domain/address/parse.ts';
import { type Id, newId } from '../../kernel/ids.ts';
import { findUserId } from '../../storage/postgres/organisations.ts';
import type { Deps } from '../deps.ts';

/** What an address stands for, as the dashboard asks before somebody signs in with it. */
export interface FoundPerson {
  /** The id that the address has here already, else a new one. */
  readonly id: Id<'u'>;
  /** Normalised. */
  readonly email: string;
  /** The address is a member's, or was invited: it may register. */
  readonly isExpected: boolean;
}

/** Null: the text is no address. */
export async function findPerson({ db, now }: Pick<Deps, 'db' | 'now'>, text: string): Promise<FoundPerson | null> {
  const parsed = parseAddress(text);
  if (!parsed.ok) return null;
  const email = parsed.address.normalised;
  const known = await findUserId(db, email);
  return { id: known ?? newId('u', now()), email, isExpected: known !== null };
}
