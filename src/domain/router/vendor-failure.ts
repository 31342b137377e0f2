import type { ProviderFailure } from '../belief/provider.ts';

type FailureKind = ProviderFailure['kind'];

/** Whether the same vendor may answer the same question later. */
export const RETRYABLE: ReadonlySet<FailureKind> = new Set([
  'timeout',
  'unreachable',
  'rate_limited',
  'pending',
  'server_error',
]);

/**
 * 404, 405 and 410: the endpoint does not exist. Any other 4xx refuses this one question, like Hunter's 451 for a person
 * who asked them not to process their data.
 */
const KIND_BY_STATUS: Readonly<Record<number, FailureKind>> = {
  401: 'unauthorized',
  402: 'no_credit',
  403: 'unauthorized',
  404: 'unreachable',
  405: 'unreachable',
  410: 'unreachable',
  429: 'rate_limited',
};

/** The failure that a vendor's status other than 200 means, unless the vendor documents another meaning. */
export function kindOfStatus(status: number): FailureKind {
  // Emailable's 249 and Hunter's 202: still at work, ask again. Other vendors don't use a 2xx but 200.
  if (status < 300) return 'pending';
  if (status < 400) return 'unreachable';
  if (status < 500) return KIND_BY_STATUS[status] ?? 'refused';
  return 'server_error';
}
