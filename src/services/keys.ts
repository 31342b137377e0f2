import type { OwnKey } from '../contract/access.ts';
import { ROUTES } from '../contract/routes.ts';
import { MCP } from '../contract/mcp.ts';
import {
  KEYS_MAX,
  type KeyRecord,
  type ListedKey,
  NEVER_ROTATED,
  actorOf,
  authorOf,
  isDashboardKey,
  issueKey,
  keyVersion,
} from '../domain/access/keys.ts';
import { epochSeconds, SECOND_MS } from '../kernel/clock.ts';
import { sha256Hex } from '../kernel/crypto.ts';
import { DomainError } from '../kernel/errors.ts';
import { type Id, newId, parseId, systemRandom } from '../kernel/ids.ts';
import { askObject, type KeyAnswer, type KeyRefusal } from '../organisation/api.ts';
import type { ServiceDeps } from './deps.ts';
import { pageOf, readCursor } from './request-values.ts';
import { verb } from './verb.ts';

/** Keys, for an account's admins. All of it works without Postgres. */
export const listOwnKeys = verb({
  route: ROUTES.ownKeys,
  parse: ({ query }) => ({ query, before: readCursor(query.cursor, 'key') }),
  run: async ({ deps, organisationId, startedAt }, { query: { limit, state, role, mode }, before }) => {
    const page = { limit: limit + 1, before, state, role, mode };
    const listed = await askObject(deps.objects, organisationId).pageKeys(page);
    const { shown, cursor } = pageOf(listed, limit, ({ id }) => id);
    return { keys: shown.map((key) => keyBody(key, startedAt)), cursor };
  },
});

export const createOwnKey = verb({
  route: ROUTES.createOwnKey,
  parse: ({ body }, { startedAt }) => ({ ...body, expiresAt: expiryOf(body.expires_at, startedAt) }),
  run: async ({ deps, organisationId, startedAt, authorized }, { name, role, mode, expiresAt }) => {
    const { secret, ...issued } = issue(deps, { organisationId, mode, role, operator: false });
    const key: KeyRecord = {
      ...issued,
      id: newId('key', startedAt),
      name,
      role,
      mode,
      origin: 'manual',
      operator: false,
      // A key made by a person's key ends with the person's membership too.
      userId: authorized.key.userId,
      createdAt: startedAt,
      createdBy: actorOf(authorized.key),
      expiresAt,
      ...NEVER_ROTATED,
      revokedAt: null,
    };
    const answer = await askObject(deps.objects, organisationId).createKey({ key, by: authorized.key.id });
    return { key: { ...keyBody(keyOf(answer), startedAt), secret } };
  },
});

export const changeOwnKey = verb({
  route: ROUTES.changeOwnKey,
  parse: ({ params, body: { name, expires_at } }, { startedAt }) => ({
    id: keyId(params.id),
    change: {
      ...(name !== undefined && { name }),
      ...(expires_at !== undefined && { expiresAt: expiryOf(expires_at, startedAt) }),
    },
  }),
  run: async ({ deps, organisationId, startedAt, authorized }, { id, change }) => {
    const call = { id: requireId(id), ...authorOf(authorized.key), ...change };
    return { key: keyBody(keyOf(await askObject(deps.objects, organisationId).changeKey(call)), startedAt) };
  },
});

export const revokeOwnKey = verb({
  route: ROUTES.revokeOwnKey,
  run: async ({ deps, organisationId, startedAt, authorized }, { params }) => {
    const call = { id: requireId(keyId(params.id)), ...authorOf(authorized.key) };
    return { key: keyBody(keyOf(await askObject(deps.objects, organisationId).endKey(call)), startedAt) };
  },
});

export const rotateOwnKey = verb({
  route: ROUTES.rotateOwnKey,
  run: async ({ deps, organisationId, startedAt, authorized }, { params, body }) => {
    const id = requireId(keyId(params.id));
    const found = await askObject(deps.objects, organisationId).findKey({ id });
    if (found === null || found.operator) throw NO_KEY;
    if (isDashboardKey(found)) throw refusalError('dashboard');
    if (found.userId !== null && found.userId !== authorized.key.userId) throw refusalError('not_own');
    const { secret, ...issued } = issue(deps, { organisationId, mode: found.mode, role: found.role, operator: false });
    const rotation = { id, ...authorOf(authorized.key), overlapMs: body.overlap_s * SECOND_MS, ...issued };
    const answer = await askObject(deps.objects, organisationId).rotateKey(rotation);
    return { key: { ...keyBody(keyOf(answer), startedAt), secret } };
  },
});

/** A new secret, and its stored form. */
export function issue(
  { keySecrets }: Pick<ServiceDeps, 'keySecrets'>,
  claims: { readonly organisationId: Id<'org'> } & Pick<KeyRecord, 'mode' | 'role' | 'operator'>,
): { readonly secret: string } & Pick<KeyRecord, 'hash' | 'last4' | 'secretVersion'> {
  const random = new Uint8Array(16);
  systemRandom(random);
  const secret = issueKey(keySecrets()[0], claims, random);
  return { secret, hash: sha256Hex(secret), last4: secret.slice(-4), secretVersion: keyVersion(secret) };
}

function expiryOf(seconds: number | null, now: number): number | null {
  if (seconds === null) return null;
  if (seconds * SECOND_MS <= now) throw new DomainError('invalid_request', '`expires_at` must be in the future.');
  return seconds * SECOND_MS;
}

const NO_KEY = new DomainError('not_found', 'This key does not exist.');
const keyId = (text: string): Id<'key'> | null => parseId('key', text);

function requireId(id: Id<'key'> | null): Id<'key'> {
  if (id === null) throw NO_KEY;
  return id;
}

function keyOf(answer: KeyAnswer): ListedKey {
  if (!answer.ok) throw refusalError(answer.refusal);
  return answer.key;
}

function refusalError(refusal: KeyRefusal): DomainError {
  switch (refusal) {
    case 'unknown':
      return NO_KEY;
    case 'revoked_maker':
      return new DomainError('unauthorized', 'The API key has been revoked meanwhile.');
    case 'dashboard':
      return new DomainError('conflict', 'A person’s dashboard key has no secret, and ends with the membership.');
    case 'not_own':
      return new DomainError('conflict', 'This key is another person’s: revoke it, and make a new one of your own.');
    case 'ended':
      return new DomainError('conflict', 'The key is revoked or has expired: make another.');
    case 'full':
      return new DomainError('invalid_request', `An account has up to ${KEYS_MAX} keys: revoke those not in use.`);
  }
}

function keyBody(key: ListedKey, now: number): OwnKey {
  const { id, name, role, origin, mode, last4, userId, createdAt, createdBy, lastUsedAt, expiresAt, revokedAt } = key;
  const { previousLast4, previousUntil, previousUsedAt } = key;
  const isOverlapping = previousUntil !== null && previousUntil > now && revokedAt === null;
  const seconds = (at: number | null): number | null => (at === null ? null : epochSeconds(at));
  return {
    id,
    name,
    role,
    origin,
    mode,
    last4,
    owner_user_id: userId,
    created_at: epochSeconds(createdAt),
    created_by: createdBy,
    last_used_at: seconds(lastUsedAt),
    expires_at: seconds(expiresAt),
    previous_secret: isOverlapping
      ? {
          last4: previousLast4 ?? '',
          valid_until: epochSeconds(previousUntil),
          last_used_at: seconds(previousUsedAt),
        }
      : null,
    revoked_at: seconds(revokedAt),
  };
}

export const readIdentity = verb({
  route: ROUTES.me,
  run: async ({ authorized: { key, organisation } }) => ({
    account_id: organisation.accountId,
    org: { id: organisation.id, name: organisation.name },
    key: { id: key.id, role: key.role, origin: key.origin },
    operator: key.operator,
    owner_user_id: key.userId,
  }),
});

/** An MCP message without a tool call: it needs a key that may read, and reads nothing of the organisation. */
export const useSession = verb({ route: MCP, run: async () => ({}) });
