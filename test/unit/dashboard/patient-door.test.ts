import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Door, PersonClaims } from '../../../dashboard/worker/door.ts';
import { patientDoor } from '../../../dashboard/worker/patient-door.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const never = () => new Promise<never>(() => undefined);
const HANGING: Door = {
  serve: never,
  findPerson: never,
  listOrganisations: never,
  listInvitations: never,
  acceptInvitation: never,
  createOrganisation: never,
  readOperations: never,
  publicUrl: never,
  sendsMail: never,
  mailSignInLink: never,
};
const PERSON: PersonClaims = { organisationId: 'org_x', userId: 'u_x', signedInAt: 0 };
const someone = { id: 'u_x', email: 'ada@people.test', name: null };
const call = (init: RequestInit = {}) => new Request('https://api.internal/v1/me', init);
const json = { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } };
const file = { method: 'PUT', body: 'email\n', headers: { 'content-type': 'text/csv' } };

/** Every call, with how long it may take, in seconds. */
const CALLS: readonly (readonly [what: string, seconds: number, call: (door: Door) => Promise<unknown>])[] = [
  ['a read', 90, (door) => door.serve(PERSON, call())],
  ['a small body', 90, (door) => door.serve(PERSON, call(json))],
  ['a file', 900, (door) => door.serve(PERSON, call(file))],
  ['findPerson', 30, (door) => door.findPerson(someone.email)],
  ['listOrganisations', 30, (door) => door.listOrganisations(someone.id)],
  ['listInvitations', 30, (door) => door.listInvitations(someone.email)],
  ['acceptInvitation', 30, (door) => door.acceptInvitation(someone, 'org_x', 'inv_x')],
  ['createOrganisation', 30, (door) => door.createOrganisation(someone, 'Acme')],
  ['readOperations', 30, (door) => door.readOperations(someone.email)],
  ['publicUrl', 30, (door) => door.publicUrl()],
  ['sendsMail', 30, (door) => door.sendsMail()],
  ['mailSignInLink', 30, (door) => door.mailSignInLink(someone.email, 'https://dashboard.test')],
];

describe('a call of an API that hangs', () => {
  it.each(CALLS)('ends as one of an API that is away: %s, after %i s', async (_, seconds, ask) => {
    const ends: string[] = [];
    ask(patientDoor(HANGING)).catch((error: Error) => ends.push(error.message));
    await vi.advanceTimersByTimeAsync(seconds * 1_000 - 1);
    expect(ends).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    // What the dashboard answers as an outage.
    expect(ends).toEqual([expect.stringMatching(/timed out/)]);
  });
});

it('a call of an API that answers brings what it says, and leaves no timer', async () => {
  const door = patientDoor({ ...HANGING, sendsMail: async () => true, serve: async () => new Response('served') });
  expect(await door.sendsMail()).toBe(true);
  expect(await (await door.serve(PERSON, call())).text()).toBe('served');
  await expect(
    patientDoor({ ...HANGING, sendsMail: () => Promise.reject(new Error('x')) }).sendsMail(),
  ).rejects.toThrow('x');
  expect(vi.getTimerCount()).toBe(0);
});
