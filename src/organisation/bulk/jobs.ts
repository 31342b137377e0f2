import type { BulkErrorCode } from '../../contract/bulk.ts';
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
import type { CachedSample, JobMove, JobRecord, Moved, ProjectedJob } from '../../domain/bulk/job-record.ts';
import { claimed, claimRange, completeRange, expireLeases, failRange, renewLease } from '../../domain/bulk/ranges.ts';
import type { Id } from '../../kernel/ids.ts';
import type { ClaimedRange, FailedRange, FinishedRange, JobPage, RangeLease } from '../calls.ts';
import { once } from '../once.ts';
import * as store from '../sql/bulk.ts';
import { findCalibrationVersion } from '../sql/calibration.ts';
import { appendTraces } from '../sql/organisation.ts';
import type { Sql } from '../sql/sql.ts';
import type { BulkJobStore, Change } from './job-store.ts';

/** Why a job does not move. */
type Refusal = Exclude<Extract<Moved, { ok: false }>['why'], 'missing'>;

/** The result of a step, without the job's record. */
type Taken = Omit<Extract<Moved, { ok: true }>, 'record'> | Extract<Moved, { ok: false }>;

/** The calls about an account's bulk jobs: the steps of `domain/bulk` on the object's tables, each in a transaction. */
export class BulkJobs {
  private readonly jobStore: BulkJobStore;
  private readonly sql: Sql;
  private readonly drain: () => void;

  /** @param drain called after traces went into the outbox */
  constructor(jobStore: BulkJobStore, drain: () => void) {
    this.jobStore = jobStore;
    this.sql = jobStore.sql;
    this.drain = drain;
  }

  create(record: JobRecord): JobRecord {
    const known = store.findJob(this.sql, record.job.id);
    if (known !== null) return known.record;
    this.jobStore.save({ record, version: 0, filesDue: null, mailTry: 0 }, [], { job: record.job, ranges: [] });
    return record;
  }

  find(id: Id<'bj'>): JobRecord | null {
    const record = this.jobStore.find(id)?.record;
    return record === undefined ? null : { ...record, policyVersion: this.jobStore.policyVersion(record) };
  }

  list(page: JobPage): JobRecord[] {
    // Jobs whose time is over are among the few that are due.
    for (const { record } of store.listDueJobs(this.sql, this.jobStore.now(), page.limit))
      this.jobStore.find(record.job.id);
    return store.listJobs(this.sql, page).map(({ record }) => record);
  }

  move(id: Id<'bj'>, operationId: string, move: JobMove): Moved {
    const moved = once({ sql: this.sql, now: this.jobStore.now() }, operationId, () => this.take(id, move));
    const record = this.jobStore.find(id)?.record;
    if (!moved.ok) return moved;
    return record === undefined ? { ok: false, why: 'missing' } : { ...moved, record };
  }

  noteSample(id: Id<'bj'>, sample: CachedSample): null {
    const held = this.jobStore.find(id);
    if (held !== null) this.jobStore.save(held, [], { ...this.jobStore.workOf(held), with: { sample } });
    return null;
  }

  renew({ id, range, lease }: RangeLease): boolean {
    return this.step(id, (work, now) => renewLease(work, range, lease, now));
  }

  fail({ id, range, lease, retryAt, spendMicros = 0 }: FailedRange): boolean {
    return this.step(id, (work, now) => failRange(work, range, lease, retryAt, now), { spendMicros });
  }

  restore(jobs: readonly Omit<ProjectedJob, 'organisationId'>[]): null {
    for (const { record, version } of jobs) this.restoreOne(record, version);
    return null;
  }

  /** The ledger keeps this answer without the record, which would keep data there that a later step deletes. */
  private take(id: Id<'bj'>, move: JobMove): Taken {
    const held = this.jobStore.find(id);
    if (held === null) return { ok: false, why: 'missing' };
    const before = this.jobStore.workOf(held);
    const change = this.moved(held, before, move);
    if (typeof change === 'string') return { ok: false, why: change };
    const replaced = move.kind === 'change' && move.reread !== null && held.record.upload?.reading;
    this.jobStore.save(held, before.ranges, change);
    return { ok: true, ...(replaced && { replaced }) };
  }

  private moved(held: store.HeldJob, work: Work, move: JobMove): Change | Refusal {
    const { job, ranges } = work;
    const now = this.jobStore.now();
    const as = <R extends string>(next: Job | R, rest: Partial<Change> = {}): Change | R =>
      typeof next === 'string' ? next : { job: next, ranges, ...rest };
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
        return { job: { ...changed, name, policySlug }, ranges, ...rest };
      }
      case 'start': {
        const policyVersion = this.jobStore.policyVersion(held.record);
        if (job.policySlug !== null && policyVersion === null) return 'no_policy';
        return as(start(job, move, this.jobStore.capacity(held.record), now), { with: { policyVersion } });
      }
      case 'resume':
        return as(resume(job, this.jobStore.capacity(held.record)));
      case 'cancel':
        return cancel(work, now);
      case 'remove':
        return remove(work, now) ?? work;
      case 'expire':
        return expire(work, now) ?? work;
    }
  }

  claim(id: Id<'bj'>, lease: string): ClaimedRange | null {
    const held = this.jobStore.find(id);
    if (held === null) return null;
    const before = this.jobStore.workOf(held);
    const again = claimed(before, lease);
    const inForce = { policy: this.jobStore.policyOf(held.record), calibration: findCalibrationVersion(this.sql) };
    if (again !== null) return { claim: again, record: held.record, ...inForce };
    const now = this.jobStore.now();
    const lapsed = expireLeases(before, now);
    const step = claimRange(lapsed, this.jobStore.capacity(held.record).quotaLeft, now, lease);
    const record = this.jobStore.save(held, before.ranges, { ...step, charges: [...lapsed.charges, ...step.charges] });
    return step.claim === null ? null : { claim: step.claim, record, ...inForce };
  }

  finish(finished: FinishedRange): 'lost' | 'kept' | 'last' {
    const { id, range, lease, outcome, spendMicros, enrichment, traces } = finished;
    const part = store.listRanges(this.sql, id).find(({ index }) => index === range);
    if (!this.step(id, (work, now) => completeRange(work, range, lease, outcome, now), { spendMicros, enrichment })) {
      return store.hasResult(this.sql, id, lease) ? this.standing(id) : 'lost';
    }
    if (part !== undefined) store.insertResult(this.sql, id, { from: part.from, to: part.to, lease });
    const now = this.jobStore.now();
    appendTraces(this.sql, traces, now);
    if (traces.length > 0) this.drain();
    return this.standing(id);
  }

  private standing(id: Id<'bj'>): 'kept' | 'last' {
    return store.findJob(this.sql, id)?.record.job.state === 'done' ? 'last' : 'kept';
  }

  private step(
    id: Id<'bj'>,
    take: (work: Work, now: number) => Step | null,
    spent: Pick<Change, 'spendMicros' | 'enrichment'> = {},
  ): boolean {
    const held = this.jobStore.find(id);
    if (held === null) return false;
    const before = this.jobStore.workOf(held);
    const step = take(before, this.jobStore.now());
    if (step !== null) this.jobStore.save(held, before.ranges, { ...step, ...spent });
    return step !== null;
  }

  /** Restores a job's record from its projection. Its pending work and its files are lost. */
  private restoreOne(record: JobRecord, version: number): void {
    const { job } = record;
    if (store.findJob(this.sql, job.id) !== null) return;
    const now = this.jobStore.now();
    const ended: Job =
      job.finishedAt === null ? { ...job, state: 'failed', error: 'internal_error', finishedAt: now } : job;
    const held = { record, version, filesDue: now, mailTry: 0 };
    this.jobStore.save(held, [], { job: withoutFiles(ended, now), ranges: [] });
  }
}
