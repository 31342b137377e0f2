import { DependencyError, DomainError } from '../kernel/errors.ts';
import type { Id } from '../kernel/ids.ts';
import { callObject, type ObjectDeps, type ObjectFailure, type OrganisationStub } from './client.ts';

/** Asks an organisation's object where nothing can be answered without it. Each kind of failure is thrown as what it is. */
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

/** Overloaded: the caller's limit. Out of reach: an outage. Broken: a bug of ours. */
export function objectError(failure: ObjectFailure): Error {
  if (failure === 'overloaded')
    return new DomainError('rate_limited', 'Too many requests at once.', { retryAfterS: 1 });
  const words = `the organisation's object is ${failure}`;
  return failure === 'unreachable' ? new DependencyError('object', words) : new Error(words);
}
