import {
  type Author,
  KEYS_MAX,
  type KeyFilter,
  type KeyRecord,
  type ListedKey,
  isDashboardKey,
  roleAllows,
} from '../domain/access/keys.ts';
import { HOUR_MS } from '../kernel/clock.ts';
import type { Id } from '../kernel/ids.ts';
import { audit, type ChangeDeps } from './changes.ts';
import { findMember } from './sql/members.ts';
import { clause, type ColumnsOf, insertRecord, NOTHING, orReplace, selectList, type Sql } from './sql/sql.ts';

export interface KeyCreation {
  readonly key: KeyRecord;
  /** The key that asked for it; once revoked, it makes none. */
  readonly by: Id<'key'>;
}

export interface KeyPage extends KeyFilter {
  readonly limit: number;
  /** The last id of the previous page. */
  readonly before: Id<'key'> | null;
}

export interface KeyChange extends Author {
  readonly id: Id<'key'>;
  readonly name?: string;
  /** Null means it does not expire. */
  readonly expiresAt?: number | null;
}

export interface KeyRotation extends Author, Pick<KeyRecord, 'id' | 'hash' | 'last4' | 'secretVersion'> {
  /** How long the current secret stays valid. */
  readonly overlapMs: number;
}

export interface KeyEnd extends Author {
  readonly id: Id<'key'>;
}

/**
 * `dashboard`: the key has no secret and ends with its person's membership. `ended`: revoked or expired. `not_own`:
 * another person's.
 */
export type KeyRefusal = 'unknown' | 'dashboard' | 'ended' | 'full' | 'revoked_maker' | 'not_own';
export type KeyAnswer =
  | { readonly ok: true; readonly key: ListedKey }
  | { readonly ok: false; readonly refusal: KeyRefusal };

const refused = (refusal: KeyRefusal): KeyAnswer => ({ ok: false, refusal });

/** Inserts a key, unless the requesting one has ended meanwhile: a person's keys end with the membership. */
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
    keyId: by,
    action: 'key.created',
    target: key.id,
    summary: `role ${key.role}, ${key.mode}${key.expiresAt === null ? '' : `, expires ${dayOf(key.expiresAt)}`}`,
  });
  return { ok: true, key: { ...key, lastUsedAt: null, previousUsedAt: null } };
}

export function changeKey(deps: ChangeDeps, { id, actor, keyId, name, expiresAt }: KeyChange): KeyAnswer {
  return change(deps, id, (key) => {
    if (key.revokedAt !== null) return 'ended';
    const parts = [
      ...(name === undefined || name === key.name ? [] : ['renamed']),
      ...(expiresAt === undefined || expiresAt === key.expiresAt
        ? []
        : [expiresAt === null ? 'no longer expires' : `expires ${dayOf(expiresAt)}`]),
    ];
    if (parts.length > 0) audit(deps, { actor, keyId, action: 'key.changed', target: id, summary: parts.join(', ') });
    return { ...key, ...(name !== undefined && { name }), ...(expiresAt !== undefined && { expiresAt }) };
  });
}

/**
 * Gives a key a new secret. The current one stays valid for the overlap; one before that ends at once. A person's key
 * acts as the person, so nobody else gets its secret.
 */
export function rotateKey(deps: ChangeDeps, { id, actor, keyId, overlapMs, ...secret }: KeyRotation): KeyAnswer {
  return change(deps, id, (key) => {
    // The transport sent it again.
    if (key.hash === secret.hash) return key;
    if (key.userId !== null && key.userId !== actor) return 'not_own';
    if (key.revokedAt !== null || (key.expiresAt !== null && key.expiresAt <= deps.now)) return 'ended';
    const hours = Math.round(overlapMs / 360_000) / 10;
    audit(deps, { actor, keyId, action: 'key.rotated', target: id, summary: `overlap ${hours} h` });
    const previous = { previousHash: key.hash, previousLast4: key.last4, previousUntil: deps.now + overlapMs };
    return { ...key, ...secret, ...previous };
  });
}

/** Revokes a key. A person's dashboard key ends only with the membership. */
export function endKey(deps: ChangeDeps, { id, actor, keyId }: KeyEnd): KeyAnswer {
  return change(deps, id, (key) => {
    if (key.revokedAt !== null) return key;
    audit(deps, { actor, keyId, action: 'key.revoked', target: id, summary: '' });
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

/** Inserts an operator's new key; false if it exists. */
export function enterKey(deps: ChangeDeps, key: KeyRecord): boolean {
  const isNew = insertKey(deps.sql, key);
  if (isNew) {
    deps.project('api_key', key.id, key);
    audit(deps, { actor: 'operator', action: 'key.created', target: key.id, summary: `role ${key.role}, ${key.mode}` });
  }
  return isNew;
}

/** Revokes any key for an operator; null without one. */
export function revokeAnyKey(deps: ChangeDeps, id: Id<'key'>): KeyRecord | null {
  const wasLive = findKey(deps.sql, id)?.revokedAt === null;
  const key = revokeKey(deps.sql, id, deps.now);
  if (key) deps.project('api_key', key.id, key);
  if (wasLive) audit(deps, { actor: 'operator', action: 'key.revoked', target: id, summary: '' });
  return key;
}

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

const COLUMNS: ColumnsOf<KeyRecord> = {
  id: 'id',
  hash: 'hash',
  last4: 'last4',
  name: 'name',
  role: 'role',
  mode: 'mode',
  origin: 'origin',
  operator: 'operator',
  userId: 'user_id',
  secretVersion: 'secret_version',
  createdAt: 'created_at',
  createdBy: 'created_by',
  expiresAt: 'expires_at',
  previousHash: 'previous_hash',
  previousLast4: 'previous_last4',
  previousUntil: 'previous_until',
  revokedAt: 'revoked_at',
};
const SELECTED = selectList({
  ...COLUMNS,
  lastUsedAt: 'last_used_at',
  previousUsedAt: 'previous_used_at',
} satisfies ColumnsOf<ListedKey>);

/** SQLite stores booleans as numbers. */
type KeyRow = Omit<ListedKey, 'operator'> & { readonly operator: number };

const toKey = (row: KeyRow): ListedKey => ({ ...row, operator: row.operator === 1 });
const toRow = (key: KeyRecord) => ({ ...key, operator: key.operator ? 1 : 0 });

const BY_SECRET = `select ${SELECTED.text} from api_key where hash = ?`;
const BY_SECRET_BEFORE = `select ${SELECTED.text} from api_key where previous_hash = ?`;

const isLive = ({ revokedAt, expiresAt }: KeyRow, now: number): boolean =>
  revokedAt === null && (expiresAt === null || expiresAt > now);

/** The key with this SHA-256 as its current or previous secret, unless revoked or expired. */
export function findLiveKey(sql: Sql, hash: string, now: number): ListedKey | null {
  const row = sql.lookUp<KeyRow>('api_key', BY_SECRET, hash);
  if (row !== undefined && isLive(row, now)) return toKey(row);
  const before = sql.lookUp<KeyRow>('api_key', BY_SECRET_BEFORE, hash);
  const isInTime = before !== undefined && before.previousUntil !== null && before.previousUntil > now;
  return isInTime && isLive(before, now) ? toKey(before) : null;
}

export function findKey(sql: Sql, id: Id<'key'>): ListedKey | null {
  const row = sql.first<KeyRow>`select ${SELECTED} from api_key where id = ${id}`;
  return row ? toKey(row) : null;
}

/** Records a key's use: one row an hour, and one for the previous secret. */
export function noteUse(sql: Sql, key: ListedKey, hash: string, now: number): void {
  const hour = now - (now % HOUR_MS);
  const isBefore = (noted: number | null): boolean => noted === null || noted < hour;
  const isPrevious = hash !== key.hash;
  if (isBefore(key.lastUsedAt)) sql.run`update api_key set last_used_at = ${hour} where id = ${key.id}`;
  if (isPrevious && isBefore(key.previousUsedAt))
    sql.run`update api_key set previous_used_at = ${hour} where id = ${key.id}`;
}

/** The previous secret changes now. */
const forgetPreviousUse = (sql: Sql, id: Id<'key'>): void =>
  sql.run`update api_key set previous_used_at = null where id = ${id}`;

/** False if its id or hash exists (a repeat). */
export const insertKey = (sql: Sql, key: KeyRecord): boolean =>
  insertRecord<KeyRecord>(sql, 'api_key', COLUMNS, toRow(key), 'on conflict do nothing returning id').length === 1;

export const putKey = (sql: Sql, key: KeyRecord): void =>
  void insertRecord<KeyRecord>(sql, 'api_key', COLUMNS, toRow(key), orReplace('id', COLUMNS, []));

/** Revokes the key now; a revoked key keeps its first time. Null if it does not exist. */
export function revokeKey(sql: Sql, id: Id<'key'>, now: number): ListedKey | null {
  const row = sql.first<KeyRow>`
    update api_key set revoked_at = coalesce(revoked_at, ${now}) where id = ${id} returning ${SELECTED}`;
  return row ? toKey(row) : null;
}

const listKeysOf = (sql: Sql, userId: Id<'u'>): ListedKey[] =>
  sql.all<KeyRow>`select ${SELECTED} from api_key where user_id = ${userId} and revoked_at is null order by id`.map(
    toKey,
  );

/** Newest first. */
export const listKeys = (sql: Sql): ListedKey[] =>
  sql.all<KeyRow>`select ${SELECTED} from api_key order by id desc`.map(toKey);

/** A page of keys that are not an operator's, newest first. */
export const pageKeys = (
  sql: Sql,
  { limit, before, state, role, mode }: KeyFilter & { readonly limit: number; readonly before: Id<'key'> | null },
  now: number,
): ListedKey[] => {
  const isLiveNow = clause`revoked_at is null and (expires_at is null or expires_at > ${now})`;
  const inState = state === undefined ? NOTHING : clause`and (${isLiveNow}) = ${Number(state === 'active')}`;
  const ofRole = role === undefined ? NOTHING : clause`and role = ${role}`;
  const ofMode = mode === undefined ? NOTHING : clause`and mode = ${mode}`;
  const keys = sql.all<KeyRow>`
    select ${SELECTED} from api_key where operator = 0 and id < ${before ?? 'key_~'} ${inState} ${ofRole} ${ofMode}
    order by id desc limit ${limit}`;
  return keys.map(toKey);
};

const countKeys = (sql: Sql): number => sql.count`select count(*) from api_key where revoked_at is null`;
