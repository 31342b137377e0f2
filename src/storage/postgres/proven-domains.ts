import { sql } from 'drizzle-orm';
import type { Id } from '../../kernel/ids.ts';
import type { Database } from './client.ts';

/** What an address does that a throwaway one does not: it comes back, or pays. */
const PROOFS = sql.join(
  ['activated', 'subscribed', 'upgraded'].map((metric) => sql`${metric}`),
  sql`, `,
);

/** Those of the organisations whose addresses did one of these since then, whether or not they took a message before. */
export async function listProvingOrganisations(
  db: Database,
  organisationIds: readonly Id<'org'>[],
  sinceMs: number,
): Promise<Id<'org'>[]> {
  const { rows } = (await db.execute(sql`
    select id from jsonb_array_elements_text(${JSON.stringify(organisationIds)}::jsonb) as asked(id)
    where exists (select from address_event where organisation_id = asked.id and metric in (${PROOFS}) and last_at >= ${sinceMs})`)) as {
    rows: { id: Id<'org'> }[];
  };
  return rows.map(({ id }) => id);
}

/**
 * The domains, free providers apart, of the organisation's addresses that took a message and did one of these since then. `sinceMs`:
 * not before.
 */
export async function listProvenDomains(
  db: Database,
  organisationId: Id<'org'>,
  { sinceMs, limit }: { readonly sinceMs: number; readonly limit: number },
): Promise<string[]> {
  const { rows } = (await db.execute(sql`
    select distinct t.domain from address_event e
    join trace t on t.address_hash = encode(e.address_hash, 'hex') and t.organisation_id = e.organisation_id and t.mode = 'live'
    join outcome o on o.verification_id = coalesce(t.verification_id, t.id) and o.organisation_id = t.organisation_id
      and o.mode = 'live' and o.outcome = 'delivered'
    where e.organisation_id = ${organisationId} and e.metric in (${PROOFS}) and e.last_at >= ${sinceMs}
      and e.last_at >= t.created_at and t.email_type is distinct from 'free' and t.domain <> ''
    order by t.domain limit ${limit}`)) as { rows: { domain: string }[] };
  return rows.map(({ domain }) => domain);
}
