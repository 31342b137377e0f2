import { parseId } from '../../kernel/ids.ts';
import { askObject } from '../../organisation/api.ts';
import type { Deps } from '../deps.ts';
import { waitForDirectory } from './in-directory.ts';

/** Who is signed in with an address that they have proved to own. */
export interface JoiningPerson {
  readonly id: string;
  /** Normalised. */
  readonly email: string;
  readonly name: string | null;
}

/** False: the invitation is gone, or another address was invited. */
export async function acceptInvitation(
  { db, objects }: Pick<Deps, 'db' | 'objects'>,
  { id, email, name }: JoiningPerson,
  organisation: string,
  invitation: string,
): Promise<boolean> {
  const [userId, organisationId, invitationId] = [
    parseId('u', id),
    parseId('org', organisation),
    parseId('inv', invitation),
  ];
  if (userId === null || organisationId === null || invitationId === null) return false;
  const person = { userId, email, name };
  const accepted = await askObject(objects, organisationId).acceptInvitation({ id: invitationId, person });
  if (!accepted.ok) return false;
  await waitForDirectory(db, userId, organisationId);
  return true;
}
