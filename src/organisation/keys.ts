import { type Actor, isDashboardKey, KEYS_MAX, type KeyRecord } from '../domain/access/key-record.ts';
import { roleAllows } from '../domain/access/roles.ts';
import type { Id } from '../kernel/ids.ts';
import type { KeyAnswer, KeyChange, KeyCreation, KeyRefusal, KeyRotation } from './access-calls.ts';
import { audit } from './audit.ts';
import type { ChangeDeps } from './once.ts';
import { countKeys, findKey, forgetPreviousUse, insertKey, listKeysOf, putKey, revokeKey } from './sql/access.ts';
import { findMember } from './sql/members.ts';

const refused = (refusal: KeyRefusal): KeyAnswer => ({ ok: false, refusal });

/** Enters a key, unless the one that asked for it has ended meanwhile: a person's keys end with the membership. */
export function createKey(deps: ChangeDeps, { key, by }: KeyCreation): KeyAnswer {
  const { sql } = deps;
  const known = findKey(sql, key.id);
  if (known !== null) return { ok: true, key: known };
  if (findKey(sql, by)?.revokedAt !== null) return refused('revoked_maker');
  if (countKeys(sql) >= KEYS_MAX) return refused('full');
  insertKey(sql, key);
  deps.project('api_key', key.id, key);
  audit(deps, {
    actor: key.createdBy,
    action: 'key.created',
    target: key.id,
    summary: `role ${key.role}, ${key.mode}${key.expiresAt === null ? '' : `, expires ${dayOf(key.expiresAt)}`}`,
  });
  return { ok: true, key: { ...key, lastUsedAt: null, previousUsedAt: null } };
}

/** Renames a key, or sets when it expires. */
export function changeKey(deps: ChangeDeps, { id, actor, name, expiresAt }: KeyChange): KeyAnswer {
  return change(deps, id, (key) => {
    if (key.revokedAt !== null) return 'ended';
    const parts = [
      ...(name === undefined || name === key.name ? [] : ['renamed']),
      ...(expiresAt === undefined || expiresAt === key.expiresAt
        ? []
        : [expiresAt === null ? 'no longer expires' : `expires ${dayOf(expiresAt)}`]),
    ];
    if (parts.length > 0) audit(deps, { actor, action: 'key.changed', target: id, summary: parts.join(', ') });
    return { ...key, ...(name !== undefined && { name }), ...(expiresAt !== undefined && { expiresAt }) };
  });
}

/** Gives a key a new secret. The one until now stays good for the overlap; one before that ends at once. */
export function rotateKey(deps: ChangeDeps, { id, actor, overlapMs, ...secret }: KeyRotation): KeyAnswer {
  return change(deps, id, (key) => {
    // Our own transport has sent it again.
    if (key.hash === secret.hash) return key;
    if (key.revokedAt !== null || (key.expiresAt !== null && key.expiresAt <= deps.now)) return 'ended';
    const hours = Math.round(overlapMs / 360_000) / 10;
    audit(deps, { actor, action: 'key.rotated', target: id, summary: `overlap ${hours} h` });
    const previous = { previousHash: key.hash, previousLast4: key.last4, previousUntil: deps.now + overlapMs };
    return { ...key, ...secret, ...previous };
  });
}

/** Revokes a key. A person's dashboard key ends with the membership alone. */
export function endKey(deps: ChangeDeps, id: Id<'key'>, actor: Actor): KeyAnswer {
  return change(deps, id, (key) => {
    if (key.revokedAt !== null) return key;
    audit(deps, { actor, action: 'key.revoked', target: id, summary: '' });
    return { ...key, revokedAt: deps.now };
  });
}

function change(deps: ChangeDeps, id: Id<'key'>, changed: (key: KeyRecord) => KeyRecord | KeyRefusal): KeyAnswer {
  const found = findKey(deps.sql, id);
  if (found === null || found.operator) return refused('unknown');
  if (isDashboardKey(found)) return refused('dashboard');
  const { lastUsedAt, previousUsedAt, ...key } = found;
  const next = changed(key);
  if (typeof next === 'string') return refused(next);
  const isRotated = next.hash !== key.hash;
  if (next !== key) {
    putKey(deps.sql, next);
    if (isRotated) forgetPreviousUse(deps.sql, id);
    deps.project('api_key', id, next);
  }
  return { ok: true, key: { ...next, lastUsedAt, previousUsedAt: isRotated ? null : previousUsedAt } };
}

/** Revokes a person's keys: all, or those of a role above `keep`. */
export function revokeKeysOf(deps: ChangeDeps, userId: Id<'u'>, keep: KeyRecord['role'] | null): number {
  const own = findMember(deps.sql, userId)?.keyId;
  const lost = listKeysOf(deps.sql, userId).filter(
    ({ id, role }) => keep === null || (id !== own && !roleAllows(keep, role)),
  );
  for (const { id } of lost) {
    const key = revokeKey(deps.sql, id, deps.now);
    if (key !== null) deps.project('api_key', id, key);
  }
  return lost.length;
}

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
