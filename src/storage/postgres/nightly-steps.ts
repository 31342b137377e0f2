import { and, eq, gte, inArray, lte, sql } from 'drizzle-orm';
import type { Id } from '../../kernel/ids.ts';
import type { Database } from './client.ts';
import { cronStep, nightlyStep } from './nightly-schema.ts';
import { excluded, query } from './statements.ts';

export type NightlyStep = typeof nightlyStep.$inferInsert;

/** Stores a step's result for an organisation; the later of two runs wins. */
export async function upsertNightlyStep(db: Database, step: NightlyStep): Promise<void> {
  await db
    .insert(nightlyStep)
    .values(step)
    .onConflictDoUpdate({
      target: [nightlyStep.organisationId, nightlyStep.step],
      set: excluded(nightlyStep, ['organisationId', 'step']),
      setWhere: sql`excluded.run_at >= ${nightlyStep.runAt}`,
    });
}

export const listNightlySteps = (
  db: Database,
  organisationId: Id<'org'>,
): Promise<Pick<NightlyStep, 'step' | 'runAt' | 'ok'>[]> =>
  db
    .select({ step: nightlyStep.step, runAt: nightlyStep.runAt, ok: nightlyStep.ok })
    .from(nightlyStep)
    .where(eq(nightlyStep.organisationId, organisationId));

/** The organisations for which all of the steps were done since then. */
export async function listFinishedOrganisations(
  db: Database,
  organisationIds: readonly Id<'org'>[],
  steps: readonly string[],
  since: number,
): Promise<ReadonlySet<string>> {
  const rows = await db
    .select({ id: nightlyStep.organisationId })
    .from(nightlyStep)
    .where(
      and(
        inArray(nightlyStep.organisationId, [...organisationIds]),
        inArray(nightlyStep.step, [...steps]),
        eq(nightlyStep.ok, true),
        gte(nightlyStep.runAt, since),
      ),
    )
    .groupBy(nightlyStep.organisationId)
    .having(sql`count(*) = ${steps.length}`);
  return new Set(rows.map(({ id }) => id));
}

/** A step's newest run over all organisations. */
export interface NightlySummary {
  readonly step: string;
  readonly finishedAt: number;
  readonly organisations: number;
  readonly failed: number;
}

export async function summariseNightlySteps(db: Database): Promise<NightlySummary[]> {
  return query<NightlySummary>(db)`
    select step, max(finished_at)::float8 as "finishedAt", count(*)::int as organisations,
      (count(*) filter (where not ok))::int as failed
    from nightly_step join (select step, max(run_at) as run_at from nightly_step group by step) newest using (step, run_at)
    group by step order by step`;
}

type CronStep = typeof cronStep.$inferInsert;

const WHOLE_ROW = excluded(cronStep, ['step']);

export async function upsertCronStep(db: Database, step: CronStep): Promise<void> {
  await db.insert(cronStep).values(step).onConflictDoUpdate({ target: cronStep.step, set: WHOLE_ROW });
}

/** Claims a step. False: another run has started it since this one read the row with the start `seenAt`. */
export async function claimCronStep(db: Database, step: CronStep, seenAt: number): Promise<boolean> {
  const claimed = await db
    .insert(cronStep)
    .values(step)
    .onConflictDoUpdate({ target: cronStep.step, set: WHOLE_ROW, setWhere: lte(cronStep.startedAt, seenAt) })
    .returning({ step: cronStep.step });
  return claimed.length > 0;
}

export async function findCronStep(db: Database, step: string): Promise<typeof cronStep.$inferSelect | undefined> {
  const [found] = await db.select().from(cronStep).where(eq(cronStep.step, step));
  return found;
}

export const listCronSteps = (db: Database): Promise<(typeof cronStep.$inferSelect)[]> => db.select().from(cronStep);
