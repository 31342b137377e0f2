import type { Actor } from '../domain/access/key-record.ts';
import type { PolicyVersion } from '../domain/policy/policy-records.ts';
import type { LossesChange, LossesConflict, LossesSaved, LossesVersion } from '../domain/verification/losses.ts';
import { audit } from './audit.ts';
import { type ChangeDeps, once } from './once.ts';
import { findLosses, insertLosses } from './sql/losses.ts';

/**
 * Postgres keeps losses among the policies, under a name that no policy can have: the release before would stop at a kind of
 * record that it has no writer for.
 */
const PROJECTED_AS = '@losses';

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
    const projected: PolicyVersion = { ...saved, slug: PROJECTED_AS };
    project('policy', `${PROJECTED_AS} ${saved.version}`, projected);
    const actor = (createdBy ?? 'operator') as Actor;
    audit(deps, { actor, action: 'losses.changed', target: 'losses', summary: `version ${saved.version}` });
    return { ok: true, saved };
  });
}

/** Versions of the losses among versions of policies, as Postgres has them. */
export function splitLosses(versions: readonly PolicyVersion[]): {
  readonly policies: readonly PolicyVersion[];
  readonly losses: readonly LossesVersion[];
} {
  const losses = versions.flatMap(({ slug, ...version }) => (slug === PROJECTED_AS ? [version] : []));
  return { policies: versions.filter(({ slug }) => slug !== PROJECTED_AS), losses };
}
