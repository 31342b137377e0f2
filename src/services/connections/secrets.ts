import { epochSeconds } from '../../kernel/clock.ts';
import { DomainError } from '../../kernel/errors.ts';
import { parseId } from '../../kernel/ids.ts';
import { openSealed, sealText } from '../../kernel/sealed-text.ts';
import * as store from '../../storage/postgres/feedback.ts';
import type { Deps } from '../deps.ts';
import { requireOrganisation } from '../operator/organisations.ts';
import type { OpenConnection } from './memory.ts';

export const NO_CONNECTION = new DomainError('not_found', 'There is no such connection.');

export const shown = (
  { publicUrl }: Pick<Deps, 'publicUrl'>,
  { id, kind, createdAt }: Omit<store.StoredConnection, 'secrets' | 'organisationId'>,
) => ({
  id,
  kind: kind as 'stripe',
  url: `${publicUrl ?? ''}/integrations/stripe/${id}`,
  created_at: epochSeconds(createdAt),
});

/** At rest secrets are sealed. */
export const seal = ({ sealKey }: Pick<Deps, 'sealKey'>, id: string, secrets: readonly string[]) =>
  sealText(sealKey(), id, JSON.stringify(secrets));

export const openSecrets = async (
  { sealKey }: Pick<Deps, 'sealKey'>,
  { id, organisationId, secrets }: store.StoredConnection,
): Promise<OpenConnection> => ({
  id,
  organisationId,
  secrets: JSON.parse(await openSealed(sealKey(), id, secrets)) as string[],
});

export async function requireStored(
  { db, objects }: Pick<Deps, 'db' | 'objects'>,
  organisation: string,
  idText: string,
): Promise<store.StoredConnection> {
  const { id: organisationId } = await requireOrganisation(objects, organisation);
  const id = parseId('con', idText);
  const stored = id === null ? null : await store.findConnection(db, id);
  if (stored?.organisationId !== organisationId) throw NO_CONNECTION;
  return stored;
}
