import { notInArray } from 'drizzle-orm';
import type { AcceptedSource } from '../../domain/lists/review-list.ts';
import type { Database } from './client.ts';
import { excluded } from './columns.ts';
import { disposableSource } from './nightly-schema.ts';

export const listAcceptedSources = (db: Database): Promise<AcceptedSource[]> => db.select().from(disposableSource);

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
