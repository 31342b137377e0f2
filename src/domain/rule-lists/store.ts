import { eq, type SQL, sql } from 'drizzle-orm';
import type { Id } from '../../kernel/ids.ts';
import type { Database } from '../../platform/db/client.ts';
import { addressRule, domainRule, organisation } from '../../platform/db/schema.ts';
import type { ProjectedChange, ProjectedRules, RuleKind, RuleRecord } from './types.ts';

/** A kind's table, its own columns with the fields they hold, and where its version stands. */
const TABLES: Readonly<Record<RuleKind, Readonly<Record<'name' | 'key' | 'own' | 'fields' | 'version', SQL>>>> = {
  domain: {
    name: sql.raw('domain_rule'),
    key: sql.raw('domain'),
    own: sql.raw('domain'),
    fields: sql.raw('key'),
    version: sql.raw('domain_rules_version'),
  },
  address: {
    name: sql.raw('address_rule'),
    key: sql.raw('hash'),
    own: sql.raw('hash, display'),
    fields: sql.raw('key, display'),
    version: sql.raw('address_rules_version'),
  },
};

/** What becomes of a key in the end: a rule is put there, or (no id) none is left. */
interface KeyChange extends Partial<RuleRecord> {
  readonly key: string;
  readonly version: number;
}

/** The last that several changes, in order, do to each key. */
function lastOfEachKey(changes: readonly ProjectedChange[]): KeyChange[] {
  const last = new Map<string, KeyChange>();
  for (const { version, rule, note, put, removed } of changes) {
    for (const record of put) last.set(record.key, { ...record, ...(rule && { rule }), note, version });
    for (const key of removed) last.set(key, { key, version });
  }
  return [...last.values()];
}

/**
 * Brings the projection of one organisation's rules up to date, in one statement. What is not newer than the version that
 * stands there changes nothing, be it sent again or overtaken; nor does anything once the organisation is deleted.
 */
export async function applyRuleChanges(
  db: Database,
  kind: RuleKind,
  changes: readonly ProjectedChange[],
): Promise<void> {
  const newest = changes.at(-1);
  if (newest === undefined) return;
  const { name, key, own, fields, version } = TABLES[kind];
  const { organisationId } = newest;
  // The organisation's row is locked first (`from known`): of two writers the second sees the version the first has left.
  await db.execute(sql`
    with change as (
      select * from jsonb_to_recordset(${JSON.stringify(lastOfEachKey(changes))}::jsonb) as change(
        key text, version bigint, display text, id text, rule text, note text, "createdAt" bigint, "createdBy" text)
    ), known as (
      select ${version} as version from organisation where id = ${organisationId} for update
    ), news as (
      select change.* from change join known on change.version > known.version
    ), gone as (
      delete from ${name} using news
      where ${name}.organisation_id = ${organisationId} and ${name}.${key} = news.key and news.id is null
    ), put as (
      insert into ${name} (organisation_id, ${own}, id, rule, note, created_at, created_by)
      select ${organisationId}::text, ${fields}, id, rule, note, "createdAt", "createdBy" from news where id is not null
      on conflict (organisation_id, ${key}) do update set id = excluded.id, rule = excluded.rule, note = excluded.note,
        created_at = excluded.created_at, created_by = excluded.created_by
    )
    update organisation set ${version} = greatest(${version}, ${newest.version}) from known where id = ${organisationId}`);
}

/** All rules of both kinds, for a rebuild. Versions are read first: rules may only be newer than they say. */
export async function listProjectedRules(
  db: Database,
  organisationId: Id<'org'>,
): Promise<Record<RuleKind, ProjectedRules>> {
  const [versions] = await db
    .select({ domain: organisation.domainRulesVersion, address: organisation.addressRulesVersion })
    .from(organisation)
    .where(eq(organisation.id, organisationId));
  const domains = await db.select().from(domainRule).where(eq(domainRule.organisationId, organisationId));
  const addresses = await db.select().from(addressRule).where(eq(addressRule.organisationId, organisationId));
  const ofDomain = ({ organisationId: _, domain, ...rest }: (typeof domains)[number]) =>
    ({ key: domain, display: domain, ...rest }) as RuleRecord;
  const ofAddress = ({ organisationId: _, hash, ...rest }: (typeof addresses)[number]) =>
    ({ key: hash, ...rest }) as RuleRecord;
  return {
    domain: { version: versions?.domain ?? 0, records: domains.map(ofDomain) },
    address: { version: versions?.address ?? 0, records: addresses.map(ofAddress) },
  };
}

/** Removes the rules on an address; `hashes` pairs an organisation with the address's keyed hash there. */
export async function forgetRules(
  db: Database,
  hashes: readonly { organisationId: string; hash: string }[],
): Promise<void> {
  await db.execute(sql`
    delete from address_rule
    using jsonb_to_recordset(${JSON.stringify(hashes)}::jsonb) as gone("organisationId" text, hash text)
    where address_rule.organisation_id = gone."organisationId" and address_rule.hash = gone.hash`);
}

export async function deleteRules(db: Database, organisationId: Id<'org'>): Promise<void> {
  await db.delete(domainRule).where(eq(domainRule.organisationId, organisationId));
  await db.delete(addressRule).where(eq(addressRule.organisationId, organisationId));
}
