import { type SQL, sql } from 'drizzle-orm';
import { DAY_MS } from '../../../kernel/clock.ts';
import { type Id, uuidAt } from '../../../kernel/ids.ts';
import { MINE, query, type Run } from './run.ts';

/** A UTC day of ids that holds other rows than when it was last taken in. */
export interface ChangedDay {
  readonly day: number;
  readonly rows: number;
}

/** The smallest UUIDv7 of a day. */
const uuidOfDay = (day: SQL): SQL =>
  sql`(lpad(to_hex((${day})::bigint * ${sql.raw(String(DAY_MS))}), 12, '0') || repeat('0', 20))::uuid`;
/** Literals, so that only the months that hold the day are planned for. */
export const withinDay = (id: SQL, day: number): SQL =>
  sql`${id} >= ${uuidAt(day * DAY_MS)}::uuid and ${id} < ${uuidAt((day + 1) * DAY_MS)}::uuid`;

/** A bulk row's id has the time its range was begun. */
const RANGE_DAYS = 2;

/** Counts index entries, so that late arrivals need no bookkeeping. */
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

/** Days of events some of which no trace was found for are taken in again: one of this day has come, and may be theirs. */
export const takeUnmatchedAgain = (organisationId: Id<'org'>, day: number): SQL => sql`
  update rollup_source set rows = -1
  where organisation_id = ${organisationId} and kind = 'event' and unmatched > 0 and day >= ${day} and ${MINE}`;

/** These days of exposure are to be counted again. */
export const markStale = ({ organisationId }: Run, days: SQL): SQL => sql`
  insert into segment_day (organisation_id, metric, day, stale)
  select ${organisationId}, '', day, true from (${days}) as days where day is not null
  on conflict (organisation_id, metric, day) do update set stale = true`;

/** The day of ids as it was taken in, the end of the statement that did it. */
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
