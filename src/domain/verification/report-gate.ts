import { DAY_MS } from '../../kernel/clock.ts';
import type { AddressHistory, DeliveryClass, KnownReport, Mailed, Reach, ReportGate, Standing } from './history.ts';
import type { HostClass } from './host-class.ts';
import { isShared } from './host-tables.ts';

/** Reports of a source about messages of one UTC day to one kind of host. */
export interface ReportTally {
  /** As the address's row names it (`sourceTag`). */
  readonly source: string;
  readonly host: HostClass;
  /** Since the epoch. */
  readonly day: number;
  readonly delivered: number;
  readonly refused: number;
}
type Tally = Pick<ReportTally, 'delivered' | 'refused'>;

/** What a report says of the mailbox, as far as reporters are judged by it. */
const SAYS: Readonly<Record<DeliveryClass, keyof Tally | null>> = {
  user_unknown: 'refused',
  refused: 'refused',
  full: null,
  soft: null,
  delivered: 'delivered',
  complaint: 'delivered',
};
export const sayingOf = ({ class: kind }: Pick<KnownReport, 'class'>): keyof Tally | null => SAYS[kind];

export const dayOf = (at: number): number => Math.floor(at / DAY_MS);

export const OPEN_GATE: ReportGate = { reachOf: () => 'all' };

/**
 * A source counts beyond the address while so many reports of its last 90 days have two deliveries a refusal. One that reports
 * refusals alone would show every list as bad; a leaked or faulty one whatever it likes.
 */
const TRUSTED = { days: 90, reports: 20, deliveries: 2 } as const;

/** Refusals of any other source reach a company's domain of which so many addresses were refused and none was reached. */
const REFUSED_AT_DOMAIN = 5;

/**
 * Refusals at one host jump: so many in two days, three times what the other hosts' of these days and its own past make likely. On 14
 * December 2020 Gmail answered 5.1.1 for everybody. A bad list has refusals at all hosts.
 */
const JUMP = { days: 2, refused: 10, times: 3, share: 0.5 } as const;
/** The past of a jump: two months that end a week before it, with so many reports of all hosts. */
const PAST = { days: 60, ends: 7, reports: 30 } as const;

/** Hosts of one operator go down together. Null: hosts of many operators. */
const OPERATOR = /^(google|microsoft|yahoo|apple|zoho|proton|fastmail|yandex|proofpoint|mimecast|barracuda)_/;
const operatorOf = (host: HostClass): string | null => OPERATOR.exec(host)?.[1] ?? null;

const add = (one: Tally, { delivered, refused }: Tally): Tally => ({
  delivered: one.delivered + delivered,
  refused: one.refused + refused,
});
const NONE: Tally = { delivered: 0, refused: 0 };

/** Tallies by day. */
class Days {
  private readonly days = new Map<number, Tally>();

  add(day: number, tally: Tally): void {
    this.days.set(day, add(this.days.get(day) ?? NONE, tally));
  }

  /** @param until the day behind the last one */
  sum(from: number, until: number): Tally {
    let sum = NONE;
    for (const [day, tally] of this.days) if (day >= from && day < until) sum = add(sum, tally);
    return sum;
  }
}

/** What sources have reported, day by day, and what follows for the reach of each report. */
export class ReportTallies implements ReportGate {
  private readonly sources = new Map<string, Days>();
  private readonly operators = new Map<string | null, Days>();
  private readonly all = new Days();
  /** What follows for a source, and for an operator's day, until the next report. */
  private readonly trusted = new Map<string, boolean>();
  private readonly held = new Map<string, boolean>();

  constructor(tallies: readonly ReportTally[]) {
    for (const tally of tallies) this.add(tally);
  }

  add({ source, host, day, ...tally }: ReportTally): void {
    daysIn(this.sources, source).add(day, tally);
    daysIn(this.operators, operatorOf(host)).add(day, tally);
    this.all.add(day, tally);
    this.trusted.clear();
    this.held.clear();
  }

  isTrusted(source: string, now: number): boolean {
    const today = dayOf(now);
    return remembered(this.trusted, `${source} ${today}`, () => {
      const { delivered, refused } = daysIn(this.sources, source).sum(today - TRUSTED.days, today + 1);
      return delivered + refused >= TRUSTED.reports && delivered >= TRUSTED.deliveries * refused;
    });
  }

  /** Whether refusals at hosts like this one jumped about that day: held back until they are confirmed. */
  isHeld(host: HostClass, day: number): boolean {
    const operator = operatorOf(host);
    if (operator === null) return false;
    return remembered(
      this.held,
      `${operator} ${day}`,
      () => this.jumps(operator, day - JUMP.days + 1) || this.jumps(operator, day),
    );
  }

  reachOf(
    report: KnownReport,
    address: Pick<AddressHistory, 'host' | 'reports' | 'answers'>,
    mailed: Mailed | null,
    now: number,
  ): Reach {
    if (sayingOf(report) === 'refused' && this.isUnconfirmed(report, address)) return 'none';
    if (this.isTrusted(report.source, now)) return 'all';
    const isDead =
      !isShared(address.host) && mailed !== null && mailed.refused >= REFUSED_AT_DOMAIN && mailed.delivered === 0;
    return isDead && sayingOf(report) === 'refused' ? 'domain' : 'none';
  }

  /** A refusal of a day of many, which nothing later about the address has confirmed. */
  private isUnconfirmed(
    { at }: KnownReport,
    { host, reports, answers }: Pick<AddressHistory, 'host' | 'reports' | 'answers'>,
  ): boolean {
    if (!this.isHeld(host, dayOf(at))) return false;
    const later = (other: KnownReport): boolean =>
      other.at > at && sayingOf(other) === 'refused' && !this.isHeld(host, dayOf(other.at));
    return !reports.some(later) && !answers.some((said) => said.at > at && said.verdict === 'undeliverable');
  }

  private jumps(operator: string, from: number): boolean {
    const days = daysIn(this.operators, operator);
    const ours = days.sum(from, from + JUMP.days);
    if (ours.refused < JUMP.refused) return false;
    const others = this.all.sum(from, from + JUMP.days).refused - ours.refused;
    const until = from - PAST.ends;
    const past = days.sum(until - PAST.days, until);
    const all = this.all.sum(until - PAST.days, until);
    if (all.refused + all.delivered < PAST.reports) return false;
    const likely = ((past.refused + 1) / (all.refused - past.refused + 1)) * (others + 1);
    if (ours.refused <= JUMP.times * likely) return false;
    // Deliveries that are not reported say nothing.
    if (past.delivered + ours.delivered === 0) return true;
    const rate = (past.refused + 1) / (past.refused + past.delivered + TRUSTED.reports);
    return ours.refused > Math.max(JUMP.share, JUMP.times * rate) * (ours.refused + ours.delivered);
  }
}

function daysIn<Name>(all: Map<Name, Days>, name: Name): Days {
  const days = all.get(name) ?? new Days();
  all.set(name, days);
  return days;
}

function remembered(known: Map<string, boolean>, name: string, find: () => boolean): boolean {
  const found = known.get(name) ?? find();
  known.set(name, found);
  return found;
}

/** How an address stands among those of its domain: its newest report that says either. Null: none does. */
export function standingOf(reports: readonly KnownReport[]): Standing {
  const newest = reports.findLast((report) => sayingOf(report) !== null);
  return newest === undefined ? null : sayingOf(newest);
}
