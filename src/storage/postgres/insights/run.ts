import { type SQL, sql } from 'drizzle-orm';
import type { Id } from '../../../kernel/ids.ts';
import type { Database } from '../client.ts';

/**
 * The nightly roll-up in set operations, one UTC day of one organisation a statement. Each statement may be repeated, and
 * does nothing for a run that another has taken over from.
 */
export interface Run {
  readonly db: Database;
  readonly organisationId: Id<'org'>;
  /** Names the run: of two at once, the later one writes. */
  readonly run: string;
  /** Days since the epoch: the first of the 365 that count, and the current one. */
  readonly fromDay: number;
  readonly toDay: number;
}

interface State {
  readonly computedAt: number | null;
  /** Something was taken in that is not served yet. */
  readonly changed: boolean;
  /** The generation that is served. */
  readonly generation: number;
  /** When the run began that made what is known of the next. */
  readonly buildingAt: number | null;
  /** The last metric that is made of it. */
  readonly built: string | null;
}

export async function query<T>(db: Database, statement: SQL): Promise<T[]> {
  return ((await db.execute(statement)) as { rows: T[] }).rows;
}

/**
 * Holds the organisation's row until the statement ends, if it is still this run's. The statement itself, and not only what
 * it is made with, has to ask: it may change the row before that is looked at.
 */
export const fence = ({ organisationId, run }: Run): SQL => sql`mine as materialized (
  select 1 from rollup where organisation_id = ${organisationId} and run = ${run} for update)`;
export const MINE = sql`exists (select from mine)`;

/**
 * The row of a table that `where` names by its key, for each row of a day: a join would leave the planner, which knows
 * nothing about new tables, the choice of reading all of the organisation's instead.
 */
export const eachOf = (table: string, organisationId: Id<'org'>, where: SQL): SQL =>
  sql`(select * from ${sql.raw(table)} where organisation_id = ${organisationId} and ${where} limit 1)`;

export async function claimRun({ db, organisationId, run }: Run): Promise<State> {
  const columns = sql.raw('computed_at as "computedAt", changed, generation, building_at as "buildingAt", built');
  const [state] = await query<Omit<State, 'computedAt' | 'buildingAt'> & Record<'computedAt' | 'buildingAt', unknown>>(
    db,
    sql`insert into rollup (organisation_id, run) values (${organisationId}, ${run})
      on conflict (organisation_id) do update set run = excluded.run returning ${columns}`,
  );
  const number = (value: unknown): number | null => (value === null || value === undefined ? null : Number(value));
  return {
    computedAt: number(state?.computedAt),
    changed: state?.changed === true,
    generation: state?.generation ?? 0,
    buildingAt: number(state?.buildingAt),
    built: state?.built ?? null,
  };
}

/** Said before anything is taken in: a run that ends before its numbers are served leaves the rest to the next. */
export async function markChanged({ db, organisationId, run }: Run): Promise<void> {
  await db.execute(sql`update rollup set changed = true where organisation_id = ${organisationId} and run = ${run}`);
}

/** Ends a run that will be gone on with. */
export async function release({ db, organisationId, run }: Run): Promise<void> {
  await db.execute(sql`update rollup set run = null where organisation_id = ${organisationId} and run = ${run}`);
}
