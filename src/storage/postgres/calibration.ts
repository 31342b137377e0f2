import { eq, type SQL, sql } from 'drizzle-orm';
import type { OutcomeSource, Routing, Unread } from '../../contract/calibration.ts';
import type { Answered } from '../../domain/feedback/calibration.ts';
import { type Id, uuidAt } from '../../kernel/ids.ts';
import type { Database } from './client.ts';
import { calibration } from './nightly-schema.ts';
import { excluded, query } from './statements.ts';

export async function listOutcomeSources(db: Database, organisationId: Id<'org'>): Promise<OutcomeSource[]> {
  return query<OutcomeSource>(db)`
    select source, kind, outcomes::int, hard_bounces::int from (
      select 'api' as source, count(*) as outcomes, count(*) filter (where outcome = 'hard_bounce') as hard_bounces
      from outcome where organisation_id = ${organisationId} and mode = 'live' and key_id is not null
      union all
      select source, count(*), count(*) filter (where outcome = 'hard_bounce')
      from mail_report where organisation_id = ${organisationId} group by source) as counted
    left join processor_connection on processor_connection.id = counted.source
    where outcomes > 0 order by outcomes desc, source`;
}

/** How many of the newest live verifications since then, without `drop`, have a known outcome. */
export async function countSends(
  db: Database,
  organisationId: Id<'org'>,
  sinceMs: number,
  limit: number,
): Promise<{ readonly verified: number; readonly reported: number }> {
  const rows = await query<{ verified: number; reported: number }>(db)`
    with verified as (
      select coalesce(verification_id, id) as id from trace
      where organisation_id = ${organisationId} and mode = 'live' and id >= ${uuidAt(sinceMs)}::uuid
        and recommendation <> 'drop' order by trace.id desc limit ${limit}
    )
    select count(*)::int as verified, count(outcome.id)::int as reported
    from verified left join outcome on outcome.verification_id = verified.id
      and outcome.organisation_id = ${organisationId} and outcome.mode = 'live' and outcome.outcome <> 'unknown'`;
  return rows[0] ?? { verified: 0, reported: 0 };
}

/**
 * The cost of asking and the expected loss of the newest live judgements that had a provider to ask, by the router's
 * stored steps. Sums in dollars. Always asking differs where the router decided at once: there the best provider's
 * price and expectation are used.
 */
export async function sumRoutes(
  db: Database,
  organisationId: Id<'org'>,
  sinceMs: number,
  limit: number,
): Promise<Pick<NonNullable<Routing>, 'addresses' | 'router' | 'always' | 'never'>> {
  const dollars = (of: SQL, name: string): SQL => sql`(${of} ->> ${sql.raw(`'${name}_usd'`)})::float8`;
  const rows = await query<Record<'addresses' | 'never' | 'spend' | 'loss' | 'spendAlways' | 'lossAlways', number>>(db)`
    with newest as (
      select id from trace where organisation_id = ${organisationId} and mode = 'live' and id >= ${uuidAt(sinceMs)}::uuid
      order by id desc limit ${limit}
    ), routed as (
      select detail -> 'route' as route, detail -> 'route' -> 0 -> 'candidates' as options
      from trace_detail join newest using (id)
      where trace_detail.organisation_id = ${organisationId} and trace_detail.id >= ${uuidAt(sinceMs)}::uuid
        and jsonb_typeof(detail -> 'route' -> 0 -> 'candidates' -> 0) = 'object'
    ), judged as (
      select route -> 0 ->> 'choice' = 'stop' as "isDirect", best.*, paid.usd as spend,
        ${dollars(sql`route -> 0`, 'stop_value')} as "lossBefore", ${dollars(sql`route -> -1`, 'stop_value')} as loss
      from routed,
        lateral (select coalesce(sum(${dollars(sql`option`, 'price')}), 0) as usd
          from jsonb_array_elements(route) as step, jsonb_array_elements(step -> 'candidates') as option
          where option ->> 'provider' = step ->> 'choice') as paid,
        lateral (select ${dollars(sql`option`, 'price')} as price,
            greatest(0, ${dollars(sql`option`, 'value')} - ${dollars(sql`option`, 'cost')}) as "lossAfter"
          from jsonb_array_elements(options) as option order by ${dollars(sql`option`, 'value')} limit 1) as best
    )
    select count(*)::int as addresses, coalesce(sum("lossBefore"), 0) as never,
      coalesce(sum(spend), 0) as spend, coalesce(sum(loss), 0) as loss,
      coalesce(sum(case when "isDirect" then price else spend end), 0) as "spendAlways",
      coalesce(sum(case when "isDirect" then "lossAfter" else loss end), 0) as "lossAlways"
    from judged`;
  const [row] = rows;
  if (row === undefined) throw new Error('a count has a row');
  return {
    addresses: row.addresses,
    router: { spend_usd: row.spend, loss_usd: row.loss },
    always: { spend_usd: row.spendAlways, loss_usd: row.lossAlways },
    never: { spend_usd: 0, loss_usd: row.never },
  };
}

/**
 * The newest live answers with detail, each with its outcome: a hard bounce of the mailbox, or a delivery. Outcomes
 * that are not about the mailbox, and soft bounces, are left out.
 */
export async function listAnswered(db: Database, organisationId: Id<'org'>, limit: number): Promise<Answered[]> {
  return query<Answered>(db)`
    with reported as (
      select verification_id as id, outcome = 'hard_bounce' as bounced from outcome
      where organisation_id = ${organisationId} and mode = 'live' and verification_id is not null
        and (outcome in ('delivered', 'complaint') or outcome = 'hard_bounce' and class <> 'soft')
      order by verification_id desc limit ${limit}
    )
    select reported.bounced, json_build_object('features', detail -> 'features', 'providers', detail -> 'providers',
      'reasons', detail -> 'reasons', 'context', detail -> 'context', 'bounce_probability', trace.bounce_probability,
      'confidence_interval', detail -> 'confidenceInterval') as trace
    from reported join trace on trace.id = reported.id and trace.organisation_id = ${organisationId}
    join trace_detail on trace_detail.id = reported.id
      and trace_detail.organisation_id = ${organisationId} order by reported.id`;
}

/** A customer's texts may contain any code: only the most frequent are shown. */
const UNREAD_MAX = 100;

/** Bounces with an inconclusive text, by mail host and code, most frequent first. */
export async function countUnread(db: Database, organisationId: Id<'org'>): Promise<Unread[]> {
  return query<Unread>(db)`
    select coalesce(split_part(host_class, '_', 1), 'unknown') as host_family, basic_code as code,
      enhanced_code as enhanced, count(*)::int as count
    from (
      select trace.host_class, basic_code, enhanced_code from outcome
      left join trace on trace.id = outcome.verification_id and trace.organisation_id = ${organisationId}
      where outcome.organisation_id = ${organisationId} and outcome.mode = 'live' and unread
      union all
      select host_class, basic_code, enhanced_code from mail_report
      where organisation_id = ${organisationId} and unread and host_class is not null
    ) as unread
    group by 1, 2, 3 order by 4 desc, 1, 2, 3 limit ${UNREAD_MAX}`;
}

export type StoredCalibration = typeof calibration.$inferSelect;

/** Stores a run's result, unless a later one is stored. */
export async function upsertCalibration(db: Database, found: StoredCalibration): Promise<void> {
  await db
    .insert(calibration)
    .values(found)
    .onConflictDoUpdate({
      target: calibration.organisationId,
      set: excluded(calibration, ['organisationId']),
      setWhere: sql`excluded.computed_at >= ${calibration.computedAt}`,
    });
}

/** The newest run's result, or null. */
export async function findCalibration(db: Database, organisationId: Id<'org'>): Promise<StoredCalibration | null> {
  const [row] = await db.select().from(calibration).where(eq(calibration.organisationId, organisationId));
  return row ?? null;
}
