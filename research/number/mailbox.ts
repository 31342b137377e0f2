import { type SeededRandom, seededRandom, seedOf } from '../../test/support/seeded-random.ts';
import type { Kind } from './kinds.ts';
import { DEAD_RATE, FULL, GONE, type Grid, type Host, LIVES, type Side, sigmoid, type World } from './world.ts';

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
  /** The day on which it answers "no such user" to everybody; null means none. */
  readonly migratesOn: number | null;
}

/** A mailbox over time: from each of these times on it is in this state and its server answers so. */
export interface Path {
  readonly from: readonly number[];
  readonly state: readonly number[];
  readonly answer: readonly number[];
}

/** An address as its server sees it. */
export interface Mailbox {
  readonly index: number;
  readonly domain: WorldDomain;
  readonly path: Path;
}

export const gridOf = ({ grids }: World, { consumer }: Host): Grid => (consumer ? grids.consumer : grids.business);

/** A domain that turns does so within these days of a world, and turns back so many days later. */
const TURNS = { from: 0.15, to: 0.7, backAfter: [15, 60] } as const;

export function newDomain(world: World, index: number, host: Host, draws: SeededRandom): WorldDomain {
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

export function pathOf({ days }: Kind, domain: WorldDomain, state: number, from: number, draws: SeededRandom): Path {
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
    // The server's answer is drawn again when the mailbox goes or comes back, and now and then.
    const redrawn = next === out.length || (to === GONE) !== (now === GONE);
    now = to;
    path.from.push(at);
    path.state.push(now);
    path.answer.push(redrawn ? answerIn(now) : before);
  }
}

/** What is true of an address at a time. */
export function truthAt(
  { index, path, domain }: Mailbox,
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

export const isDead = (world: World, { host, at }: WorldDomain): boolean => at === gridOf(world, host).domains.length;

/** A living mailbox may be full from the first. */
export function stateFrom(rate: number, { host, acceptsAll }: WorldDomain, draws: SeededRandom): number {
  if (draws.uniform() < rate) return GONE;
  return draws.uniform() < fullShare(host, acceptsAll) ? FULL : LIVES;
}
export function fullShare({ churn }: Host, acceptsAll: Side): number {
  const { fills, emptied } = churn[acceptsAll];
  return fills / (fills + emptied);
}

/** The place of the verdict that a vendor gives about an address on a day. It is the same whoever asks. */
export function verdictAt(world: World, address: Mailbox, vendor: number, at: number): number {
  const row = address.domain.host.verdicts[vendor]?.[truthAt(address, at).answer] ?? [];
  return seededRandom(seedOf(world.seed, 25, address.index, vendor, 0, Math.floor(at))).index([...row]);
}
