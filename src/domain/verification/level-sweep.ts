import { faded } from './first-state.ts';
import {
  type AddressHistory,
  DOMAIN_LEVELS,
  type Levels,
  type LevelsAround,
  type LevelUpdate,
  LIST_LEVELS,
  type Neighbours,
  type OwnPart,
  type Said,
  type Shown,
} from './history.ts';
import { logOddsOf, partOf } from './history-codec.ts';
import { LevelSums } from './level-sums.ts';
import { centred, dayOf, isRefused } from './level-update.ts';

const ALONE: LevelsAround = { domain: null, list: null };

/** A part is written again once a level of it is off by so many log-odds: its address moves by less than 2 % of its odds. */
const PART_OFF = 0.02;
/** Levels are written again once one of them is off by so much: two sweeps of the same facts differ by twice that at most. */
const LEVELS_OFF = 0.004;
/** A level this far below the likeliest counts for nothing: how far does not matter. */
const UNLIKELY = -40;

/** When an address was first seen. Those of one second are told apart by their names. */
interface Place {
  readonly at: number;
  readonly name: string;
}

const isAfter = (one: Place, other: Place): boolean =>
  one.at === other.at ? one.name > other.name : one.at > other.at;

/**
 * The levels of all domains and lists by the facts about the addresses, whatever the order in which those came. All addresses pass
 * three times, and a fourth time for the signups to leave out. First the lists take what each address would say if nothing
 * were known of its domain. Then the domains take what it says beside its list, and last the lists what it says beside its domain. An
 * address never hears itself.
 *
 * Domains may pass one group after the other. Then each group's stops are noted again before it passes.
 */
export class LevelSweep {
  private readonly by: LevelUpdate;
  /** The time that all levels are worked out for. */
  readonly at: number;
  /** The first refused signup by domain and day. */
  private readonly stops = new Map<string, Place>();
  private readonly firstLists = new LevelSums(LIST_LEVELS);
  private readonly domains = new LevelSums(DOMAIN_LEVELS);
  private readonly sums = { domain: new LevelSums(DOMAIN_LEVELS), list: new LevelSums(LIST_LEVELS) } as const;
  private readonly reported = { domain: new Set<string>(), list: new Set<string>() } as const;
  private readonly stoppedOn = new Map<string, number>();

  constructor(by: LevelUpdate, at: number) {
    this.by = by;
    this.at = at;
  }

  /** Begins a group of domains. */
  begin(): void {
    this.stops.clear();
    this.domains.clear();
    this.sums.domain.clear();
    this.reported.domain.clear();
    this.stoppedOn.clear();
  }

  noteStop(name: string, address: AddressHistory): void {
    if (address.purpose !== 'signup' || !isRefused(address)) return;
    const day = dayOf(address.firstSeenAt);
    const key = `${address.domain} ${day}`;
    const place = { at: address.firstSeenAt, name };
    const known = this.stops.get(key);
    if (known === undefined || isAfter(known, place)) this.stops.set(key, place);
    this.stoppedOn.set(address.domain, Math.max(day, this.stoppedOn.get(address.domain) ?? day));
  }

  addToList(name: string, address: AddressHistory): void {
    const say = this.shown(name, address);
    if (say !== null && address.list !== null) this.firstLists.add(address.list, say(ALONE, this.at).list, 1);
  }

  addToDomain(name: string, address: AddressHistory): void {
    const say = this.shown(name, address);
    if (say !== null) this.domains.add(address.domain, this.besideList(say, address), 1);
  }

  /** What the address adds to its levels. They have it from now on. */
  take(name: string, address: AddressHistory): Said | null {
    const say = this.shown(name, address);
    if (say === null) return null;
    const domain = this.besideList(say, address);
    const others = this.domains.without(address.domain, domain);
    const said = { domain, list: say({ domain: others, list: null }, this.at).list };
    this.sums.domain.add(address.domain, said.domain, 1);
    if (address.list !== null) this.sums.list.add(address.list, said.list, 1);
    this.mark(address);
    return said;
  }

  /** An address that was taken has another part now, or none. */
  change(address: AddressHistory, old: OwnPart | null, part: OwnPart | null): void {
    for (const [own, sign] of [[old, -1] as const, [part, 1] as const]) {
      if (own === null) continue;
      for (const kind of ['domain', 'list'] as const) {
        const name = address[kind];
        if (name !== null) this.sums[kind].add(name, logOddsOf(own[kind]), sign * faded(kind, this.at - own.at));
      }
    }
    if (part !== null) this.mark(address);
  }

  /** All that were taken have a part here. */
  names(kind: keyof Neighbours): Iterable<string> {
    return this.sums[kind].names;
  }

  /** Null: nothing is known there. */
  levels(kind: keyof Neighbours, name: string): Levels | null {
    const sum = this.sums[kind].of(name);
    return (
      sum && {
        values: centred(sum),
        at: this.at,
        isReported: this.reported[kind].has(name),
        stoppedOn: kind === 'domain' ? (this.stoppedOn.get(name) ?? null) : null,
      }
    );
  }

  /** What an address says of its domain beside its list. */
  private besideList(say: Shown, { list }: AddressHistory): Float64Array {
    const others = list === null ? null : this.firstLists.without(list, say(ALONE, this.at).list);
    return say({ domain: null, list: others }, this.at).domain;
  }

  private mark({ domain, list, reports }: AddressHistory): void {
    if (reports.length === 0) return;
    this.reported.domain.add(domain);
    if (list !== null) this.reported.list.add(list);
  }

  /** Null also for a signup after its domain's first refused one of that day: who may choose addresses would choose the level. */
  private shown(name: string, address: AddressHistory): Shown | null {
    const { purpose, domain, firstSeenAt: at } = address;
    const stop = purpose === 'signup' ? this.stops.get(`${domain} ${dayOf(at)}`) : undefined;
    return stop !== undefined && isAfter({ at, name }, stop) ? null : this.by.shown(address);
  }
}

const isOff = (kind: keyof Neighbours, own: OwnPart, said: Said, at: number): boolean => {
  const fade = faded(kind, at - own.at);
  return logOddsOf(own[kind]).some((value, place) => Math.abs(value * fade - (said[kind][place] ?? 0)) > PART_OFF);
};

/** The part that an address keeps from now on: the one it has, as long as that is near enough. */
export function keptPart(old: OwnPart | null, said: Said | null, at: number): OwnPart | null {
  if (said === null) return null;
  const isKept = old !== null && !isOff('domain', old, said, at) && !isOff('list', old, said, at);
  return isKept ? old : partOf(said.domain, said.list, at);
}

/** Whether levels say what these say that a sweep has found. */
export function areAlike(kind: keyof Neighbours, levels: Levels, swept: Levels): boolean {
  const fade = faded(kind, swept.at - levels.at);
  return (
    levels.isReported === swept.isReported &&
    (levels.stoppedOn ?? 0) >= (swept.stoppedOn ?? 0) &&
    swept.values.every((value, at) => {
      const before = (levels.values[at] ?? 0) * fade;
      return Math.abs(Math.max(UNLIKELY, before) - Math.max(UNLIKELY, value)) <= LEVELS_OFF;
    })
  );
}
