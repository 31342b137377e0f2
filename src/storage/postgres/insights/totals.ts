import { type SQL, sql } from 'drizzle-orm';
import { ATTRIBUTE_PREFIX, CELL_CAPS, EXPERIMENT, FIXED_DIMENSIONS, OTHER } from '../../../domain/insights/segments.ts';
import { METRICS } from '../../../domain/insights/experiments.ts';
import { DAY_MS } from '../../../kernel/clock.ts';
import { query } from '../statements.ts';
import { fence, MINE, type Run } from './run.ts';

/** A literal, because Postgres would treat two parameters as different expressions. */
const OTHER_VALUE = sql.raw(`'"${OTHER}"'::jsonb`);

/** Whether values `v` that differ only in case count as one, because a policy's rule can't distinguish them. */
const IN_ANY_CASE = sql.raw(
  `(v.attribute or v.dimension in (${FIXED_DIMENSIONS.flatMap(({ name, isFreeText }) => (isFreeText ? [`'${name}'`] : [])).join(', ')}))`,
);

/** The standard metrics and the account's most frequent custom ones. */
const chosenMetrics = ({ organisationId, fromDay }: Run): SQL => sql`
  ${sql.param(`{${METRICS.map(({ name }) => name).join(',')}}`)}::text[] || array(
    select j.key from rollup_source s cross join lateral jsonb_each(s.joins) as j
    where s.organisation_id = ${organisationId} and s.kind = 'event' and s.day >= ${fromDay}
      and starts_with(j.key, 'custom:')
    group by j.key order by sum((j.value ->> 0)::int + (j.value ->> 1)::int + (j.value ->> 2)::int) desc, j.key
    limit ${CELL_CAPS.customMetrics})`;

/**
 * Chooses the segments of a new generation by the counts of the 365 days and of a day that has begun since. The counts
 * must not change before they are read.
 */
export async function selectCells(run: Run, generation: number, buildingAt: number): Promise<void> {
  const { db, organisationId, fromDay } = run;
  await dropGenerations(run);
  await db.execute(sql`
    with ${fence(run)},
    -- The 365 days added up, for each value and each pair.
    total as materialized (
      select a, b, sum(n)::int as n from (
        select unnest(a) as a, unnest(b) as b, unnest(counts) as n from segment_day
        where organisation_id = ${organisationId} and day >= ${fromDay} and metric = '' and ${MINE}) as u
      group by a, b
    ),
    -- The dictionary of values, with whether each belongs to an attribute.
    named as materialized (
      select id, dimension, value, starts_with(dimension, ${ATTRIBUTE_PREFIX}) as attribute
      from segment_value where organisation_id = ${organisationId}
    ),
    -- Single values, where spellings that differ in case alone share the most frequent one.
    one as materialized (
      select n, id, dimension, attribute, first_value(id) over spelt as meant, first_value(value) over spelt as value
      from (select t.n, v.*, case when ${IN_ANY_CASE} then lower(value::text) else value::text end as word
        from total t join named v on v.id = t.a where t.b = 0) as counted
      window spelt as (partition by dimension, word order by n desc, value::text)
    ),
    -- The most frequent attribute names.
    shown_name as (
      select dimension from one where attribute group by 1 order by sum(n) desc, 1 limit ${CELL_CAPS.names}
    ),
    -- The most frequent values of each attribute; the others are counted as one rest.
    shown_value as (
      select meant from (
        select meant, row_number() over (partition by dimension order by sum(n) desc, value::text) as place
        from one join shown_name using (dimension) where value <> 'null' and lower(value::text) <> ${OTHER_VALUE}::text
        group by meant, dimension, value) as ranked
      where place <= ${CELL_CAPS.values}
    ),
    -- Segments of one value, and everybody.
    single as (
      select '{}'::jsonb as key, n, '{0}'::bigint[] as a, '{0}'::bigint[] as b from total where a = 0
      union all
      select jsonb_build_object(dimension, value), sum(n)::int, array_agg(id order by id), array_agg(0::bigint)
      from (select o.dimension, o.n, o.id, case when not attribute or s.meant is not null then value else ${OTHER_VALUE} end as value
        from one o left join shown_value s using (meant)
        where not attribute or dimension in (select dimension from shown_name)) as valued
      group by dimension, value
    ),
    -- Pairs of values with enough exposures, spellings joined.
    together as (
      select x.meant as x, y.meant as y, sum(t.n)::int as n, array_agg(t.a order by t.a, t.b) as a,
        array_agg(t.b order by t.a, t.b) as b
      from total t join one x on x.id = t.a join one y on y.id = t.b
      where t.b <> 0 group by 1, 2 having sum(t.n) >= ${CELL_CAPS.pairExposures}
    ),
    -- The most frequent pairs, as segments.
    pair as (
      select jsonb_build_object(x.dimension, x.value, y.dimension, y.value) as key, t.n, t.a, t.b
      from together t join one x on x.id = t.x join one y on y.id = t.y order by 2 desc, 1 limit ${CELL_CAPS.pairs}
    ),
    -- All segments of the generation, numbered by size with everybody first.
    cell as (
      select *, row_number() over (order by key <> '{}', n desc, key) as number
      from (select * from single union all select * from pair) as every_one
    ),
    -- Stores the segments of the new generation.
    entered as (
      insert into segment_cell (organisation_id, generation, cell, key, exposures, a, b)
      select ${organisationId}, ${generation}, number, key, n, a, b from cell
    )
    update rollup set building_at = ${buildingAt}, built = null, building_metrics = ${chosenMetrics(run)}
    where organisation_id = ${organisationId} and ${MINE}`);
}

/** The metrics to total for the next generation, in order: `''` for exposures; all metrics if an experiment exists. */
export async function listTotalMetrics({ db, organisationId }: Run, generation: number): Promise<string[]> {
  const rows = await query<{ metric: string }>(db)`
    select distinct d.metric collate "C" as metric from segment_day d
      join rollup r on r.organisation_id = d.organisation_id
      where d.organisation_id = ${organisationId} and (d.metric = '' or d.metric = any(r.building_metrics)
        or exists (select from segment_cell c where c.organisation_id = ${organisationId}
          and c.generation = ${generation} and c.key ? ${EXPERIMENT.name})) order by 1`;
  return rows.map(({ metric }) => metric);
}

/** Adds up the days of one metric. Experiments get every metric, because their guardrails may name any. */
export async function addTotals(run: Run, generation: number, metric: string): Promise<void> {
  const { db, organisationId, fromDay } = run;
  await db.execute(sql`
    with ${fence(run)},
    -- The values that each segment is made of, where the metric counts for it.
    member as materialized (
      select c.cell, u.a, u.b from segment_cell c cross join lateral unnest(c.a, c.b) as u(a, b)
      where c.organisation_id = ${organisationId} and c.generation = ${generation} and ${MINE}
        and (c.key ? ${EXPERIMENT.name} or ${metric} = ''
          or ${metric} in (select unnest(building_metrics) from rollup where organisation_id = ${organisationId}))
    ),
    -- The counts of each segment on each day.
    daily as (
      select m.cell, u.day, sum(u.n) as n, sum(u.advisable) as advisable
      from (
        select day, unnest(a) as a, unnest(b) as b, unnest(counts) as n, unnest(advisable) as advisable from segment_day
        where organisation_id = ${organisationId} and metric = ${metric} and day >= ${fromDay}) as u
      join member m on m.a = u.a and m.b = u.b
      group by 1, 2
    ),
    -- Running totals, so that a window is one subtraction.
    running as (
      select cell, day, sum(n) over so_far as total, sum(advisable) over so_far as advisable
      from daily window so_far as (partition by cell order by day)
    ),
    -- Stores the running totals of the metric.
    entered as (
      insert into segment_total (organisation_id, generation, metric, cell, days, totals, advisable)
      select ${organisationId}, ${generation}, ${metric}, cell, array_agg(day order by day),
        array_agg(total::int order by day), array_agg(advisable::int order by day)
      from running group by cell on conflict do nothing
    )
    update rollup set built = ${metric} where organisation_id = ${organisationId} and ${MINE}`);
}

/** Serves the new generation, or marks the served one as valid for `now`. False: another run has taken over. */
export async function publish({ db, organisationId, run }: Run, now: number): Promise<boolean> {
  const ended = await query(db)`
    update rollup set run = null, computed_at = coalesce(building_at, ${now}::bigint),
        generation = generation + (building_at is not null)::int, metrics = coalesce(building_metrics, metrics),
        changed = changed and building_at is null, building_at = null, building_metrics = null, built = null
      where organisation_id = ${organisationId} and run = ${run} returning 1`;
  return ended.length > 0;
}

export async function dropGenerations({ db, organisationId }: Run): Promise<void> {
  for (const table of ['segment_total', 'segment_cell'])
    await db.execute(sql`delete from ${sql.raw(table)} where organisation_id = ${organisationId}
      and generation <> (select generation from rollup where organisation_id = ${organisationId})`);
}

/** Removes values and metrics that the counted days don't use any more. */
export async function dropUnused({ db, organisationId, fromDay }: Run): Promise<void> {
  await db.execute(sql`delete from segment_value where organisation_id = ${organisationId} and not exists (
    select from segment_cell c where c.organisation_id = ${organisationId} and id = any(c.a || c.b))
    and id not in (select u.a from segment_day d cross join lateral unnest(d.a) as u(a)
      where d.organisation_id = ${organisationId} and d.metric = '')
    and id not in (select u.b from segment_day d cross join lateral unnest(d.b) as u(b)
      where d.organisation_id = ${organisationId} and d.metric = '')`);
  await db.execute(sql`delete from address_event
    where organisation_id = ${organisationId} and last_at < ${fromDay * DAY_MS}`);
  await db.execute(sql`delete from rollup_source where organisation_id = ${organisationId} and day < ${fromDay - 2}`);
}
