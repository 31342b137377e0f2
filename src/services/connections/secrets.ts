import { openSealed, sealText } from '../../kernel/sealed-text.ts';
import type { StoredConnection } from '../../storage/postgres/feedback.ts';
import type { ServiceDeps } from '../deps.ts';
import type { OpenConnection } from './memory.ts';

/** Postgres stores sealed secrets only. */
export const sealSecrets = ({ sealKey }: Pick<ServiceDeps, 'sealKey'>, id: string, secrets: readonly string[]) =>
  sealText(sealKey(), id, JSON.stringify(secrets));

export const openSecrets = async (
  { sealKey }: Pick<ServiceDeps, 'sealKey'>,
  { id, organisationId, kind, secrets }: StoredConnection,
): Promise<OpenConnection> => ({
  id,
  organisationId,
  kind,
  secrets: JSON.parse(await openSealed(sealKey(), id, secrets)) as string[],
});
