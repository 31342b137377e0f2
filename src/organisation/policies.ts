import type { DecidingPolicy } from '../domain/policy/decision.ts';
import {
  DEFAULT_POLICY,
  DEFAULT_SLUG,
  type ListedPolicies,
  POLICIES_MAX,
  type PolicyChange,
  type PolicyRefused,
  type PolicySaved,
  type PolicyVersion,
  SUPERSEDED_DEFAULTS,
  isSuperseded,
} from '../domain/policy/document.ts';
import type { LossesChange, LossesConflict, LossesSaved, LossesVersion } from '../domain/router/losses.ts';
import type { PolicyMemory } from '../storage/policy-memory.ts';
import { audit, type ChangeDeps, once } from './changes.ts';
import { clause, type Clause, type ColumnsOf, insertRecord, selectList, type Sql } from './sql/sql.ts';

/** A policy's version. The number alone does not identify it: a rebuild may reuse one. */
export interface PolicyIdentity {
  readonly version: number;
  readonly createdAt: number;
}

export interface PolicyInForce extends PolicyIdentity {
  /** Null means the caller has it. */
  readonly document: string | null;
  /** The month's remaining budget; below 0 without one. */
  readonly enrichmentLeftMicros: number;
}

export type JobPolicy = PolicyVersion & Pick<PolicyInForce, 'enrichmentLeftMicros'>;

/**
 * The policy in force, compiled; null if the account lacks it. `memory` belongs to the object, so that most requests
 * read no document.
 */
export function policyInForce(sql: Sql, slug: string, memory: PolicyMemory): DecidingPolicy | null {
  const current = findPolicyIdentity(sql, slug);
  const known = memory.get(slug);
  if (current?.version === known?.version && current?.createdAt === known?.createdAt) return known;
  const found = findPolicy(sql, slug, null);
  return found && memory.put(slug, found);
}

/** The account's own losses in force: JSON, a few hundred bytes. */
export type OwnLosses = Pick<LossesVersion, 'version' | 'document'>;

/** Saves a document as its policy's newest version, unless the newest is the same. */
export function putPolicy(deps: ChangeDeps, change: PolicyChange): PolicySaved | PolicyRefused {
  return once(deps, change.operationId, () => {
    const { sql, now } = deps;
    const { slug, document, author, expected } = change;
    const current = findPolicy(sql, slug, null);
    const inForce = current?.version ?? null;
    if (!isExpected(expected, inForce)) return { ok: false, refusal: 'conflict', inForce };
    if (current === null && countPolicies(sql) >= POLICIES_MAX) return { ok: false, refusal: 'full' };
    const version = (current?.version ?? 0) + 1;
    const saved =
      current?.document === document ? current : { slug, version, document, createdAt: now, createdBy: author.actor };
    if (saved !== current) {
      enter(deps, saved);
      audit(deps, { ...author, action: 'policy.saved', target: slug, summary: `version ${version}` });
    }
    const { document: _, ...rest } = saved;
    return { ok: true, saved: rest };
  });
}

const isExpected = (expected: PolicyChange['expected'], version: number | null): boolean =>
  expected === null || (version !== null && (expected === 'any' || expected.includes(version)));

/**
 * Gives an organisation the default policy. It becomes the next version of an untouched superseded default, but never
 * follows a version that a user saved.
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

const POLICY_COLUMNS: ColumnsOf<PolicyVersion> = {
  slug: 'slug',
  version: 'version',
  document: 'document',
  createdAt: 'created_at',
  createdBy: 'created_by',
};
const POLICY = selectList(POLICY_COLUMNS);

/** The version in force is the highest; null if the account lacks the policy. */
export const findPolicyIdentity = (sql: Sql, slug: string): PolicyIdentity | null =>
  sql.first<PolicyIdentity>`
    select version, created_at as "createdAt" from policy where slug = ${slug} order by version desc limit 1` ?? null;

export const findPolicyVersion = (sql: Sql, slug: string): number | null =>
  sql.first<{ version: number | null }>`select max(version) as version from policy where slug = ${slug}`?.version ??
  null;

export function findPolicy(sql: Sql, slug: string, version: number | null): PolicyVersion | null {
  const of = version ?? findPolicyVersion(sql, slug);
  return sql.first<PolicyVersion>`select ${POLICY} from policy where slug = ${slug} and version = ${of}` ?? null;
}

/** Existing versions stay. */
export function insertPolicy(sql: Sql, version: PolicyVersion): void {
  insertRecord<PolicyVersion>(sql, 'policy', POLICY_COLUMNS, version, 'on conflict do nothing');
}

const countPolicies = (sql: Sql): number => sql.count`select count(*) from policy where version = 1`;

/** Characters of documents in one message, which may have 32 MB. */
const PAGE_SIZE_MAX = 4 * 2 ** 20;

/** Policies older than a given one, by their first versions, so that changes don't move them. */
const older = (than: string | null): Clause => clause`first.version = 1 and (${than} is null or
  (first.created_at, first.slug) < (select created_at, slug from policy where slug = ${than} and version = 1))`;

/**
 * The newest version of each policy, newest policy first: as many as fit, at least one. Null if `before` is not a
 * policy.
 */
export function listPolicies(sql: Sql, limit: number, before: string | null): ListedPolicies | null {
  if (before !== null && findPolicyVersion(sql, before) === null) return null;
  const policies = sql.all<PolicyVersion>`
    select ${POLICY} from (
      select newest.*, first.created_at as first_at,
        sum(length(newest.document)) over (order by first.created_at desc, newest.slug desc) as size
      from policy first join policy newest on newest.slug = first.slug
        and newest.version = (select max(version) from policy where slug = first.slug)
      where ${older(before)})
    where size <= ${PAGE_SIZE_MAX} or size = length(document)
    order by first_at desc, slug desc limit ${limit}`;
  const last = policies.at(-1)?.slug;
  const isLast = last === undefined || sql.first`select 1 from policy first where ${older(last)}` === undefined;
  return { policies, isLast };
}

/** Saves the document as the newest version, unless the newest is the same. */
export function putLosses(deps: ChangeDeps, change: LossesChange): LossesSaved | LossesConflict {
  return once(deps, change.operationId, () => {
    const { sql, now, project } = deps;
    const { document, author, expected } = change;
    const current = findLosses(sql, null);
    const inForce = current?.version ?? 0;
    if (expected !== null && expected !== 'any' && !expected.includes(inForce)) return { ok: false, inForce };
    if (current?.document === document) return { ok: true, saved: current };
    const saved = { version: inForce + 1, document, createdAt: now, createdBy: author.actor };
    insertLosses(sql, saved);
    project('losses', String(saved.version), saved);
    audit(deps, { ...author, action: 'losses.changed', target: 'losses', summary: `version ${saved.version}` });
    return { ok: true, saved };
  });
}

const LOSSES_COLUMNS: ColumnsOf<LossesVersion> = {
  version: 'version',
  document: 'document',
  createdAt: 'created_at',
  createdBy: 'created_by',
};
const LOSSES = selectList(LOSSES_COLUMNS);
const NEWEST = `select ${LOSSES.text} from losses order by version desc limit 1`;

/** `version` null means the newest, which is in force. Null if the account lacks it, or has none. */
export const findLosses = (sql: Sql, version: number | null): LossesVersion | null =>
  (version === null
    ? sql.lookUp<LossesVersion>('losses', NEWEST)
    : sql.first<LossesVersion>`select ${LOSSES} from losses where version = ${version}`) ?? null;

/** The losses in force as a verification needs them; null if none were set. */
export function ownLosses(sql: Sql): OwnLosses | null {
  const found = findLosses(sql, null);
  return found && { version: found.version, document: found.document };
}

/** Existing versions stay. */
export function insertLosses(sql: Sql, version: LossesVersion): void {
  insertRecord<LossesVersion>(sql, 'losses', LOSSES_COLUMNS, version, 'on conflict do nothing');
}
