import { type Clock, DAY_MS, MINUTE_MS } from '../../kernel/clock.ts';
import type { Database } from '../../storage/postgres/client.ts';
import { listProvenDomains, listProvingOrganisations } from '../../storage/postgres/lists.ts';
import { allOrganisations } from '../operators.ts';

/** One customer's people may all be one attacker. */
const ORGANISATIONS_NEEDED = 3;
/** So long it counts that somebody came back or paid. */
const COUNTED_MS = 180 * DAY_MS;
/** An organisation's domains. */
const DOMAINS_MAX = 20_000;
/** The invocation has 15 minutes, also for the sources. */
const TIME_MS = 5 * MINUTE_MS;

interface ProvenDomains {
  readonly domains: readonly string[];
  /** False: the time was over before the oldest organisations were asked about. */
  readonly isWhole: boolean;
}

/**
 * The domains that matter where so many organisations have real people. Counts organisations, and names none. One query asks which
 * of a hundred organisations have such people, and one more for each that has.
 */
export async function findProvenDomains(
  db: Database,
  now: Clock,
  runAt: number,
  matters: (domain: string) => boolean,
): Promise<ProvenDomains> {
  const organisations = new Map<string, number>();
  const sinceMs = runAt - COUNTED_MS;
  const until = now() + TIME_MS;
  const counted = (isWhole: boolean): ProvenDomains => ({
    domains: [...organisations].filter(([, count]) => count >= ORGANISATIONS_NEEDED).map(([domain]) => domain),
    isWhole,
  });
  for await (const page of allOrganisations(db)) {
    const ids = page.map(({ id }) => id);
    for (const id of await listProvingOrganisations(db, ids, sinceMs)) {
      if (now() >= until) return counted(false);
      const proven = await listProvenDomains(db, id, { sinceMs, limit: DOMAINS_MAX });
      for (const domain of proven.filter(matters)) organisations.set(domain, (organisations.get(domain) ?? 0) + 1);
    }
    if (now() >= until) return counted(false);
  }
  return counted(true);
}
