import { and, eq, sql } from 'drizzle-orm';
import type { Id } from '../../kernel/ids.ts';
import type { Database } from './client.ts';
import { suppressedAddress } from './processor-schema.ts';

const { organisationId: ownedBy, addressHash: hash } = suppressedAddress;

/** Keeps an address out of later imports and webhooks; a repeat changes nothing. */
export async function suppressAddress(
  db: Database,
  organisationId: Id<'org'>,
  addressHash: string,
  at: number,
): Promise<void> {
  await db.insert(suppressedAddress).values({ organisationId, addressHash, at }).onConflictDoNothing();
}

export async function unsuppressAddress(db: Database, organisationId: Id<'org'>, addressHash: string): Promise<void> {
  await db.delete(suppressedAddress).where(and(eq(ownedBy, organisationId), eq(hash, addressHash)));
}

/** Those of the addresses that are kept out. */
export async function findSuppressed(
  db: Database,
  organisationId: Id<'org'>,
  hashes: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await db
    .select({ hash })
    .from(suppressedAddress)
    .where(
      and(
        eq(ownedBy, organisationId),
        sql`${hash} in (select jsonb_array_elements_text(${JSON.stringify(hashes)}::jsonb))`,
      ),
    );
  return new Set(rows.map((row) => row.hash));
}

export async function deleteSuppressed(db: Database, organisationId: Id<'org'>): Promise<void> {
  await db.delete(suppressedAddress).where(eq(ownedBy, organisationId));
}
