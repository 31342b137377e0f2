import { type SeededRandom, seededRandom, seedOf } from '../../test/support/seeded-random.ts';
import { DAYS, VENDOR_IDS } from './kinds.ts';
import {
  CLASSES,
  DEAD_RATE,
  FULL,
  GONE,
  type Grid,
  type Host,
  heavyTail,
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
  /** Factor on how fast its mailboxes are lost. */
  readonly churn: number;
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
  /** All vendors see this answer of a server, whatever the server says; null: they see what it says. */
  readonly mistaken: number | null;
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

function newDomain(world: World, index: number, host: Host, draws: SeededRandom): WorldDomain {
  const grid = gridOf(world, host);
  const dead = draws.uniform() < host.deadShare;
  const at = dead ? grid.domains.length : draws.index([...grid.domainShares]);
  const acceptsAll = draws.uniform() < host.acceptsAll ? 1 : 0;
  const { misspecified, domainSpread } = world.kind;
  const level = misspecified && !host.consumer && !dead ? domainSpread * heavyTail(draws) : (grid.domains[at] ?? 0);
  const churn = misspecified ? Math.exp(draws.normal() - 0.5) : 1;
  return { index, host, acceptsAll, at, level, churn };
}

/** Chance that the first state of an address bounces, its domain's level and its list's being these. */
export const firstRate = (host: Host, side: Side, isDead: boolean, offset: number, levels: number): number =>
  isDead ? DEAD_RATE : sigmoid(host.base[side] + offset + levels);

const shareOf = (shares: Float64Array, draws: SeededRandom): number => draws.index([...shares]);

function pathOf(domain: WorldDomain, state: number, from: number, draws: SeededRandom): Path {
  const { host, acceptsAll, churn: faster } = domain;
  const churn = host.churn[acceptsAll];
  const answers = host.answers[acceptsAll] as readonly [Float64Array, Float64Array];
  const answerIn = (now: number): number => shareOf(now === GONE ? answers[1] : answers[0], draws);
  const path = { from: [from], state: [state], answer: [answerIn(state)] };
  let [now, at] = [state, from];
  for (;;) {
    const out: readonly (readonly [to: number, rate: number])[] =
      now === GONE
        ? [[LIVES, churn.recovered]]
        : [[GONE, churn.lost * faster], now === LIVES ? [FULL, churn.fills] : [LIVES, churn.emptied]];
    const leaving = out.reduce((sum, [, rate]) => sum + rate, 0);
    at += (-Math.log(draws.uniform()) / (leaving + churn.redrawn)) * YEAR;
    if (at > DAYS) return path;
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
export function truthAt({ path }: WorldAddress, at: number): { readonly state: number; readonly answer: number } {
  let place = path.from.length - 1;
  while (place > 0 && (path.from[place] ?? 0) > at) place -= 1;
  return { state: path.state[place] ?? LIVES, answer: path.answer[place] ?? 0 };
}

const poisson = (mean: number, draws: SeededRandom): number => {
  let [count, left] = [0, Math.exp(-mean)];
  for (let at = draws.uniform(); at > left; at *= draws.uniform()) count += 1;
  left = count;
  return left;
};

const RETURN_DAYS = 45;
const ELSEWHERE = 0.15;
const SUPPRESSED = 0.7;
/** Of the addresses at businesses: a domain that nobody came from before, else one of those, the larger the likelier. */
const NEW_DOMAIN = 0.45;
const DOMAIN_FEATURES: ReadonlySet<string> = new Set(['typo_domain', 'parked_mail_hosts', 'address_record_only']);
/** Servers whose answer vendors may see by mistake: accepts, refuses, accepts all. */
const MISTAKES = 3;
/** Of a vendor's words about 5 in 100 are wrong, and a mistaken answer is the right one in a third of cases. */
const MISTAKEN_EACH = 0.05 * 1.5;

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
    const first = list.day === null ? draws.between(0, DAYS) : list.day + draws.uniform() / 10;
    const visits = [first];
    const visitLists = [list];
    const callers = lists.filter(({ day }) => day === null);
    for (let left = poisson(kind.returns, draws), at = first; left > 0; left -= 1) {
      at -= RETURN_DAYS * Math.log(draws.uniform());
      if (at >= DAYS) break;
      visits.push(at);
      visitLists.push(draws.uniform() < ELSEWHERE ? (callers[draws.index([1, 1])] ?? list) : list);
    }
    const weights = features.reduce((sum, at) => sum + (world.features[at]?.weight ?? 0), 0);
    const offset = world.purposes[list.purpose] + weights + (kind.drift * Math.floor(first)) / DAYS;
    const rate = firstRate(domain.host, domain.acceptsAll, isDead(world, domain), offset, list.level + domain.level);
    return {
      index,
      domain,
      list,
      features,
      first,
      offset,
      path: pathOf(domain, stateFrom(rate, domain, draws), first, draws),
      mistaken: draws.uniform() < kind.sharedMistakes * MISTAKEN_EACH ? Math.floor(draws.uniform() * MISTAKES) : null,
      forged: draws.uniform() < kind.forged,
      suppressed: draws.uniform() < SUPPRESSED,
      invented: false,
      visits,
      visitLists,
    };
  };
  const addresses = Array.from({ length: kind.addresses }, (_, index) => {
    const draws = seededRandom(seedOf(seed, 23, index));
    return addressOf(index, lists[draws.index(lists.map(({ share }) => share))] as WorldList, draws);
  });
  const attacked = new Map<WorldDomain, number>();
  if (kind.hostile) attack(world, addresses, attacked);
  const visits = addresses
    .flatMap((address) =>
      address.visits.map((at, number): Visit => ({
        address,
        number,
        at,
        list: address.visitLists[number] ?? address.list,
      })),
    )
    .sort((one, other) => one.at - other.at);
  return { domains, addresses, visits, attacked };
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
    attacked.set(domain, DAYS / 18);
    for (let day = 0; day < ATTACKS * INVENTED; day += 1) {
      const index = addresses.length;
      const draws = seededRandom(seedOf(world.seed, 24, index));
      const first = DAYS / 18 + Math.floor(day / INVENTED) * 27 + draws.uniform() / 24;
      addresses.push({
        index,
        domain,
        list,
        features: [],
        first,
        offset: 0,
        path: pathOf(domain, GONE, first, draws),
        mistaken: null,
        forged: false,
        suppressed: true,
        invented: true,
        visits: [first],
        visitLists: [list],
      });
    }
  }
}

const HALF_WAY = DAYS / 2;
/** Vendors of a pair see one probe where it is shared. */
const PAIR = 2;

/** The place of the verdict in [0, 1] that a vendor gives about an address on a day. It is the same whoever asks. */
export function verdictAt(world: World, address: WorldAddress, vendor: number, at: number): number {
  const { host } = address.domain;
  const seen = address.mistaken ?? truthAt(address, at).answer;
  const rows = host.verdicts[world.kind.drift !== 0 && at > HALF_WAY ? 1 : 0];
  const row = rows?.[vendor]?.[seen] ?? [];
  const day = world.kind.misspecified ? 0 : Math.floor(at);
  const overlap = world.overlap[Math.floor(vendor / PAIR)] ?? 0;
  const together = seededRandom(
    seedOf(world.seed, 25, address.index, VENDOR_IDS.length, Math.floor(vendor / PAIR), day),
  );
  const alone = seededRandom(seedOf(world.seed, 25, address.index, vendor, 0, day));
  let left = together.uniform() < overlap ? together.uniform() : alone.uniform();
  const found = row.findIndex((share) => (left -= share) < 0);
  return found === -1 ? row.length - 1 : found;
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
const OUTAGE = { from: 20, to: 22 };
const USER_UNKNOWN = CLASSES.indexOf('user_unknown');
const DELIVERED = CLASSES.indexOf('delivered');
const BOUNCES: ReadonlySet<number> = new Set([0, 1, 2, 3]);

/** What becomes of the message of this visit. The same whoever sends it. */
export function fateOf(world: World, { address, number, at }: Visit): Fate {
  const { kind } = world;
  const draws = seededRandom(seedOf(world.seed, 26, address.index, number));
  const knownAt = at - (draws.uniform() < LATE ? LATE_DAYS : SOON_DAYS) * Math.log(draws.uniform());
  const unreported = draws.uniform() < UNREPORTED;
  const policy = draws.uniform() < POLICY;
  const inState = draws.index([...(world.reports[truthAt(address, at).state] ?? [])]);
  const [isMislabelled, other] = [draws.uniform() < kind.mislabelled, draws.index(CLASSES.map(() => 1))];
  const isDown = kind.outage && at >= OUTAGE.from && at < OUTAGE.to && address.domain.host.host.startsWith('google_');
  const happened = policy || isDown ? null : inState;
  let reported: number | null = isDown ? USER_UNKNOWN : happened;
  if (reported !== null && isMislabelled) reported = other;
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
