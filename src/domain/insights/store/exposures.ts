import { sql } from 'drizzle-orm';
import { DAY_MS } from '../../../kernel/clock.ts';
import { HASHED, PROFILED } from './profile.ts';
import { fence, MINE, query, type Run } from './run.ts';
import { markStale, rememberSource, type SourceDay, withinDay } from './source.ts';

/** Enters what the traces of one day of ids change: first exposures, and which days are to be counted again. */
export async function takeTraces(run: Run, { day, rows }: SourceDay): Promise<void> {
  const { db, organisationId } = run;
  await db.execute(sql`
    with ${fence(run)}, found as (
      select distinct on (t.address_hash) t.address_hash, t.id, t.created_at as at, ${PROFILED}
      from trace t left join bulk_job b on b.organisation_id = ${organisationId} and b.id = t.bulk_job_id
      where t.organisation_id = ${organisationId} and t.mode = 'live' and ${withinDay(sql`t.id`, day)}
        and t.address_hash is not null and t.created_at >= ${run.fromDay * DAY_MS} and ${MINE}
      order by t.address_hash, t.created_at, t.id
    ), earlier as (
      select f.*, ${HASHED} as profile, x.day as old_day from found f
      left join exposure x on x.organisation_id = ${organisationId} and x.address_hash = f.address_hash
      where x.address_hash is null or (f.at, f.id) < (x.at, x.trace_id)
    ), dictionary as (
      insert into segment_profile (organisation_id, id, dimensions, advisable)
      select distinct ${organisationId}, profile, dimensions, advisable from earlier on conflict do nothing
    ), touched as (
      ${markStale(run, sql`select at / ${sql.raw(String(DAY_MS))} as day from earlier union select old_day from earlier`)}
    ), entered as (
      insert into exposure (organisation_id, address_hash, trace_id, at, day, profile)
      select ${organisationId}, address_hash, id, at, at / ${sql.raw(String(DAY_MS))}, profile from earlier
      on conflict (organisation_id, address_hash) do update
        set trace_id = excluded.trace_id, at = excluded.at, day = excluded.day, profile = excluded.profile
    )
    ${rememberSource(run, 'trace', day, rows)}`);
}

/** Days that have fallen out of the 365. */
export async function listExpiredDays({ db, organisationId, fromDay }: Run): Promise<number[]> {
  const days = sql`select day from exposure where organisation_id = ${organisationId} and day < ${fromDay}
    union select day from segment_day where organisation_id = ${organisationId} and day < ${fromDay}`;
  return (await query<{ day: number }>(db, sql`${days} order by day`)).map(({ day }) => day);
}

/** An address first seen on a day that has expired is first seen when it was next seen, if it was. */
export async function expireDay(run: Run, day: number): Promise<void> {
  const { db, organisationId } = run;
  await db.execute(sql`
    with ${fence(run)}, gone as (
      select address_hash from exposure where organisation_id = ${organisationId} and day = ${day} and ${MINE}
    ), found as (
      select gone.address_hash, t.id, t.created_at as at, ${PROFILED} from gone
      cross join lateral (select * from trace where trace.address_hash = gone.address_hash
        and organisation_id = ${organisationId} and mode = 'live' and created_at >= ${run.fromDay * DAY_MS}
        order by created_at, id limit 1) as t
      left join bulk_job b on b.organisation_id = ${organisationId} and b.id = t.bulk_job_id
    ), later as (select *, ${HASHED} as profile from found), dictionary as (
      insert into segment_profile (organisation_id, id, dimensions, advisable)
      select distinct ${organisationId}, profile, dimensions, advisable from later on conflict do nothing
    ), touched as (
      ${markStale(run, sql`select distinct at / ${sql.raw(String(DAY_MS))} as day from later`)}
    ), moved as (
      update exposure x set trace_id = l.id, at = l.at, day = l.at / ${sql.raw(String(DAY_MS))}, profile = l.profile
      from later l where x.organisation_id = ${organisationId} and x.address_hash = l.address_hash
    ), removed as (
      delete from exposure x using gone where x.organisation_id = ${organisationId} and x.address_hash = gone.address_hash
        and not exists (select from later l where l.address_hash = gone.address_hash)
    )
    delete from segment_day where organisation_id = ${organisationId} and day = ${day} and ${MINE}`);
}
