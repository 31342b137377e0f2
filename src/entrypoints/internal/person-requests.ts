import type { PersonClaims } from '../../domain/access/member-records.ts';

/** Requests through the dashboard's entrypoint. A request of the public entrypoint is never here, whatever it says. */
const persons = new WeakMap<Request, PersonClaims>();

export const personOf = (request: Request): PersonClaims | undefined => persons.get(request);

export function asPerson(request: Request, person: PersonClaims): Request {
  persons.set(request, person);
  return request;
}
