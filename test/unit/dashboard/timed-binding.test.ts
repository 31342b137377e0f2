import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { ApiBinding, PersonClaims } from '../../../dashboard/worker/api-binding.ts';
import { timedBinding } from '../../../dashboard/worker/timed-binding.ts';

beforeEach(() => void vi.useFakeTimers());

const never = () => new Promise<never>(() => undefined);
const HANGING: ApiBinding = {
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
const PERSON: PersonClaims = { organisationId: 'org_x', userId: 'u_x', signedInAt: 0, hasSecondFactor: false };
const someone = { id: 'u_x', email: 'ada@people.test', name: null };
const call = (init: RequestInit = {}) => new Request('https://api.internal/v1/me', init);
const json = { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } };
const file = { method: 'PUT', body: 'email\n', headers: { 'content-type': 'text/csv' } };

/** Every call, with how long it may take, in seconds. */
const CALLS: readonly (readonly [what: string, seconds: number, call: (entrypoint: ApiBinding) => Promise<unknown>])[] =
  [
    ['a read', 90, (entrypoint) => entrypoint.serve(PERSON, call())],
    ['a small body', 90, (entrypoint) => entrypoint.serve(PERSON, call(json))],
    ['a file', 900, (entrypoint) => entrypoint.serve(PERSON, call(file))],
    ['findPerson', 30, (entrypoint) => entrypoint.findPerson(someone.email)],
    ['listOrganisations', 30, (entrypoint) => entrypoint.listOrganisations(someone.id)],
    ['listInvitations', 30, (entrypoint) => entrypoint.listInvitations(someone.email)],
    ['acceptInvitation', 30, (entrypoint) => entrypoint.acceptInvitation(someone, 'org_x', 'inv_x')],
    ['createOrganisation', 30, (entrypoint) => entrypoint.createOrganisation(someone, 'Acme')],
    ['readOperations', 30, (entrypoint) => entrypoint.readOperations(someone.email)],
    ['publicUrl', 30, (entrypoint) => entrypoint.publicUrl()],
    ['sendsMail', 30, (entrypoint) => entrypoint.sendsMail()],
    ['mailSignInLink', 30, (entrypoint) => entrypoint.mailSignInLink(someone.email, 'https://dashboard.test')],
  ];

describe('a call of an API that hangs', () => {
  it.each(CALLS)('ends as one of an API that is away: %s, after %i s', async (_, seconds, ask) => {
    const ends: string[] = [];
    ask(timedBinding(HANGING)).catch((error: Error) => ends.push(error.message));
    await vi.advanceTimersByTimeAsync(seconds * 1_000 - 1);
    expect(ends).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    // The dashboard answers this error as an outage.
    expect(ends).toEqual([expect.stringMatching(/timed out/)]);
  });
});

it('a call of an API that answers brings what it says, and leaves no timer', async () => {
  const entrypoint = timedBinding({
    ...HANGING,
    sendsMail: async () => true,
    serve: async () => new Response('served'),
  });
  expect(await entrypoint.sendsMail()).toBe(true);
  expect(await (await entrypoint.serve(PERSON, call())).text()).toBe('served');
  await expect(
    timedBinding({ ...HANGING, sendsMail: () => Promise.reject(new Error('x')) }).sendsMail(),
  ).rejects.toThrow('x');
  expect(vi.getTimerCount()).toBe(0);
});
