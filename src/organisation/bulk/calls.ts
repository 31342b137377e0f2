import type { BulkErrorCode, BulkState } from '../../contract/bulk.ts';
import type { KeyMode } from '../../domain/access/keys.ts';
import { rowName } from '../../domain/belief/names.ts';
import {
  cancel,
  expire,
  failRead,
  type Job,
  read,
  remove,
  resume,
  type Step,
  start,
  type Work,
  withoutFiles,
} from '../../domain/bulk/job.ts';
import type {
  CachedSample,
  JobMove,
  JobRecord,
  Moved,
  ProjectedJob,
  ResultPart,
} from '../../domain/bulk/job-record.ts';
import {
  type Claim,
  claimed,
  claimChunk,
  completeChunk,
  expireLeases,
  failChunk,
  type ChunkCounts,
  renewLease,
} from '../../domain/bulk/chunks.ts';
import type { SettledReservation } from '../../domain/metering/usage.ts';
import type { Id } from '../../kernel/ids.ts';
import { once } from '../changes.ts';
import type { ObjectCore } from '../core.ts';
import { type OwnLosses, ownLosses, type JobPolicy } from '../policies.ts';
import type { LookupMatch, RuleLookup } from '../authorization.ts';
import * as store from '../sql/bulk.ts';
import { erasedSince, type ChunkRecords, withoutErased } from '../sql/bulk.ts';
import { appendRecords } from '../sql/operations.ts';
import { matchRulesOfAll } from '../rules.ts';
import { currentLookup } from '../sql/rehash.ts';
import type { BulkJobs, Change } from './jobs.ts';

export interface ChunkLease {
  readonly id: Id<'bj'>;
  readonly chunk: number;
  readonly lease: string;
}

export interface JobPage {
  readonly mode: KeyMode;
  readonly state: BulkState | null;
  readonly limit: number;
  readonly before: Id<'bj'> | null;
}

export interface FinishedChunk extends ChunkLease, ChunkRecords {
  readonly outcome: ChunkCounts;
  readonly spendMicros: number;
  readonly enrichment: readonly SettledReservation[];
  /** Reservations of the provider budget for its addresses. */
  readonly providers: readonly SettledReservation[];
  /** The providers' part of `spendMicros` without a reservation. */
  readonly providerMicros: number;
}

export interface FailedChunk extends ChunkLease {
  readonly retryAt: number;
  /** Possible bills for addresses that will be retried. */
  readonly spendMicros: number;
  readonly providers: readonly SettledReservation[];
  readonly providerMicros: number;
}

export interface ClaimedChunk {
  readonly claim: Claim;
  readonly record: JobRecord;
  readonly policy: JobPolicy | null;
  readonly providerLeftMicros?: number;
  readonly losses?: OwnLosses;
  /** Vendors that the account switched off. */
  readonly off: readonly string[];
}

export interface JobMoveCall {
  readonly operationId: string;
  readonly id: Id<'bj'>;
  readonly move: JobMove;
}

/** Calls about bulk jobs: the steps of `domain/bulk` on the object's tables, each in a transaction. */
export class BulkCalls {
  private readonly core: ObjectCore;
  private readonly jobs: BulkJobs;

  constructor(core: ObjectCore, jobs: BulkJobs) {
    this.core = core;
    this.jobs = jobs;
  }

  create(record: JobRecord): JobRecord {
    return this.transactLive(
      () =>
        store.findJob(this.core.sql, record.job.id)?.record ??
        this.jobs.save({ record, version: 0, filesDue: null, mailTry: 0 }, [], { job: record.job, chunks: [] }),
    );
  }

  /** Until a job starts, `policyVersion` is the version in force. */
  find(id: Id<'bj'>): JobRecord | null {
    return this.transactLive(() => {
      const record = this.jobs.find(id)?.record;
      return record === undefined ? null : { ...record, policyVersion: this.jobs.policyVersion(record) };
    });
  }

  list(page: JobPage): readonly JobRecord[] {
    return this.transactLive(() => {
      const { sql } = this.core;
      // Expired jobs are among the few that are due.
      for (const { record } of store.listDueJobs(sql, this.core.now(), page.limit)) this.jobs.find(record.job.id);
      return store.listJobs(sql, page).map(({ record }) => record);
    });
  }

  move({ id, operationId, move }: JobMoveCall): Moved {
    const missing = { ok: false, why: 'missing' } as const;
    return this.transactLive<Moved>(() => {
      const { sql } = this.core;
      // The stored answer excludes the record, whose data a later step may delete.
      const taken = once({ sql, now: this.core.now() }, operationId, () => takeMove(this.jobs, id, move));
      const record = this.jobs.find(id)?.record;
      if (!taken.ok) return taken;
      return record === undefined ? missing : { ...taken, record };
    }, missing);
  }

  noteSample(id: Id<'bj'>, sample: CachedSample): null {
    return this.transactLive(() => {
      const held = this.jobs.find(id);
      if (held !== null) this.jobs.save(held, [], { ...this.jobs.workOf(held), with: { sample } });
      return null;
    });
  }

  claim(id: Id<'bj'>, lease: string): ClaimedChunk | null {
    return this.transactLive(() => {
      const held = this.jobs.find(id);
      if (held === null) return null;
      const before = this.jobs.workOf(held);
      const again = claimed(before, lease);
      const inForce = this.inForce(held.record);
      if (again !== null) return { claim: again, record: held.record, ...inForce };
      const now = this.core.now();
      const lapsed = expireLeases(before, now);
      const step = claimChunk(lapsed, this.jobs.capacity(held.record).quotaLeft, now, lease);
      const charges = [...lapsed.charges, ...step.charges];
      const record = this.jobs.save(held, before.chunks, { ...step, charges });
      return step.claim === null ? null : { claim: step.claim, record, ...inForce };
    }, null);
  }

  renew({ id, chunk, lease }: ChunkLease): boolean {
    return this.transactLive(() => this.step(id, (work, now) => renewLease(work, chunk, lease, now)), false);
  }

  finish(call: FinishedChunk): 'lost' | 'kept' | 'last' {
    return this.transactLive(() => this.takeFinished(call), 'lost');
  }

  fail({ id, chunk, lease, retryAt, spendMicros, providerMicros, providers }: FailedChunk): boolean {
    const take = (work: Work, now: number) => failChunk(work, chunk, lease, retryAt, now);
    return this.transactLive(() => this.step(id, take, { spendMicros, providerMicros, providers }), false);
  }

  match(asked: readonly RuleLookup[], jobId: Id<'bj'> | undefined): readonly LookupMatch[] {
    // Even right after a crash, a chunk gets the same numbers.
    return this.transactLive(() => {
      const { sql, history } = this.core;
      const lookups = asked.map((lookup) => currentLookup(sql, lookup));
      const matches = matchRulesOfAll(sql, lookups);
      const isErased = jobId === undefined ? null : erasedSince(sql, jobId);
      return matches.map((match, place): LookupMatch => {
        const { addressHash = null, history: lookup } = lookups[place] ?? {};
        if (addressHash === null) return match;
        if (isErased?.(rowName(addressHash)) === true) return { ...match, isErased: true };
        return lookup === undefined
          ? match
          : { ...match, history: history.known(addressHash, lookup, '', this.core.now()) };
      });
    });
  }

  results(id: Id<'bj'>): readonly ResultPart[] {
    return this.transactLive(() => store.listResults(this.core.sql, id));
  }

  /** Restores jobs from their projection. Their pending work and files are lost. */
  restore(jobs: readonly Omit<ProjectedJob, 'organisationId'>[]): null {
    return this.transactLive(() => {
      const now = this.core.now();
      for (const { record, version } of jobs) {
        const { job } = record;
        if (store.findJob(this.core.sql, job.id) !== null) continue;
        const ended: Job =
          job.finishedAt === null ? { ...job, state: 'failed', error: 'internal_error', finishedAt: now } : job;
        const held = { record, version, filesDue: now, mailTry: 0 };
        this.jobs.save(held, [], { job: withoutFiles(ended, now), chunks: [] });
      }
      return null;
    });
  }

  /** Wake-ups and chunk holders may outlive the organisation: they get `ofDeleted`, other callers an error. */
  private transactLive<T>(work: () => T, ofDeleted?: T): T {
    if (!this.core.isDeleted) return this.core.transact(work);
    if (ofDeleted === undefined) throw new Error('no organisation in this object');
    return ofDeleted;
  }

  private inForce(record: JobRecord): Omit<ClaimedChunk, 'claim' | 'record'> {
    const losses = record.owner.mode === 'live' ? ownLosses(this.core.sql) : null;
    const providerLeftMicros = this.jobs.providerLeft();
    return {
      policy: this.jobs.policyOf(record),
      ...(losses === null ? {} : { losses }),
      ...(providerLeftMicros === null ? {} : { providerLeftMicros }),
      off: this.core.require().privacy?.off ?? [],
    };
  }

  private takeFinished(call: FinishedChunk): 'lost' | 'kept' | 'last' {
    const { id, chunk, lease, outcome, spendMicros, enrichment, providers, providerMicros } = call;
    const { sql } = this.core;
    const { traces, observations } = withoutErased(sql, id, call);
    const part = store.listChunks(sql, id).find(({ index }) => index === chunk);
    // Also of a holder whose lease has ended: the answers are paid for, and the next holder need not ask again.
    this.core.learn(observations);
    const complete = (work: Work, now: number) => completeChunk(work, chunk, lease, outcome, now);
    if (!this.step(id, complete, { spendMicros, providerMicros, enrichment, providers }))
      return store.hasResult(sql, id, lease) ? this.standing(id) : 'lost';
    if (part !== undefined) store.insertResult(sql, id, { from: part.from, to: part.to, lease });
    appendRecords(sql, 'trace', traces, this.core.now());
    if (traces.length > 0) this.core.drainSoon();
    return this.standing(id);
  }

  private standing(id: Id<'bj'>): 'kept' | 'last' {
    return store.findJob(this.core.sql, id)?.record.job.state === 'done' ? 'last' : 'kept';
  }

  /** False: the job is gone, or does not take the step. */
  private step(
    id: Id<'bj'>,
    take: (work: Work, now: number) => Step | null,
    spent: Pick<Change, 'spendMicros' | 'providerMicros' | 'enrichment' | 'providers'> = {},
  ): boolean {
    const held = this.jobs.find(id);
    if (held === null) return false;
    const before = this.jobs.workOf(held);
    const step = take(before, this.core.now());
    if (step !== null) this.jobs.save(held, before.chunks, { ...step, ...spent });
    return step !== null;
  }
}

/** Why a job does not move. */
type Refusal = Exclude<Extract<Moved, { ok: false }>['why'], 'missing'>;

/** The result of a move, without the job's record. */
type Taken = Omit<Extract<Moved, { ok: true }>, 'record'> | Extract<Moved, { ok: false }>;

/** Applies a caller's step to a job, or returns why it can't. */
function takeMove(jobs: BulkJobs, id: Id<'bj'>, move: JobMove): Taken {
  const held = jobs.find(id);
  if (held === null) return { ok: false, why: 'missing' };
  const before = jobs.workOf(held);
  const change = moved(jobs, held, before, move);
  if (typeof change === 'string') return { ok: false, why: change };
  const replaced = move.kind === 'change' && move.reread !== null && held.record.upload?.reading;
  jobs.save(held, before.chunks, change);
  return { ok: true, ...(replaced && { replaced }) };
}

function moved(jobs: BulkJobs, held: store.HeldJob, work: Work, move: JobMove): Change | Refusal {
  const { job, chunks } = work;
  const now = jobs.now();
  const as = <R extends string>(next: Job | R, rest: Partial<Change> = {}): Change | R =>
    typeof next === 'string' ? next : { job: next, chunks, ...rest };
  switch (move.kind) {
    case 'read':
      return job.file === null ? as(read(job, move.file), { with: { upload: move.upload } }) : 'state';
    case 'unreadable':
      return as(failRead(job, move.error satisfies BulkErrorCode, now));
    case 'change': {
      const file = move.reread?.file ?? job.file;
      if (file === null || job.file === null) return 'state';
      const changed = read(job, file);
      if (typeof changed === 'string') return changed;
      const { name = job.name, policySlug = job.policySlug } = move;
      const rest = move.reread === null ? {} : { with: { upload: move.reread.upload, sample: null } };
      return { job: { ...changed, name, policySlug }, chunks, ...rest };
    }
    case 'start': {
      const policyVersion = jobs.policyVersion(held.record);
      if (job.policySlug !== null && policyVersion === null) return 'no_policy';
      return as(start(job, move, jobs.capacity(held.record), now), { with: { policyVersion } });
    }
    case 'resume':
      return as(resume(job, jobs.capacity(held.record)));
    case 'cancel':
      return cancel(work, now);
    case 'remove':
      return remove(work, now) ?? work;
    case 'expire':
      return expire(work, now) ?? work;
  }
}
