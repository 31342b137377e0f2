import { VERDICTS } from '../../src/domain/belief/provider-table.ts';
import { type SeededRandom, seededRandom, seedOf } from '../../test/support/seeded-random.ts';
import { type Kind, ORDERS } from './kinds.ts';
import {
  CLASSES,
  DEAD_RATE,
  FULL,
  GONE,
  type Grid,
  type Host,
  LIVES,
  type Side,
  sigmoid,
  type World,
  type WorldList,
} from './world.ts';

/** Days to a year, the unit of all rates; times in a world are days. */
const YEAR = 365;

export interface WorldDomain {
  readonly index: number;
  readonly host: Host;
  readonly acceptsAll: Side;
  /** Its place in the grid, the last one being the dead one, and its level. */
  readonly at: number;
  readonly level: number;
  /** When it begins to accept every recipient, or ceases to, and turns back. */
  readonly turns: readonly number[];
  /** The day on which it answers "no such user" to everybody; null: none. */
  readonly migratesOn: number | null;
}

/** A mailbox over time: from each of these times on it is in this state and its server answers so. */
export interface Path {
  readonly from: readonly number[];
  readonly state: readonly number[];
  readonly answer: readonly number[];
}

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

export interface Account {
  readonly domains: readonly WorldDomain[];
  readonly addresses: readonly WorldAddress[];
  /** In the order of time. */
  readonly visits: readonly Visit[];
  /** Domains that the hostile visitor signs up at, and since when. */
  readonly attacked: ReadonlyMap<WorldDomain, number>;
}

export const gridOf = ({ grids }: World, { consumer }: Host): Grid => (consumer ? grids.consumer : grids.business);

/** A domain that turns does so within these days of a world, and turns back so many days later. */
const TURNS = { from: 0.15, to: 0.7, backAfter: [15, 60] } as const;

function newDomain(world: World, index: number, host: Host, draws: SeededRandom): WorldDomain {
  const grid = gridOf(world, host);
  const { days, turning, migrating } = world.kind;
  const dead = draws.uniform() < host.deadShare;
  const at = dead ? grid.domains.length : draws.index([...grid.domainShares]);
  const acceptsAll = draws.uniform() < host.acceptsAll ? 1 : 0;
  const level = grid.domains[at] ?? 0;
  const own = seededRandom(seedOf(world.seed, 28, index));
  const isTurning = !host.consumer && own.uniform() < turning;
  const first = days * own.between(TURNS.from, TURNS.to);
  const back = own.uniform() < 0.5 ? [first + own.between(...TURNS.backAfter)] : [];
  const migratesOn = !host.consumer && own.uniform() < migrating ? Math.floor(own.between(1, days)) : null;
  return { index, host, acceptsAll, at, level, turns: isTurning ? [first, ...back] : [], migratesOn };
}

/** Chance that the first state of an address bounces, its domain's level and its list's being these. */
export const firstRate = (host: Host, side: Side, isDead: boolean, offset: number, levels: number): number =>
  isDead ? DEAD_RATE : sigmoid(host.base[side] + offset + levels);

const shareOf = (shares: Float64Array, draws: SeededRandom): number => draws.index([...shares]);

function pathOf({ days }: Kind, domain: WorldDomain, state: number, from: number, draws: SeededRandom): Path {
  const { host, acceptsAll } = domain;
  const churn = host.churn[acceptsAll];
  const answers = host.answers[acceptsAll] as readonly [Float64Array, Float64Array];
  const answerIn = (now: number): number => shareOf(now === GONE ? answers[1] : answers[0], draws);
  const path = { from: [from], state: [state], answer: [answerIn(state)] };
  let [now, at] = [state, from];
  for (;;) {
    const out: readonly (readonly [to: number, rate: number])[] =
      now === GONE
        ? [[LIVES, churn.recovered]]
        : [[GONE, churn.lost], now === LIVES ? [FULL, churn.fills] : [LIVES, churn.emptied]];
    const leaving = out.reduce((sum, [, rate]) => sum + rate, 0);
    at += (-Math.log(draws.uniform()) / (leaving + churn.redrawn)) * YEAR;
    if (at > days) return path;
    const next = draws.index([...out.map(([, rate]) => rate), churn.redrawn]);
    const to = out[next]?.[0] ?? now;
    const before = path.answer.at(-1) ?? 0;
    // The server's answer is drawn anew when the mailbox goes or comes back, and now and then.
    const redrawn = next === out.length || (to === GONE) !== (now === GONE);
    now = to;
    path.from.push(at);
    path.state.push(now);
    path.answer.push(redrawn ? answerIn(now) : before);
  }
}

/** What is true of an address at a time. */
export function truthAt(
  { index, path, domain }: Pick<WorldAddress, 'index' | 'path' | 'domain'>,
  at: number,
): { readonly state: number; readonly answer: number } {
  let place = path.from.length - 1;
  while (place > 0 && (path.from[place] ?? 0) > at) place -= 1;
  const [state, answer] = [path.state[place] ?? LIVES, path.answer[place] ?? 0];
  const turned = domain.turns.filter((turn) => turn <= at).length;
  if (turned % 2 === 0) return { state, answer };
  const side: Side = domain.acceptsAll === 0 ? 1 : 0;
  const answers = domain.host.answers[side]?.[state === GONE ? 1 : 0];
  if (answers === undefined) throw new Error('a host has answers');
  return { state, answer: shareOf(answers, seededRandom(seedOf(index, place, turned))) };
}

const poisson = (mean: number, draws: SeededRandom): number => {
  let [count, left] = [0, Math.exp(-mean)];
  for (let at = draws.uniform(); at > left; at *= draws.uniform()) count += 1;
  left = count;
  return left;
};

const ELSEWHERE = 0.15;
const SUPPRESSED = 0.7;
/** Of the addresses at businesses: a domain that nobody came from before, else one of those, the larger the likelier. */
const NEW_DOMAIN = 0.45;
const DOMAIN_FEATURES: ReadonlySet<string> = new Set(['typo_domain', 'parked_mail_hosts', 'address_record_only']);
const ATTACKED = 5;
const ATTACKS = 6;
const INVENTED = 4;

/** All that ever happens to an account's addresses, whatever is done about them. */
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
    return {
      index,
      domain,
      list,
      features,
      first,
      offset,
      path: pathOf(kind, domain, stateFrom(rate, domain, draws), first, draws),
      forged: draws.uniform() < kind.forged,
      suppressed: draws.uniform() < SUPPRESSED,
      invented: false,
      visits,
      visitLists,
    };
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
  return { domains, addresses, visits: kind.isFile ? ordered(world, visits) : visits, attacked };
}

/** The vendor by which a list was cleaned before it was sold. */
const CLEANER = 0;
const UNDELIVERABLE = VERDICTS.indexOf('undeliverable');

/** Who comes back reads mail, most of the time. */
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
  return visits.toSorted((one, other) => rank(one) - rank(other)).map((visit, place) => ({ ...visit, at: times[place] ?? visit.at }));
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
    addresses.push({
      index,
      domain,
      list,
      features: [],
      first,
      offset: 0,
      path: pathOf(kind, domain, draws.uniform() < EMPLOYER.left ? GONE : LIVES, first, draws),
      forged: false,
      suppressed: true,
      invented: false,
      visits: visits.filter((at) => at < kind.days),
      visitLists: visits.map(() => list),
    });
  }
}

export const isDead = (world: World, { host, at }: WorldDomain): boolean => at === gridOf(world, host).domains.length;

/** A living mailbox may be full from the first. */
function stateFrom(rate: number, { host, acceptsAll }: WorldDomain, draws: SeededRandom): number {
  if (draws.uniform() < rate) return GONE;
  return draws.uniform() < fullShare(host, acceptsAll) ? FULL : LIVES;
}
export function fullShare({ churn }: Host, acceptsAll: Side): number {
  const { fills, emptied } = churn[acceptsAll];
  return fills / (fills + emptied);
}

/** Invented signups at the largest domains that tell mailboxes apart, on six days each. */
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
      addresses.push({
        index,
        domain,
        list,
        features: [],
        first,
        offset: 0,
        path: pathOf(world.kind, domain, GONE, first, draws),
        forged: false,
        suppressed: true,
        invented: true,
        visits: [first],
        visitLists: [list],
      });
    }
  }
}

/** The place of the verdict that a vendor gives about an address on a day. It is the same whoever asks. */
export function verdictAt(world: World, address: WorldAddress, vendor: number, at: number): number {
  const row = address.domain.host.verdicts[vendor]?.[truthAt(address, at).answer] ?? [];
  return seededRandom(seedOf(world.seed, 25, address.index, vendor, 0, Math.floor(at))).index([...row]);
}

/** What becomes of a message: what the server said of it, and when the account hears of it. */
export interface Fate {
  /** A place in `CLASSES`; null: a refusal for the message's sake. */
  readonly happened: number | null;
  /** What is reported; null: nothing. */
  readonly reported: number | null;
  /** Who reports it. */
  readonly source: string;
  readonly knownAt: number;
}

const POLICY = 0.02;
const UNREPORTED = 0.15;
/** Of a leaked key's reports. */
const WRONG = 0.5;
const LATE = 0.1;
const [SOON_DAYS, LATE_DAYS] = [0.1, 5];
/** Outages begin as the first file is read. */
const OUTAGE_FROM = 20;
const OUT_OF_ORDER = /^(google|microsoft)_/;
const USER_UNKNOWN = CLASSES.indexOf('user_unknown');
const DELIVERED = CLASSES.indexOf('delivered');
const BOUNCES: ReadonlySet<number> = new Set([0, 1, 2, 3]);

/** Whether a domain answers "no such user" to everybody. */
const isOutOfOrder = ({ outageHours }: Kind, { host, migratesOn }: WorldDomain, at: number): boolean =>
  (at >= OUTAGE_FROM && at < OUTAGE_FROM + outageHours / 24 && OUT_OF_ORDER.test(host.host)) ||
  (migratesOn !== null && Math.floor(at) === migratesOn);

/** What becomes of the message of this visit. The same whoever sends it. */
export function fateOf(world: World, { address, number, at }: Visit): Fate {
  const { kind } = world;
  const draws = seededRandom(seedOf(world.seed, 26, address.index, number));
  const knownAt = at - (draws.uniform() < LATE ? LATE_DAYS : SOON_DAYS) * Math.log(draws.uniform());
  const unreported = draws.uniform() < UNREPORTED;
  const policy = draws.uniform() < POLICY;
  const inState = draws.index([...(world.reports[truthAt(address, at).state] ?? [])]);
  const isDown = isOutOfOrder(kind, address.domain, at);
  const happened = policy || isDown ? null : inState;
  let reported: number | null = isDown ? USER_UNKNOWN : happened;
  if (reported !== null && address.forged) reported = truthAt(address, at).state === GONE ? DELIVERED : USER_UNKNOWN;
  const isLeaked = draws.uniform() < kind.leaked;
  if (reported !== null && isLeaked && draws.uniform() < WRONG)
    reported = BOUNCES.has(reported) ? DELIVERED : USER_UNKNOWN;
  if (unreported || (reported !== null && kind.bouncesOnly && !BOUNCES.has(reported))) reported = null;
  return { happened, reported, source: isLeaked ? 'leaked' : 'key', knownAt };
}

export interface Proof {
  /** 0: the person confirmed the address; 1: paid. */
  readonly class: number;
  readonly at: number;
}

const PROOF_DAYS: readonly number[] = [1, 20];

/** What the person does after a mail of a signup: confirm, pay. */
export function proofsOf(world: World, { address, number, at }: Visit): readonly Proof[] {
  const draws = seededRandom(seedOf(world.seed, 27, address.index, number));
  const gone = truthAt(address, at).state === GONE ? 1 : 0;
  return (world.proofs[gone] ?? []).flatMap((share, kind) => {
    const [happens, after] = [draws.uniform() < share, draws.uniform()];
    return happens ? [{ class: kind, at: at - (PROOF_DAYS[kind] ?? 1) * Math.log(after) }] : [];
  });
}
