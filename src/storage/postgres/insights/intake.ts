import { type SQL, sql } from 'drizzle-orm';
import { EXPERIMENT, FIXED_DIMENSIONS, CELL_CAPS } from '../../../domain/insights/segments.ts';
import { DAY_MS } from '../../../kernel/clock.ts';
import { type Id, uuidAt } from '../../../kernel/ids.ts';
import { query } from '../statements.ts';
import {
  type ChangedDay,
  eachOf,
  fence,
  MINE,
  markStale,
  type Run,
  rememberDay,
  takeUnmatchedAgain,
  withinDay,
} from './run.ts';

/** The id of a value (an expression of JSON text) in a dimension; null without a value and for JSON null. */
const valueId = (dimension: string, text: string): SQL =>
  sql.raw(`hashtextextended(${dimension} || ' ' || nullif(${text}, 'null'), 0)`);

const VALUES = FIXED_DIMENSIONS.map(({ name, column }) => ({ name: `'${name}'`, column }));
const MET = { name: `'${EXPERIMENT.name}'`, column: EXPERIMENT.column };

/** The values of a trace `t` in the fixed dimensions; `b`: the job that wrote it. */
const PROFILE = sql`
  array_remove(array[${sql.join(
    VALUES.map(({ name, column }) => valueId(name, `to_json(${column})::text`)),
    sql`, `,
  )}], null) as values,
  ${valueId(MET.name, `to_json(${MET.column})::text`)} as experiment,
  coalesce(t.policy_decision ->> 'decision' <> 'deny', true)
    and not (t.kind = 'bulk' and coalesce(b.record #>> '{job,purpose}', 'list_hygiene') = 'list_hygiene') as advisable,
  case jsonb_typeof(t.policy_decision -> 'attributes') when 'object' then t.policy_decision -> 'attributes' end as attributes`;

const ROWS = sql.raw([...VALUES, MET].map(({ name, column }) => `(${name}, to_jsonb(${column}))`).join(', '));

/**
 * Adds the values of these exposures (a CTE) to the dictionary. Most nights it has them all, so traces are looked up
 * only for ids in `missing`.
 */
const enterValues = (organisationId: Id<'org'>, exposures: string, missing: SQL): SQL => sql`
  insert into segment_value (organisation_id, id, dimension, value)
  select distinct ${organisationId}, ${valueId('d.dimension', 'd.value::text')}, d.dimension, d.value
  from ${sql.raw(exposures)} as x
  cross join lateral ${eachOf('trace', organisationId, sql`mode = 'live' and id = x.trace_id`)} as t
  cross join lateral (values ${ROWS}) as d(dimension, value)
  where d.value <> 'null' and x.values || x.experiment && ${missing}
  on conflict do nothing`;

/** A literal, because Postgres would treat two parameters as different expressions. */
const DAY = sql.raw(String(DAY_MS));

/** Moves exposures to these traces, rows of a CTE that include their profile. */
const move = (organisationId: Id<'org'>, traces: string): SQL => sql`
  update exposure x set trace_id = t.id, at = t.created_at, day = t.created_at / ${DAY}, values = t.values,
    experiment = t.experiment, advisable = t.advisable, attributes = t.attributes
  from ${sql.raw(traces)} as t where x.organisation_id = ${organisationId} and x.address_hash = t.hash`;

/** Reads the traces of one day of ids: first exposures, days to recount, and events to match again. */
export async function takeTraces(run: Run, { day, rows }: ChangedDay): Promise<void> {
  const { db, organisationId } = run;
  await db.execute(sql`
    with ${fence(run)},
    -- The first trace of each address that day, where it precedes the stored exposure or none is stored.
    earlier as materialized (
      select t.id, t.created_at, t.hash, x.day as old_day, ${PROFILE}
      from (
        select distinct on (hash) *, decode(address_hash, 'hex') as hash from trace
        where organisation_id = ${organisationId} and mode = 'live' and ${withinDay(sql`id`, day)}
          and address_hash is not null and created_at >= ${run.fromDay * DAY_MS} and ${MINE}
        order by hash, created_at, id) as t
      left join lateral ${eachOf('exposure', organisationId, sql`address_hash = t.hash`)} as x on true
      left join bulk_job b on b.organisation_id = ${organisationId} and b.id = t.bulk_job_id
      where x.day is null or (t.created_at, t.id) < (x.at, x.trace_id)
    ),
    -- The days an address moves to and from are counted again.
    touched as (
      ${markStale(run, sql`select created_at / ${DAY} as day from earlier union select old_day from earlier`)}
    ),
    -- Days with unmatched events are taken in again, since their trace may have come now.
    unexplained as (${takeUnmatchedAgain(organisationId, day)}
    ),
    -- Moves the exposures that are stored already.
    moved as (${move(organisationId, '(select * from earlier where old_day is not null)')}
    ),
    -- Enters the addresses seen for the first time.
    entered as (
      insert into exposure (organisation_id, address_hash, trace_id, at, day, values, experiment, advisable, attributes)
      select ${organisationId}, hash, id, created_at, created_at / ${DAY}, values, experiment, advisable, attributes
      from earlier where old_day is null
    )
    ${rememberDay(run, 'trace', day, rows)}`);
}

/** Days that have left the window of 365 days. */
export async function listExpiredDays({ db, organisationId, fromDay }: Run): Promise<number[]> {
  const days = sql`select day from exposure where organisation_id = ${organisationId} and day < ${fromDay}
    union select day from segment_day where organisation_id = ${organisationId} and metric = '' and day < ${fromDay}`;
  return (await query<{ day: number }>(db)`${days} order by day`).map(({ day }) => day);
}

/** Moves the exposures of an expired day to each address's next trace, or drops them. */
export async function expireDay(run: Run, day: number): Promise<void> {
  const { db, organisationId } = run;
  await db.execute(sql`
    with ${fence(run)},
    -- The addresses first seen on the expired day.
    gone as materialized (
      select address_hash from exposure where organisation_id = ${organisationId} and day = ${day} and ${MINE}
    ),
    -- Their next trace within the 365 days.
    later as materialized (
      select t.id, t.created_at, gone.address_hash as hash, ${PROFILE} from gone
      cross join lateral (select * from trace where trace.address_hash = encode(gone.address_hash, 'hex')
        and organisation_id = ${organisationId} and mode = 'live' and created_at >= ${run.fromDay * DAY_MS}
        order by created_at, id limit 1) as t
      left join bulk_job b on b.organisation_id = ${organisationId} and b.id = t.bulk_job_id
    ),
    -- The days an address moves to are counted again.
    touched as (
      ${markStale(run, sql`select distinct created_at / ${DAY} as day from later`)}
    ),
    -- Moves each exposure to the later trace.
    moved as (${move(organisationId, 'later')}
    ),
    -- Drops the exposure of an address without a later trace.
    removed as (
      delete from exposure x using gone where x.organisation_id = ${organisationId} and x.address_hash = gone.address_hash
        and not exists (select from later l where l.hash = gone.address_hash)
    )
    delete from segment_day where organisation_id = ${organisationId} and day = ${day} and ${MINE}`);
}

/** Matches the events received on one day to traces and addresses. */
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

export async function listStaleDays({ db, organisationId }: Run): Promise<number[]> {
  const stale = sql`select day from segment_day
    where organisation_id = ${organisationId} and metric = '' and stale order by day`;
  return (await query<{ day: number }>(db)`${stale}`).map(({ day }) => day);
}

/** The id of an attribute's value; JSON null, a day's rarer values together, has one too. */
const ATTRIBUTE_ID = valueId('dimension', `' ' || value::text`);

/**
 * Recounts one day of exposures. An event's `at` is in whole seconds, so one in the same second counts as after the
 * exposure. Exposures with equal values are counted together, then each value alone and in pairs.
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
