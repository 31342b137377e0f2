import { type SQL, sql } from 'drizzle-orm';
import { DAY_MS } from '../../../kernel/clock.ts';
import { type Id, uuidAt } from '../../../kernel/ids.ts';
import type { Database } from '../client.ts';
import { query } from '../statements.ts';

/**
 * A run of the nightly roll-up: set operations on one UTC day of one organisation each. Each statement is idempotent,
 * and does nothing once another run has taken over.
 */
export interface Run {
  readonly db: Database;
  readonly organisationId: Id<'org'>;
  /** The run's id; of two concurrent runs only the later one writes. */
  readonly run: string;
  /** Days since the epoch: the first of the 365 that count, and the current one. */
  readonly fromDay: number;
  readonly toDay: number;
}

interface State {
  readonly computedAt: number | null;
  /** Whether there are rows that are not served yet. */
  readonly changed: boolean;
  readonly generation: number;
  /** When the run began that started the next generation. */
  readonly buildingAt: number | null;
  readonly built: string | null;
}

/**
 * Locks the organisation's row until the statement ends, if it still belongs to this run. Every part of the statement
 * must read it, because Postgres may run a part that does not read it first.
 */
export const fence = ({ organisationId, run }: Run): SQL => sql`mine as materialized (
  select 1 from rollup where organisation_id = ${organisationId} and run = ${run} for update)`;
export const MINE = sql`exists (select from mine)`;

/**
 * For each row of a day, the row of a table that `where` names by its key. With a join the planner, without statistics
 * about new tables, might read all rows of the organisation.
 */
export const eachOf = (table: string, organisationId: Id<'org'>, where: SQL): SQL =>
  sql`(select * from ${sql.raw(table)} where organisation_id = ${organisationId} and ${where} limit 1)`;

export async function claimRun({ db, organisationId, run }: Run): Promise<State> {
  const columns = sql.raw('computed_at as "computedAt", changed, generation, building_at as "buildingAt", built');
  type Row = Omit<State, 'computedAt' | 'buildingAt'> & Record<'computedAt' | 'buildingAt', unknown>;
  const [state] = await query<Row>(db)`
    insert into rollup (organisation_id, run) values (${organisationId}, ${run})
    on conflict (organisation_id) do update set run = excluded.run returning ${columns}`;
  const number = (value: unknown): number | null => (value === null || value === undefined ? null : Number(value));
  return {
    computedAt: number(state?.computedAt),
    changed: state?.changed === true,
    generation: state?.generation ?? 0,
    buildingAt: number(state?.buildingAt),
    built: state?.built ?? null,
  };
}

/** Called before rows are read, so that the next run serves them if this one ends early. */
export async function markChanged({ db, organisationId, run }: Run): Promise<void> {
  await db.execute(sql`update rollup set changed = true where organisation_id = ${organisationId} and run = ${run}`);
}

/** Releases the row of an unfinished run, so that another can continue. */
export async function release({ db, organisationId, run }: Run): Promise<void> {
  await db.execute(sql`update rollup set run = null where organisation_id = ${organisationId} and run = ${run}`);
}

/** A UTC day of ids whose row count has changed since it was last read. */
export interface ChangedDay {
  readonly day: number;
  readonly rows: number;
}

const uuidOfDay = (day: SQL): SQL =>
  sql`(lpad(to_hex((${day})::bigint * ${sql.raw(String(DAY_MS))}), 12, '0') || repeat('0', 20))::uuid`;
/** Literals, so that the planner reads only the day's partitions. */
export const withinDay = (id: SQL, day: number): SQL =>
  sql`${id} >= ${uuidAt(day * DAY_MS)}::uuid and ${id} < ${uuidAt((day + 1) * DAY_MS)}::uuid`;

/** A bulk row's id has the time its chunk was begun, so rows may come this many days late. */
const RANGE_DAYS = 2;

/** Finds changed days by counting index entries, which includes late rows. */
export async function listChangedDays(run: Run, kind: 'trace' | 'event'): Promise<ChangedDay[]> {
  const { db, organisationId, fromDay, toDay } = run;
  const table = sql.raw(kind);
  return query<ChangedDay>(db)`
    select d.day, held.rows::int as rows
      from generate_series(${fromDay - RANGE_DAYS}::int, ${toDay + 1}::int) as d(day)
      cross join lateral (select count(*) as rows from ${table}
        where organisation_id = ${organisationId} and mode = 'live'
          and id >= ${uuidOfDay(sql`d.day`)} and id < ${uuidOfDay(sql`d.day + 1`)}) as held
      left join rollup_source s on s.organisation_id = ${organisationId} and s.kind = ${kind} and s.day = d.day
      where held.rows <> coalesce(s.rows, 0) order by d.day`;
}

/** Marks days with unmatched events for another pass: a trace of this day may be theirs. */
export const takeUnmatchedAgain = (organisationId: Id<'org'>, day: number): SQL => sql`
  update rollup_source set rows = -1
  where organisation_id = ${organisationId} and kind = 'event' and unmatched > 0 and day >= ${day} and ${MINE}`;

export const markStale = ({ organisationId }: Run, days: SQL): SQL => sql`
  insert into segment_day (organisation_id, metric, day, stale)
  select ${organisationId}, '', day, true from (${days}) as days where day is not null
  on conflict (organisation_id, metric, day) do update set stale = true`;

/** Stores the row count of a day of ids, at the end of the statement that reads it. */
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
