import { pause } from '../../kernel/deadline.ts';
import { parseId } from '../../kernel/ids.ts';
import { askObject } from '../../organisation/api.ts';
import { listMemberships } from '../../storage/postgres/members.ts';
import type { Deps } from '../deps.ts';

/** Who is signed in with an address that they have proved to own. */
export interface JoiningPerson {
  readonly id: string;
  /** Normalised. */
  readonly email: string;
  readonly name: string | null;
}

/** The directory follows the object within a moment; the person who joined looks there next. */
const DIRECTORY = { tries: 20, pauseMs: 150 };

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
  for (let tries = 0; tries < DIRECTORY.tries; tries += 1) {
    const listed = await listMemberships(db, { userId });
    if (listed.some((each) => each.organisationId === organisationId)) break;
    await pause(DIRECTORY.pauseMs);
  }
  return true;
}
