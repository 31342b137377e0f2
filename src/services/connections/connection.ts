import { DAY_MS, epochSeconds } from '../../kernel/clock.ts';
import { DomainError } from '../../kernel/errors.ts';
import { type Id, parseId } from '../../kernel/ids.ts';
import type { Database } from '../../storage/postgres/client.ts';
import { changeSecrets, findConnection, type StoredConnection } from '../../storage/postgres/feedback.ts';
import type { Deps, ServiceDeps } from '../deps.ts';
import { requireOrganisation } from '../operator/organisations.ts';
import { openSecrets, sealSecrets } from './secrets.ts';

export const NO_CONNECTION = new DomainError('not_found', 'This connection does not exist.');

/** The connection of these two ids, or a refusal. */
export async function requireConnection(
  { db, objects }: Pick<Deps, 'db' | 'objects'>,
  organisation: string,
  idText: string,
): Promise<StoredConnection> {
  const { id } = await requireOrganisation(objects, organisation);
  return requireOwnConnection(db, id, idText);
}

/** The organisation's connection of this id, or a refusal. */
export async function requireOwnConnection(
  db: Database,
  organisationId: Id<'org'>,
  idText: string,
): Promise<StoredConnection> {
  const id = parseId('con', idText);
  const stored = id === null ? null : await findConnection(db, id);
  if (stored?.organisationId !== organisationId) throw NO_CONNECTION;
  return stored;
}

/** Puts a new secret beside the newest one, which stays good until the next change. */
export async function replaceSecret(
  deps: Pick<ServiceDeps, 'db' | 'sealKey' | 'connections'>,
  stored: StoredConnection,
  secret: string,
): Promise<void> {
  const { secrets } = await openSecrets(deps, stored);
  const kept = secrets.filter((each) => each !== secret).slice(0, 1);
  await changeSecrets(deps.db, stored.id, await sealSecrets(deps, stored.id, [secret, ...kept]));
  deps.connections.connections.delete(stored.id);
}

/** Events of this long count as a connection's activity. */
export const ACTIVITY_MS = 30 * DAY_MS;

export const connectionUrl = (
  { publicUrl }: Pick<Deps, 'publicUrl'>,
  { id, kind }: Pick<StoredConnection, 'id' | 'kind'>,
): string => `${publicUrl ?? ''}/integrations/${kind}/${id}`;

export const connectionBody = (
  deps: Pick<Deps, 'publicUrl'>,
  connection: Pick<StoredConnection, 'id' | 'kind' | 'createdAt'>,
) => ({
  id: connection.id,
  kind: connection.kind,
  url: connectionUrl(deps, connection),
  created_at: epochSeconds(connection.createdAt),
});
