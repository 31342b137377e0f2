import { DAY_MS, HOUR_MS } from '../../kernel/clock.ts';
import type { SourceErrors } from './evidence.ts';
import { NO_ERRORS } from './evidence.ts';
import { type AddressFacts, beginOf, type KnownReport, polarityOf, sourcesOf } from './facts.ts';
import type { DomainGroup } from './groups.ts';
import { type HostClass, isShared, operatorOf } from './host-class.ts';

/**
 * A report's scope beyond the address: all groups; only whether its domain is abandoned; none. `none` of an outage
 * excludes even the address itself while the outage lasts.
 */
export type Scope = 'all' | 'given_up' | 'none';

export interface TrustPolicy {
  /** Share of wrong reports by source. */
  readonly errors: SourceErrors;
  scopeOf(report: KnownReport, host: HostClass, domain: Pick<DomainGroup, 'deliveredAt'> | null, now: number): Scope;
}

export const TRUST_ALL: TrustPolicy = { errors: NO_ERRORS, scopeOf: () => 'all' };

/** One source's reports within six hours about one kind of host. */
export interface ReportTally {
  readonly source: string;
  readonly host: HostClass;
  /** Six hours, counted from the epoch. */
  readonly period: number;
  readonly delivered: number;
  readonly refused: number;
}
type Tally = Pick<ReportTally, 'delivered' | 'refused'>;

export const dayOf = (at: number): number => Math.floor(at / DAY_MS);

const PERIOD_MS = 6 * HOUR_MS;
export const periodOf = (at: number): number => Math.floor(at / PERIOD_MS);
const periods = (days: number): number => (days * DAY_MS) / PERIOD_MS;

export const TALLIES_KEPT_MS = 90 * DAY_MS;

/**
 * A source moves groups while its last 90 days have so many reports, with two deliveries to a refusal. One that reports
 * only refusals would make every list look bad; a leaked or faulty one could claim anything.
 */
const TRUSTED = { reports: 20, deliveries: 2 } as const;

/**
 * An outage: refusals at one operator within twelve hours at three times the rate that other hosts and its own past
 * make likely. On 14 December 2020 Gmail answered 5.1.1 for everybody. A bad list is refused at all hosts, so without
 * reports elsewhere the two can't be distinguished.
 */
const JUMP = { periods: 2, refused: 10, elsewhere: 10, times: 3, share: 0.5 } as const;
/** The baseline of a jump: two months that end a week before it, with so many reports of all hosts. */
const PAST = { periods: periods(60), ends: periods(7), reports: 30 } as const;

const NONE: Tally = { delivered: 0, refused: 0 };

/** A source's refusals, and those contradicted by another source's delivery. */
interface Contradicted {
  refusals: number;
  wrong: number;
}
/** Refusals needed before a source can err. The prior is one wrong in a hundred. */
const REFUSALS_MIN = 20;
const PRIOR = { refusals: 100, wrong: 1 } as const;
/** A later delivery means that the mailbox has recovered. */
const CONTRADICTS_MS = 30 * DAY_MS;

/** How often each source's refusals are contradicted by others' later deliveries. */
export class Contradictions {
  private readonly sources = new Map<string, Contradicted>();

  note({ reports }: Pick<AddressFacts, 'reports'>): void {
    for (const refusal of reports) {
      if (polarityOf(refusal) !== 'refused') continue;
      const deliveries = reports.filter(
        (other) =>
          polarityOf(other) === 'delivered' && other.at >= refusal.at && other.at - refusal.at < CONTRADICTS_MS,
      );
      for (const source of sourcesOf(refusal)) {
        const found = this.sources.get(source) ?? { refusals: 0, wrong: 0 };
        found.refusals += 1;
        if (deliveries.some((delivery) => sourcesOf(delivery).some((other) => other !== source))) found.wrong += 1;
        this.sources.set(source, found);
      }
    }
  }

  errors(): SourceErrors {
    const shares = [...this.sources].flatMap(([source, { refusals, wrong }]): [string, number][] => {
      const share = (wrong + PRIOR.wrong) / (refusals + PRIOR.refusals);
      return refusals >= REFUSALS_MIN && share > PRIOR.wrong / PRIOR.refusals ? [[source, Math.min(0.5, share)]] : [];
    });
    return Object.fromEntries(shares);
  }
}

class Periods {
  private readonly tallies = new Map<number, Tally>();

  add(period: number, { delivered, refused }: Tally): void {
    const before = this.tallies.get(period) ?? NONE;
    this.tallies.set(period, { delivered: before.delivered + delivered, refused: before.refused + refused });
  }

  /** @param until exclusive */
  sum(from: number, until: number): Tally {
    let [delivered, refused] = [0, 0];
    for (const [period, tally] of this.tallies)
      if (period >= from && period < until) {
        delivered += tally.delivered;
        refused += tally.refused;
      }
    // A correction is entered where its fact began, which may be another period than the one that counted it.
    return { delivered: Math.max(0, delivered), refused: Math.max(0, refused) };
  }
}

/**
 * How a report changes the tallies. Reports of one fact count once, for the first source and at the fact's beginning.
 * Otherwise a few seconds of deliveries to one's own mailbox would make any key trusted.
 */
export function tallyChanges(
  before: readonly KnownReport[],
  after: readonly KnownReport[],
  message: string,
  host: HostClass,
): readonly ReportTally[] {
  const changes = (reports: readonly KnownReport[], by: 1 | -1): ReportTally[] =>
    reports.flatMap((fact) => {
      const says = polarityOf(fact);
      if (says === null || fact.of.length > 1 || !fact.of.includes(message)) return [];
      return [{ source: fact.source, host, period: periodOf(beginOf(fact)), delivered: 0, refused: 0, [says]: by }];
    });
  return [...changes(before, -1), ...changes(after, 1)];
}

/** Reports by source and period, and the scope they give each report. */
export class ReportTallies implements TrustPolicy {
  readonly errors: SourceErrors;
  private readonly sources = new Map<string, Periods>();
  private readonly operators = new Map<string | null, Periods>();
  private readonly all = new Periods();
  /** Memoised until the next report. */
  private readonly trusted = new Map<string, boolean>();
  private readonly outages = new Map<string, boolean>();

  constructor(tallies: readonly ReportTally[], errors: SourceErrors = NO_ERRORS) {
    this.errors = errors;
    for (const tally of tallies) this.add(tally);
  }

  add({ source, host, period, ...tally }: ReportTally): void {
    periodsIn(this.sources, source).add(period, tally);
    periodsIn(this.operators, operatorOf(host)).add(period, tally);
    this.all.add(period, tally);
    this.trusted.clear();
    this.outages.clear();
  }

  isTrusted(source: string, now: number): boolean {
    const until = periodOf(now) + 1;
    return remembered(this.trusted, `${source} ${until}`, () => {
      const { delivered, refused } = periodsIn(this.sources, source).sum(until - periods(90), until);
      return delivered + refused >= TRUSTED.reports && delivered >= TRUSTED.deliveries * refused;
    });
  }

  isAnyTrusted(now: number): boolean {
    return [...this.sources.keys()].some((source) => this.isTrusted(source, now));
  }

  /** Whether refusals jumped at this host's operator at that time. */
  isOutage(host: HostClass, at: number): boolean {
    const operator = operatorOf(host);
    if (operator === null) return false;
    const period = periodOf(at);
    return remembered(
      this.outages,
      `${operator} ${period}`,
      () => this.jumps(operator, period - JUMP.periods + 1) || this.jumps(operator, period),
    );
  }

  /** Whether a report counts for the address itself: a refusal in an outage does not while it lasts. */
  isCounted(report: KnownReport, host: HostClass, now: number): boolean {
    return !this.isOfOutage(report, host) || !this.isOutage(host, now);
  }

  scopeOf(report: KnownReport, host: HostClass, domain: Pick<DomainGroup, 'deliveredAt'> | null, now: number): Scope {
    if (this.isOfOutage(report, host)) return 'none';
    if (sourcesOf(report).some((source) => this.isTrusted(source, now))) return 'all';
    const isDomainWithout = !isShared(host) && (domain?.deliveredAt ?? null) === null;
    return isDomainWithout && report.class === 'user_unknown' ? 'given_up' : 'none';
  }

  private isOfOutage(report: KnownReport, host: HostClass): boolean {
    return polarityOf(report) === 'refused' && this.isOutage(host, report.at);
  }

  private jumps(operator: string, from: number): boolean {
    const reports = periodsIn(this.operators, operator);
    const ours = reports.sum(from, from + JUMP.periods);
    if (ours.refused < JUMP.refused) return false;
    const whole = this.all.sum(from, from + JUMP.periods);
    const others = whole.refused - ours.refused;
    if (others + whole.delivered - ours.delivered < JUMP.elsewhere) return false;
    const until = from - PAST.ends;
    const past = reports.sum(until - PAST.periods, until);
    const all = this.all.sum(until - PAST.periods, until);
    if (all.refused + all.delivered < PAST.reports) return false;
    const likely = ((past.refused + 1) / (all.refused - past.refused + 1)) * (others + 1);
    if (ours.refused <= JUMP.times * likely) return false;
    // Unreported deliveries say nothing.
    if (past.delivered + ours.delivered === 0) return true;
    const rate = (past.refused + 1) / (past.refused + past.delivered + TRUSTED.reports);
    return ours.refused > Math.max(JUMP.share, JUMP.times * rate) * (ours.refused + ours.delivered);
  }
}

function periodsIn<Name>(all: Map<Name, Periods>, name: Name): Periods {
  const found = all.get(name) ?? new Periods();
  all.set(name, found);
  return found;
}

function remembered(known: Map<string, boolean>, name: string, find: () => boolean): boolean {
  const found = known.get(name) ?? find();
  known.set(name, found);
  return found;
}
