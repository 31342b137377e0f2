import { type SQL, sql } from 'drizzle-orm';
import { DAY_MS } from '../../../kernel/clock.ts';
import { type Id, uuidAt } from '../../../kernel/ids.ts';
import { MINE, query, type Run } from './run.ts';

/** A UTC day of ids whose row count has changed since it was last taken in. */
export interface ChangedDay {
  readonly day: number;
  readonly rows: number;
}

/** The smallest UUIDv7 of a day. */
const uuidOfDay = (day: SQL): SQL =>
  sql`(lpad(to_hex((${day})::bigint * ${sql.raw(String(DAY_MS))}), 12, '0') || repeat('0', 20))::uuid`;
/** Uses literals, so that the planner reads only the day's partitions. */
export const withinDay = (id: SQL, day: number): SQL =>
  sql`${id} >= ${uuidAt(day * DAY_MS)}::uuid and ${id} < ${uuidAt((day + 1) * DAY_MS)}::uuid`;

/** A bulk row's id has the time its range was begun, so rows may come this many days late. */
const RANGE_DAYS = 2;

/** Finds changed days by counting index entries, which also finds late rows. */
export async function listChangedDays(run: Run, kind: 'trace' | 'event'): Promise<ChangedDay[]> {
  const { db, organisationId, fromDay, toDay } = run;
  const table = sql.raw(kind);
  return query<ChangedDay>(
    db,
    sql`select d.day, held.rows::int as rows
      from generate_series(${fromDay - RANGE_DAYS}::int, ${toDay + 1}::int) as d(day)
      cross join lateral (select count(*) as rows from ${table}
        where organisation_id = ${organisationId} and mode = 'live'
          and id >= ${uuidOfDay(sql`d.day`)} and id < ${uuidOfDay(sql`d.day + 1`)}) as held
      left join rollup_source s on s.organisation_id = ${organisationId} and s.kind = ${kind} and s.day = d.day
      where held.rows <> coalesce(s.rows, 0) order by d.day`,
  );
}

/** Marks days with unmatched events to be taken in again: a trace of this day has come that may be theirs. */
export const takeUnmatchedAgain = (organisationId: Id<'org'>, day: number): SQL => sql`
  update rollup_source set rows = -1
  where organisation_id = ${organisationId} and kind = 'event' and unmatched > 0 and day >= ${day} and ${MINE}`;

/** Marks days of exposure to be counted again. */
export const markStale = ({ organisationId }: Run, days: SQL): SQL => sql`
  insert into segment_day (organisation_id, metric, day, stale)
  select ${organisationId}, '', day, true from (${days}) as days where day is not null
  on conflict (organisation_id, metric, day) do update set stale = true`;

/** Stores the row count of a day of ids; the last part of the statement that takes it in. */
export const rememberDay = (
  { organisationId }: Run,
  kind: 'trace' | 'event',
  day: number,
  rows: number,
  tied: SQL = sql`null::jsonb, 0`,
): SQL => sql`
  insert into rollup_source (organisation_id, kind, day, rows, joins, unmatched)
  select ${organisationId}, ${kind}, ${day}, ${rows}, ${tied} where ${MINE}
  on conflict (organisation_id, kind, day) do update
    set rows = excluded.rows, joins = excluded.joins, unmatched = excluded.unmatched`;
