import { sql } from 'drizzle-orm';
import { CELL_CAPS } from '../dimensions.ts';
import { HASHED } from './profile.ts';
import { fence, MINE, query, type Run } from './run.ts';

export async function listStaleDays({ db, organisationId }: Run): Promise<number[]> {
  const stale = sql`select day from segment_day where organisation_id = ${organisationId} and stale order by day`;
  return (await query<{ day: number }>(db, stale)).map(({ day }) => day);
}

/** Counts one day of exposures anew. `at` of an event is whole seconds: it follows an exposure in the same one. */
export async function countDay(run: Run, day: number): Promise<void> {
  const { db, organisationId } = run;
  await db.execute(sql`
    with ${fence(run)}, seen as materialized (
      select address_hash, at, profile, trace_id from exposure
      where organisation_id = ${organisationId} and day = ${day} and ${MINE}
    ), happened as materialized (
      select s.address_hash, a.metric from seen s join address_event a
        on a.organisation_id = ${organisationId} and a.address_hash = s.address_hash and a.last_at >= s.at - s.at % 1000
    ), said as materialized (
      select s.address_hash, p.advisable, a.key as name, a.value from seen s
      join segment_profile p on p.organisation_id = ${organisationId} and p.id = s.profile and p.dimensions ? 'decision'
      join trace t on t.organisation_id = ${organisationId} and t.mode = 'live' and t.id = s.trace_id
      cross join lateral jsonb_each(case jsonb_typeof(t.policy_decision -> 'attributes') when 'object'
        then t.policy_decision -> 'attributes' else '{}' end) as a
    ), frequent as (
      select name from said group by name order by count(*) desc, name limit ${CELL_CAPS.namesPerDay}
    ), kept as (
      select name, value from (select name, value,
          row_number() over (partition by name order by count(*) desc, value::text) as place
        from said group by name, value) as ranked where place <= ${CELL_CAPS.valuesPerDay}
    ), attributed as materialized (
      select s.address_hash, s.advisable, jsonb_build_object('attributes.' || s.name, k.value) as dimensions
      from said s join frequent using (name) left join kept k on k.name = s.name and k.value = s.value
    ), dictionary as (
      insert into segment_profile (organisation_id, id, dimensions, advisable)
      select distinct ${organisationId}, ${HASHED}, dimensions, advisable from attributed on conflict do nothing
    ), member as materialized (
      select address_hash, profile from seen union all select address_hash, ${HASHED} from attributed
    ), counted as (
      select '' as metric, profile, count(*) as n from member group by profile
      union all select metric, profile, count(*) from happened join member using (address_hash) group by 1, 2
    )
    insert into segment_day (organisation_id, day, stale, metrics, profiles, counts)
    select ${organisationId}, ${day}, false, coalesce(array_agg(metric order by metric, profile), '{}'),
      coalesce(array_agg(profile order by metric, profile), '{}'), coalesce(array_agg(n::int order by metric, profile), '{}')
    from counted where ${MINE} having ${MINE}
    on conflict (organisation_id, day) do update set stale = false, metrics = excluded.metrics,
      profiles = excluded.profiles, counts = excluded.counts`);
}
