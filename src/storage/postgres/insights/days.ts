import { sql } from 'drizzle-orm';
import { CELL_CAPS } from '../../../domain/insights/segments.ts';
import { enterValues, valueId } from './intake.ts';
import { query } from '../statements.ts';
import { eachOf, fence, MINE, type Run } from './run.ts';

export async function listStaleDays({ db, organisationId }: Run): Promise<number[]> {
  const stale = sql`select day from segment_day
    where organisation_id = ${organisationId} and metric = '' and stale order by day`;
  return (await query<{ day: number }>(db, stale)).map(({ day }) => day);
}

/** The id of an attribute's value; JSON null, a day's rarer values together, has one too. */
const ATTRIBUTE_ID = valueId('dimension', `' ' || value::text`);

/**
 * Counts one day of exposures again. An event's `at` is in whole seconds, so an event in the same second counts as after
 * the exposure. Exposures with the same values are counted together, then each value alone and in pairs.
 */
export async function countDay(run: Run, day: number): Promise<void> {
  const { db, organisationId } = run;
  await db.execute(sql`
    with ${fence(run)},
    -- The exposures of the day, each with the metrics that its address reached afterwards; the empty metric counts the exposure itself.
    seen as materialized (
      select x.values, x.experiment, x.advisable, x.attributes, x.trace_id, '{""}'::text[] || array(
        select e.metric from address_event e where e.organisation_id = ${organisationId}
          and e.address_hash = x.address_hash and e.last_at >= x.at - x.at % 1000) as metrics
      from exposure x where x.organisation_id = ${organisationId} and x.day = ${day} and ${MINE}
    ),
    -- One row for each attribute of each exposure, with how often its name and its value occur that day.
    said as (
      select s.metrics, s.advisable, a.key as name, a.value, count(*) over (partition by a.key) as of_name,
        count(*) over (partition by a.key, a.value) as of_value
      from seen s cross join lateral jsonb_each(s.attributes) as a
    ),
    -- Ranks attribute names by frequency, and values within their name.
    placed as (
      select *, dense_rank() over (order by of_name desc, name) as name_place,
        dense_rank() over (partition by name order by of_value desc, value::text) as value_place
      from said
    ),
    -- Keeps the most frequent names; their rarer values become JSON null.
    attributed as materialized (
      select *, ${ATTRIBUTE_ID} as id from (
        select metrics, advisable, 'attributes.' || name as dimension,
          case when value_place <= ${CELL_CAPS.valuesPerDay} then value else 'null' end as value
        from placed where name_place <= ${CELL_CAPS.namesPerDay}) as known
    ),
    -- Enters new attribute values into the dictionary.
    attribute_values as (
      insert into segment_value (organisation_id, id, dimension, value)
      select distinct ${organisationId}, id, dimension, value from attributed on conflict do nothing
    ),
    -- Counts exposures with the same values, for each metric; value 0 stands for everybody.
    alike as materialized (
      select metric, values, count(*)::int as n, (count(*) filter (where advisable))::int as advisable from (
        select unnest(metrics) as metric, values, advisable from seen
        union all select unnest(metrics), array[0::bigint], advisable from seen
        union all select unnest(metrics), array[experiment], advisable from seen where experiment is not null
        union all select unnest(metrics), array[id], advisable from attributed) as every_one
      group by metric, values
    ),
    -- Makes the pairs, and packs the counts of each metric into arrays in a fixed order; an empty row for a day without exposures.
    listed as materialized (
      select * from (select distinct metric from alike) as met cross join lateral (
        select array_agg(a) as a, array_agg(b) as b, array_agg(n) as counts, array_agg(advisable) as advisable
        from (
          select a, b, sum(n)::int as n, sum(advisable)::int as advisable from (
            select n, advisable, values[i] as a, unnest(0::bigint || values[i + 1 :]) as b
            from (select *, generate_subscripts(values, 1) as i from alike where metric = met.metric) as placed
          ) as each group by a, b order by a, b) as ordered) as counted
      union all select '', '{}', '{}', '{}', '{}' where not exists (select from seen)
    ),
    -- Enters new values of the fixed dimensions into the dictionary.
    fixed_values as (${enterValues(
      organisationId,
      'seen',
      sql`array(select i.id from (select distinct unnest(a) as id from listed where metric = '') as i
        left join lateral ${eachOf('segment_value', organisationId, sql`id = i.id`)} as v on true where v.id is null)`,
    )}
    ),
    -- Removes the metrics that the day no longer has.
    ended as (
      delete from segment_day where organisation_id = ${organisationId} and day = ${day} and ${MINE}
        and metric not in (select metric from listed)
    )
    insert into segment_day (organisation_id, metric, day, stale, a, b, counts, advisable)
    select ${organisationId}, metric, ${day}, false, a, b, counts, advisable from listed where ${MINE}
    on conflict (organisation_id, metric, day) do update set stale = false, a = excluded.a, b = excluded.b,
      counts = excluded.counts, advisable = excluded.advisable`);
}
