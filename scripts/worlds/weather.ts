import { PROVIDER_IDS, type ProviderId, type ProviderVerdict } from '../../src/domain/verification/provider.ts';
import { ask, type WorldAddress } from './addresses.ts';
import { type Draws, seededDraws, seedOf } from './draws.ts';
import { addressOf, emailOf, isRole } from './mailboxes.ts';
import type { Treat } from './vendor-desk.ts';
import { FAULT_NAMES, type FaultName } from './vendor-faults.ts';
import type { Statement } from './wire/form.ts';
import type { World } from './world.ts';

/** How often a call meets a fault, by the vendor's weather of the hour: it comes and goes, so that circuits open and close. */
const WEATHER = [
  { share: 0.6, faultRate: 0 },
  { share: 0.3, faultRate: 0.4 },
  { share: 0.1, faultRate: 1 },
] as const;

/** Faults of an account don't pass by themselves: the service leaves such a vendor alone for minutes. */
export const PASSING_FAULTS: readonly FaultName[] = FAULT_NAMES.filter(
  (name) => name !== 'no credit' && name !== 'bad key',
);

/** How a call ends that the world itself leaves without an answer. */
const UNANSWERED: readonly FaultName[] = ['server error', 'hang', 'reset'];

const oneOf = <T>(draws: Draws, values: readonly T[]): T | undefined => values[draws.index(values.map(() => 1))];

/** What a vendor of a world says of an address. A deliverable one at a domain that accepts everything was proved otherwise. */
function statementOf(
  { seed }: World,
  address: WorldAddress,
  provider: ProviderId,
  verdict: ProviderVerdict,
): Statement {
  const email = emailOf(address);
  return {
    ...{ email, verdict, role: isRole(email), consumer: address.host.host.endsWith('_consumer') },
    acceptsAll: verdict === 'catch_all' || (verdict === 'deliverable' && address.cell.acceptsAll),
    variant: seedOf(seed, 6, PROVIDER_IDS.indexOf(provider), address.index),
  };
}

interface WeatherOptions {
  /** How long a vendor's weather lasts. */
  readonly periodMs: number;
  /** The world's latencies times this. */
  readonly pace: number;
  readonly faults?: readonly FaultName[];
}

/** The vendors as their world has them, with faults on top. Deterministic in the times at which they are asked. */
export function inWorld(world: World, { periodMs, pace, faults = FAULT_NAMES }: WeatherOptions): Treat {
  return (provider, email, atMs) => {
    const at = PROVIDER_IDS.indexOf(provider);
    const address = addressOf(world, email);
    const { verdict, ms } = ask(world, address, provider, atMs);
    const afterMs = ms * pace;
    const weather = seededDraws(seedOf(world.seed, 7, at, Math.floor(atMs / periodMs)));
    const { faultRate } = WEATHER[weather.index(WEATHER.map(({ share }) => share))] ?? WEATHER[0];
    const fault = oneOf(weather, faults);
    const draws = seededDraws(seedOf(world.seed, 8, at, address.index, atMs));
    // Bad weather is one fault for as long as it lasts.
    if (fault !== undefined && draws.uniform() < faultRate) return { afterMs, fault };
    if (verdict === null) return { afterMs, fault: oneOf(draws, UNANSWERED) ?? 'hang' };
    return { afterMs, statement: statementOf(world, address, provider, verdict) };
  };
}
