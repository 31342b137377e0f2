import { type SQL, sql } from 'drizzle-orm';
import { DAY_MS } from '../../../kernel/clock.ts';
import type { Id } from '../../../kernel/ids.ts';
import { type ChangedDay, markStale, rememberDay, takeUnmatchedAgain, withinDay } from './changed-days.ts';
import { PROFILE } from './profile.ts';
import { eachOf, fence, MINE, query, type Run } from './run.ts';

/** A literal, because Postgres would treat two parameters as different expressions. */
const DAY = sql.raw(String(DAY_MS));

/** Moves exposures to these traces, rows of a CTE that include their profile. */
const move = (organisationId: Id<'org'>, traces: string): SQL => sql`
  update exposure x set trace_id = t.id, at = t.created_at, day = t.created_at / ${DAY}, values = t.values,
    experiment = t.experiment, advisable = t.advisable, attributes = t.attributes
  from ${sql.raw(traces)} as t where x.organisation_id = ${organisationId} and x.address_hash = t.hash`;

/** Takes in the traces of one day of ids: first exposures, the days to count again, and the events to tie again. */
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
  return (await query<{ day: number }>(db, sql`${days} order by day`)).map(({ day }) => day);
}

/** Moves the exposures of an expired day to each address's next trace, or drops them without one. */
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
