import { type SQL, sql } from 'drizzle-orm';
import type { ArmCount } from '../../../domain/insights/experiments.ts';
import type { WeeklyCount } from '../../../domain/insights/recommend.ts';
import { ATTRIBUTE_PREFIX, EXPERIMENT, type CellCount, type SegmentKey } from '../../../domain/insights/segments.ts';
import type { Id } from '../../../kernel/ids.ts';
import type { Database } from '../client.ts';
import { type ErasedAddress, goneTable, query } from '../statements.ts';

/** A window of the roll-up in force, which ends when it was computed. */
export interface RollupWindow {
  /** Epoch milliseconds; null before the first run. */
  readonly computedAt: number | null;
  /** Whether the metric is among those counted. */
  readonly counted: boolean;
  readonly join: { readonly exact: number; readonly by_email: number; readonly unmatched: number };
}

/** The day of `computed_at` in the state `r`. */
const LAST_DAY = sql.raw('(r.computed_at / 86400000)::int');

export async function findWindow(
  db: Database,
  organisationId: Id<'org'>,
  metric: string,
  windowDays: number,
): Promise<RollupWindow> {
  const [row] = await query<Record<string, string | number | boolean | null>>(db)`
    select r.computed_at, coalesce(${metric} = any(r.metrics), false) as counted, j.exact, j.by_email, j.unmatched
      from rollup r cross join lateral (
        select sum((joins -> ${metric} ->> 0)::int) as exact, sum((joins -> ${metric} ->> 1)::int) as by_email,
          sum((joins -> ${metric} ->> 2)::int) as unmatched
        from rollup_source where organisation_id = r.organisation_id and kind = 'event'
          and day > ${LAST_DAY} - ${windowDays}::int and day <= ${LAST_DAY}) as j
      where r.organisation_id = ${organisationId} and r.computed_at is not null`;
  const count = (name: string): number => Number(row?.[name] ?? 0);
  return {
    computedAt: row === undefined ? null : Number(row.computed_at),
    counted: row?.counted === true,
    join: { exact: count('exact'), by_email: count('by_email'), unmatched: count('unmatched') },
  };
}

/** The running total of a row `t` at a day: the last entry up to that day. */
const totalAt = (column: string, day: SQL): SQL =>
  sql`coalesce(${sql.raw(`t.${column}`)}[width_bucket(${day}, t.days)], 0)`;

const inWindow = (windowDays: number): SQL =>
  sql`${totalAt('totals', LAST_DAY)} - ${totalAt('totals', sql`${LAST_DAY} - ${windowDays}::int`)}`;

/** A value computed from the totals `t` of a metric and the cell `c`. */
const ofTotals = (metric: SQL, value: SQL): SQL => sql`(select ${value} from segment_total t
  where t.organisation_id = r.organisation_id and t.generation = r.generation and t.metric = ${metric} and t.cell = c.cell)`;

const IN_FORCE = sql.raw(`rollup r
  join segment_cell c on c.organisation_id = r.organisation_id and c.generation = r.generation`);

/** Every segment with exposures in the window, everybody first. */
export const listCells = (
  db: Database,
  organisationId: Id<'org'>,
  metric: string,
  windowDays: number,
): Promise<CellCount[]> =>
  query<CellCount>(db)`
    select * from (
        select c.key, ${ofTotals(sql`''`, inWindow(windowDays))} as exposures,
          coalesce(${ofTotals(sql`${metric}`, inWindow(windowDays))}, 0) as events, c.cell
        from ${IN_FORCE} where r.organisation_id = ${organisationId} and not c.key ? ${EXPERIMENT.name}) as cells
      where exposures > 0 order by cell`;

/** The same by week, only for exposures that recommendations use. */
export async function listWeeklyCells(
  db: Database,
  organisationId: Id<'org'>,
  metric: string,
  windowDays: number,
): Promise<WeeklyCount[]> {
  const weeks = Math.ceil(windowDays / 7);
  const ends = [...Array.from({ length: weeks }, (_, week) => week * 7), windowDays];
  const atEnds = sql`(select array_agg(${totalAt('advisable', sql`${LAST_DAY} - b.back`)} order by b.back)
    from unnest(${sql.param(`{${ends.join(',')}}`)}::int[]) as b(back))`;
  const rows = await query<{ key: SegmentKey; exposures: number[]; events: number[] | null }>(db)`
    select key, exposures, events from (
        select c.key, ${ofTotals(sql`''`, atEnds)} as exposures, ${ofTotals(sql`${metric}`, atEnds)} as events, c.cell
        from ${IN_FORCE} where r.organisation_id = ${organisationId} and not c.key ? ${EXPERIMENT.name}) as cells
      where exposures[1] > exposures[${weeks + 1}] order by cell`;
  const byWeek = (totals: readonly number[] | null): number[] =>
    ends.slice(1).map((_, week) => (totals?.[week] ?? 0) - (totals?.[week + 1] ?? 0));
  return rows.map(({ key, exposures, events }) => ({ key, exposures: byWeek(exposures), events: byWeek(events) }));
}

/** Both arms of every experiment of a policy. */
export const listArms = (
  db: Database,
  organisationId: Id<'org'>,
  slug: string,
  windowDays: number,
): Promise<ArmCount[]> =>
  query<ArmCount>(db)`
    select c.key ->> ${EXPERIMENT.name} as experiment, ${ofTotals(sql`''`, inWindow(windowDays))} as exposures,
        coalesce((select jsonb_object_agg(t.metric, ${inWindow(windowDays)}) from segment_total t
          where t.organisation_id = r.organisation_id and t.generation = r.generation and t.metric <> ''
            and t.cell = c.cell), '{}') as events
      from ${IN_FORCE} where r.organisation_id = ${organisationId} and starts_with(c.key ->> ${EXPERIMENT.name}, ${`${slug} `})`;

/** An address's exposures. Only its own organisation has the hash. */
export async function listExposuresOf(
  db: Database,
  { organisationId, hash }: ErasedAddress,
): Promise<readonly { readonly at: number; readonly attributes: unknown }[]> {
  const rows = await query<{ at: unknown; attributes: unknown }>(db)`
    select at, attributes from exposure
    where address_hash = decode(${hash}, 'hex') and organisation_id = ${organisationId}`;
  return rows.map(({ at, attributes }) => ({ at: Number(at), attributes }));
}

/**
 * Deletes addresses' exposures after their traces are forgotten, and marks their days for a recount. Attribute values
 * that only these addresses have leave the segments at once, because they may name the person. Waits for the
 * organisation's row, so that rows of a running statement are included. Returns how many.
 */
export async function forgetExposures(db: Database, hashes: readonly ErasedAddress[]): Promise<number> {
  const list = goneTable(hashes);
  const gone = sql`${list} where organisation_id = gone."organisationId" and address_hash = decode(gone.hash, 'hex')`;
  await db.execute(sql`select 1 from rollup
    where organisation_id in (select gone."organisationId" from ${list}) for update`);
  const rows = await query<{ count: number }>(db)`
    with
    -- Removes the exposures of these addresses.
    removed as (
      delete from exposure using ${gone} returning organisation_id, address_hash, day, attributes
    ),
    -- The attribute values that no other address has.
    unshared as (
      select distinct r.organisation_id, ${ATTRIBUTE_PREFIX} || a.key as dimension, a.value
      from removed r cross join lateral jsonb_each(r.attributes) as a
      where not exists (select from exposure x where x.organisation_id = r.organisation_id
        and x.attributes @> jsonb_build_object(a.key, a.value)
        and not exists (select from removed o
          where o.organisation_id = x.organisation_id and o.address_hash = x.address_hash))
    ),
    -- Removes the segments made of these values.
    cells as (
      delete from segment_cell c using unshared u
      where c.organisation_id = u.organisation_id and c.key -> u.dimension = u.value
    ),
    -- Removes these values from the dictionary.
    named as (
      delete from segment_value v using unshared u
      where v.organisation_id = u.organisation_id and v.dimension = u.dimension and v.value = u.value
    ),
    days as (
      insert into segment_day (organisation_id, metric, day, stale) select distinct organisation_id, '', day, true from removed
      on conflict (organisation_id, metric, day) do update set stale = true
    )
    select count(*)::int as count from removed`;
  await db.execute(sql`delete from address_event using ${gone}`);
  return rows[0]?.count ?? 0;
}
