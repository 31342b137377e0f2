import { sql } from 'drizzle-orm';
import { fence, MINE, type Run } from './run.ts';
import { markStale, rememberSource, type SourceDay, withinDay } from './source.ts';

/** Ties the events received on one day to traces and addresses. */
export async function takeEvents(run: Run, { day, rows }: SourceDay): Promise<void> {
  const { db, organisationId } = run;
  const ofOrganisation = sql`t.organisation_id = ${organisationId} and t.mode = 'live'`;
  await db.execute(sql`
    with ${fence(run)}, received as materialized (
      select id, event, at, trace_id, address_hash from event
      where organisation_id = ${organisationId} and mode = 'live' and ${withinDay(sql`id`, day)} and ${MINE}
    ), by_id as (
      select r.id, t.address_hash from received r join trace t on ${ofOrganisation} and t.id = r.trace_id
    ), by_verification as (
      select r.id, t.address_hash from received r
      cross join lateral (select * from trace where verification_id = r.trace_id limit 1) as t
      where ${ofOrganisation} and r.id not in (select id from by_id)
    ), tied as (
      select r.event, r.at, case when d.id is not null then d.address_hash else r.address_hash end as address_hash,
        case when d.id is not null then 'exact' when r.address_hash is not null and r.trace_id is null and exists (
          select from trace t where t.address_hash = r.address_hash and ${ofOrganisation}) then 'by_email'
          else 'unmatched' end as tie
      from received r left join (select * from by_id union all select * from by_verification) as d on d.id = r.id
    ), latest as (
      select address_hash, event as metric, max(at) as at from tied where address_hash is not null group by 1, 2
    ), newer as (
      select l.* from latest l left join address_event a
        on a.organisation_id = ${organisationId} and a.address_hash = l.address_hash and a.metric = l.metric
      where a.last_at is null or a.last_at < l.at
    ), touched as (
      ${markStale(
        run,
        sql`select distinct x.day from newer n
        join exposure x on x.organisation_id = ${organisationId} and x.address_hash = n.address_hash`,
      )}
    ), entered as (
      insert into address_event (organisation_id, address_hash, metric, last_at)
      select ${organisationId}, address_hash, metric, at from newer
      on conflict (organisation_id, address_hash, metric) do update set last_at = excluded.last_at
    ), counted as (
      select event, count(*) filter (where tie = 'exact') as exact, count(*) filter (where tie = 'by_email') as by_email,
        count(*) filter (where tie = 'unmatched') as unmatched
      from tied group by event
    )
    ${rememberSource(
      run,
      'event',
      day,
      rows,
      sql`(select jsonb_object_agg(event, jsonb_build_array(exact, by_email, unmatched)) from counted),
      coalesce((select sum(unmatched) from counted), 0)`,
    )}`);
}
