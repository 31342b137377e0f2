import { sql } from 'drizzle-orm';
import type { Id } from '../../kernel/ids.ts';
import { type Database, requireAtMost } from './client.ts';

/** Addresses of an organisation, by an earlier hash and by the present one. */
export interface RehashedAddresses {
  readonly organisationId: Id<'org'>;
  readonly rehashes: readonly { readonly old: string; readonly hash: string }[];
}

/**
 * Every table with rows about addresses, except the projected rules, which change as rules do. `same`: when the row under the
 * earlier hash and one under the present hash are one, of which the latter stays.
 */
const TABLES: readonly { readonly name: string; readonly isBytes?: true; readonly same?: string }[] = [
  { name: 'trace' },
  { name: 'screening' },
  { name: 'event' },
  { name: 'mail_report' },
  { name: 'processor_reference' },
  { name: 'delivery_report', same: 'other.source = t.source and other.of = t.of' },
  { name: 'suppressed_address', same: 'true' },
  { name: 'address_event', isBytes: true, same: 'other.metric = t.metric' },
  { name: 'exposure', isBytes: true, same: 'true' },
];

const MOVES = TABLES.map(({ name, isBytes, same }) => {
  const column = (of: string): string => (isBytes ? `decode(pair.${of}, 'hex')` : `pair.${of}`);
  const named = `t.organisation_id = pair."organisationId" and t.address_hash = ${column('old')}`;
  const isThere = `exists (select from ${name} as other where other.organisation_id = t.organisation_id
    and other.address_hash = ${column('hash')} and ${same})`;
  const move = `update ${name} as t set address_hash = ${column('hash')} from pair where ${named}`;
  return same === undefined
    ? `${name}_moved as (${move})`
    : `${name}_moved as (${move} and not ${isThere}),
      ${name}_gone as (delete from ${name} as t using pair where ${named} and ${isThere} returning t.*)`;
}).join(',\n');

/**
 * Moves what stands under earlier hashes of addresses to the present ones, in one statement. A repeat finds nothing left. The day of
 * an exposure that goes is counted again.
 */
export async function rehashAddresses(db: Database, records: readonly RehashedAddresses[]): Promise<void> {
  const pairs = records.flatMap(({ organisationId, rehashes }) =>
    rehashes.map((each) => ({ organisationId, ...each })),
  );
  const written = await db.execute(sql`
    with pair as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(pairs)}::jsonb) as pair("organisationId" text, old text, hash text)
    ), ${sql.raw(MOVES)}
    insert into segment_day (organisation_id, metric, day, stale)
    select distinct organisation_id, '', day, true from exposure_gone
    on conflict (organisation_id, metric, day) do update set stale = true`);
  requireAtMost(pairs.length, written);
}
