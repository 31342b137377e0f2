import { faded } from './first-state.ts';
import {
  type AddressHistory,
  DOMAIN_LEVELS,
  type LevelRest,
  type Levels,
  type LevelsAround,
  type LevelUpdate,
  LIST_LEVELS,
  type Mailed,
  type Neighbours,
  type OwnPart,
  type ReportGate,
  type Said,
  type Shown,
  type Standing,
} from './history.ts';
import { logOddsOf, partOf } from './history-codec.ts';
import { LevelSums } from './level-sums.ts';
import { centred, isRefused } from './level-update.ts';
import { dayOf, standingOf } from './report-gate.ts';

const NONE_MAILED: Mailed = { refused: 0, delivered: 0 };
const ALONE: LevelsAround = { domain: null, list: null };

/** A part is written again once a level of it is off by so many log-odds: its address moves by less than 2 % of its odds. */
const PART_OFF = 0.02;
/** Levels are written again once one of them is off by so much: two sweeps of the same facts differ by twice that at most. */
const LEVELS_OFF = 0.004;
/** What parts may be off together before their levels keep the rest: as much as one part may. */
const REST_OFF = PART_OFF;
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
  private readonly gate: ReportGate;
  /** The time that all levels are worked out for. */
  readonly at: number;
  /** The first refused signup by domain and day. */
  private readonly stops = new Map<string, Place>();
  private readonly firstLists = new LevelSums(LIST_LEVELS);
  private readonly domains = new LevelSums(DOMAIN_LEVELS);
  private readonly sums = { domain: new LevelSums(DOMAIN_LEVELS), list: new LevelSums(LIST_LEVELS) } as const;
  /** What the levels have beside the parts that their addresses keep. */
  private readonly rests = { domain: new LevelSums(DOMAIN_LEVELS), list: new LevelSums(LIST_LEVELS) } as const;
  private readonly restMailed = new Map<string, Mailed>();
  private readonly reported = { domain: new Set<string>(), list: new Set<string>() } as const;
  private readonly stoppedOn = new Map<string, number>();
  private readonly mailed = new Map<string, Mailed>();
  /** Domains and days of which a refused signup is counted. */
  private readonly countedDays = new Set<string>();

  constructor(by: LevelUpdate, at: number, gate: ReportGate) {
    this.by = by;
    this.at = at;
    this.gate = gate;
  }

  /** Begins a group of domains. */
  begin(): void {
    this.stops.clear();
    this.domains.clear();
    this.sums.domain.clear();
    this.rests.domain.clear();
    this.restMailed.clear();
    this.reported.domain.clear();
    this.stoppedOn.clear();
    this.mailed.clear();
    this.countedDays.clear();
  }

  /** What a domain's addresses have to know of one another before they say anything. */
  note(name: string, address: AddressHistory): void {
    this.noteMailed(address);
    this.noteStop(name, address);
  }

  private noteMailed({ domain, purpose, firstSeenAt, reports }: AddressHistory): void {
    const counted = standingOf(reports);
    if (counted === null) return;
    if (purpose === 'signup' && counted === 'refused') {
      const day = `${domain} ${dayOf(firstSeenAt)}`;
      if (this.countedDays.has(day)) return;
      this.countedDays.add(day);
    }
    this.count(domain, counted, 1);
    this.countRest(domain, counted, 1);
  }

  private count(domain: string, counted: Exclude<Standing, null>, by: 1 | -1): void {
    const mailed = this.mailed.get(domain) ?? NONE_MAILED;
    this.mailed.set(domain, { ...mailed, [counted]: Math.max(0, mailed[counted] + by) });
  }

  private countRest(domain: string, counted: Standing, by: 1 | -1): void {
    if (counted === null) return;
    const rest = this.restMailed.get(domain) ?? NONE_MAILED;
    this.restMailed.set(domain, { ...rest, [counted]: rest[counted] + by });
  }

  private noteStop(name: string, address: AddressHistory): void {
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
    const said = { ...say({ domain: others, list: null }, this.at), domain };
    for (const kind of ['domain', 'list'] as const) {
      const at = address[kind];
      if (at === null) continue;
      this.sums[kind].add(at, said[kind], 1);
      this.rests[kind].add(at, said[kind], 1);
    }
    this.mark(address, said.isReported);
    return said;
  }

  /** The part that the address keeps once it is taken. */
  keep(address: AddressHistory, part: OwnPart | null): void {
    if (part === null) return;
    for (const kind of ['domain', 'list'] as const) {
      const at = address[kind];
      if (at !== null) this.rests[kind].add(at, logOddsOf(part[kind]), -faded(kind, this.at - part.at));
    }
    this.countRest(address.domain, part.counted, -1);
  }

  /** An address that was taken has another part now, or none. */
  change(address: AddressHistory, old: OwnPart | null, part: OwnPart | null): void {
    for (const [own, sign] of [[old, -1] as const, [part, 1] as const]) {
      if (own === null) continue;
      if (own.counted !== null) this.count(address.domain, own.counted, sign);
      for (const kind of ['domain', 'list'] as const) {
        const name = address[kind];
        if (name !== null) this.sums[kind].add(name, logOddsOf(own[kind]), sign * faded(kind, this.at - own.at));
      }
    }
    const isReported = address.reports.length > 0;
    if (part !== null) this.mark(address, { domain: isReported, list: isReported });
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
        ...((kind === 'domain' ? this.mailed.get(name) : undefined) ?? NONE_MAILED),
      }
    );
  }

  /** What the levels have beside the parts that their addresses keep; null: not more than one part may be off. */
  rest(kind: keyof Neighbours, name: string): LevelRest | null {
    const values = this.rests[kind].of(name);
    const mailed = (kind === 'domain' ? this.restMailed.get(name) : undefined) ?? NONE_MAILED;
    if (values === null) return null;
    const isSmall = Math.max(...values) - Math.min(...values) <= REST_OFF;
    if (isSmall && mailed.refused === 0 && mailed.delivered === 0) return null;
    return { values: centred(values), at: this.at, ...mailed };
  }

  /** What an address says of its domain beside its list. */
  private besideList(say: Shown, { list }: AddressHistory): readonly number[] {
    const others = list === null ? null : this.firstLists.without(list, say(ALONE, this.at).list);
    return say({ domain: null, list: others }, this.at).domain;
  }

  private mark({ domain, list }: AddressHistory, isReported: Said['isReported']): void {
    if (isReported.domain) this.reported.domain.add(domain);
    if (isReported.list && list !== null) this.reported.list.add(list);
  }

  /** Null also for a signup after its domain's first refused one of that day: who may choose addresses would choose the level. */
  private shown(name: string, address: AddressHistory): Shown | null {
    const { purpose, domain, firstSeenAt: at } = address;
    const stop = purpose === 'signup' ? this.stops.get(`${domain} ${dayOf(at)}`) : undefined;
    if (stop !== undefined && isAfter({ at, name }, stop)) return null;
    const mailed = this.mailed.get(domain) ?? null;
    return this.by.shown(address, (report) => this.gate.reachOf(report, address, mailed, this.at));
  }
}

const isOff = (kind: keyof Neighbours, own: OwnPart, said: Said, at: number): boolean => {
  const fade = faded(kind, at - own.at);
  return logOddsOf(own[kind]).some((value, place) => Math.abs(value * fade - (said[kind][place] ?? 0)) > PART_OFF);
};

/** The part that an address keeps from now on: the one it has, as long as that is near enough. */
export function keptPart(old: OwnPart | null, said: Said | null, at: number): OwnPart | null {
  if (said === null) return null;
  const isKept =
    old !== null && old.counted === said.counted && !isOff('domain', old, said, at) && !isOff('list', old, said, at);
  return isKept ? old : partOf(said, at);
}

/** Whether levels say what these say that a sweep has found. */
export function areAlike(kind: keyof Neighbours, levels: Levels, swept: Levels): boolean {
  const fade = faded(kind, swept.at - levels.at);
  return (
    levels.isReported === swept.isReported &&
    levels.refused === swept.refused &&
    levels.delivered === swept.delivered &&
    (levels.stoppedOn ?? 0) >= (swept.stoppedOn ?? 0) &&
    swept.values.every((value, at) => {
      const before = (levels.values[at] ?? 0) * fade;
      return Math.abs(Math.max(UNLIKELY, before) - Math.max(UNLIKELY, value)) <= LEVELS_OFF;
    })
  );
}

/** Whether what is kept beside the parts says what a sweep has found. */
export function areRestsAlike(kind: keyof Neighbours, rest: LevelRest, swept: LevelRest): boolean {
  const fade = faded(kind, swept.at - rest.at);
  return (
    rest.refused === swept.refused &&
    rest.delivered === swept.delivered &&
    swept.values.every((value, at) => Math.abs((rest.values[at] ?? 0) * fade - value) <= LEVELS_OFF)
  );
}
