import { type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn, AnyPgTable } from 'drizzle-orm/pg-core';
import type { Database } from './client.ts';

/** An address to forget: its keyed hash in an organisation. */
export interface ErasedAddress {
  readonly organisationId: string;
  readonly hash: string;
}

/** The addresses as a table of a statement, `gone`, with the columns `"organisationId"` and `hash`. */
export const goneTable = (addresses: readonly ErasedAddress[]): SQL =>
  sql`jsonb_to_recordset(${JSON.stringify(addresses)}::jsonb) as gone("organisationId" text, hash text)`;

/** Runs a statement that tells what it has cut off, and how much that was. */
export async function countErased(db: Database, statement: SQL): Promise<number> {
  const { rows } = (await db.execute(sql`with erased as (${statement}) select count(*)::int as count from erased`)) as {
    rows: { count: number }[];
  };
  return rows[0]?.count ?? 0;
}

/** Deletes a table's rows about these addresses; returns how many. `hash`: its column of their keyed hashes. */
export const deleteErased = (
  db: Database,
  table: AnyPgTable & { readonly organisationId: AnyPgColumn },
  hash: AnyPgColumn,
  addresses: readonly ErasedAddress[],
): Promise<number> =>
  countErased(
    db,
    sql`delete from ${table}
      using ${goneTable(addresses)}
      where ${table.organisationId} = gone."organisationId" and ${hash} = gone.hash
      returning 1`,
  );
