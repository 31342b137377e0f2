import { parseAddress } from '../domain/address/parse.ts';
import { pause } from '../kernel/clock.ts';
import { type Id, newId, parseId } from '../kernel/ids.ts';
import { askObject } from '../organisation/api.ts';
import * as directory from '../storage/postgres/members.ts';
import { findUserId } from '../storage/postgres/organisations.ts';
import type { Deps } from './deps.ts';

type PeopleDeps = Pick<Deps, 'db' | 'now'>;

/** What an address stands for before somebody signs in with it. */
export interface FoundPerson {
  /** The address's existing id, else a new one. */
  readonly id: Id<'u'>;
  readonly email: string;
  /** A member's or invited address, which may register. */
  readonly isExpected: boolean;
}

/** Null means the text is not an address. */
export async function findPerson({ db, now }: PeopleDeps, text: string): Promise<FoundPerson | null> {
  const parsed = parseAddress(text);
  if (!parsed.ok) return null;
  const email = parsed.address.normalised;
  const known = await findPersonId({ db }, email);
  const isExpected = known !== null || (await directory.findInvitations(db, email, now())).length > 0;
  return { id: known ?? newId('u', now()), email, isExpected };
}

/** The id of the person with this normalised address: a member, else an operator's user. */
export async function findPersonId({ db }: Pick<Deps, 'db'>, email: string): Promise<Id<'u'> | null> {
  const [member] = await directory.listMemberships(db, { email });
  return member?.userId ?? (await findUserId(db, email));
}

export interface PersonsOrganisation {
  readonly id: Id<'org'>;
  readonly name: string;
  readonly role: directory.FoundMembership['role'];
  /** It refuses people who have proved no second factor. */
  readonly needsSecondFactor: boolean;
}

/** A person's organisations in the directory. The organisation's object decides what they may do there. */
export async function listOrganisations({ db }: PeopleDeps, userId: string): Promise<PersonsOrganisation[]> {
  const id = parseId('u', userId);
  const memberships = id === null ? [] : await directory.listMemberships(db, { userId: id });
  return memberships.map(({ organisationId, organisationName, role, needsSecondFactor }) => ({
    id: organisationId,
    name: organisationName,
    role,
    needsSecondFactor,
  }));
}

export type OpenInvitation = directory.FoundInvitation;

/** `email`: proved to be the person's own. */
export const listInvitations = ({ db, now }: PeopleDeps, email: string): Promise<OpenInvitation[]> =>
  directory.findInvitations(db, email, now());

/** A signed-in person who has proved to own the address. */
export interface JoiningPerson {
  readonly id: string;
  readonly email: string;
  readonly name: string | null;
}

/** False: the invitation is gone, or is for another address. */
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

/** The directory follows the object within a moment. */
const DIRECTORY = { tries: 20, pauseMs: 150 };

/** Waits until the directory has a new member, who looks there next; gives up after three seconds. */
export async function waitForDirectory(db: Deps['db'], userId: Id<'u'>, organisationId: Id<'org'>): Promise<void> {
  for (let tries = 0; tries < DIRECTORY.tries; tries += 1) {
    const listed = await directory.listMemberships(db, { userId });
    if (listed.some((each) => each.organisationId === organisationId)) return;
    await pause(DIRECTORY.pauseMs);
  }
}
