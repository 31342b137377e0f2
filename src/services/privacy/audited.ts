import type { AuditAction } from '../../contract/access.ts';
import type { KeyIdentity } from '../../domain/access/key-record.ts';
import type { Id } from '../../kernel/ids.ts';
import { askObject, type ObjectDeps } from '../../organisation/api.ts';

/** Enters in the audit log that an address was exported or forgotten. Which one that was stands nowhere. */
export async function audited(
  objects: ObjectDeps,
  organisationId: Id<'org'>,
  key: KeyIdentity,
  action: Extract<AuditAction, `address.${string}`>,
): Promise<void> {
  const note = { actor: key.userId ?? key.id, action, target: organisationId, summary: '' };
  await askObject(objects, organisationId).noteAudit({ note });
}
