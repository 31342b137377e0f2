import {
  type Actor,
  isDashboardKey,
  type KeyFilter,
  KEYS_MAX,
  type KeyRecord,
  type ListedKey,
} from '../domain/access/key-record.ts';
import { roleAllows } from '../domain/access/roles.ts';
import type { Id } from '../kernel/ids.ts';
import { audit, type ChangeDeps } from './changes.ts';
import { countKeys, findKey, forgetPreviousUse, insertKey, listKeysOf, putKey, revokeKey } from './sql/access.ts';
import { findMember } from './sql/members.ts';

export interface KeyCreation {
  readonly key: KeyRecord;
  /** The key that asked for it: once that one is revoked, it makes none. */
  readonly by: Id<'key'>;
}

export interface KeyPage extends KeyFilter {
  readonly limit: number;
  /** The last id of the page before. */
  readonly before: Id<'key'> | null;
}

export interface KeyChange {
  readonly id: Id<'key'>;
  readonly actor: Actor;
  readonly name?: string;
  /** Null: it does not expire. */
  readonly expiresAt?: number | null;
}

export interface KeyRotation extends Pick<KeyRecord, 'id' | 'hash' | 'last4' | 'secretVersion'> {
  readonly actor: Actor;
  /** How long the secret until now stays good. */
  readonly overlapMs: number;
}

export interface KeyEnd {
  readonly id: Id<'key'>;
  readonly actor: Actor;
}

/** `dashboard`: the key has no secret and ends with its person's membership. `ended`: it is revoked, or has expired. */
export type KeyRefusal = 'unknown' | 'dashboard' | 'ended' | 'full' | 'revoked_maker';
export type KeyAnswer =
  | { readonly ok: true; readonly key: ListedKey }
  | { readonly ok: false; readonly refusal: KeyRefusal };

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
export function endKey(deps: ChangeDeps, { id, actor }: KeyEnd): KeyAnswer {
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

/** Enters a key that an operator makes; false where it is there. */
export function enterKey(deps: ChangeDeps, key: KeyRecord): boolean {
  const isNew = insertKey(deps.sql, key);
  if (isNew) {
    deps.project('api_key', key.id, key);
    audit(deps, { actor: 'operator', action: 'key.created', target: key.id, summary: `role ${key.role}, ${key.mode}` });
  }
  return isNew;
}

/** Revokes any key for an operator; null where there is none. */
export function revokeAnyKey(deps: ChangeDeps, id: Id<'key'>): KeyRecord | null {
  const wasLive = findKey(deps.sql, id)?.revokedAt === null;
  const key = revokeKey(deps.sql, id, deps.now);
  if (key) deps.project('api_key', key.id, key);
  if (wasLive) audit(deps, { actor: 'operator', action: 'key.revoked', target: id, summary: '' });
  return key;
}

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
