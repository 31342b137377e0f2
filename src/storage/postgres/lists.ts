import { and, eq, gte, isNotNull, lt, ne, notInArray, sql } from 'drizzle-orm';
import type { AcceptedSource } from '../../domain/lists/review-list.ts';
import {
  LISTED_MIN,
  ORGANISATIONS_NEEDED,
  type SeenAs,
  type SeenDomain,
} from '../../domain/mailbox-provider/back-ends.ts';
import { type Id, uuidAt } from '../../kernel/ids.ts';
import type { Database } from './client.ts';
import { backEndDomain, disposableSource } from './nightly-schema.ts';
import { trace } from './record-schema.ts';
import { deleteWhere, excluded, query } from './statements.ts';

export async function findAcceptedSource(db: Database, source: string): Promise<AcceptedSource | null> {
  const [found] = await db.select().from(disposableSource).where(eq(disposableSource.source, source));
  return found ?? null;
}

export async function upsertAcceptedSource(db: Database, accepted: AcceptedSource): Promise<void> {
  await db
    .insert(disposableSource)
    .values(accepted)
    .onConflictDoUpdate({ target: disposableSource.source, set: excluded(disposableSource, ['source']) });
}

/** Removes sources that are not configured any more. */
export async function deleteOtherSources(db: Database, sources: readonly string[]): Promise<void> {
  await db.delete(disposableSource).where(notInArray(disposableSource.source, [...sources]));
}

/** What a real address does and a throwaway one does not: it comes back, or pays. */
const PROOFS = sql.join(
  ['activated', 'subscribed', 'upgraded'].map((metric) => sql`${metric}`),
  sql`, `,
);

/** The organisations whose addresses did one of these since then, whether or not they took a message before. */
export async function listProvingOrganisations(
  db: Database,
  organisationIds: readonly Id<'org'>[],
  sinceMs: number,
): Promise<Id<'org'>[]> {
  const rows = await query<{ id: Id<'org'> }>(db)`
    select id from jsonb_array_elements_text(${JSON.stringify(organisationIds)}::jsonb) as asked(id)
    where exists (select from address_event where organisation_id = asked.id and metric in (${PROOFS}) and last_at >= ${sinceMs})`;
  return rows.map(({ id }) => id);
}

/**
 * Domains, except free providers, of the organisation's addresses that took a message and then did one of these, not
 * before `sinceMs`.
 */
export async function listProvenDomains(
  db: Database,
  organisationId: Id<'org'>,
  { sinceMs, limit }: { readonly sinceMs: number; readonly limit: number },
): Promise<string[]> {
  const rows = await query<{ domain: string }>(db)`
    select distinct t.domain from address_event e
    join trace t on t.address_hash = encode(e.address_hash, 'hex') and t.organisation_id = e.organisation_id and t.mode = 'live'
    join outcome o on o.verification_id = coalesce(t.verification_id, t.id) and o.organisation_id = t.organisation_id
      and o.mode = 'live' and o.outcome = 'delivered'
    where e.organisation_id = ${organisationId} and e.metric in (${PROOFS}) and e.last_at >= ${sinceMs}
      and e.last_at >= t.created_at and t.email_type is distinct from 'free' and t.domain <> ''
    order by t.domain limit ${limit}`;
  return rows.map(({ domain }) => domain);
}

export interface TracedBackEnds {
  readonly domain: string;
  readonly backEnds: string;
}

/** The back ends of the domains that the organisation verified in this time, in a fixed order. */
export const listTracedBackEnds = (
  db: Database,
  organisationId: Id<'org'>,
  { fromMs, toMs, limit }: { readonly fromMs: number; readonly toMs: number; readonly limit: number },
): Promise<TracedBackEnds[]> =>
  db
    .select({ domain: trace.domain, backEnds: sql<string>`${trace.backEnds}` })
    .from(trace)
    .where(
      and(
        eq(trace.organisationId, organisationId),
        eq(trace.mode, 'live'),
        gte(trace.id, sql`${uuidAt(fromMs)}::uuid`),
        lt(trace.id, sql`${uuidAt(toMs)}::uuid`),
        isNotNull(trace.backEnds),
        ne(trace.domain, ''),
      ),
    )
    .groupBy(trace.domain, trace.backEnds)
    .orderBy(trace.domain, trace.backEnds)
    .limit(limit);

/** An organisation's observation of a domain at a back end. `seenBy`: the organisation's keyed hash for the domain. */
export interface Sight {
  readonly backEnd: string;
  readonly domain: string;
  readonly seenAs: SeenAs;
  readonly seenBy: string;
}

/** An organisation that has another hash by now for a domain counts once. */
export async function rehashSights(
  db: Database,
  rehashes: readonly { readonly domain: string; readonly old: string; readonly seenBy: string }[],
): Promise<void> {
  if (rehashes.length === 0) return;
  await db.execute(sql`
    update back_end_domain set seen_by = array_replace(seen_by, old, "seenBy")
    from jsonb_to_recordset(${JSON.stringify(rehashes)}::jsonb) as rehashed(domain text, old text, "seenBy" text)
    where back_end_domain.domain = rehashed.domain and seen_by @> array[old]`);
}

/** Stores a day's observations, one for each pair of back end and domain. */
export async function upsertSights(db: Database, sights: readonly Sight[], day: number): Promise<void> {
  await db.execute(sql`
    insert into back_end_domain (back_end, domain, seen_as, seen_by, first_day, last_day)
    select "backEnd", domain, "seenAs", array["seenBy"], ${day}::int, ${day}::int
    from jsonb_to_recordset(${JSON.stringify(sights)}::jsonb) as sight("backEnd" text, domain text, "seenAs" text, "seenBy" text)
    on conflict (back_end, domain) do update set seen_as = excluded.seen_as,
      first_day = least(back_end_domain.first_day, excluded.first_day),
      last_day = greatest(back_end_domain.last_day, excluded.last_day),
      seen_by = case when cardinality(back_end_domain.seen_by) >= ${ORGANISATIONS_NEEDED} or back_end_domain.seen_by @> excluded.seen_by
        then back_end_domain.seen_by else back_end_domain.seen_by || excluded.seen_by end`);
}

/** A domain at a back end that may be suspected. */
export interface CandidateDomain extends Omit<SeenDomain, 'seenAs'> {
  readonly backEnd: string;
  readonly domain: string;
}

/**
 * The counted domains of back ends with many listed ones and, when last seen, no known one and few others: lists may
 * have changed since.
 */
export async function listCandidates(db: Database, limit: number): Promise<CandidateDomain[]> {
  const isCounted = sql`cardinality(seen_by) >= ${ORGANISATIONS_NEEDED}`;
  const listed = sql`count(*) filter (where seen_as = 'listed' and ${isCounted})`;
  return query<CandidateDomain>(db)`
    with candidate as (
      select back_end from back_end_domain group by back_end
      having ${listed} >= ${LISTED_MIN} and count(*) filter (where seen_as = 'known') = 0
        and count(*) filter (where seen_as = 'unlisted' and ${isCounted}) <= 2 * ${listed}
    )
    select back_end as "backEnd", domain, first_day as "firstDay"
    from back_end_domain join candidate using (back_end) where ${isCounted} order by back_end, domain limit ${limit}`;
}

/** Returns how many. */
export const deleteUnseenSince = (db: Database, day: number): Promise<number> =>
  deleteWhere(db, backEndDomain, lt(backEndDomain.lastDay, day));

/** A domain may be one person's. */
export async function forgetSights(db: Database, domain: string): Promise<void> {
  await db.delete(backEndDomain).where(eq(backEndDomain.domain, domain));
}
