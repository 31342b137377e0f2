import { type SQL, sql } from 'drizzle-orm';

/** An address to forget: its keyed hash in an organisation. */
export interface ErasedAddress {
  readonly organisationId: string;
  readonly hash: string;
}

/** The addresses as a table of a statement, `gone`, with the columns `"organisationId"` and `hash`. */
export const goneTable = (addresses: readonly ErasedAddress[]): SQL =>
  sql`jsonb_to_recordset(${JSON.stringify(addresses)}::jsonb) as gone("organisationId" text, hash text)`;
