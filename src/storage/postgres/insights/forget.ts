import { sql } from 'drizzle-orm';
import { ATTRIBUTE_PREFIX } from '../../../domain/insights/segments.ts';
import type { Database } from '../client.ts';
import { type ErasedAddress, goneTable } from '../erased.ts';

/** An address as segments count it. Only its own organisation has the hash. */
export async function listExposuresOf(
  db: Database,
  { organisationId, hash }: ErasedAddress,
): Promise<readonly { readonly at: number; readonly attributes: unknown }[]> {
  const { rows } = (await db.execute(sql`
    select at, attributes from exposure
    where address_hash = decode(${hash}, 'hex') and organisation_id = ${organisationId}`)) as {
    rows: { at: unknown; attributes: unknown }[];
  };
  return rows.map(({ at, attributes }) => ({ at: Number(at), attributes }));
}

/**
 * Forgets addresses after their traces are forgotten, and marks their days to be counted again. Attribute values that
 * only these addresses have leave the segments at once, because they may name the person. It waits for the organisation's
 * row, so that rows of a running statement are already there to be removed. Returns how many exposures went.
 */
export async function forgetExposures(db: Database, hashes: readonly ErasedAddress[]): Promise<number> {
  const list = goneTable(hashes);
  const gone = sql`${list} where organisation_id = gone."organisationId" and address_hash = decode(gone.hash, 'hex')`;
  await db.execute(sql`select 1 from rollup
    where organisation_id in (select gone."organisationId" from ${list}) for update`);
  const { rows } = (await db.execute(sql`
    with
    -- Removes the exposures of these addresses.
    removed as (
      delete from exposure using ${gone} returning organisation_id, address_hash, day, attributes
    ),
    -- The attribute values that no other address has.
    unshared as (
      select distinct r.organisation_id, ${ATTRIBUTE_PREFIX} || a.key as dimension, a.value
      from removed r cross join lateral jsonb_each(r.attributes) as a
      where not exists (select from exposure x where x.organisation_id = r.organisation_id
        and x.attributes @> jsonb_build_object(a.key, a.value)
        and not exists (select from removed o
          where o.organisation_id = x.organisation_id and o.address_hash = x.address_hash))
    ),
    -- Removes the segments made of these values.
    cells as (
      delete from segment_cell c using unshared u
      where c.organisation_id = u.organisation_id and c.key -> u.dimension = u.value
    ),
    -- Removes these values from the dictionary.
    named as (
      delete from segment_value v using unshared u
      where v.organisation_id = u.organisation_id and v.dimension = u.dimension and v.value = u.value
    ),
    days as (
      insert into segment_day (organisation_id, metric, day, stale) select distinct organisation_id, '', day, true from removed
      on conflict (organisation_id, metric, day) do update set stale = true
    )
    select count(*)::int as count from removed`)) as { rows: { count: number }[] };
  await db.execute(sql`delete from address_event using ${gone}`);
  return rows[0]?.count ?? 0;
}
