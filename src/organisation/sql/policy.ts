import type { ListedPolicies, PolicyVersion } from '../../domain/policy/policy-records.ts';
import type { PolicyIdentity } from '../calls.ts';
import { type ColumnsOf, first, insertRecord, type RowOf, type Sql, selectList } from './sql.ts';

const COLUMNS: ColumnsOf<PolicyVersion> = {
  slug: 'slug',
  version: 'version',
  document: 'document',
  createdAt: 'created_at',
  createdBy: 'created_by',
};
const SELECTED = selectList(COLUMNS);

/** The version in force, which is the highest; null when the account lacks the policy. */
export const findPolicyIdentity = (sql: Sql, slug: string): PolicyIdentity | null => {
  const newest = 'select version, created_at from policy where slug = ? order by version desc limit 1';
  const row = first<{ version: number; created_at: number }>(sql, newest, slug);
  return row === undefined ? null : { version: row.version, createdAt: row.created_at };
};

export const findPolicyVersion = (sql: Sql, slug: string): number | null =>
  first<{ version: number | null }>(sql, 'select max(version) as version from policy where slug = ?', slug)?.version ??
  null;

export function findPolicy(sql: Sql, slug: string, version: number | null): PolicyVersion | null {
  const of = version ?? findPolicyVersion(sql, slug);
  const select = `select ${SELECTED} from policy where slug = ? and version = ?`;
  return first<RowOf<PolicyVersion>>(sql, select, slug, of) ?? null;
}

/** Enters a version; an existing one stays as it is. */
export function insertPolicy(sql: Sql, version: PolicyVersion): void {
  insertRecord<PolicyVersion>(sql, 'policy', COLUMNS, version, 'on conflict do nothing');
}

export const countPolicies = (sql: Sql): number =>
  first<{ count: number }>(sql, 'select count(*) as count from policy where version = 1')?.count ?? 0;

/** The most characters of documents in one message; a message may have 32 MB. */
const PAGE_SIZE_MAX = 4 * 2 ** 20;

/** Policies older than a given one, by their first versions, so that changes don't move them. */
const OLDER = `first.version = 1 and (?1 is null or (first.created_at, first.slug) <
  (select created_at, slug from policy where slug = ?1 and version = 1))`;

/**
 * The newest version of each policy, newest policy first: as many as fit, but at least one. Null when `before` is not a
 * policy.
 */
export function listPolicies(sql: Sql, limit: number, before: string | null): ListedPolicies | null {
  if (before !== null && findPolicyVersion(sql, before) === null) return null;
  const policies = sql
    .exec<RowOf<PolicyVersion>>(
      `select ${SELECTED} from (
         select newest.*, first.created_at as first_at,
           sum(length(newest.document)) over (order by first.created_at desc, newest.slug desc) as size
         from policy first join policy newest on newest.slug = first.slug
           and newest.version = (select max(version) from policy where slug = first.slug)
         where ${OLDER})
       where size <= ?2 or size = length(document)
       order by first_at desc, slug desc limit ?3`,
      before,
      PAGE_SIZE_MAX,
      limit,
    )
    .toArray();
  const last = policies.at(-1)?.slug;
  const older = last === undefined ? undefined : first(sql, `select 1 as older from policy first where ${OLDER}`, last);
  return { policies, isLast: older === undefined };
}
