import type { KeyRecord } from '../../domain/access/key-record.ts';
import type { Id } from '../../kernel/ids.ts';
import { type ColumnsOf, first, insertRecord, type RowOf, type Sql, selectList } from './sql.ts';

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
  revokedAt: 'revoked_at',
};
const SELECTED = selectList(COLUMNS);

/** SQLite keeps booleans as numbers. */
type KeyRow = RowOf<Omit<KeyRecord, 'operator'> & { operator: number }>;

const toKey = (row: KeyRow): KeyRecord => ({ ...row, operator: row.operator === 1 });

/** The key with this SHA-256, unless it is revoked. */
export function findLiveKey(sql: Sql, hash: string): KeyRecord | null {
  const row = first<KeyRow>(sql, `select ${SELECTED} from api_key where hash = ? and revoked_at is null`, hash);
  return row ? toKey(row) : null;
}

/** Writes the key; false when its id or hash exists already (a repeat). */
export const insertKey = (sql: Sql, key: KeyRecord): boolean =>
  insertRecord<KeyRecord>(
    sql,
    'api_key',
    COLUMNS,
    { ...key, operator: key.operator ? 1 : 0 },
    'on conflict do nothing returning id',
  ).length === 1;

/** Revokes the key from now on; a revoked key keeps its first time. Null when the key does not exist. */
export function revokeKey(sql: Sql, id: Id<'key'>, now: number): KeyRecord | null {
  const row = first<KeyRow>(
    sql,
    `update api_key set revoked_at = coalesce(revoked_at, ?) where id = ? returning ${SELECTED}`,
    now,
    id,
  );
  return row ? toKey(row) : null;
}

export const listKeys = (sql: Sql): KeyRecord[] =>
  sql.exec<KeyRow>(`select ${SELECTED} from api_key order by id desc`).toArray().map(toKey);
