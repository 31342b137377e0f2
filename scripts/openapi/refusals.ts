import type { ErrorCode } from '../../src/contract/error.ts';
import type { RouteDeclaration } from '../../src/contract/route.ts';

/** One way a route refuses: a response component, and which routes have it. */
export interface Refusal {
  readonly name: string;
  readonly status: number;
  readonly code: ErrorCode;
  readonly message: string;
  readonly description: string;
  readonly schema?: 'BulkQuotaError';
  readonly headers?: readonly ('Retry-After' | 'WWW-Authenticate')[];
  readonly applies: (route: RouteDeclaration) => boolean;
}

/** Its caller shows a key, which settles organisation, role and rate. */
export const isKeyed = ({ access }: RouteDeclaration): boolean => access !== 'public' && access !== 'bootstrap';
/** Its caller shows who it is, by a key or otherwise. */
const isProven = (route: RouteDeclaration): boolean =>
  isKeyed(route) || route.access === 'bootstrap' || route.signed !== undefined;
const says =
  (status: 400 | 402 | 403 | 404 | 409 | 410) =>
  ({ refuses }: RouteDeclaration): boolean =>
    refuses?.includes(status) === true;
const isVersionedChange = ({ versioned, method }: RouteDeclaration): boolean => versioned === true && method !== 'get';
const isBulk = ({ path }: RouteDeclaration): boolean => path.startsWith('/v1/bulk/');

/** By status; of two rows with one status a route has the first that applies. */
export const REFUSALS: readonly Refusal[] = [
  {
    name: 'InvalidBulkRequest',
    status: 400,
    code: 'no_email_column',
    message:
      'No column with plain e-mail addresses was found: name it with `email_column` (PATCH) by its header (“Name”, “City”) or its number, 0 to 1.',
    description:
      '`invalid_request`: a field, a parameter or the body is wrong; the message names it by its path and never repeats its value. `no_email_column`: the file’s e-mail column is not known, or the one named is not there.',
    applies: (route) => isBulk(route) && says(400)(route),
  },
  {
    name: 'InvalidRequest',
    status: 400,
    code: 'invalid_request',
    message: '`email` is required.',
    description:
      '`invalid_request`: a field, a parameter or the body is wrong; the message names it by its path and never repeats its value.',
    applies: (route) =>
      [route.body, route.query, route.upload, route.signed, route.idempotent].some((part) => part !== undefined) ||
      says(400)(route),
  },
  {
    name: 'Unauthorized',
    status: 401,
    code: 'unauthorized',
    message: 'The API key is missing, malformed or revoked: send `Authorization: Bearer <API_KEY>`.',
    description:
      '`unauthorized`: the key is missing, malformed or revoked, or its organisation is deleted; of a webhook: its signature is missing or wrong.',
    headers: ['WWW-Authenticate'],
    applies: isProven,
  },
  {
    name: 'ScreeningQuotaExceeded',
    status: 402,
    code: 'screening_quota_exceeded',
    message: 'The organisation’s screenings of this UTC month are spent.',
    description:
      '`screening_quota_exceeded`: the month’s screening allowance is spent; verification has its own. A quota, not a rate: a retry does not help.',
    applies: ({ meter }) => meter === 'screen',
  },
  {
    name: 'QuotaExceeded',
    status: 402,
    code: 'quota_exceeded',
    message: 'The organisation’s verifications of this UTC month are spent.',
    description: '`quota_exceeded`: the month’s verifications are spent. A quota, not a rate: a retry does not help.',
    applies: ({ meter }) => meter === 'verify' || meter === 'decide',
  },
  {
    name: 'BulkQuotaExceeded',
    status: 402,
    code: 'quota_exceeded',
    message: 'The job does not fit what is left of this UTC month’s verifications.',
    description: '`quota_exceeded`: the job does not fit what is left of the month’s verifications; with its estimate.',
    schema: 'BulkQuotaError',
    applies: says(402),
  },
  {
    name: 'Forbidden',
    status: 403,
    code: 'forbidden',
    message: 'This key’s role does not allow this.',
    description:
      '`forbidden`: the key’s role is below what the route needs, or a test key may not change the account, nor see its other keys. Nothing is metered.',
    applies: (route) => isKeyed(route) && (route.access !== 'viewer' || route.live === true || says(403)(route)),
  },
  {
    name: 'NotFound',
    status: 404,
    code: 'not_found',
    message: 'It does not exist.',
    description: '`not_found`: an unknown id or name, or one of another organisation.',
    // A `PUT` of a policy makes it.
    applies: (route) => (route.params !== undefined && !isVersionedChange(route)) || says(404)(route),
  },
  {
    name: 'IdempotencyConflict',
    status: 409,
    code: 'request_in_progress',
    message: 'The first request with this Idempotency-Key is still being answered: repeat after `Retry-After`.',
    description:
      '`request_in_progress`: the first request with this `Idempotency-Key` is still being answered; repeat after `Retry-After`. `invalid_request`: the key was used with another body (without `Retry-After`).',
    headers: ['Retry-After'],
    applies: ({ idempotent }) => idempotent === true,
  },
  {
    name: 'StateConflict',
    status: 409,
    code: 'invalid_request',
    message: 'The job is `running`: wait until it is done, or cancel it.',
    description:
      '`invalid_request`: the job’s state does not allow this; the message names the state and what can be done.',
    applies: says(409),
  },
  {
    name: 'Gone',
    status: 410,
    code: 'invalid_request',
    message: 'The job’s files were deleted.',
    description: '`invalid_request`: the job’s files were deleted, 7 days after it was created or by a call.',
    applies: says(410),
  },
  {
    name: 'VersionConflict',
    status: 412,
    code: 'version_conflict',
    message: 'The newest version is another one.',
    description: '`version_conflict`: `If-Match` names another version than the newest.',
    applies: isVersionedChange,
  },
  {
    name: 'TooLarge',
    status: 413,
    code: 'invalid_request',
    message: 'The body is larger than 16 KB.',
    description: '`invalid_request`: the body is over the route’s limit.',
    applies: ({ body, upload, signed }) => (body ?? upload ?? signed) !== undefined,
  },
  {
    name: 'RateLimited',
    status: 429,
    code: 'rate_limited',
    message: 'Too many requests this minute.',
    description: '`rate_limited`: too many requests this minute. Wait as long as `Retry-After` says.',
    headers: ['Retry-After'],
    applies: (route) => isKeyed(route) || route.access === 'bootstrap',
  },
  {
    name: 'InternalError',
    status: 500,
    code: 'internal_error',
    message: 'Something went wrong on our side.',
    description: '`internal_error`: a fault of ours. Nothing is charged; quote the `trace_id`.',
    applies: isProven,
  },
  {
    name: 'DependencyUnavailable',
    status: 503,
    code: 'dependency_unavailable',
    message: 'A dependency of this call is unavailable: try again later.',
    description:
      '`dependency_unavailable`: something that the call needs is away. Nothing is charged; try again after `Retry-After`.',
    headers: ['Retry-After'],
    applies: isProven,
  },
];

/** What a route may refuse with, by rising status. */
export function refusalsOf(route: RouteDeclaration): readonly Refusal[] {
  const seen = new Set<number>();
  return REFUSALS.filter((refusal) => {
    if (seen.has(refusal.status) || !refusal.applies(route)) return false;
    seen.add(refusal.status);
    return true;
  });
}
