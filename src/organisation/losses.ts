import type { Actor } from '../domain/access/key-record.ts';
import type { LossesChange, LossesConflict, LossesSaved } from '../domain/verification/losses.ts';
import { audit } from './audit.ts';
import { type ChangeDeps, once } from './once.ts';
import { findLosses, insertLosses } from './sql/losses.ts';

/** Saves the document as the newest version, unless the newest is the same. */
export function putLosses(deps: ChangeDeps, change: LossesChange): LossesSaved | LossesConflict {
  return once(deps, change.operationId, () => {
    const { sql, now, project } = deps;
    const { document, createdBy, expected } = change;
    const current = findLosses(sql, null);
    const inForce = current?.version ?? 0;
    if (expected !== null && expected !== 'any' && !expected.includes(inForce)) return { ok: false, inForce };
    if (current?.document === document) return { ok: true, saved: current };
    const saved = { version: inForce + 1, document, createdAt: now, createdBy };
    insertLosses(sql, saved);
    project('losses', String(saved.version), saved);
    const actor = (createdBy ?? 'operator') as Actor;
    audit(deps, { actor, action: 'losses.changed', target: 'losses', summary: `version ${saved.version}` });
    return { ok: true, saved };
  });
}
