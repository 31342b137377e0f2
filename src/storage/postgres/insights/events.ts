import { sql } from 'drizzle-orm';
import { DAY_MS } from '../../../kernel/clock.ts';
import { uuidAt } from '../../../kernel/ids.ts';
import { type ChangedDay, markStale, rememberDay, withinDay } from './changed-days.ts';
import { eachOf, fence, MINE, type Run } from './run.ts';

/** Ties the events received on one day to traces and addresses. */
export async function takeEvents(run: Run, { day, rows }: ChangedDay): Promise<void> {
  const { db, organisationId } = run;
  // Only traces from before the end of the day, so that a later night gives the same result.
  const known = sql`id < ${uuidAt((day + 1) * DAY_MS)}`;
  await db.execute(sql`
    with ${fence(run)},
    -- Ties each event of the day to a trace: by the trace it names, else by its address.
    tied as (
      select r.event, r.at, coalesce(t.tie, 'unmatched') as tie,
        case when t.tie is null then r.address_hash else t.address_hash end as address_hash
      from event r left join lateral (
        (select 'exact' as tie, address_hash
          from ${eachOf('trace', organisationId, sql`mode = 'live' and id = r.trace_id`)} as named)
        union all (select 'exact', address_hash
          from (select * from trace where verification_id = r.trace_id limit 1) as embedding
          where organisation_id = ${organisationId} and mode = 'live')
        union all (select 'by_email', address_hash
          from ${eachOf('trace', organisationId, sql`mode = 'live' and address_hash = r.address_hash and ${known}`)} as known
          where r.trace_id is null)
        limit 1) as t on true
      where r.organisation_id = ${organisationId} and r.mode = 'live' and ${withinDay(sql`r.id`, day)} and ${MINE}
    ),
    -- The last time of each metric, for each address.
    latest as (
      select decode(address_hash, 'hex') as address_hash, event as metric, max(at) as at
      from tied where address_hash is not null group by 1, 2
    ),
    -- Those that are later than what is stored.
    newer as (
      select l.*, a.last_at as earlier from latest l left join lateral ${eachOf(
        'address_event',
        organisationId,
        sql`address_hash = l.address_hash and metric = l.metric`,
      )} as a on true
      where a.last_at is null or a.last_at < l.at
    ),
    -- Days whose exposures have a newer event are counted again.
    touched as (
      ${markStale(
        run,
        sql`select distinct x.day from newer n
        cross join lateral ${eachOf('exposure', organisationId, sql`address_hash = n.address_hash`)} as x`,
      )}
    ),
    -- Moves the stored time of a metric that the address had before.
    happened_again as (
      update address_event a set last_at = n.at from newer n where n.earlier is not null
        and a.organisation_id = ${organisationId} and a.address_hash = n.address_hash and a.metric = n.metric
    ),
    -- Stores the metrics that the address did not have yet.
    entered as (
      insert into address_event (organisation_id, address_hash, metric, last_at)
      select ${organisationId}, address_hash, metric, at from newer where earlier is null
    ),
    -- Counts how the events of the day were tied.
    counted as (
      select event, count(*) filter (where tie = 'exact') as exact, count(*) filter (where tie = 'by_email') as by_email,
        count(*) filter (where tie = 'unmatched') as unmatched
      from tied group by event
    )
    ${rememberDay(
      run,
      'event',
      day,
      rows,
      sql`(select jsonb_object_agg(event, jsonb_build_array(exact, by_email, unmatched)) from counted),
      coalesce((select sum(unmatched) from counted), 0)`,
    )}`);
}
