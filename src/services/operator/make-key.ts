import type * as z from 'zod';
import type { CreateKey } from '../../contract/operator.ts';
import { issueKey, keyVersion } from '../../domain/access/key-format.ts';
import { type KeyRecord, NEVER_ROTATED } from '../../domain/access/key-record.ts';
import { DomainError } from '../../kernel/errors.ts';
import { type Id, newId, parseId, systemRandom } from '../../kernel/ids.ts';
import { sha256Hex } from '../../kernel/keyed-hash.ts';
import { askObject } from '../../organisation/api.ts';
import * as directory from '../../storage/postgres/organisations.ts';
import type { ServiceDeps } from '../deps.ts';
import { keyBody } from './key-body.ts';
import { notFound } from './organisations.ts';

type KeyDeps = Pick<ServiceDeps, 'db' | 'objects' | 'now' | 'keySecrets'>;

/**
 * Makes a key. The answer alone shows it. A `keyId` from outside marks a bootstrap token, whose key may have been made before.
 */
export async function makeKey(
  deps: KeyDeps,
  id: Id<'org'>,
  body: z.output<typeof CreateKey>,
  operator: boolean,
  keyId = newId('key', deps.now()),
) {
  const random = new Uint8Array(16);
  systemRandom(random);
  const mode = body.test ? 'test' : 'live';
  const key = issueKey(deps.keySecrets()[0], { organisationId: id, mode, role: body.role, operator }, random);
  const record: KeyRecord = {
    id: keyId,
    hash: sha256Hex(key),
    last4: key.slice(-4),
    name: body.name,
    role: body.role,
    mode,
    origin: body.origin,
    operator,
    userId: body.user_id === undefined ? null : await requireUser(deps, id, body.user_id),
    secretVersion: keyVersion(key),
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
  return { key: { ...keyBody(deps, record), key } };
}

/** A member, as the object knows it at once; else a user whom a release without members made. */
async function requireUser({ db, objects }: KeyDeps, organisationId: Id<'org'>, text: string): Promise<Id<'u'>> {
  const id = parseId('u', text);
  if (id === null) throw notFound('user');
  const isMember = (await askObject(objects, organisationId).memberOf({ userId: id })) !== null;
  if (!isMember && !(await directory.hasUser(db, organisationId, id))) throw notFound('user');
  return id;
}
