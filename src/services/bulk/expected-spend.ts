import type { Unasked } from '../../contract/vocabulary.ts';
import { sampledNumbers } from '../../domain/bulk/estimate.ts';
import { micros } from '../../domain/metering/usage.ts';
import { expectedSpend } from '../../domain/verification/expected-spend.ts';
import { strangerState } from '../../domain/verification/first-state.ts';
import type { Stakes } from '../../domain/verification/losses.ts';
import { SEEDED_MODEL } from '../../domain/verification/model.ts';
import { BILLS_UNKNOWN } from '../../domain/verification/provider-terms.ts';
import { route } from '../../domain/verification/router.ts';
import { NOTHING_SEEN } from '../../domain/verification/sightings.ts';
import { mostFrequent, unaskedBy } from '../../domain/verification/unasked.ts';
import { SECOND_MS } from '../../kernel/clock.ts';
import type { DecideDeps } from '../policy/deciding-policy.ts';
import { COST_DEFAULT_USD, LATENCY_DEFAULT_MS } from '../verification/assess.ts';
import { findHost, type HostDeps } from '../verification/find-host.ts';
import type { ParsedSubject } from '../verification/local-facts.ts';

export type SpendDeps = HostDeps & Pick<DecideDeps, 'providers' | 'health' | 'now'>;

/** The mean spend, and why no provider would be asked about any of the addresses; null: one would be. */
export interface ExpectedAsking {
  readonly micros: number;
  readonly unasked: Unasked | null;
}

type Known = Extract<ParsedSubject, { ok: true }>;

/** Addresses whose mail hosts are looked up, each with a question to a resolver. */
const LOOKED_UP = 24;
const LOOK_UP_MS = SECOND_MS;

/**
 * The mean cost in micros of an address without fresh evidence, over a few of the sample. It is what the router would spend by
 * the seeded tables, given the mail hosts and the number of addresses at the domain. `perSampled`: addresses of the file for
 * each in the sample.
 */
export async function expectedAsking(
  deps: SpendDeps,
  stakes: Stakes,
  sample: readonly ParsedSubject[],
  perSampled: number,
): Promise<ExpectedAsking> {
  if (sample.length === 0 || deps.providers.length === 0) return { micros: 0, unasked: 'no_provider' };
  const atDomain = new Map<string, number>();
  for (const subject of sample) {
    if (subject.ok) atDomain.set(subject.address.domain, (atDomain.get(subject.address.domain) ?? 0) + 1);
  }
  const looked = sampledNumbers(sample.length, LOOKED_UP).flatMap((number) => sample[number] ?? []);
  const found = new Map<string, Promise<ExpectedAsking>>();
  const spendAt = ({ address }: Known): Promise<ExpectedAsking> => {
    const { domain } = address;
    const spend = found.get(domain) ?? spendOn(deps, stakes, address, perSampled * (atDomain.get(domain) ?? 1));
    found.set(domain, spend);
    return spend;
  };
  // Broken syntax costs nothing.
  const spends = await Promise.all(looked.flatMap((subject) => (subject.ok ? [spendAt(subject)] : [])));
  const counts = new Map<Unasked, number>();
  for (const { unasked } of spends) if (unasked !== null) counts.set(unasked, (counts.get(unasked) ?? 0) + 1);
  return {
    micros: spends.reduce((sum, { micros: each }) => sum + each, 0) / looked.length,
    unasked: spends.some(({ unasked }) => unasked === null) ? null : mostFrequent(counts),
  };
}

async function spendOn(
  deps: SpendDeps,
  stakes: Stakes,
  address: Known['address'],
  addresses: number,
): Promise<ExpectedAsking> {
  const found = await findHost(deps, address, deps.now() + LOOK_UP_MS);
  if (found.precheck.terminal !== null) return { micros: 0, unasked: 'settled' };
  const { providers, health } = deps;
  const [{ host }, at] = [found, deps.now()];
  const input = {
    model: SEEDED_MODEL,
    host,
    stakes,
    first: strangerState(SEEDED_MODEL, host, stakes.purpose, at),
    ...NOTHING_SEEN,
    now: at,
    asked: new Set<never>(),
    providers: providers.map(({ id, priceMicros }) => ({
      id,
      priceMicros,
      billsUnknown: BILLS_UNKNOWN[id],
      health: health.healthOf(id, at),
    })),
    left: { costMicros: micros(COST_DEFAULT_USD), timeMs: LATENCY_DEFAULT_MS },
  };
  const first = route(input);
  const unasked = first.choice === 'stop' ? unaskedBy(first) : null;
  return { micros: expectedSpend(input, addresses), unasked };
}
