import { eq, type SQL, sql } from 'drizzle-orm';
import type { ProjectedChange, ProjectedRules, RuleKind, RuleRecord } from '../../domain/rules/rules.ts';
import type { Id } from '../../kernel/ids.ts';
import { type Database, requireAtMost } from './client.ts';
import { addressRule, domainRule, organisation } from './directory-schema.ts';
import { deleteErased, type ErasedAddress, jsonColumns } from './statements.ts';

/** Each kind's table, its specific columns with their fields, and its version's column. */
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

/** The entry columns that both tables have. */
const OWN = jsonColumns(domainRule, ['organisationId', 'domain', 'rule', 'note']);

/** The final state of a key: a rule with the change's list and note, or no rule if the id is absent. */
interface KeyChange extends Partial<ProjectedChange['put'][number]> {
  readonly key: string;
  readonly version: number;
}

function lastOfEachKey(changes: readonly ProjectedChange[]): KeyChange[] {
  const last = new Map<string, KeyChange>();
  for (const { version, put, removed } of changes) {
    for (const record of put) last.set(record.key, { ...record, version });
    for (const key of removed) last.set(key, { key, version });
  }
  return [...last.values()];
}

/** Only our own timed-out statements can still run in Postgres: rarely one, never many. */
const TRIES_MAX = 5;

/**
 * Updates the projection of one organisation's rules. A change that is not newer than the stored version is ignored,
 * and so is every change once the organisation is deleted.
 */
export async function applyRuleChanges(
  db: Database,
  kind: RuleKind,
  changes: readonly ProjectedChange[],
): Promise<void> {
  const newest = changes.at(-1);
  if (newest === undefined) return;
  for (let tries = 1; await isOvertaken(db, kind, changes, newest); tries += 1) {
    if (tries === TRIES_MAX) throw new Error('other changes of the same rules are being written');
  }
}

/**
 * One statement, which locks the organisation's row. True, without a change: it had to wait for another writer, whose
 * rules it can't see and so could not remove.
 */
async function isOvertaken(
  db: Database,
  kind: RuleKind,
  changes: readonly ProjectedChange[],
  newest: ProjectedChange,
): Promise<boolean> {
  const { name, key, own, fields, version } = TABLES[kind];
  const { organisationId } = newest;
  // A change's entries share one long note, so it is sent once and joined here.
  const shared = changes.map((change) => ({ version: change.version, rule: change.rule, note: change.note }));
  const answer = (await db.execute(sql`
    with entry as (
      select * from jsonb_to_recordset(${JSON.stringify(lastOfEachKey(changes))}::jsonb) as entry(
        key text, version bigint, display text, ${OWN.fields})
    ), change as (
      select * from jsonb_to_recordset(${JSON.stringify(shared)}::jsonb) as change(version bigint, rule text, note text)
    ), known as (
      select ${version} as version from organisation where id = ${organisationId} for update
    ), seen as (
      select ${version} as version from organisation where id = ${organisationId}
    ), current as (
      select known.version from known join seen on seen.version = known.version
    ), news as (
      select entry.*, change.rule, change.note
      from entry join change on change.version = entry.version join current on entry.version > current.version
    ), gone as (
      delete from ${name} using news
      where ${name}.organisation_id = ${organisationId} and ${name}.${key} = news.key and news.id is null
    ), put as (
      insert into ${name} (organisation_id, ${own}, rule, note, ${OWN.names})
      select ${organisationId}::text, ${fields}, rule, note, ${OWN.values} from news where id is not null
      on conflict (organisation_id, ${key}) do update set rule = excluded.rule, note = excluded.note, ${OWN.updates}
    ), counted as (
      update organisation set ${version} = greatest(${version}, ${newest.version}) from current
      where id = ${organisationId}
    )
    select 1 from known join seen on seen.version <> known.version`)) as { rows: unknown[] };
  requireAtMost(1, answer);
  return answer.rows.length > 0;
}

/** All rules of both kinds, for a rebuild. Versions are read first: rules are never older than theirs. */
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
    ({ key: domain, display: domain, ...rest }) satisfies RuleRecord;
  const ofAddress = ({ organisationId: _, hash, ...rest }: (typeof addresses)[number]) =>
    ({ key: hash, ...rest }) satisfies RuleRecord;
  return {
    domain: { version: versions?.domain ?? 0, records: domains.map(ofDomain) } satisfies Required<ProjectedRules>,
    address: { version: versions?.address ?? 0, records: addresses.map(ofAddress) } satisfies Required<ProjectedRules>,
  };
}

/** Returns the number of removed rules. */
export const forgetRules = (db: Database, hashes: readonly ErasedAddress[]): Promise<number> =>
  deleteErased(db, addressRule, addressRule.hash, hashes);
