import { and, eq, gte, isNotNull, lt, ne, sql } from 'drizzle-orm';
import {
  LISTED_MIN,
  ORGANISATIONS_NEEDED,
  type SeenAs,
  type SeenDomain,
} from '../../domain/mailbox-provider/back-ends.ts';
import { type Id, uuidAt } from '../../kernel/ids.ts';
import type { Database } from './client.ts';
import { backEndDomain } from './nightly-schema.ts';
import { trace } from './schema.ts';

/** A domain and its back ends, as an organisation's traces name them. */
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

/** A domain that an organisation saw at a back end. `seenBy`: the organisation's keyed hash for the domain. */
export interface Sight {
  readonly backEnd: string;
  readonly domain: string;
  readonly seenAs: SeenAs;
  readonly seenBy: string;
}

/** Enters sights of a day. Each pair of back end and domain is there once. */
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
 * The counted domains of the back ends that serve many listed ones and, when last seen, no known one and few others: lists may have
 * changed since.
 */
export async function listCandidates(db: Database, limit: number): Promise<CandidateDomain[]> {
  const isCounted = sql`cardinality(seen_by) >= ${ORGANISATIONS_NEEDED}`;
  const listed = sql`count(*) filter (where seen_as = 'listed' and ${isCounted})`;
  const { rows } = (await db.execute(sql`
    with candidate as (
      select back_end from back_end_domain group by back_end
      having ${listed} >= ${LISTED_MIN} and count(*) filter (where seen_as = 'known') = 0
        and count(*) filter (where seen_as = 'unlisted' and ${isCounted}) <= 2 * ${listed}
    )
    select back_end as "backEnd", domain, first_day as "firstDay"
    from back_end_domain join candidate using (back_end) where ${isCounted} order by back_end, domain limit ${limit}`)) as {
    rows: CandidateDomain[];
  };
  return rows;
}

/** Returns how many. */
export async function deleteUnseenSince(db: Database, day: number): Promise<number> {
  const gone = await db
    .delete(backEndDomain)
    .where(lt(backEndDomain.lastDay, day))
    .returning({ domain: backEndDomain.domain });
  return gone.length;
}

/** A domain may be one person's. */
export async function forgetSights(db: Database, domain: string): Promise<void> {
  await db.delete(backEndDomain).where(eq(backEndDomain.domain, domain));
}
