import type { ConnectionKind } from '../../contract/connections.ts';
import { isConnectionId } from '../../domain/feedback/connection-id.ts';
import { parseId } from '../../kernel/ids.ts';
import { findConnection } from '../../storage/postgres/feedback.ts';
import type { ServiceDeps } from '../deps.ts';
import { NO_CONNECTION } from './connection.ts';
import type { OpenConnection } from './memory.ts';
import { openSecrets } from './secrets.ts';

type FindDeps = Pick<ServiceDeps, 'connectionIdKey' | 'sealKey' | 'connections' | 'db'>;

/** The connection that a webhook names, with its secrets. Refuses an unknown one, and one of another service. */
export async function findOpenConnection(
  deps: FindDeps,
  kind: ConnectionKind,
  idText: string,
): Promise<OpenConnection> {
  const id = parseId('con', idText);
  if (id === null || !isConnectionId(deps.connectionIdKey(), id)) throw NO_CONNECTION;
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
