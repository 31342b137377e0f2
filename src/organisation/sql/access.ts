import { type KeyFilter, type KeyRecord, type ListedKey } from '../../domain/access/key-record.ts';
import { HOUR_MS } from '../../kernel/clock.ts';
import type { Id } from '../../kernel/ids.ts';
import { type ColumnsOf, first, insertRecord, lookUp, orReplace, type RowOf, type Sql, selectList } from './sql.ts';

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

/** SQLite keeps booleans as numbers. */
type KeyRow = RowOf<Omit<ListedKey, 'operator'> & { operator: number }>;

const toKey = (row: KeyRow): ListedKey => ({ ...row, operator: row.operator === 1 });
const toRow = (key: KeyRecord) => ({ ...key, operator: key.operator ? 1 : 0 });

const BY_SECRET = `select ${SELECTED} from api_key where hash = ?`;
const BY_SECRET_BEFORE = `select ${SELECTED} from api_key where previous_hash = ?`;

const isLive = ({ revokedAt, expiresAt }: KeyRow, now: number): boolean =>
  revokedAt === null && (expiresAt === null || expiresAt > now);

/** The key with this SHA-256, by its secret or the one before, unless it is revoked or has expired. */
export function findLiveKey(sql: Sql, hash: string, now: number): ListedKey | null {
  const row = lookUp<KeyRow>(sql, 'api_key', BY_SECRET, hash);
  if (row !== undefined && isLive(row, now)) return toKey(row);
  const before = lookUp<KeyRow>(sql, 'api_key', BY_SECRET_BEFORE, hash);
  const { previousUntil } = before ?? {};
  const isInTime = before !== undefined && typeof previousUntil === 'number' && previousUntil > now;
  return isInTime && isLive(before, now) ? toKey(before) : null;
}

export function findKey(sql: Sql, id: Id<'key'>): ListedKey | null {
  const row = first<KeyRow>(sql, `select ${SELECTED} from api_key where id = ?`, id);
  return row ? toKey(row) : null;
}

/** Notes that the key is in use, by the secret with this hash: one row an hour of use, and one of the previous secret's. */
export function noteUse(sql: Sql, key: ListedKey, hash: string, now: number): void {
  const hour = now - (now % HOUR_MS);
  const isBefore = (noted: number | null): boolean => noted === null || noted < hour;
  const isPrevious = hash !== key.hash;
  if (isBefore(key.lastUsedAt)) sql.exec('update api_key set last_used_at = ? where id = ?', hour, key.id);
  if (isPrevious && isBefore(key.previousUsedAt))
    sql.exec('update api_key set previous_used_at = ? where id = ?', hour, key.id);
}

/** The secret before is another one from now on. */
export const forgetPreviousUse = (sql: Sql, id: Id<'key'>): void =>
  void sql.exec('update api_key set previous_used_at = null where id = ?', id);

/** Writes the key; false when its id or hash exists already (a repeat). */
export const insertKey = (sql: Sql, key: KeyRecord): boolean =>
  insertRecord<KeyRecord>(sql, 'api_key', COLUMNS, toRow(key), 'on conflict do nothing returning id').length === 1;

/** Replaces a key by its id. */
export const putKey = (sql: Sql, key: KeyRecord): void =>
  void insertRecord<KeyRecord>(sql, 'api_key', COLUMNS, toRow(key), orReplace('id', COLUMNS, []));

/** Revokes the key from now on; a revoked key keeps its first time. Null when the key does not exist. */
export function revokeKey(sql: Sql, id: Id<'key'>, now: number): ListedKey | null {
  const row = first<KeyRow>(
    sql,
    `update api_key set revoked_at = coalesce(revoked_at, ?) where id = ? returning ${SELECTED}`,
    now,
    id,
  );
  return row ? toKey(row) : null;
}

/** Keys of a person that are not revoked. */
export const listKeysOf = (sql: Sql, userId: Id<'u'>): ListedKey[] =>
  sql
    .exec<KeyRow>(`select ${SELECTED} from api_key where user_id = ? and revoked_at is null order by id`, userId)
    .toArray()
    .map(toKey);

/** Newest first. */
export const listKeys = (sql: Sql): ListedKey[] =>
  sql.exec<KeyRow>(`select ${SELECTED} from api_key order by id desc`).toArray().map(toKey);

/** A page of the keys that are not an operator's, newest first. */
export const pageKeys = (
  sql: Sql,
  { limit, before, state, role, mode }: KeyFilter & { readonly limit: number; readonly before: Id<'key'> | null },
  now: number,
): ListedKey[] =>
  sql
    .exec<KeyRow>(
      `select ${SELECTED} from api_key where operator = 0 and id < ?1
         and (?2 is null or (revoked_at is null and (expires_at is null or expires_at > ?3)) = ?2)
         and (?4 is null or role = ?4) and (?5 is null or mode = ?5)
       order by id desc limit ?6`,
      before ?? 'key_~',
      state === undefined ? null : Number(state === 'active'),
      now,
      role ?? null,
      mode ?? null,
      limit,
    )
    .toArray()
    .map(toKey);

export const countKeys = (sql: Sql): number =>
  first<{ keys: number }>(sql, 'select count(*) as keys from api_key where revoked_at is null')?.keys ?? 0;
