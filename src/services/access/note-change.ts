import type { AuditAction } from '../../contract/access.ts';
import type { Actor } from '../../domain/access/key-record.ts';
import type { Id } from '../../kernel/ids.ts';
import { askObject } from '../../organisation/api.ts';
import type { Deps } from '../deps.ts';

/** Enters in the audit log a change of what the organisation's object does not hold itself. */
export async function noteChange(
  { objects }: Pick<Deps, 'objects'>,
  organisationId: Id<'org'>,
  actor: Actor,
  action: AuditAction,
  target: string,
  summary = '',
): Promise<void> {
  await askObject(objects, organisationId).noteAudit({ note: { actor, action, target, summary } });
}
