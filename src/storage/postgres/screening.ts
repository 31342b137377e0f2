import { and, desc, eq, lt, sql } from 'drizzle-orm';
import type { ScreeningRecord } from '../../domain/screening/record.ts';
import { type Id, idTimeMs } from '../../kernel/ids.ts';
import { requireAtMost } from './answer.ts';
import type { Database } from './client.ts';
import { countErased, type ErasedAddress, goneTable } from './erased.ts';
import { insertPartitioned } from './partitions.ts';
import { screening } from './schema.ts';

/** Writes screenings (JSON from the outbox) in one statement; existing ones stay as they are. */
export async function insertScreenings(db: Database, records: readonly string[]): Promise<void> {
  const parsed = records.map((record) => JSON.parse(record) as ScreeningRecord);
  const times = () => parsed.map(({ id }) => idTimeMs(id));
  await insertPartitioned(db, ['screening'], times, async () =>
    requireAtMost(parsed.length, await db.insert(screening).values(parsed).onConflictDoNothing()),
  );
}

export interface ScreeningFilter {
  readonly mode: ScreeningRecord['mode'];
  /** Null: every key's. */
  readonly keyId: Id<'key'> | null;
}

/** Newest first; `before`: the last id of the page before. Reads only the page's entries of one index. */
export async function listScreenings(
  db: Database,
  organisationId: Id<'org'>,
  { mode, keyId }: ScreeningFilter,
  limit: number,
  before: Id<'sc'> | null,
): Promise<ScreeningRecord[]> {
  return db
    .select()
    .from(screening)
    .where(
      and(
        eq(screening.organisationId, organisationId),
        eq(screening.mode, mode),
        keyId === null ? undefined : eq(screening.keyId, keyId),
        before === null ? undefined : lt(screening.id, before),
      ),
    )
    .orderBy(desc(screening.id))
    .limit(limit);
}

/** The newest screenings of an address, of any key. */
export const listScreeningsOf = (
  db: Database,
  { organisationId, hash }: { readonly organisationId: Id<'org'>; readonly hash: string },
  limit: number,
): Promise<ScreeningRecord[]> =>
  db
    .select()
    .from(screening)
    .where(and(eq(screening.organisationId, organisationId), eq(screening.addressHash, hash)))
    .orderBy(desc(screening.id))
    .limit(limit);

/** Cuts screenings off from an address: removes its hash, its mask and its masked correction. Returns how many. */
export const forgetScreenings = (db: Database, hashes: readonly ErasedAddress[]): Promise<number> =>
  countErased(
    db,
    sql`update screening set address_hash = null, display = '•••',
        screening = jsonb_set(screening.screening, '{typo_suggestion}', 'null')
      from ${goneTable(hashes)}
      where screening.organisation_id = gone."organisationId" and screening.address_hash = gone.hash
      returning screening.id`,
  );

export async function deleteScreenings(db: Database, organisationId: Id<'org'>): Promise<void> {
  await db.delete(screening).where(eq(screening.organisationId, organisationId));
}
