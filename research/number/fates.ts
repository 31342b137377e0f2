import { seededRandom, seedOf } from '../../test/support/seeded-random.ts';
import type { Kind } from './kinds.ts';
import type { Visit } from './lives.ts';
import { truthAt, type WorldDomain } from './mailbox.ts';
import { CLASSES, GONE, type World } from './world.ts';

/** The fate of a message: the server's reply, and when the account receives it. */
export interface Fate {
  /** A place in `CLASSES`; null means a refusal for the message's sake. */
  readonly happened: number | null;
  /** The report; null means none. */
  readonly reported: number | null;
  /** The reporting source. */
  readonly source: string;
  readonly knownAt: number;
}

const POLICY = 0.02;
const UNREPORTED = 0.15;
/** The share of a leaked key's reports that are wrong. */
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

/** The fate of this visit's message, whoever sends it. */
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

/** The person's actions after a signup's mail: confirm, pay. */
export function proofsOf(world: World, { address, number, at }: Visit): readonly Proof[] {
  const draws = seededRandom(seedOf(world.seed, 27, address.index, number));
  const gone = truthAt(address, at).state === GONE ? 1 : 0;
  return (world.proofs[gone] ?? []).flatMap((share, kind) => {
    const [happens, after] = [draws.uniform() < share, draws.uniform()];
    return happens ? [{ class: kind, at: at - (PROOF_DAYS[kind] ?? 1) * Math.log(after) }] : [];
  });
}
