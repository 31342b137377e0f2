import {
  isThrowaway,
  type SeenDomain,
  type SuspectedBackEnds,
  seenAs,
  seenUnder,
} from '../../domain/mailbox-provider/back-ends.ts';
import { DAY_MS, HOUR_MS, type Clock, MINUTE_MS } from '../../kernel/clock.ts';
import { sha256Hex } from '../../kernel/crypto.ts';
import type { Id } from '../../kernel/ids.ts';
import type { Database } from '../../storage/postgres/client.ts';
import {
  deleteUnseenSince,
  listCandidates,
  listTracedBackEnds,
  type Sight,
  rehashSights,
  upsertSights,
  listProvenDomains,
  listProvingOrganisations,
} from '../../storage/postgres/lists.ts';
import { listNightlySteps } from '../../storage/postgres/nightly-steps.ts';
import type { BackgroundDeps } from '../deps.ts';
import { allOrganisations } from '../operators.ts';
import { hashesOfDomain } from '../verification/observe.ts';

export const BACK_ENDS_STEP = 'back_ends';

/** An organisation's domains of a night. */
const TRACED_MAX = 20_000;
/** How far back to read after a failed run. */
const AGAIN_MS = 7 * DAY_MS;
/** A chunk of a file has its starting time. */
const OVERLAP_MS = HOUR_MS;
const SIGHTS_AT_ONCE = 2_000;
const HASH_DIGITS = 16;

const dayOf = (ms: number): number => Math.floor(ms / DAY_MS);

/** Records which domains the organisation has verified at which back ends since its last run. */
export async function noteBackEnds(deps: BackgroundDeps, id: Id<'org'>, runAt: number): Promise<object> {
  const { db, lists } = deps;
  const last = (await listNightlySteps(db, id)).find(({ step, ok }) => step === BACK_ENDS_STEP && ok);
  await deps.freshLists();
  const time = { fromMs: last === undefined ? runAt - AGAIN_MS : last.runAt - OVERLAP_MS, toMs: runAt };
  const traced = await listTracedBackEnds(db, id, { ...time, limit: TRACED_MAX });
  const sights = new Map<string, Sight>();
  const rehashes = new Map<string, Parameters<typeof rehashSights>[1][number]>();
  for (const { domain: name, backEnds } of traced) {
    const names = backEnds.split(' ');
    const domain = seenUnder(name);
    const sight = { domain, seenAs: seenAs(lists, domain, names) };
    const [seenBy = '', ...before] = hashesOfDomain(deps, id, domain).map((hash) => hash.slice(0, HASH_DIGITS));
    for (const backEnd of names) sights.set(`${backEnd} ${domain}`, { backEnd, ...sight, seenBy });
    for (const old of before) rehashes.set(`${old} ${domain}`, { domain, old, seenBy });
  }
  await rehashSights(db, [...rehashes.values()]);
  const all = [...sights.values()];
  for (let from = 0; from < all.length; from += SIGHTS_AT_ONCE)
    await upsertSights(db, all.slice(from, from + SIGHTS_AT_ONCE), dayOf(runAt));
  return { domains: traced.length, sights: all.length };
}

/** How long an observation counts. */
const KEPT_DAYS = 90;
/** About 10 MB of rows. Back ends later in the alphabet are left out. */
const CANDIDATES_MAX = 100_000;

/** Judges the back ends by today's lists and puts the suspected ones in force in all isolates. */
export async function judgeBackEnds(deps: BackgroundDeps, runAt: number): Promise<object> {
  const { db, lists } = deps;
  const today = dayOf(runAt);
  const forgotten = await deleteUnseenSince(db, today - KEPT_DAYS);
  await deps.freshLists();
  const candidates = await listCandidates(db, CANDIDATES_MAX);
  const seen = new Map<string, SeenDomain[]>();
  for (const { backEnd, domain, ...sight } of candidates) {
    const domains = seen.get(backEnd) ?? [];
    domains.push({ ...sight, seenAs: seenAs(lists, domain, [backEnd]) });
    seen.set(backEnd, domains);
  }
  const backEnds = [...seen].filter(([, domains]) => isThrowaway(domains, today)).map(([backEnd]) => backEnd);
  const suspected: SuspectedBackEnds = { version: sha256Hex(JSON.stringify(backEnds)).slice(0, 16), backEnds };
  await deps.publishBackEnds(suspected);
  return { version: suspected.version, suspected: backEnds.length, candidates: seen.size, forgotten };
}

/** One customer's people may all be one attacker. */
const ORGANISATIONS_NEEDED = 3;
/** How long a return or payment counts. */
const COUNTED_MS = 180 * DAY_MS;
const DOMAINS_MAX = 20_000;
/** The invocation has 15 minutes, also for the sources. */
const TIME_MS = 5 * MINUTE_MS;

interface ProvenDomains {
  readonly domains: readonly string[];
  /** False: time ran out before the oldest organisations were asked about. */
  readonly isWhole: boolean;
}

/**
 * Domains that matter and have real people at enough organisations. Counts organisations without naming any. One query
 * covers a hundred organisations, and one more follows for each that has such people.
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
