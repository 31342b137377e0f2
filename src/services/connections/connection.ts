import { epochSeconds } from '../../kernel/clock.ts';
import { DomainError } from '../../kernel/errors.ts';
import { parseId } from '../../kernel/ids.ts';
import { findConnection, type StoredConnection } from '../../storage/postgres/feedback.ts';
import type { Deps } from '../deps.ts';
import { requireOrganisation } from '../operator/organisations.ts';

export const NO_CONNECTION = new DomainError('not_found', 'There is no such connection.');

/** The connection of these two ids, or a refusal. */
export async function requireConnection(
  { db, objects }: Pick<Deps, 'db' | 'objects'>,
  organisation: string,
  idText: string,
): Promise<StoredConnection> {
  const { id: organisationId } = await requireOrganisation(objects, organisation);
  const id = parseId('con', idText);
  const stored = id === null ? null : await findConnection(db, id);
  if (stored?.organisationId !== organisationId) throw NO_CONNECTION;
  return stored;
}

export const connectionBody = (
  { publicUrl }: Pick<Deps, 'publicUrl'>,
  { id, kind, createdAt }: Pick<StoredConnection, 'id' | 'kind' | 'createdAt'>,
) => ({
  id,
  kind: kind as 'stripe',
  url: `${publicUrl ?? ''}/integrations/stripe/${id}`,
  created_at: epochSeconds(createdAt),
});
