import { DAY_MS } from '../../kernel/clock.ts';
import type { Database } from '../../storage/postgres/client.ts';
import { listProvenDomains } from '../../storage/postgres/proven-domains.ts';
import { allOrganisations } from '../operator/known-organisations.ts';

/** One customer's people may all be one attacker. */
const ORGANISATIONS_NEEDED = 3;
/** So long it counts that somebody came back or paid. */
const COUNTED_MS = 180 * DAY_MS;
/** An organisation's domains. */
const DOMAINS_MAX = 20_000;

/** The domains that matter where so many organisations have real people. Counts organisations, and names none. */
export async function findProvenDomains(
  db: Database,
  runAt: number,
  matters: (domain: string) => boolean,
): Promise<string[]> {
  const organisations = new Map<string, number>();
  for await (const page of allOrganisations(db)) {
    for (const { id } of page) {
      const proven = await listProvenDomains(db, id, { sinceMs: runAt - COUNTED_MS, limit: DOMAINS_MAX });
      for (const domain of proven.filter(matters)) organisations.set(domain, (organisations.get(domain) ?? 0) + 1);
    }
  }
  return [...organisations].filter(([, count]) => count >= ORGANISATIONS_NEEDED).map(([domain]) => domain);
}
