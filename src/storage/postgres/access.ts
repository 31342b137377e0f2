import { eq, sql } from 'drizzle-orm';
import type { KeyRecord } from '../../domain/access/keys.ts';
import type { Id } from '../../kernel/ids.ts';
import { requireAtMost } from './answer.ts';
import type { Database } from './client.ts';
import { excluded, newestOf } from './columns.ts';
import { apiKey } from './schema.ts';

/** A key as the outbox holds it: the record with its organisation. */
export type ProjectedKey = KeyRecord & { readonly organisationId: Id<'org'> };

/** What a key has for good, and its revocation, which is never undone. */
const UNCHANGING = [
  'id',
  'organisationId',
  'mode',
  'origin',
  'operator',
  'userId',
  'createdAt',
  'createdBy',
  'revokedAt',
] as const;

/** Brings the projection up to date. */
export async function upsertKeys(db: Database, keys: readonly ProjectedKey[]): Promise<void> {
  const rows = newestOf(keys, ({ id }) => id);
  const written = await db
    .insert(apiKey)
    .values(rows)
    .onConflictDoUpdate({
      target: apiKey.id,
      set: {
        ...excluded(apiKey, UNCHANGING),
        revokedAt: sql`coalesce(${apiKey.revokedAt}, excluded.revoked_at)`,
      },
    });
  requireAtMost(rows.length, written);
}

export async function listProjectedKeys(db: Database, organisationId: Id<'org'>): Promise<KeyRecord[]> {
  const rows = await db.select().from(apiKey).where(eq(apiKey.organisationId, organisationId));
  return rows.map(({ organisationId: _, ...key }) => key);
}

export async function deleteKeys(db: Database, organisationId: Id<'org'>): Promise<void> {
  await db.delete(apiKey).where(eq(apiKey.organisationId, organisationId));
}
