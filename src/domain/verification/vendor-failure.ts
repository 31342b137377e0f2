import type { ProviderFailure } from './provider.ts';

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
 * 404, 405 and 410: the interface is not there. Any other 4xx turns this one question down, as Hunter's 451 does when the
 * person asked them not to process their data.
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

/** What a vendor's status other than 200 says, where the vendor gives it no meaning of its own. */
export function kindOfStatus(status: number): FailureKind {
  // Emailable's 249 and Hunter's 202: still at work, ask again. No vendor has another meaning for a 2xx but 200.
  if (status < 300) return 'pending';
  if (status < 400) return 'unreachable';
  if (status < 500) return KIND_BY_STATUS[status] ?? 'refused';
  return 'server_error';
}
