import type { LossesVersion } from '../../domain/router/losses.ts';
import type { OwnLosses } from '../calls.ts';
import { type ColumnsOf, first, insertRecord, lookUp, type RowOf, type Sql, selectList } from './sql.ts';

const COLUMNS: ColumnsOf<LossesVersion> = {
  version: 'version',
  document: 'document',
  createdAt: 'created_at',
  createdBy: 'created_by',
};
const SELECTED = selectList(COLUMNS);
const NEWEST = `select ${SELECTED} from losses order by version desc limit 1`;

/** `version` null: the newest, which is in force. Null: the account has no such version, or none of its own. */
export const findLosses = (sql: Sql, version: number | null): LossesVersion | null =>
  (version === null
    ? lookUp<RowOf<LossesVersion>>(sql, 'losses', NEWEST)
    : first<RowOf<LossesVersion>>(sql, `select ${SELECTED} from losses where version = ?`, version)) ?? null;

/** What a verification needs of the losses in force; null: the account has set none. */
export function ownLosses(sql: Sql): OwnLosses | null {
  const found = findLosses(sql, null);
  return found && { version: found.version, document: found.document };
}

/** Enters a version; an existing one stays as it is. */
export function insertLosses(sql: Sql, version: LossesVersion): void {
  insertRecord<LossesVersion>(sql, 'losses', COLUMNS, version, 'on conflict do nothing');
}
