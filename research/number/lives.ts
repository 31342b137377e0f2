import { VERDICTS } from '../../src/domain/belief/provider-table.ts';
import { type SeededRandom, seededRandom, seedOf } from '../../test/support/seeded-random.ts';
import { goneShare, ORDERS } from './kinds.ts';
import {
  firstRate,
  isDead,
  newDomain,
  type Path,
  pathOf,
  stateFrom,
  truthAt,
  verdictAt,
  type WorldDomain,
} from './mailbox.ts';
import { GONE, type Host, LIVES, type World, type WorldList } from './world.ts';

export interface Visit {
  readonly address: WorldAddress;
  readonly number: number;
  readonly at: number;
  readonly list: WorldList;
}

export interface WorldAddress {
  readonly index: number;
  readonly domain: WorldDomain;
  /** The list it came in first: its level holds for the address from then on. */
  readonly list: WorldList;
  /** Places in `World.features`. */
  readonly features: readonly number[];
  readonly first: number;
  /** Log-odds that it adds to those of host, list and domain. */
  readonly offset: number;
  readonly path: Path;
  /** It is reported the wrong way round. */
  readonly forged: boolean;
  /** Once a refusal of it is known it is not asked about again. */
  readonly suppressed: boolean;
  /** Made up by the hostile visitor. */
  readonly invented: boolean;
  readonly visits: readonly number[];
  readonly visitLists: readonly WorldList[];
}

/** One that shows nothing by itself, and that is not asked about again once it is refused. */
const newAddress = (
  of: Pick<WorldAddress, 'index' | 'domain' | 'list' | 'first' | 'path' | 'visits'> & Partial<WorldAddress>,
): WorldAddress => ({
  features: [],
  offset: 0,
  forged: false,
  suppressed: true,
  invented: false,
  visitLists: of.visits.map(() => of.list),
  ...of,
});

export interface Account {
  readonly domains: readonly WorldDomain[];
  readonly addresses: readonly WorldAddress[];
  /** In the order of time. */
  readonly visits: readonly Visit[];
  /** Domains that the hostile visitor signs up at, and since when. */
  readonly attacked: ReadonlyMap<WorldDomain, number>;
}

const poisson = (mean: number, draws: SeededRandom): number => {
  let [count, left] = [0, Math.exp(-mean)];
  for (let at = draws.uniform(); at > left; at *= draws.uniform()) count += 1;
  left = count;
  return left;
};

const ELSEWHERE = 0.15;
const SUPPRESSED = 0.7;
/** The place of a server's refusal among its answers. */
const REFUSES = 1;
/** For addresses at businesses: a new domain, else a known one, larger ones more often. */
const NEW_DOMAIN = 0.45;
const DOMAIN_FEATURES: ReadonlySet<string> = new Set(['typo_domain', 'parked_mail_hosts', 'address_record_only']);
const ATTACKED = 5;
const ATTACKS = 6;
const INVENTED = 4;

/** All events of an account's addresses, whatever the service does. */
export function drawAccount(world: World): Account {
  const { kind, lists, seed } = world;
  const domains: WorldDomain[] = [];
  const consumers = new Map<Host, WorldDomain>();
  const members: WorldDomain[] = [];
  const shared = seededRandom(seedOf(seed, 22));
  const add = (host: Host): WorldDomain => {
    const domain = newDomain(world, domains.length, host, shared);
    domains.push(domain);
    return domain;
  };
  const business = world.hosts.filter(({ consumer }) => !consumer);
  const domainFor = (draws: SeededRandom): WorldDomain => {
    const host = world.hosts[draws.index(world.hosts.map(({ share }) => share))] as Host;
    if (host.consumer) {
      const domain = consumers.get(host) ?? add(host);
      consumers.set(host, domain);
      return domain;
    }
    const known = draws.uniform() < NEW_DOMAIN ? undefined : members[Math.floor(draws.uniform() * members.length)];
    const domain = known ?? add(business[draws.index(business.map(({ share }) => share))] as Host);
    members.push(domain);
    return domain;
  };
  const addressOf = (index: number, list: WorldList, draws: SeededRandom): WorldAddress => {
    const domain = domainFor(draws);
    const features = world.features.flatMap(({ feature, share }, at) => {
      const on = draws.uniform() < share;
      return on && !(domain.host.consumer && DOMAIN_FEATURES.has(feature)) ? [at] : [];
    });
    const first = list.day === null ? draws.between(0, kind.days) : list.day + draws.uniform() / 10;
    const visits = [first];
    const visitLists = [list];
    const callers = lists.filter(({ day }) => day === null);
    for (let left = poisson(kind.returns, draws), at = first; left > 0; left -= 1) {
      at -= kind.gapDays * Math.log(draws.uniform());
      if (at >= kind.days) break;
      visits.push(at);
      visitLists.push(draws.uniform() < ELSEWHERE ? (callers[draws.index([1, 1])] ?? list) : list);
    }
    const weights = features.reduce((sum, at) => sum + (world.features[at]?.weight ?? 0), 0);
    const offset = world.purposes[list.purpose] + weights;
    const rate = firstRate(domain.host, domain.acceptsAll, isDead(world, domain), offset, list.level + domain.level);
    const isGone = seededRandom(seedOf(seed, 32, index)).uniform() < goneShare(kind);
    const path = pathOf(kind, domain, isGone ? GONE : stateFrom(rate, domain, draws), first, draws);
    return newAddress({
      index,
      domain,
      list,
      features,
      first,
      offset,
      path: isGone && domain.acceptsAll === 0 ? { ...path, answer: path.answer.map(() => REFUSES) } : path,
      forged: draws.uniform() < kind.forged,
      suppressed: draws.uniform() < SUPPRESSED,
      visits,
      visitLists,
    });
  };
  const addresses = Array.from({ length: kind.addresses }, (_, index) => {
    for (let again = 0; ; again += 1) {
      const draws = seededRandom(again === 0 ? seedOf(seed, 23, index) : seedOf(seed, 23, index, again));
      const list = lists[draws.index(lists.map(({ share }) => share))] as WorldList;
      const address = addressOf(index, list, draws);
      if (!kind.cleaned || list.day === null || verdictAt(world, address, CLEANER, address.first) !== UNDELIVERABLE)
        return address;
    }
  });
  const attacked = new Map<WorldDomain, number>();
  if (kind.hostile) attack(world, addresses, attacked);
  if (kind.employer > 0) employ(world, addresses, add);
  const visits = addresses
    .flatMap((address) =>
      address.visits.map((at, number): Visit => ({
        address,
        number,
        at,
        list: address.visitLists[number] ?? address.list,
      })),
    )
    .filter(takesPlace(world))
    .sort((one, other) => one.at - other.at);
  return { domains, addresses, visits: kind.file !== null ? ordered(world, visits) : visits, attacked };
}

/** The vendor by which a list was cleaned before it was sold. */
const CLEANER = 0;
const UNDELIVERABLE = VERDICTS.indexOf('undeliverable');

/** A returning visitor usually reads mail. */
const takesPlace =
  ({ kind, seed }: World) =>
  ({ address, number, at }: Visit): boolean =>
    number === 0 ||
    truthAt(address, at).state !== GONE ||
    seededRandom(seedOf(seed, 30, address.index, number)).uniform() >= kind.deadStayAway;

/** A file's rows in the order that the seed names, at the same times. */
function ordered({ seed }: World, visits: readonly Visit[]): Visit[] {
  const order = ORDERS[seed % ORDERS.length];
  const isGone = ({ address, at }: Visit): number => (truthAt(address, at).state === GONE ? 1 : 0);
  const rank = (visit: Visit): number => {
    if (order === 'the dead first') return 1 - isGone(visit);
    if (order === 'the living first') return isGone(visit);
    return order === 'domain by domain' ? visit.address.domain.index : 0;
  };
  const times = visits.map(({ at }) => at);
  return visits
    .toSorted((one, other) => rank(one) - rank(other))
    .map((visit, place) => ({ ...visit, at: times[place] ?? visit.at }));
}

/** A large employer's people: some have left. */
const EMPLOYER = { from: 30, days: 30, left: 0.3, visits: 3 } as const;

/** People of one employer come in the course of a month, by mailings of the account, and again later. */
function employ(world: World, addresses: WorldAddress[], add: (host: Host) => WorldDomain): void {
  const { kind, lists, hosts, seed } = world;
  const host = hosts.find((each) => each.host === 'google_business');
  const list = lists.find(({ purpose, day }) => purpose === 'outbound' && day === null);
  if (host === undefined || list === undefined) throw new Error('a world has companies, and calls');
  const domain: WorldDomain = { ...add(host), acceptsAll: 0, at: 0, level: 0, turns: [], migratesOn: null };
  for (let person = 0; person < kind.employer; person += 1) {
    const index = addresses.length;
    const draws = seededRandom(seedOf(seed, 31, index));
    const first = EMPLOYER.from + EMPLOYER.days * draws.uniform();
    const visits = Array.from({ length: EMPLOYER.visits }, (_, number) => first + number * kind.gapDays);
    const path = pathOf(kind, domain, draws.uniform() < EMPLOYER.left ? GONE : LIVES, first, draws);
    addresses.push(newAddress({ index, domain, list, first, path, visits: visits.filter((at) => at < kind.days) }));
  }
}

/** Invented signups at the largest domains that distinguish mailboxes, on six days each. */
function attack(world: World, addresses: WorldAddress[], attacked: Map<WorldDomain, number>): void {
  const sizes = new Map<WorldDomain, number>();
  for (const { domain } of addresses) sizes.set(domain, (sizes.get(domain) ?? 0) + 1);
  const largest = [...sizes]
    .filter(([domain]) => !domain.host.consumer && domain.acceptsAll === 0 && !isDead(world, domain))
    .sort(([, one], [, other]) => other - one)
    .slice(0, ATTACKED);
  const list = world.lists.find(({ purpose }) => purpose === 'signup');
  if (list === undefined) throw new Error('a world has signups');
  for (const [domain] of largest) {
    attacked.set(domain, world.kind.days / 18);
    for (let day = 0; day < ATTACKS * INVENTED; day += 1) {
      const index = addresses.length;
      const draws = seededRandom(seedOf(world.seed, 24, index));
      const first = world.kind.days / 18 + Math.floor(day / INVENTED) * 27 + draws.uniform() / 24;
      const path = pathOf(world.kind, domain, GONE, first, draws);
      addresses.push(newAddress({ index, domain, list, first, path, visits: [first], invented: true }));
    }
  }
}
