import type { KeyMode, Role } from '../../domain/access/key-format.ts';
import type { KeyRecord } from '../../domain/access/key-record.ts';
import type { KeyOrigin } from '../../domain/access/roles.ts';
import type { Id } from '../../kernel/ids.ts';
import { first, type Sql, type SqlRow } from './sql.ts';

interface KeyRow extends SqlRow {
  id: Id<'key'>;
  hash: string;
  last4: string;
  name: string;
  role: Role;
  mode: KeyMode;
  origin: KeyOrigin;
  operator: number;
  user_id: Id<'u'> | null;
  secret_version: string;
  created_at: number;
  revoked_at: number | null;
}

/** The key with this SHA-256, if it is alive. */
export function findLiveKey(sql: Sql, hash: string): KeyRecord | null {
  const row = first<KeyRow>(sql, 'select * from api_key where hash = ? and revoked_at is null', hash);
  return row ? toKey(row) : null;
}

/** Writes the key; false when its id or hash is there already (a repeat). */
export function insertKey(sql: Sql, key: KeyRecord): boolean {
  const { id, hash, last4, name, role, mode, origin, userId, secretVersion, createdAt, revokedAt } = key;
  const inserted = sql.exec<SqlRow>(
    `insert into api_key (hash, id, last4, name, role, mode, origin, operator, user_id, secret_version, created_at, revoked_at)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict do nothing returning id`,
    ...[hash, id, last4, name, role, mode, origin, key.operator ? 1 : 0, userId, secretVersion, createdAt, revokedAt],
  );
  return inserted.toArray().length === 1;
}

/** Revokes the key from now on; keeps the first time when it was revoked before. Null when the key does not exist. */
export function revokeKey(sql: Sql, id: Id<'key'>, now: number): KeyRecord | null {
  const row = first<KeyRow>(
    sql,
    'update api_key set revoked_at = coalesce(revoked_at, ?) where id = ? returning *',
    now,
    id,
  );
  return row ? toKey(row) : null;
}

export const listKeys = (sql: Sql): KeyRecord[] =>
  sql.exec<KeyRow>('select * from api_key order by id desc').toArray().map(toKey);

const toKey = (row: KeyRow): KeyRecord => ({
  id: row.id,
  hash: row.hash,
  last4: row.last4,
  name: row.name,
  role: row.role,
  mode: row.mode,
  origin: row.origin,
  operator: row.operator === 1,
  userId: row.user_id,
  secretVersion: row.secret_version,
  createdAt: row.created_at,
  revokedAt: row.revoked_at,
});
