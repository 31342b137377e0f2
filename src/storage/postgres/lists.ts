import { eq, notInArray } from 'drizzle-orm';
import type { AcceptedSource } from '../../domain/lists/review-list.ts';
import type { Database } from './client.ts';
import { excluded } from './columns.ts';
import { disposableSource } from './nightly-schema.ts';

export async function findAcceptedSource(db: Database, source: string): Promise<AcceptedSource | null> {
  const [found] = await db.select().from(disposableSource).where(eq(disposableSource.source, source));
  return found ?? null;
}

export async function upsertAcceptedSource(db: Database, accepted: AcceptedSource): Promise<void> {
  await db
    .insert(disposableSource)
    .values(accepted)
    .onConflictDoUpdate({ target: disposableSource.source, set: excluded(disposableSource, ['source']) });
}

/** Forgets sources that are not configured any more. */
export async function deleteOtherSources(db: Database, sources: readonly string[]): Promise<void> {
  await db.delete(disposableSource).where(notInArray(disposableSource.source, [...sources]));
}
