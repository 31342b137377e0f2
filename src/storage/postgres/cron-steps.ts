import { eq, lte, sql } from 'drizzle-orm';
import type { Database } from './client.ts';
import { cronStep } from './schema.ts';

type CronStep = typeof cronStep.$inferInsert;

const WHOLE_ROW = {
  startedAt: sql`excluded.started_at`,
  finishedAt: sql`excluded.finished_at`,
  report: sql`excluded.report`,
};

/** Stores what a cron's step did when it last ran. */
export async function upsertCronStep(db: Database, step: CronStep): Promise<void> {
  await db.insert(cronStep).values(step).onConflictDoUpdate({ target: cronStep.step, set: WHOLE_ROW });
}

/** Marks a step as begun. False: another run has begun it since this one read the row with the start `seenAt`. */
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
