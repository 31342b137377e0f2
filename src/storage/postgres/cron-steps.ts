import { sql } from 'drizzle-orm';
import type { Database } from './client.ts';
import { cronStep } from './schema.ts';

type CronStep = typeof cronStep.$inferInsert;

/** Remembers what a cron's step did when it last ran. */
export async function upsertCronStep(db: Database, step: CronStep): Promise<void> {
  await db
    .insert(cronStep)
    .values(step)
    .onConflictDoUpdate({
      target: cronStep.step,
      set: { startedAt: sql`excluded.started_at`, finishedAt: sql`excluded.finished_at`, report: sql`excluded.report` },
    });
}

export const listCronSteps = (db: Database): Promise<(typeof cronStep.$inferSelect)[]> => db.select().from(cronStep);
