import { notInArray, sql } from 'drizzle-orm';
import type { EarlierSize } from '../../domain/lists/review-list.ts';
import type { Database } from './client.ts';
import { disposableSource } from './nightly-schema.ts';

/** The content of a list source when it was last accepted. */
export interface AcceptedSource {
  /** The source's id. */
  readonly source: string;
  /** The hash of the text that was read. */
  readonly sha256: string;
  readonly domains: readonly string[];
  readonly acceptedAt: number;
  /** Its earlier sizes. */
  readonly earlier: readonly EarlierSize[];
}

export async function listAcceptedSources(db: Database): Promise<AcceptedSource[]> {
  const rows = await db.select().from(disposableSource);
  return rows.map((row) => ({
    ...row,
    domains: row.domains === '' ? [] : row.domains.split('\n'),
    earlier: row.earlier as readonly EarlierSize[],
  }));
}

export async function upsertAcceptedSource(db: Database, { domains, ...accepted }: AcceptedSource): Promise<void> {
  await db
    .insert(disposableSource)
    .values({ ...accepted, domains: domains.join('\n') })
    .onConflictDoUpdate({
      target: disposableSource.source,
      set: {
        sha256: sql`excluded.sha256`,
        domains: sql`excluded.domains`,
        acceptedAt: sql`excluded.accepted_at`,
        earlier: sql`excluded.earlier`,
      },
    });
}

/** Forgets sources that are not configured any more. */
export async function deleteOtherSources(db: Database, sources: readonly string[]): Promise<void> {
  await db.delete(disposableSource).where(notInArray(disposableSource.source, [...sources]));
}
