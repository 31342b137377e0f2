import { type ConnectionKind, secretFault } from '../contract/connections.ts';
import { ROUTES } from '../contract/routes.ts';
import { type Author, authorOf } from '../domain/access/keys.ts';
import { newConnectionId } from '../domain/feedback/outcomes.ts';
import { DAY_MS, epochSeconds, HOUR_MS } from '../kernel/clock.ts';
import { openSealed, sealText } from '../kernel/crypto.ts';
import { DomainError } from '../kernel/errors.ts';
import { type Id, parseId } from '../kernel/ids.ts';
import { countEvents } from '../storage/postgres/connections.ts';
import * as store from '../storage/postgres/connections.ts';
import { noteChange } from './audit.ts';
import type { HeldSecret, OpenConnection } from './connection-memory.ts';
import type { Deps, ServiceDeps } from './deps.ts';
import { requireOrganisation } from './organisations.ts';
import { verb } from './verb.ts';

/** Mail services, for an account's admins. */
export const listOwnConnections = verb({
  route: ROUTES.ownConnections,
  run: async ({ deps, organisationId }) => {
    const received = await countEvents(deps.db, organisationId, deps.now() - ACTIVITY_MS);
    const connections = (await store.listConnections(deps.db, organisationId)).map((connection) => {
      const { lastAt = null, counts = {} } = received.get(connection.id) ?? {};
      const last_event_at = lastAt === null ? null : epochSeconds(lastAt);
      return { ...connectionBody(deps, connection), last_event_at, events: counts, refused: connection.refused };
    });
    return { connections };
  },
});

export const createOwnConnection = verb({
  route: ROUTES.createOwnConnection,
  run: async ({ deps, organisationId, authorized }, { body: { kind, secret } }) => {
    const { id, url } = await create(deps, organisationId, kind, secret, authorOf(authorized.key));
    return { connection: { id, kind, url } };
  },
});

export const changeOwnConnection = verb({
  route: ROUTES.changeOwnConnection,
  run: async ({ deps, organisationId, authorized }, { params, body: { secret } }) => {
    const stored = await requireConnection(deps, organisationId, params.id);
    const fault = secretFault(stored.kind, secret);
    if (fault !== null) throw new DomainError('invalid_request', `\`secret\` ${fault}.`);
    await replaceSecret(deps, stored, secret, authorOf(authorized.key));
    return { connection: { id: stored.id, kind: stored.kind, url: connectionUrl(deps, stored) } };
  },
});

export const deleteOwnConnection = verb({
  route: ROUTES.deleteOwnConnection,
  run: async ({ deps, organisationId, authorized }, { params }) => {
    await remove(deps, await requireConnection(deps, organisationId, params.id), authorOf(authorized.key));
    return { done: true as const };
  },
});

/** Payment processors, for operators. */
export const listConnections = verb({
  route: ROUTES.listConnections,
  run: async ({ deps }, { params }) => {
    const { id } = await requireOrganisation(deps.objects, params.id);
    const activity = await store.listActivity(deps.db, id, deps.now() - ACTIVITY_MS);
    const connections = (await store.listConnections(deps.db, id)).map((connection) => {
      const { lastAt = null, live = 0, test = 0 } = activity.get(connection.id) ?? {};
      const last_received_at = lastAt === null ? null : epochSeconds(lastAt);
      return { ...connectionBody(deps, connection), last_received_at, live_events: live, test_events: test };
    });
    return { connections };
  },
});

export const createConnection = verb({
  route: ROUTES.createConnection,
  run: async ({ deps }, { params, body: { kind, webhook_secret } }) => {
    const { id } = await requireOrganisation(deps.objects, params.id);
    return { connection: await create(deps, id, kind, webhook_secret, { actor: 'operator' }) };
  },
});

/** Replaces a processor's secret. A mail service's is replaced by its account. */
export const changeConnection = verb({
  route: ROUTES.changeConnection,
  run: async ({ deps }, { params, body: { webhook_secret } }) => {
    const { id } = await requireOrganisation(deps.objects, params.id);
    const stored = await requireConnection(deps, id, params.connection_id);
    if (stored.kind !== 'stripe')
      throw new DomainError(
        'invalid_request',
        'Operators replace only a payment processor’s secret; the account replaces this one.',
      );
    await replaceSecret(deps, stored, webhook_secret, { actor: 'operator' });
    return { connection: connectionBody(deps, stored) };
  },
});

export const deleteConnection = verb({
  route: ROUTES.deleteConnection,
  run: async ({ deps }, { params }) => {
    const { id } = await requireOrganisation(deps.objects, params.id);
    await remove(deps, await requireConnection(deps, id, params.connection_id), { actor: 'operator' });
    return { done: true as const };
  },
});

export const NO_CONNECTION = new DomainError('not_found', 'This connection does not exist.');

/** Events within this time count as a connection's activity. */
const ACTIVITY_MS = 30 * DAY_MS;

type SealDeps = Pick<ServiceDeps, 'sealKeys'>;
type ConnectionDeps = Deps & SealDeps & Pick<ServiceDeps, 'connectionIdKeys' | 'connections'>;

/** The organisation's connection of this id, or a refusal. */
async function requireConnection(
  { db }: Pick<Deps, 'db'>,
  organisationId: Id<'org'>,
  idText: string,
): Promise<store.StoredConnection> {
  const id = parseId('con', idText);
  const stored = id === null ? null : await store.findConnection(db, id);
  if (stored?.organisationId !== organisationId) throw NO_CONNECTION;
  return stored;
}

async function create(
  deps: Pick<ConnectionDeps, 'db' | 'objects' | 'now' | 'publicUrl' | 'connectionIdKeys' | 'sealKeys'>,
  organisationId: Id<'org'>,
  kind: ConnectionKind,
  secret: string,
  author: Author,
) {
  const id = newConnectionId(deps.connectionIdKeys()[0], deps.now());
  const connection = { id, organisationId, kind, createdAt: deps.now() };
  await store.insertConnection(deps.db, {
    ...connection,
    secrets: await sealSecrets(deps, id, [{ secret, until: null }]),
  });
  await noteChange(deps, organisationId, author, 'connection.created', id, kind);
  return connectionBody(deps, connection);
}

/** Adds a new secret; the previous one stays valid for an hour. */
async function replaceSecret(
  deps: Pick<ConnectionDeps, 'db' | 'objects' | 'sealKeys' | 'connections' | 'now'>,
  stored: store.StoredConnection,
  secret: string,
  author: Author,
): Promise<void> {
  const { id, organisationId, kind } = stored;
  const { held } = await openSecrets(deps, stored);
  const [before] = held.filter((each) => each.secret !== secret);
  const kept = before === undefined ? [] : [{ ...before, until: before.until ?? deps.now() + HOUR_MS }];
  await store.changeSecrets(deps.db, id, await sealSecrets(deps, id, [{ secret, until: null }, ...kept]));
  deps.connections.connections.delete(id);
  await noteChange(deps, organisationId, author, 'connection.changed', id, `${kind}: new secret`);
}

async function remove(
  deps: Pick<ConnectionDeps, 'db' | 'objects' | 'connections'>,
  { id, organisationId, kind }: store.StoredConnection,
  author: Author,
): Promise<void> {
  await store.deleteConnection(deps.db, id);
  deps.connections.connections.delete(id);
  await noteChange(deps, organisationId, author, 'connection.deleted', id, kind);
}

/** Postgres stores only sealed secrets. */
const sealSecrets = ({ sealKeys }: SealDeps, id: string, held: readonly HeldSecret[]) =>
  sealText(sealKeys()[0], id, JSON.stringify(held));

/** Opens text that was sealed under any of the keys, the one in use first. */
async function openWithAny([key, ...before]: readonly Uint8Array[], id: string, sealed: string): Promise<string> {
  if (key === undefined) throw new Error('no key opens the secrets of a connection');
  return openSealed(key, id, sealed).catch(() => openWithAny(before, id, sealed));
}

/** Seals those of an organisation's secrets anew that were sealed under a key of before a rotation. */
export async function sealAnew(deps: SealDeps & Pick<Deps, 'db'>, organisationId: Id<'org'>): Promise<void> {
  const [key, ...before] = deps.sealKeys();
  if (before.length === 0) return;
  for (const { id, secrets } of await store.listConnections(deps.db, organisationId)) {
    const isOfNow = await openSealed(key, id, secrets).then(
      () => true,
      () => false,
    );
    // What no key opens was sealed under a secret that is gone.
    const text = isOfNow ? null : await openWithAny(before, id, secrets).catch(() => null);
    if (text === null) continue;
    // Not where an admin has replaced the secret meanwhile.
    await store.changeSecrets(deps.db, id, await sealText(key, id, text), secrets);
  }
}

export const openSecrets = async (
  { sealKeys }: SealDeps,
  { id, organisationId, kind, secrets }: store.StoredConnection,
): Promise<OpenConnection> => ({
  id,
  organisationId,
  kind,
  held: JSON.parse(await openWithAny(sealKeys(), id, secrets)) as HeldSecret[],
});

const connectionUrl = (
  { publicUrl }: Pick<Deps, 'publicUrl'>,
  { id, kind }: Pick<store.StoredConnection, 'id' | 'kind'>,
): string => `${publicUrl ?? ''}/integrations/${kind}/${id}`;

const connectionBody = (
  deps: Pick<Deps, 'publicUrl'>,
  connection: Pick<store.StoredConnection, 'id' | 'kind' | 'createdAt'>,
) => ({
  id: connection.id,
  kind: connection.kind,
  url: connectionUrl(deps, connection),
  created_at: epochSeconds(connection.createdAt),
});
