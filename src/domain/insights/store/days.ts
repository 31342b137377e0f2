import { sql } from 'drizzle-orm';
import { CELL_CAPS } from '../dimensions.ts';
import { valueId } from './profile.ts';
import { eachOf, fence, MINE, query, type Run } from './run.ts';

export async function listStaleDays({ db, organisationId }: Run): Promise<number[]> {
  const stale = sql`select day from segment_day
    where organisation_id = ${organisationId} and metric = '' and stale order by day`;
  return (await query<{ day: number }>(db, stale)).map(({ day }) => day);
}

const ATTRIBUTE_ID = valueId('dimension', 'value');

/**
 * Counts one day of exposures anew. `at` of an event is whole seconds: it follows an exposure in the same one. Exposures
 * with the same values are counted together before their pairs are made.
 */
export async function countDay(run: Run, day: number): Promise<void> {
  const { db, organisationId } = run;
  await db.execute(sql`
    with ${fence(run)}, seen as materialized (
      select address_hash, at, values, experiment, advisable, trace_id from exposure
      where organisation_id = ${organisationId} and day = ${day} and ${MINE}
    ), happened as materialized (
      select address_hash, '' as metric from seen
      union all
      select s.address_hash, a.metric from seen s
      cross join lateral (select metric, last_at from address_event
        where organisation_id = ${organisationId} and address_hash = s.address_hash offset 0) as a
      where a.last_at >= s.at - s.at % 1000
    ), said as materialized (
      select s.address_hash, s.advisable, a.key as name, a.value from seen s
      cross join lateral ${eachOf('trace', organisationId, sql`mode = 'live' and id = s.trace_id`)} as t
      cross join lateral jsonb_each(case jsonb_typeof(t.policy_decision -> 'attributes') when 'object'
        then t.policy_decision -> 'attributes' else '{}' end) as a
    ), frequent as (
      select name from said group by name order by count(*) desc, name limit ${CELL_CAPS.namesPerDay}
    ), kept as (
      select name, value from (select name, value,
          row_number() over (partition by name order by count(*) desc, value::text) as place
        from said group by name, value) as ranked where place <= ${CELL_CAPS.valuesPerDay}
    ), attributed as materialized (
      select *, ${ATTRIBUTE_ID} as id from (
        select s.address_hash, s.advisable, 'attributes.' || s.name as dimension, coalesce(k.value, 'null') as value
        from said s join frequent using (name) left join kept k on k.name = s.name and k.value = s.value) as known
    ), dictionary as (
      insert into segment_value (organisation_id, id, dimension, value)
      select distinct ${organisationId}, id, dimension, value from attributed on conflict do nothing
    ), alike as (
      select h.metric, s.values, s.advisable, count(*) as n from happened h join seen s using (address_hash) group by 1, 2, 3
    ), single as (
      select address_hash, advisable, id from attributed
      union all select address_hash, advisable, experiment from seen where experiment is not null
    ), counted as (
      select metric, a, b, sum(n)::int as n, coalesce(sum(n) filter (where advisable), 0)::int as advisable from (
        select metric, advisable, n, p.a, p.b from alike cross join lateral (
          select 0::bigint as a, 0::bigint as b union all select x, 0 from unnest(values) as x
          union all select x, y from unnest(values) as x, unnest(values) as y where x < y) as p
        union all
        select h.metric, s.advisable, 1, s.id, 0 from happened h join single s using (address_hash)) as every_one
      group by 1, 2, 3
    ), listed as materialized (
      select metric, array_agg(a) as a, array_agg(b) as b, array_agg(n) as counts, array_agg(advisable) as advisable
      from (select * from counted order by metric, a, b) as ordered group by metric
      union all select '', '{}', '{}', '{}', '{}' where not exists (select from seen)
    ), ended as (
      delete from segment_day where organisation_id = ${organisationId} and day = ${day} and ${MINE}
        and metric not in (select metric from listed)
    )
    insert into segment_day (organisation_id, metric, day, stale, a, b, counts, advisable)
    select ${organisationId}, metric, ${day}, false, a, b, counts, advisable from listed where ${MINE}
    on conflict (organisation_id, metric, day) do update set stale = false, a = excluded.a, b = excluded.b,
      counts = excluded.counts, advisable = excluded.advisable`);
}
