import { type SQL, sql } from 'drizzle-orm';
import { DAY_MS } from '../../../kernel/clock.ts';
import { ATTRIBUTE_PREFIX, CELL_CAPS, EXPERIMENT, OTHER } from '../dimensions.ts';
import { METRICS } from '../metrics.ts';
import { fence, MINE, query, type Run } from './run.ts';

/** A literal: as a parameter it would not be the same expression twice. */
const OTHER_VALUE = sql.raw(`'"${OTHER}"'::jsonb`);

const isAttribute = (dimension: SQL): SQL => sql`starts_with(${dimension}, ${ATTRIBUTE_PREFIX})`;

/** The standard metrics, and the most frequent ones the account made itself. */
const chosenMetrics = ({ organisationId, fromDay, toDay }: Run): SQL => sql`
  ${sql.param(`{${METRICS.map(({ name }) => name).join(',')}}`)}::text[] || array(
    select j.key from rollup_source s cross join lateral jsonb_each(s.joins) as j
    where s.organisation_id = ${organisationId} and s.kind = 'event' and s.day between ${fromDay} and ${toDay}
      and starts_with(j.key, 'custom:')
    group by j.key order by sum((j.value ->> 0)::int + (j.value ->> 1)::int + (j.value ->> 2)::int) desc, j.key
    limit ${CELL_CAPS.customMetrics})`;

/** Chooses the segments of a new generation by what the 365 days hold, each with the profiles in it. */
export async function selectCells(run: Run, generation: number): Promise<void> {
  const { db, organisationId, fromDay, toDay } = run;
  await dropGenerations(run);
  await db.execute(sql`
    with ${fence(run)}, total as (
      select u.profile, sum(u.n) as n from segment_day d
      cross join lateral unnest(d.metrics, d.profiles, d.counts) as u(metric, profile, n)
      where d.organisation_id = ${organisationId} and d.day between ${fromDay} and ${toDay} and u.metric = '' and ${MINE}
      group by u.profile
    ), part as materialized (
      select p.id, t.n, m.key as dimension, m.value, ${isAttribute(sql`m.key`)} as attribute
      from total t join segment_profile p on p.organisation_id = ${organisationId} and p.id = t.profile
      cross join lateral jsonb_each(p.dimensions) as m
    ), shown_name as (
      select dimension from part where attribute group by 1 order by sum(n) desc, 1 limit ${CELL_CAPS.names}
    ), shown_value as (
      select dimension, value from (
        select dimension, value, row_number() over (partition by dimension order by sum(n) desc, value::text) as place
        from part join shown_name using (dimension) where value <> 'null' and value <> ${OTHER_VALUE} group by 1, 2
      ) as ranked where place <= ${CELL_CAPS.values}
    ), single as (
      select '{}'::jsonb as key, sum(n) as n, array_agg(id order by id) as profiles
      from (select distinct id, n from part where not attribute) as everybody
      union all
      select jsonb_build_object(dimension, value), sum(n), array_agg(id order by id)
      from part where not attribute group by dimension, value
      union all
      select jsonb_build_object(p.dimension, coalesce(v.value, ${OTHER_VALUE})), sum(n), array_agg(id order by id)
      from part p join shown_name using (dimension) left join shown_value v using (dimension, value)
      group by p.dimension, coalesce(v.value, ${OTHER_VALUE})
    ), pairable as (
      select * from part where not attribute and dimension <> ${EXPERIMENT.name}
    ), pair as (
      select jsonb_build_object(a.dimension, a.value, b.dimension, b.value) as key, sum(a.n) as n,
        array_agg(a.id order by a.id) as profiles
      from pairable a join pairable b on b.id = a.id and b.dimension > a.dimension
      group by a.dimension, a.value, b.dimension, b.value having sum(a.n) >= ${CELL_CAPS.pairExposures}
      order by 2 desc, 1 limit ${CELL_CAPS.pairs}
    ), cell as (
      select *, row_number() over (order by key <> '{}', n desc, key) as number
      from (select * from single union all select * from pair) as every_one where n > 0
    ), entered as (
      insert into segment_cell (organisation_id, generation, cell, key, exposures, profiles)
      select ${organisationId}, ${generation}, number, key, n, profiles from cell
    )
    update rollup set building = ${generation}, built_cells = 0, building_metrics = ${chosenMetrics(run)}
    where organisation_id = ${organisationId} and ${MINE}`);
}

export const listCellSizes = ({ db, organisationId }: Run, generation: number): Promise<CellSize[]> =>
  query<CellSize>(
    db,
    sql`select cell, exposures from segment_cell
      where organisation_id = ${organisationId} and generation = ${generation} order by cell`,
  );

interface CellSize {
  readonly cell: number;
  readonly exposures: number;
}

/** Adds up the days of some cells. Experiments keep every metric: their guardrails name any. */
export async function addTotals(run: Run, generation: number, after: number, upTo: number): Promise<void> {
  const { db, organisationId, fromDay, toDay } = run;
  await db.execute(sql`
    with ${fence(run)}, chosen as materialized (
      select building_metrics || '{""}'::text[] as metrics from rollup where organisation_id = ${organisationId}
    ), belongs as (
      select c.cell, p.profile, s.advisable, c.key ? ${EXPERIMENT.name} as every_metric
      from segment_cell c cross join lateral unnest(c.profiles) as p(profile)
      join segment_profile s on s.organisation_id = ${organisationId} and s.id = p.profile
      where c.organisation_id = ${organisationId} and c.generation = ${generation}
        and c.cell > ${after} and c.cell <= ${upTo} and ${MINE}
    ), daily as (
      select b.cell, u.metric, d.day, sum(u.n) as n, coalesce(sum(u.n) filter (where b.advisable), 0) as advisable
      from segment_day d cross join lateral unnest(d.metrics, d.profiles, d.counts) as u(metric, profile, n)
      join belongs b on b.profile = u.profile
      where d.organisation_id = ${organisationId} and d.day between ${fromDay} and ${toDay}
        and (b.every_metric or u.metric = any((select metrics from chosen)::text[]))
      group by 1, 2, 3
    ), running as (
      select cell, metric, day, sum(n) over so_far as total, sum(advisable) over so_far as advisable
      from daily window so_far as (partition by cell, metric order by day)
    ), entered as (
      insert into segment_total (organisation_id, generation, metric, cell, days, totals, advisable)
      select ${organisationId}, ${generation}, metric, cell, array_agg(day order by day),
        array_agg(total::int order by day), array_agg(advisable::int order by day)
      from running group by metric, cell on conflict do nothing
    )
    update rollup set built_cells = ${upTo} where organisation_id = ${organisationId} and ${MINE}`);
}

/** Serves what has been built; without it, what is served already holds for `computedAt` too. False: another run has taken over. */
export async function publish(run: Run, computedAt: number): Promise<boolean> {
  const { db, organisationId } = run;
  const ended = await query(
    db,
    sql`update rollup set run = null, computed_at = ${computedAt}, generation = coalesce(building, generation),
        metrics = coalesce(building_metrics, metrics), changed = changed and building is null, building = null, building_metrics = null, built_cells = 0
      where organisation_id = ${organisationId} and run = ${run.run} returning 1`,
  );
  return ended.length > 0;
}

/** Drops the generations that are not served. */
export async function dropGenerations({ db, organisationId }: Run): Promise<void> {
  for (const table of ['segment_total', 'segment_cell'])
    await db.execute(sql`delete from ${sql.raw(table)} where organisation_id = ${organisationId}
      and generation is distinct from (select generation from rollup where organisation_id = ${organisationId})`);
}

/** Removes what no day counts any more. */
export async function dropUnused({ db, organisationId, fromDay }: Run): Promise<void> {
  await db.execute(sql`delete from segment_profile where organisation_id = ${organisationId}
    and id not in (select profile from exposure where organisation_id = ${organisationId})
    and id not in (select u.profile from segment_day d cross join lateral unnest(d.profiles) as u(profile)
      where d.organisation_id = ${organisationId})`);
  await db.execute(sql`delete from address_event
    where organisation_id = ${organisationId} and last_at < ${fromDay * DAY_MS}`);
  await db.execute(sql`delete from rollup_source where organisation_id = ${organisationId} and day < ${fromDay - 2}`);
}
