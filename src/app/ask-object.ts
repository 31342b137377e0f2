import {
  callObject,
  type ObjectDeps,
  type ObjectFailure,
  type OrganisationStub,
} from '../domain/organisation/client.ts';
import { DomainError } from '../kernel/errors.ts';
import type { Id } from '../kernel/ids.ts';

/** Asks an organisation's object where nothing can be answered without it. Overloaded, it refuses; out of reach, it throws. */
export async function askObject<T, S = OrganisationStub>(
  objects: ObjectDeps<S>,
  id: Id<'org'>,
  name: string,
  call: (stub: S) => Promise<T>,
  timeoutMs?: number,
): Promise<T> {
  const answer = await callObject(objects, id, name, call, timeoutMs);
  if (!answer.ok) throw objectError(answer.error);
  return answer.value;
}

export const objectError = (failure: ObjectFailure): Error =>
  failure === 'overloaded'
    ? new DomainError('rate_limited', 'Too many requests at once.', { retryAfterS: 1 })
    : new Error(`the organisation's object is ${failure}`);
