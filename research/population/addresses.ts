import { PROVIDER_IDS, type ProviderId, type ProviderVerdict } from '../../src/domain/belief/provider.ts';
import { VERDICTS } from '../../src/domain/belief/provider-table.ts';
import { type SeededRandom, seededRandom, seedOf } from '../../test/support/seeded-random.ts';
import type { CellTruth, HostTruth, Population } from './population.ts';

/** For each provider, in the order of `PROVIDER_IDS`: 1 + the place of its verdict in `VERDICTS`. */
type Said = readonly number[];

/** An address of a population, with every provider's answer. */
export interface SimulatedAddress {
  readonly index: number;
  /** Its domain; addresses of one domain share the host and whether everything is accepted. */
  readonly domain: number;
  readonly host: HostTruth;
  readonly cell: CellTruth;
  /** What each provider says when it answers. */
  readonly said: Said;
  /** Whether mail sent to it hard-bounces. */
  readonly bounces: boolean;
}

/** The index of the share that a draw in [0, 1] falls into. */
function fallsIn(shares: readonly number[], at: number): number {
  let left = at;
  const index = shares.findIndex((share) => (left -= share) < 0);
  return index === -1 ? shares.length - 1 : index;
}

function drawSaid({ engines }: Population, { verdicts }: HostTruth, { answer }: CellTruth, draws: SeededRandom): Said {
  const said = PROVIDER_IDS.map(() => 0);
  for (const { members, overlap } of engines) {
    const probe = draws.uniform() < overlap ? draws.uniform() : null;
    for (const id of members)
      said[PROVIDER_IDS.indexOf(id)] = 1 + fallsIn(verdicts[id][answer], probe ?? draws.uniform());
  }
  return said;
}

/** The address of this number. It does not depend on which others are looked at. */
export function addressAt(population: Population, index: number, addressesPerDomain = 1): SimulatedAddress {
  const domain = Math.floor(index / addressesPerDomain);
  const ofDomain = seededRandom(seedOf(population.seed, 2, domain));
  const host = population.hosts[ofDomain.index(population.hosts.map(({ share }) => share))] as HostTruth;
  const shareOf = (acceptsAll: boolean): number =>
    host.cells.filter((cell) => cell.acceptsAll === acceptsAll).reduce((sum, { share }) => sum + share, 0);
  const acceptsAll = ofDomain.index([shareOf(false), shareOf(true)]) === 1;
  const draws = seededRandom(seedOf(population.seed, 3, index));
  const cells = host.cells.filter((cell) => cell.acceptsAll === acceptsAll);
  const cell = cells[draws.index(cells.map(({ share }) => share))] as CellTruth;
  const said = drawSaid(population, host, cell, draws);
  return { index, domain, host, cell, said, bounces: draws.uniform() < cell.bounceRate };
}

/** One call to a vendor of a population. */
export interface VendorReply {
  /** Null means it ended without an answer. */
  readonly verdict: ProviderVerdict | null;
  readonly ms: number;
  readonly billedMicros: number;
}

/** A vendor is up or down for this long at a time. */
const OUTAGE_MS = 10 * 60_000;

/**
 * How a vendor answers when asked about an address at a time, in ms since the population began. It says the same of an address
 * whenever it is asked; how long it takes and whether it fails is drawn each time.
 */
export function ask(
  population: Population,
  address: SimulatedAddress,
  provider: ProviderId,
  atMs: number,
): VendorReply {
  const at = PROVIDER_IDS.indexOf(provider);
  const vendor = population.vendors.find(({ id }) => id === provider);
  if (vendor === undefined) throw new Error(`${provider} is not a vendor of this population`);
  const { latencyMs, latencySpread, failureRate, outageRate, billsUnknown, priceMicros } = vendor;
  const down = seededRandom(seedOf(population.seed, 4, at, Math.floor(atMs / OUTAGE_MS))).uniform() < outageRate;
  const draws = seededRandom(seedOf(population.seed, 5, at, address.index, atMs));
  const ms = latencyMs * Math.exp(latencySpread * draws.normal());
  if (down || draws.uniform() < failureRate) return { verdict: null, ms, billedMicros: 0 };
  const verdict = VERDICTS[(address.said[at] ?? 0) - 1] ?? 'unknown';
  return { verdict, ms, billedMicros: verdict === 'unknown' && !billsUnknown ? 0 : priceMicros };
}
