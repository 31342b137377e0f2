import { PROVIDER_IDS, type ProviderId, type ProviderVerdict } from '../../src/domain/belief/provider.ts';
import { type SeededRandom, seededRandom, seedOf } from '../../test/support/seeded-random.ts';
import { FAULT_NAMES, type FaultName } from '../../test/support/vendors/faults.ts';
import type { BehaviourOf } from '../../test/support/vendors/simulator.ts';
import type { Statement } from '../../test/support/vendors/wire/form.ts';
import { ask, type SimulatedAddress } from './addresses.ts';
import { addressOf, emailOf, isRole } from './email-addresses.ts';
import type { Population } from './population.ts';

/** How often a call fails, by the state the vendor is in: states come and go, so that circuits open and close. */
const VENDOR_STATES = [
  { share: 0.6, faultRate: 0 },
  { share: 0.3, faultRate: 0.4 },
  { share: 0.1, faultRate: 1 },
] as const;

/** Faults of an account don't pass by themselves: the service leaves such a vendor alone for minutes. */
export const PASSING_FAULTS: readonly FaultName[] = FAULT_NAMES.filter(
  (name) => name !== 'no credit' && name !== 'bad key',
);

/** The fault of a call that the population leaves unanswered. */
const UNANSWERED: readonly FaultName[] = ['server error', 'hang', 'reset'];

const oneOf = <T>(draws: SeededRandom, values: readonly T[]): T | undefined => values[draws.index(values.map(() => 1))];

/**
 * What a vendor of a population says about an address. A deliverable one at a domain that accepts everything was proved
 * otherwise.
 */
function statementOf(
  { seed }: Population,
  address: SimulatedAddress,
  provider: ProviderId,
  verdict: ProviderVerdict,
): Statement {
  const email = emailOf(address);
  return {
    email,
    verdict,
    role: isRole(email),
    consumer: address.host.host.endsWith('_consumer'),
    acceptsAll: verdict === 'catch_all' || (verdict === 'deliverable' && address.cell.acceptsAll),
    variant: seedOf(seed, 6, PROVIDER_IDS.indexOf(provider), address.index),
  };
}

interface OutageOptions {
  /** How long a vendor stays in one state. */
  readonly periodMs: number;
  /** The population's latencies times this. */
  readonly pace: number;
  readonly faults?: readonly FaultName[];
}

/** The vendors as their population has them, with faults on top. Deterministic in the times at which they are asked. */
export function behaviourIn(
  population: Population,
  { periodMs, pace, faults = FAULT_NAMES }: OutageOptions,
): BehaviourOf {
  return (provider, email, atMs) => {
    const at = PROVIDER_IDS.indexOf(provider);
    const address = addressOf(population, email);
    const { verdict, ms } = ask(population, address, provider, atMs);
    const afterMs = ms * pace;
    const state = seededRandom(seedOf(population.seed, 7, at, Math.floor(atMs / periodMs)));
    const { faultRate } = VENDOR_STATES[state.index(VENDOR_STATES.map(({ share }) => share))] ?? VENDOR_STATES[0];
    const fault = oneOf(state, faults);
    const draws = seededRandom(seedOf(population.seed, 8, at, address.index, atMs));
    // An outage is one fault for as long as it lasts.
    if (fault !== undefined && draws.uniform() < faultRate) return { afterMs, fault };
    if (verdict === null) return { afterMs, fault: oneOf(draws, UNANSWERED) ?? 'hang' };
    return { afterMs, statement: statementOf(population, address, provider, verdict) };
  };
}
