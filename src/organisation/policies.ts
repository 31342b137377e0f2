import type { Actor } from '../domain/access/key-record.ts';
import { DEFAULT_POLICY, DEFAULT_SLUG, isSuperseded, SUPERSEDED_DEFAULTS } from '../domain/policy/default-policy.ts';
import {
  POLICIES_MAX,
  type PolicyChange,
  type PolicyRefused,
  type PolicySaved,
  type PolicyVersion,
} from '../domain/policy/policy-records.ts';
import { audit } from './audit.ts';
import { type ChangeDeps, once } from './once.ts';
import { countPolicies, findPolicy, insertPolicy } from './sql/policy.ts';

/** Saves a document as its policy's newest version, unless the newest is the same. */
export function putPolicy(deps: ChangeDeps, change: PolicyChange): PolicySaved | PolicyRefused {
  return once(deps, change.operationId, () => {
    const { sql, now } = deps;
    const { slug, document, createdBy, expected } = change;
    const current = findPolicy(sql, slug, null);
    const inForce = current?.version ?? null;
    if (!isExpected(expected, inForce)) return { ok: false, refusal: 'conflict', inForce };
    if (current === null && countPolicies(sql) >= POLICIES_MAX) return { ok: false, refusal: 'full' };
    const version = (current?.version ?? 0) + 1;
    const saved = current?.document === document ? current : { slug, version, document, createdAt: now, createdBy };
    if (saved !== current) {
      enter(deps, saved);
      const actor = (createdBy ?? 'operator') as Actor;
      audit(deps, { actor, action: 'policy.saved', target: slug, summary: `version ${version}` });
    }
    const { document: _, ...rest } = saved;
    return { ok: true, saved: rest };
  });
}

const isExpected = (expected: PolicyChange['expected'], version: number | null): boolean =>
  expected === null || (version !== null && (expected === 'any' || expected.includes(version)));

/**
 * Gives an organisation the default policy. Where a superseded default still stands untouched, the new one becomes its next
 * version. A version that a user saved is never followed by another.
 */
export function ensureDefaultPolicy(
  deps: ChangeDeps,
  organisationCreatedAt: number,
  superseded: readonly string[] = SUPERSEDED_DEFAULTS,
): void {
  const current = findPolicy(deps.sql, DEFAULT_SLUG, null);
  const isUntouched = current !== null && current.createdBy === null && isSuperseded(current.document, superseded);
  if (current !== null && !isUntouched) return;
  const [version, createdAt] = current === null ? [1, organisationCreatedAt] : [current.version + 1, deps.now];
  enter(deps, { slug: DEFAULT_SLUG, version, document: JSON.stringify(DEFAULT_POLICY), createdAt, createdBy: null });
}

function enter({ sql, project }: ChangeDeps, version: PolicyVersion): void {
  insertPolicy(sql, version);
  project('policy', `${version.slug} ${version.version}`, version);
}
