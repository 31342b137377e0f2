import type { ApiBinding } from './api-binding.ts';

/** The API’s own waits end well before; deleting an organisation takes longest. */
const SERVED_WITHIN_MS = 90_000;
const ANSWERED_WITHIN_MS = 30_000;
/** A body stored as it arrives takes as long as its sender. */
const STREAMED_WITHIN_MS = 15 * 60_000;

async function inTime<T>(work: Promise<T>, limitMs: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the API timed out')), limitMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

const isStream = ({ body, headers }: Request): boolean =>
  body !== null && headers.get('content-type')?.startsWith('application/json') !== true;

/** The API’s entrypoint with a time limit on each call: one that hangs has failed. */
export const timedBinding = (entrypoint: ApiBinding): ApiBinding => ({
  serve: (person, request) =>
    inTime(entrypoint.serve(person, request), isStream(request) ? STREAMED_WITHIN_MS : SERVED_WITHIN_MS),
  findPerson: (email) => inTime(entrypoint.findPerson(email), ANSWERED_WITHIN_MS),
  listOrganisations: (userId) => inTime(entrypoint.listOrganisations(userId), ANSWERED_WITHIN_MS),
  listInvitations: (email) => inTime(entrypoint.listInvitations(email), ANSWERED_WITHIN_MS),
  acceptInvitation: (person, organisationId, invitationId) =>
    inTime(entrypoint.acceptInvitation(person, organisationId, invitationId), ANSWERED_WITHIN_MS),
  createOrganisation: (person, name) => inTime(entrypoint.createOrganisation(person, name), ANSWERED_WITHIN_MS),
  readOperations: (email) => inTime(entrypoint.readOperations(email), ANSWERED_WITHIN_MS),
  publicUrl: () => inTime(entrypoint.publicUrl(), ANSWERED_WITHIN_MS),
  sendsMail: () => inTime(entrypoint.sendsMail(), ANSWERED_WITHIN_MS),
  mailSignInLink: (email, url) => inTime(entrypoint.mailSignInLink(email, url), ANSWERED_WITHIN_MS),
});
