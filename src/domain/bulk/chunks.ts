import type { Unasked, Verdict } from '../../contract/vocabulary.ts';
import { SECOND_MS } from '../../kernel/clock.ts';
import { utcMonth } from '../metering/usage.ts';
import { type Breakdown, NO_BREAKDOWN, together } from './breakdown.ts';
import { CHUNK_ADDRESSES } from './csv/address-file.ts';
import {
  type Asking,
  type Job,
  type Chunk,
  type Step,
  type Work,
  drop,
  expiresAt,
  nextState,
  whenDone,
} from './job.ts';

export const LEASE_MS = 60 * SECOND_MS;
/** When a lost wake-up is sent again. */
const WAKE_MS = 30 * SECOND_MS;
export const CHUNKS_MAX = 4;
/** A chunk fails after this many tries. */
export const TRIES_MAX = 5;
/** A lapsed lease is not the chunk's fault, but a chunk that crashes its worker every time must end. */
const LAPSES_MAX = 50;

/** A chunk's addresses for its holder, until the lease ends. */
export interface Claim {
  readonly chunk: number;
  readonly from: number;
  readonly to: number;
  readonly lease: string;
  readonly until: number;
  readonly begunAt: number;
  /** Earlier failed tries, and whether one may have left a checkpoint. */
  readonly failures: number;
  readonly isRetry: boolean;
  /** Addresses that can't be checked in this try get the result `error`. */
  readonly isLastTry: boolean;
}

const NO_CHARGES = { charges: [] } as const;
const gridEnd = (index: number, unique: number): number => Math.min((index + 1) * CHUNK_ADDRESSES, unique);

const isWaiting = ({ lease, until }: Chunk, now: number): boolean => lease === null && until <= now;

/**
 * Claims the next chunk, after `expireLeases`: a waiting one, else the next of the grid that the quota allows. Null
 * when nothing can be claimed now, or when the job has just paused for the quota.
 * @param quotaLeft verifications left this month; null if unmetered
 * @param lease a name never used before
 */
export function claimChunk(
  work: Work,
  quotaLeft: number | null,
  now: number,
  lease: string,
): Step & { claim: Claim | null } {
  const { job, chunks } = work;
  if (job.state !== 'running') return { ...work, ...NO_CHARGES, claim: null };
  const waiting = chunks.find((chunk) => isWaiting(chunk, now));
  if (waiting !== undefined) return { ...NO_CHARGES, ...withLease(work, waiting, now, lease) };

  const unique = job.file?.unique ?? 0;
  const index = Math.floor(job.cursor / CHUNK_ADDRESSES);
  // The rest of a cut chunk waits until its first part has finished: a chunk has one result.
  const isFull = chunks.length >= CHUNKS_MAX || chunks.some((chunk) => chunk.index === index);
  if (job.cursor >= unique || isFull) return { ...work, ...NO_CHARGES, claim: null };
  const to = Math.min(gridEnd(index, unique), job.cursor + Math.max(0, quotaLeft ?? unique));
  if (to === job.cursor) {
    const state = chunks.length === 0 ? nextState(job.state, 'quota_ended') : null;
    return { job: { ...job, state: state ?? job.state }, chunks, ...NO_CHARGES, claim: null };
  }
  const month = utcMonth(now);
  const count = to - job.cursor;
  const cut: Chunk = {
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
    ...withLease({ job: begun, chunks: [...chunks, cut] }, cut, now, lease),
    charges: [{ month, count }],
  };
}

function withLease({ job, chunks }: Work, chunk: Chunk, now: number, lease: string): Work & { claim: Claim } {
  const leasedChunk: Chunk = { ...chunk, lease, until: now + LEASE_MS };
  return {
    job,
    chunks: chunks.map((other) => (other === chunk ? leasedChunk : other)),
    claim: claimOf(leasedChunk, lease),
  };
}

function claimOf({ index, from, to, until, failures, lapses, begunAt }: Chunk, lease: string): Claim {
  const tries = { failures, isRetry: failures + lapses > 0, isLastTry: failures + 1 >= TRIES_MAX };
  return { chunk: index, from, to, lease, until, begunAt, ...tries };
}

/** The chunk already claimed under this lease: the transport may send a claim twice. */
export function claimed({ chunks }: Work, lease: string): Claim | null {
  const chunk = chunks.find((each) => each.lease === lease);
  return chunk === undefined ? null : claimOf(chunk, lease);
}

const leased = ({ chunks }: Work, index: number, lease: string, now: number): Chunk | undefined =>
  chunks.find((chunk) => chunk.index === index && chunk.lease === lease && chunk.until > now);

/** Null means the lease has ended. */
export function renewLease(work: Work, index: number, lease: string, now: number): Step | null {
  const chunk = leased(work, index, lease, now);
  if (chunk === undefined) return null;
  const longer = { ...chunk, until: now + LEASE_MS };
  return { ...work, ...NO_CHARGES, chunks: work.chunks.map((other) => (other === chunk ? longer : other)) };
}

export interface ChunkCounts {
  readonly counts: Readonly<Partial<Record<Verdict, number>>>;
  /** Addresses that could not be checked: not charged. */
  readonly errors: number;
  /** Checked addresses whose mail hosts could not be looked up. */
  readonly unresolved: number;
  readonly asking: Asking;
  readonly breakdown: Breakdown;
}

/** Completes a chunk. Null means the lease has ended, or the counts don't cover all its addresses. */
export function completeChunk(work: Work, index: number, lease: string, result: ChunkCounts, now: number): Step | null {
  const chunk = leased(work, index, lease, now);
  if (chunk === undefined) return null;
  const verified = Object.values(result.counts).reduce((sum, count) => sum + count, 0);
  return verified + result.errors === chunk.to - chunk.from ? settle(work, chunk, result, now) : null;
}

/** Ends a failed try: the chunk waits until `retryAt`, or fails after the last one. Null means the lease has ended. */
export function failChunk(work: Work, index: number, lease: string, retryAt: number, now: number): Step | null {
  const chunk = leased(work, index, lease, now);
  return chunk === undefined ? null : release(work, { ...chunk, failures: chunk.failures + 1, until: retryAt }, now);
}

export function expireLeases(work: Work, now: number): Step {
  return work.chunks
    .filter(({ lease, until }) => lease !== null && until <= now)
    .reduce<Step>(
      (step, chunk) => {
        const next = release(step, { ...chunk, lapses: chunk.lapses + 1 }, now);
        return { ...next, charges: [...step.charges, ...next.charges] };
      },
      { ...work, ...NO_CHARGES },
    );
}

/** A chunk without a holder waits for another or fails; an ended job's chunk is dropped. */
function release(work: Work, chunk: Chunk, now: number): Step {
  const { job } = work;
  const chunks = work.chunks.map((other) => (other.index === chunk.index ? { ...chunk, lease: null } : other));
  if (job.state !== 'running') return drop({ job, chunks }, ({ index }) => index === chunk.index);
  const isOver = chunk.failures >= TRIES_MAX || chunk.lapses >= LAPSES_MAX;
  return isOver
    ? settle(work, chunk, { ...NO_COUNTS, errors: chunk.to - chunk.from }, now)
    : { job, chunks, ...NO_CHARGES };
}

/** Rows with an address of the chunk. A part of a chunk gets its share of the repeats, so parts add up to the whole. */
function rowsOf({ index, from, to }: Chunk, file: Job['file']): number {
  const begin = index * CHUNK_ADDRESSES;
  const [repeats, size] = [file?.repeats[index] ?? 0, gridEnd(index, file?.unique ?? 0) - begin];
  const upTo = (address: number): number => Math.floor((repeats * (address - begin)) / size);
  return to - from + upTo(to) - upTo(from);
}

export const NO_COUNTS: Omit<ChunkCounts, 'errors'> = {
  counts: {},
  unresolved: 0,
  asking: { asked: 0, notAsked: {} },
  breakdown: NO_BREAKDOWN,
};

function settle(
  { job, chunks }: Work,
  chunk: Chunk,
  { counts, errors, unresolved, asking, breakdown }: ChunkCounts,
  now: number,
): Step {
  const left = chunks.filter(({ index }) => index !== chunk.index);
  const sums = { ...job.counts };
  for (const [verdict, count] of Object.entries(counts) as [Verdict, number][]) {
    sums[verdict] = (sums[verdict] ?? 0) + count;
  }
  const isWhole = chunk.to === gridEnd(chunk.index, job.file?.unique ?? 0);
  const settled = {
    ...job,
    counts: sums,
    unresolved: job.unresolved + unresolved,
    asking: added(job.asking, asking),
    breakdown: together(job.breakdown, breakdown),
    charged: job.charged - errors,
    chunksDone: job.chunksDone + (isWhole ? 1 : 0),
    rowsDone: job.rowsDone + rowsOf(chunk, job.file),
  };
  return {
    job: whenDone(settled, left, now),
    chunks: left,
    charges: errors === 0 ? [] : [{ month: chunk.month, count: -errors }],
  };
}

/** When a job next needs work: an ended lease or wait, expired files, a due wake-up. Null means never. */
export function nextTimerAt({ job, chunks }: Work, now: number): number | null {
  if (job.filesDeletedAt !== null) return null;
  const untils = chunks.filter((chunk) => !isWaiting(chunk, now)).map(({ until }) => until);
  const hasNext = chunks.length < CHUNKS_MAX && job.cursor < (job.file?.unique ?? 0);
  const isWaking = job.state === 'running' && (hasNext || untils.length < chunks.length);
  return Math.min(expiresAt(job), ...untils, isWaking ? now + WAKE_MS : Number.POSITIVE_INFINITY);
}

function added(before: Asking, { asked, notAsked }: Asking): Asking {
  const sums = { ...before.notAsked };
  for (const [reason, count] of Object.entries(notAsked) as [Unasked, number][])
    sums[reason] = (sums[reason] ?? 0) + count;
  return { asked: before.asked + asked, notAsked: sums };
}
