import type { ConnectionKind } from '../../contract/connections.ts';
import { isConnectionId, MAC_SINCE_MS, mayLackMac } from '../../domain/feedback/connection-id.ts';
import { DependencyError } from '../../kernel/errors.ts';
import { type Id, parseId } from '../../kernel/ids.ts';
import { findConnection, listConnectionIds } from '../../storage/postgres/feedback.ts';
import type { ServiceDeps } from '../deps.ts';
import { NO_CONNECTION } from './connection.ts';
import { type OpenConnection, REMEMBERED_MS } from './memory.ts';
import { openSecrets } from './secrets.ts';

type FindDeps = Pick<ServiceDeps, 'connectionIdKey' | 'sealKey' | 'connections' | 'db' | 'now'>;

/** The connection that a webhook names, with its secrets. Refuses an unknown one, and one of another service. */
export async function findOpenConnection(
  deps: FindDeps,
  kind: ConnectionKind,
  idText: string,
): Promise<OpenConnection> {
  const id = parseId('con', idText);
  if (id === null || !(isConnectionId(deps.connectionIdKey(), id) || (await isEarly(deps, id)))) throw NO_CONNECTION;
  const { connections } = deps.connections;
  let known = connections.get(id);
  if (known === undefined) {
    const stored = await findConnection(deps.db, id);
    known = stored === null ? null : await openSecrets(deps, stored);
    connections.set(id, known);
  }
  if (known?.kind !== kind) throw NO_CONNECTION;
  return known;
}

/** Whether the id is one of the first, which have no MAC. They are read once a minute, however many made-up ids come. */
async function isEarly({ db, now, connections }: FindDeps, id: Id<'con'>): Promise<boolean> {
  if (!mayLackMac(id)) return false;
  if (now() - connections.early.at >= REMEMBERED_MS) {
    // The time is set first, so that requests meanwhile, or after a failure, don't read them too.
    connections.early = { ...connections.early, at: now() };
    connections.early = { ...connections.early, ids: new Set(await listConnectionIds(db, MAC_SINCE_MS)) };
  }
  if (connections.early.ids === null) throw new DependencyError('postgres', 'ids of connections are not known yet');
  return connections.early.ids.has(id);
}
