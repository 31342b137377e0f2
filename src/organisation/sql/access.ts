import { type KeyRecord, type ListedKey, withNewFields } from '../../domain/access/key-record.ts';
import { HOUR_MS } from '../../kernel/clock.ts';
import type { Id } from '../../kernel/ids.ts';
import { type ColumnsOf, first, insertRecord, orReplace, type RowOf, type Sql, selectList } from './sql.ts';

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
const SELECTED = selectList({ ...COLUMNS, lastUsedAt: 'last_used_at' } satisfies ColumnsOf<ListedKey>);

/** SQLite keeps booleans as numbers. */
type KeyRow = RowOf<Omit<ListedKey, 'operator'> & { operator: number }>;

const toKey = (row: KeyRow): ListedKey => ({ ...row, operator: row.operator === 1 });
const toRow = (key: KeyRecord) => ({ ...withNewFields(key), operator: key.operator ? 1 : 0 });

const LIVE = 'revoked_at is null and (expires_at is null or expires_at > ?)';

/** The key with this SHA-256, by its secret or the one before, unless it is revoked or has expired. */
export function findLiveKey(sql: Sql, hash: string, now: number): ListedKey | null {
  const row =
    first<KeyRow>(sql, `select ${SELECTED} from api_key where hash = ? and ${LIVE}`, hash, now) ??
    first<KeyRow>(
      sql,
      `select ${SELECTED} from api_key where previous_hash = ? and previous_until > ? and ${LIVE}`,
      hash,
      now,
      now,
    );
  return row ? toKey(row) : null;
}

export function findKey(sql: Sql, id: Id<'key'>): ListedKey | null {
  const row = first<KeyRow>(sql, `select ${SELECTED} from api_key where id = ?`, id);
  return row ? toKey(row) : null;
}

/** Notes that the key is in use: one row an hour of use. */
export function noteUse(sql: Sql, { id, lastUsedAt }: ListedKey, now: number): void {
  const hour = now - (now % HOUR_MS);
  if (lastUsedAt === null || lastUsedAt < hour) sql.exec('update api_key set last_used_at = ? where id = ?', hour, id);
}

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
export const pageKeys = (sql: Sql, limit: number, before: Id<'key'> | null): ListedKey[] =>
  sql
    .exec<KeyRow>(
      `select ${SELECTED} from api_key where operator = 0 and (? is null or id < ?) order by id desc limit ?`,
      before,
      before,
      limit,
    )
    .toArray()
    .map(toKey);

export const countKeys = (sql: Sql): number =>
  first<{ keys: number }>(sql, 'select count(*) as keys from api_key where revoked_at is null')?.keys ?? 0;
