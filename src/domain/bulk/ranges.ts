import type { Unasked, Verdict } from '../../contract/vocabulary.ts';
import { SECOND_MS } from '../../kernel/clock.ts';
import { utcMonth } from '../metering/usage.ts';
import { type Breakdown, NO_BREAKDOWN, together } from './breakdown.ts';
import { RANGE_ADDRESSES } from './csv/address-file.ts';
import {
  type Asking,
  type Job,
  type Range,
  type Step,
  type Work,
  drop,
  expiresAt,
  nextState,
  whenDone,
} from './job.ts';

export const LEASE_MS = 60 * SECOND_MS;
/** A lost wake-up is sent again after this time. */
const WAKE_MS = 30 * SECOND_MS;
export const RANGES_MAX = 4;
/** A range is given up after this many failed tries. */
export const TRIES_MAX = 5;
/** A lapsed lease is not the range's fault, but a range that ends its worker each time has to stop somewhere. */
const LAPSES_MAX = 50;

/** A range for its holder: these addresses, until the lease ends. */
export interface Claim {
  readonly range: number;
  readonly from: number;
  readonly to: number;
  readonly lease: string;
  readonly until: number;
  readonly begunAt: number;
  /** Tries before this one, and whether any of them may have left a checkpoint. */
  readonly failures: number;
  readonly isRetry: boolean;
  /** Addresses that can't be checked in this try get the result `error`. */
  readonly isLastTry: boolean;
}

const NO_CHARGES = { charges: [] } as const;
const gridEnd = (index: number, unique: number): number => Math.min((index + 1) * RANGE_ADDRESSES, unique);

const isWaiting = ({ lease, until }: Range, now: number): boolean => lease === null && until <= now;

/**
 * Claims the next range, after `expireLeases`: one that waits, else the next of the grid as far as the quota allows. The claim
 * is null when nothing can be claimed now, or when the job has just paused because the quota ended.
 * @param quotaLeft verifications left this month; null when unmetered
 * @param lease a name that was never used before
 */
export function claimRange(
  work: Work,
  quotaLeft: number | null,
  now: number,
  lease: string,
): Step & { claim: Claim | null } {
  const { job, ranges } = work;
  if (job.state !== 'running') return { ...work, ...NO_CHARGES, claim: null };
  const waiting = ranges.find((range) => isWaiting(range, now));
  if (waiting !== undefined) return { ...NO_CHARGES, ...withLease(work, waiting, now, lease) };

  const unique = job.file?.unique ?? 0;
  const index = Math.floor(job.cursor / RANGE_ADDRESSES);
  // The rest of a range is cut when its first part is finished: a chunk has one result.
  const isFull = ranges.length >= RANGES_MAX || ranges.some((range) => range.index === index);
  if (job.cursor >= unique || isFull) return { ...work, ...NO_CHARGES, claim: null };
  const to = Math.min(gridEnd(index, unique), job.cursor + Math.max(0, quotaLeft ?? unique));
  if (to === job.cursor) {
    const state = ranges.length === 0 ? nextState(job.state, 'quota_ended') : null;
    return { job: { ...job, state: state ?? job.state }, ranges, ...NO_CHARGES, claim: null };
  }
  const month = utcMonth(now);
  const count = to - job.cursor;
  const cut: Range = {
    jobId: job.id,
    index,
    from: job.cursor,
    to,
    lease: null,
    until: now,
    failures: 0,
    lapses: 0,
    month,
    begunAt: now,
  };
  const begun = { ...job, cursor: to, charged: job.charged + count };
  return {
    ...withLease({ job: begun, ranges: [...ranges, cut] }, cut, now, lease),
    charges: [{ month, count }],
  };
}

function withLease({ job, ranges }: Work, range: Range, now: number, lease: string): Work & { claim: Claim } {
  const leasedRange: Range = { ...range, lease, until: now + LEASE_MS };
  return {
    job,
    ranges: ranges.map((other) => (other === range ? leasedRange : other)),
    claim: claimOf(leasedRange, lease),
  };
}

function claimOf({ index, from, to, until, failures, lapses, begunAt }: Range, lease: string): Claim {
  const tries = { failures, isRetry: failures + lapses > 0, isLastTry: failures + 1 >= TRIES_MAX };
  return { range: index, from, to, lease, until, begunAt, ...tries };
}

/** The range already claimed under this lease: our own transport may send a claim twice. */
export function claimed({ ranges }: Work, lease: string): Claim | null {
  const range = ranges.find((each) => each.lease === lease);
  return range === undefined ? null : claimOf(range, lease);
}

/** The range under a lease that still holds. */
const leased = ({ ranges }: Work, index: number, lease: string, now: number): Range | undefined =>
  ranges.find((range) => range.index === index && range.lease === lease && range.until > now);

/** Renews a lease. Null: it has ended. */
export function renewLease(work: Work, index: number, lease: string, now: number): Step | null {
  const range = leased(work, index, lease, now);
  if (range === undefined) return null;
  const longer = { ...range, until: now + LEASE_MS };
  return { ...work, ...NO_CHARGES, ranges: work.ranges.map((other) => (other === range ? longer : other)) };
}

/** How the addresses of a range turned out. */
export interface RangeCounts {
  readonly counts: Readonly<Partial<Record<Verdict, number>>>;
  /** Addresses that could not be checked: not charged. */
  readonly errors: number;
  /** Of the checked ones, those whose mail hosts could not be looked up. */
  readonly unresolved: number;
  readonly asking: Asking;
  readonly breakdown: Breakdown;
}

/**
 * Ends a range with its results. Null and no change: the lease has ended, or the counts don't cover all its addresses.
 */
export function completeRange(work: Work, index: number, lease: string, result: RangeCounts, now: number): Step | null {
  const range = leased(work, index, lease, now);
  if (range === undefined) return null;
  const verified = Object.values(result.counts).reduce((sum, count) => sum + count, 0);
  return verified + result.errors === range.to - range.from ? settle(work, range, result, now) : null;
}

/**
 * Ends a failed try: the range waits until `retryAt`, or is given up after the last try. Null: the lease has
 * ended.
 */
export function failRange(work: Work, index: number, lease: string, retryAt: number, now: number): Step | null {
  const range = leased(work, index, lease, now);
  return range === undefined ? null : release(work, { ...range, failures: range.failures + 1, until: retryAt }, now);
}

/** Takes back the ranges whose leases have ended. */
export function expireLeases(work: Work, now: number): Step {
  return work.ranges
    .filter(({ lease, until }) => lease !== null && until <= now)
    .reduce<Step>(
      (step, range) => {
        const next = release(step, { ...range, lapses: range.lapses + 1 }, now);
        return { ...next, charges: [...step.charges, ...next.charges] };
      },
      { ...work, ...NO_CHARGES },
    );
}

/** A range without its holder waits for another, or is given up; the range of an ended job is dropped. */
function release(work: Work, range: Range, now: number): Step {
  const { job } = work;
  const ranges = work.ranges.map((other) => (other.index === range.index ? { ...range, lease: null } : other));
  if (job.state !== 'running') return drop({ job, ranges }, ({ index }) => index === range.index);
  const isOver = range.failures >= TRIES_MAX || range.lapses >= LAPSES_MAX;
  return isOver
    ? settle(work, range, { ...NO_COUNTS, errors: range.to - range.from }, now)
    : { job, ranges, ...NO_CHARGES };
}

/** Rows with an address of the range. A part of a range gets its share of the repeats; the parts add up to the whole. */
function rowsOf({ index, from, to }: Range, file: Job['file']): number {
  const begin = index * RANGE_ADDRESSES;
  const [repeats, size] = [file?.repeats[index] ?? 0, gridEnd(index, file?.unique ?? 0) - begin];
  const upTo = (address: number): number => Math.floor((repeats * (address - begin)) / size);
  return to - from + upTo(to) - upTo(from);
}

/** Of a range without a checked address. */
export const NO_COUNTS: Omit<RangeCounts, 'errors'> = {
  counts: {},
  unresolved: 0,
  asking: { asked: 0, notAsked: {} },
  breakdown: NO_BREAKDOWN,
};

function settle(
  { job, ranges }: Work,
  range: Range,
  { counts, errors, unresolved, asking, breakdown }: RangeCounts,
  now: number,
): Step {
  const left = ranges.filter(({ index }) => index !== range.index);
  const sums = { ...job.counts };
  for (const [verdict, count] of Object.entries(counts) as [Verdict, number][]) {
    sums[verdict] = (sums[verdict] ?? 0) + count;
  }
  const isWhole = range.to === gridEnd(range.index, job.file?.unique ?? 0);
  const settled = {
    ...job,
    counts: sums,
    unresolved: job.unresolved + unresolved,
    asking: added(job.asking, asking),
    breakdown: together(job.breakdown, breakdown),
    charged: job.charged - errors,
    chunksDone: job.chunksDone + (isWhole ? 1 : 0),
    rowsDone: job.rowsDone + rowsOf(range, job.file),
  };
  return {
    job: whenDone(settled, left, now),
    ranges: left,
    charges: errors === 0 ? [] : [{ month: range.month, count: -errors }],
  };
}

/** When a job needs work next: a lease or a wait ends, its files' retention is over, a wake-up is due. Null: never. */
export function nextTimerAt({ job, ranges }: Work, now: number): number | null {
  if (job.filesDeletedAt !== null) return null;
  const untils = ranges.filter((range) => !isWaiting(range, now)).map(({ until }) => until);
  const hasNext = ranges.length < RANGES_MAX && job.cursor < (job.file?.unique ?? 0);
  const isWaking = job.state === 'running' && (hasNext || untils.length < ranges.length);
  return Math.min(expiresAt(job), ...untils, isWaking ? now + WAKE_MS : Number.POSITIVE_INFINITY);
}

function added(before: Asking, { asked, notAsked }: Asking): Asking {
  const sums = { ...before.notAsked };
  for (const [reason, count] of Object.entries(notAsked) as [Unasked, number][])
    sums[reason] = (sums[reason] ?? 0) + count;
  return { asked: before.asked + asked, notAsked: sums };
}
