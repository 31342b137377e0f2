import type * as z from 'zod';
import type { CreateKey, Key } from '../contract/operator.ts';
import { ROUTES } from '../contract/routes.ts';
import {
  type KeyRecord,
  NEVER_ROTATED,
  bootstrapKeyId,
  isBootstrapToken,
  isDashboardKey,
} from '../domain/access/keys.ts';
import { epochSeconds } from '../kernel/clock.ts';
import { DomainError } from '../kernel/errors.ts';
import { type Id, newId, parseId } from '../kernel/ids.ts';
import { askObject } from '../organisation/api.ts';
import * as directory from '../storage/postgres/organisations.ts';
import type { ServiceDeps } from './deps.ts';
import { issue } from './keys.ts';
import { OPERATORS_ID } from './operators.ts';
import { insertOrganisation, notFound, requireOrganisation } from './organisations.ts';
import { openVerb, verb } from './verb.ts';

/**
 * Makes the first operator key for a token that proves the service secret. A token works once: its key marks it as
 * used.
 */
export const bootstrap = openVerb({
  route: ROUTES.bootstrap,
  answer: async (deps, { token }) => {
    if (!isBootstrapToken(deps.serviceSecret(), token, deps.now()))
      throw new DomainError('unauthorized', 'The bootstrap token is missing, wrong or expired.');
    const settings = await askObject(deps.objects, OPERATORS_ID).settings();
    if (settings === null) await insertOrganisation(deps, OPERATORS_ID, { name: 'Operators' });
    const key = { name: 'operator', role: 'admin', origin: 'manual', test: false } as const;
    return makeKey(deps, OPERATORS_ID, key, true, bootstrapKeyId(token));
  },
});

export const createKey = verb({
  route: ROUTES.createKey,
  run: async ({ deps }, { params, body }) => {
    const { id } = await requireOrganisation(deps.objects, params.id);
    return makeKey(deps, id, body, false);
  },
});

export const listKeys = verb({
  route: ROUTES.listKeys,
  run: async ({ deps }, { params }) => {
    const { id } = await requireOrganisation(deps.objects, params.id);
    const keys = await askObject(deps.objects, id).listKeys();
    return { keys: keys.map((key) => keyBody(deps, key)) };
  },
});

/** The key is refused from the next request on. */
export const revokeKey = verb({
  route: ROUTES.revokeKey,
  run: async ({ deps }, { params }) => {
    const { id } = await requireOrganisation(deps.objects, params.id);
    const keyId = parseId('key', params.key_id);
    const key = keyId === null ? null : await askObject(deps.objects, id).revokeKey(keyId);
    if (key === null) throw notFound('key');
    return { key: keyBody(deps, key) };
  },
});

type KeyDeps = Pick<ServiceDeps, 'db' | 'objects' | 'now' | 'keySecrets'>;

/** Makes a key, shown only in the answer. An external `keyId` marks a bootstrap token, whose key may exist already. */
async function makeKey(
  deps: KeyDeps,
  id: Id<'org'>,
  body: z.output<typeof CreateKey>,
  operator: boolean,
  keyId = newId('key', deps.now()),
) {
  const mode = body.test ? 'test' : 'live';
  const { secret, ...issued } = issue(deps, { organisationId: id, mode, role: body.role, operator });
  const record: KeyRecord = {
    ...issued,
    id: keyId,
    name: body.name,
    role: body.role,
    mode,
    origin: body.origin,
    operator,
    userId: body.user_id === undefined ? null : await requireUser(deps, id, body.user_id),
    createdAt: deps.now(),
    createdBy: 'operator',
    expiresAt: null,
    ...NEVER_ROTATED,
    revokedAt: null,
  };
  const isNew = await askObject(deps.objects, id).insertKey(record);
  // A call that the runtime sent twice is not new either, but it is this key.
  const isHeld = isNew || (await askObject(deps.objects, id).listKeys()).some(({ hash }) => hash === record.hash);
  if (!isHeld) throw new DomainError('unauthorized', 'The bootstrap token has been used: `bootstrap` makes another.');
  return { key: { ...keyBody(deps, record), key: secret } };
}

/** A member, as the object knows at once; else a user without membership. */
async function requireUser({ db, objects }: KeyDeps, organisationId: Id<'org'>, text: string): Promise<Id<'u'>> {
  const id = parseId('u', text);
  if (id === null) throw notFound('user');
  const isMember = (await askObject(objects, organisationId).memberOf({ userId: id })) !== null;
  if (!isMember && !(await directory.hasUser(db, organisationId, id))) throw notFound('user');
  return id;
}

function keyBody({ keySecrets }: Pick<ServiceDeps, 'keySecrets'>, key: KeyRecord): Key {
  const { id, name, role, origin, operator, last4 } = key;
  return {
    id,
    name,
    role,
    origin,
    operator,
    last4,
    test: key.mode === 'test',
    owner_user_id: key.userId,
    created_at: epochSeconds(key.createdAt),
    revoked_at: key.revokedAt === null ? null : epochSeconds(key.revokedAt),
    secret_current: isDashboardKey(key) || keySecrets()[0].version === key.secretVersion,
    secret_known: isDashboardKey(key) || keySecrets().some((secret) => secret.version === key.secretVersion),
  };
}
