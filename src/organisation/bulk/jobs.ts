import type { LayoutHints } from '../../domain/bulk/csv/detect.ts';
import {
  type Capacity,
  type Job,
  RUNNING_JOBS_MAX,
  type Chunk,
  type Step,
  type Work,
  expire,
  expiresAt,
  nextInQueue,
  promote,
  resume,
} from '../../domain/bulk/job.ts';
import type { JobRecord } from '../../domain/bulk/job-record.ts';
import { nextTimerAt } from '../../domain/bulk/chunks.ts';
import {
  enrichmentLeftMicros,
  monthBounds,
  providerLeftMicros,
  type SettledReservation,
  utcMonth,
  verificationQuota,
} from '../../domain/metering/usage.ts';
import { MINUTE_MS } from '../../kernel/clock.ts';
import type { Id } from '../../kernel/ids.ts';
import type { ObjectCore } from '../core.ts';
import { findPolicy, findPolicyVersion, type JobPolicy } from '../policies.ts';
import * as store from '../sql/bulk.ts';
import { addCalls, addSpend, readMeter, settle, writeMeter } from '../sql/metering.ts';
import { dropErasedMarks, dropProjected } from '../sql/organisation.ts';
import type { Sql } from '../sql/sql.ts';

/** Drops a used column name. The empty string still shows that one was given. */
const withoutColumnName = ({ hasHeader, emailColumn }: LayoutHints): LayoutHints => ({
  hasHeader,
  emailColumn: typeof emailColumn === 'string' ? '' : emailColumn,
});

/** A mail is retried after a minute, doubling. */
const mailDelayMs = (tries: number): number => (tries <= 1 ? 0 : MINUTE_MS * 2 ** (tries - 2));

export interface Change extends Work {
  readonly charges?: Step['charges'];
  readonly spendMicros?: number;
  readonly providerMicros?: number;
  readonly enrichment?: readonly SettledReservation[];
  readonly providers?: readonly SettledReservation[];
  readonly with?: Partial<Omit<JobRecord, 'job'>>;
}

/** The object's jobs, and the consequences of their steps: charges, slots, deadlines, the projection. */
export class BulkJobs {
  private readonly core: ObjectCore;
  private readonly sql: Sql;

  constructor(core: ObjectCore) {
    this.core = core;
    this.sql = core.sql;
  }

  now(): number {
    return this.core.now();
  }

  /** The job as of now: its 7 days may have ended before the timer runs. */
  find(id: Id<'bj'>): store.HeldJob | null {
    const held = store.findJob(this.sql, id);
    if (held === null || this.now() < expiresAt(held.record.job)) return held;
    const work = this.workOf(held);
    const over = expire(work, this.now());
    if (over === null) return held;
    this.save(held, work.chunks, over);
    return store.findJob(this.sql, id);
  }

  workOf({ record: { job } }: store.HeldJob): Work {
    return { job, chunks: store.listChunks(this.sql, job.id) };
  }

  /** The owner's remaining quota and slots; test keys are not metered. */
  capacity({ owner }: Pick<JobRecord, 'owner'>): Capacity {
    const { usage } = readMeter(this.sql, this.now());
    const quotaLeft = owner.mode === 'test' ? null : verificationQuota(usage, this.core.require().limits).remaining;
    return { quotaLeft, running: store.countInState(this.sql, 'running') };
  }

  /** The job's policy version; until it starts, the version in force. */
  policyVersion({ job, policyVersion }: JobRecord): number | null {
    return policyVersion ?? (job.policySlug === null ? null : findPolicyVersion(this.sql, job.policySlug));
  }

  policyOf({ job: { policySlug }, policyVersion }: JobRecord): JobPolicy | null {
    if (policySlug === null || policyVersion === null) return null;
    const policy = findPolicy(this.sql, policySlug, policyVersion);
    if (policy === null) throw new Error('the job’s policy is not there');
    const { usage } = readMeter(this.sql, this.now());
    return { ...policy, enrichmentLeftMicros: enrichmentLeftMicros(usage, this.core.require().limits) };
  }

  /** The month's remaining provider budget; null means unlimited. */
  providerLeft(): number | null {
    return providerLeftMicros(readMeter(this.sql, this.now()).usage, this.core.require().limits);
  }

  save(held: store.HeldJob, chunks: readonly Chunk[], change: Change): JobRecord {
    const now = this.now();
    const { job: old, ...rest } = held.record;
    const { job } = change;
    const wishes = job.state === 'uploading' ? rest.wishes : withoutColumnName(rest.wishes);
    const record: JobRecord = { ...rest, wishes, ...change.with, job };
    if (record.owner.mode === 'live') this.charge(change, old.startedAt === null && job.startedAt !== null, now);
    for (const each of change.enrichment ?? []) settle(this.sql, now, 'enrichment', each);
    for (const each of change.providers ?? []) settle(this.sql, now, 'providers', each);
    const isGone = old.filesDeletedAt === null && job.filesDeletedAt !== null;
    if (isGone) {
      store.deleteResults(this.sql, job.id);
      dropProjected(this.sql, 'bulk_job', job.id);
    }
    const isDone = old.state !== 'done' && job.state === 'done';
    const hasMail = isDone && job.notify && record.owner.userId !== null;
    const kept: store.HeldJob = {
      ...held,
      record,
      version: held.version + 1,
      filesDue: isGone ? now : held.filesDue,
      mailTry: hasMail ? 1 : held.mailTry,
    };
    const dueAt = this.dueAt(kept, change, old, now);
    store.putJob(this.sql, kept, dueAt);
    if (dueAt === null) dropErasedMarks(this.sql);
    if (job.file !== old.file) store.putColumns(this.sql, job.id, job.file?.columns ?? []);
    store.putChunks(this.sql, job.id, chunks, change.chunks);
    // Postgres gets a job's new states, but not each chunk's counts.
    if (held.version === 0 || job.state !== old.state || job.file !== old.file || isGone) {
      this.core.project('bulk_job', job.id, { version: kept.version, record });
    }
    if (old.state === 'running' && job.state !== 'running') this.fillSlots();
    if (dueAt !== null) this.core.timers.advance(store.timerOf(kept), dueAt);
    return record;
  }

  resumePaused(): void {
    for (const held of store.listInState(this.sql, 'paused_quota')) {
      const job = resume(held.record.job, this.capacity(held.record));
      if (typeof job !== 'string') this.save(held, [], { ...this.workOf(held), job });
    }
  }

  /** A due wake-up stays due while workers are busy, since some of them may have died. */
  private dueAt({ record, filesDue, mailTry }: store.HeldJob, work: Work, old: Job, now: number): number | null {
    const { job } = record;
    if (job.state === 'running' && old.state !== 'running') return now;
    const due = Math.min(
      nextTimerAt(work, now) ?? Number.POSITIVE_INFINITY,
      filesDue ?? Number.POSITIVE_INFINITY,
      // The mail of a job deleted meanwhile waits until its files are gone.
      mailTry > 0 && filesDue === null ? now + mailDelayMs(mailTry) : Number.POSITIVE_INFINITY,
      job.state === 'paused_quota' ? monthBounds(utcMonth(now)).toMs : Number.POSITIVE_INFINITY,
    );
    const set = store.dueAtOf(this.sql, job.id);
    const kept = set !== null && set > now ? Math.min(set, due) : due;
    return Number.isFinite(kept) ? kept : null;
  }

  private fillSlots(): void {
    for (;;) {
      const queued = store.listInState(this.sql, 'queued');
      const next = nextInQueue(queued.map(({ record }) => record.job));
      const held = queued.find(({ record }) => record.job === next);
      if (held === undefined || this.capacity(held.record).running >= RUNNING_JOBS_MAX) return;
      const job = promote(held.record.job, this.now());
      if (typeof job === 'string') return;
      this.save(held, [], { ...this.workOf(held), job });
    }
  }

  /** Charges of a past month are ignored. */
  private charge({ charges = [], spendMicros = 0, providerMicros = 0 }: Change, isStarted: boolean, now: number): void {
    const meter = readMeter(this.sql, now);
    const count = charges.reduce((sum, each) => sum + (each.month === meter.usage.month ? each.count : 0), 0);
    if (count === 0 && spendMicros === 0 && !isStarted) return;
    const { usage, ...rest } = addSpend(addCalls(meter, 'bulk', count), { spendMicros, providerMicros });
    writeMeter(this.sql, { ...rest, usage: { ...usage, bulkJobs: usage.bulkJobs + Number(isStarted) } });
  }
}
