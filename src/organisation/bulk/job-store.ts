import type { LayoutHints } from '../../domain/bulk/csv/detect.ts';
import {
  type Capacity,
  expire,
  expiresAt,
  type Job,
  nextInQueue,
  promote,
  type Range,
  resume,
  type Step,
  type Work,
} from '../../domain/bulk/job.ts';
import type { JobRecord, ProjectedJob, SettledEnrichment } from '../../domain/bulk/job-record.ts';
import { nextTimerAt } from '../../domain/bulk/ranges.ts';
import { RUNNING_JOBS_MAX } from '../../domain/bulk/states.ts';
import {
  enrichmentLeftMicros,
  type Limits,
  monthBounds,
  utcMonth,
  verificationQuota,
} from '../../domain/metering/usage.ts';
import { MINUTE_MS } from '../../kernel/clock.ts';
import type { Id } from '../../kernel/ids.ts';
import type { PolicyInForce } from '../api.ts';
import * as store from '../sql/bulk.ts';
import { addCalls, readMeter, settleEnrichment, writeMeter } from '../sql/metering.ts';
import { dropProjected } from '../sql/organisation.ts';
import { findPolicyVersion } from '../sql/policy.ts';
import type { Sql, Transact } from '../sql/sql.ts';

/** Of a column that was named by text the text goes with its use; that one was named is told to who starts the job. */
const withoutColumnName = ({ hasHeader, emailColumn }: LayoutHints): LayoutHints => ({
  hasHeader,
  emailColumn: typeof emailColumn === 'string' ? '' : emailColumn,
});

/** A mail is tried again after a minute, doubling. */
const mailDelayMs = (tries: number): number => (tries <= 1 ? 0 : MINUTE_MS * 2 ** (tries - 2));

/** What the book of jobs needs of its object. */
export interface BulkJobStoreDeps {
  readonly sql: Sql;
  readonly transact: Transact;
  now(): number;
  limits(): Limits;
  project(job: Omit<ProjectedJob, 'organisationId'>): void;
  /** Sees to it that this timer goes off by then. */
  wakeBy(timer: store.BulkTimerName, dueAt: number): void;
}

/** A job after a step. */
export interface Change extends Work {
  readonly charges?: Step['charges'];
  readonly spendMicros?: number;
  readonly enrichment?: readonly SettledEnrichment[];
  readonly with?: Partial<Omit<JobRecord, 'job'>>;
}

/** The jobs as the object keeps them: whatever a step leaves behind (charges, slots, deadlines, the projection) is done here. */
export class BulkJobStore {
  readonly sql: Sql;
  private readonly deps: BulkJobStoreDeps;

  constructor(deps: BulkJobStoreDeps) {
    this.deps = deps;
    this.sql = deps.sql;
  }

  now(): number {
    return this.deps.now();
  }

  transact<T>(work: () => T): T {
    return this.deps.transact(work);
  }

  /** A job as it stands: its 7 days may be over before the timer says so. */
  find(id: Id<'bj'>): store.HeldJob | null {
    const held = store.findJob(this.sql, id);
    if (held === null || this.now() < expiresAt(held.record.job)) return held;
    const work = this.workOf(held);
    const over = expire(work, this.now());
    if (over === null) return held;
    this.save(held, work.ranges, over);
    return store.findJob(this.sql, id);
  }

  workOf({ record: { job } }: store.HeldJob): Work {
    return { job, ranges: store.listRanges(this.sql, job.id) };
  }

  /** Nothing is metered under a test key. */
  capacity({ owner }: Pick<JobRecord, 'owner'>): Capacity {
    const { usage } = readMeter(this.sql, this.deps.now());
    const quotaLeft = owner.mode === 'test' ? null : verificationQuota(usage, this.deps.limits()).remaining;
    return { quotaLeft, running: store.countInState(this.sql, 'running') };
  }

  /** The version in force, until a job has begun with one. */
  policyVersion({ job, policyVersion }: JobRecord): number | null {
    return policyVersion ?? (job.policySlug === null ? null : findPolicyVersion(this.sql, job.policySlug));
  }

  /** As its rows are decided by it; null without a policy. */
  policyOf({ policyVersion }: JobRecord): PolicyInForce | null {
    if (policyVersion === null) return null;
    const { usage } = readMeter(this.sql, this.deps.now());
    return { version: policyVersion, enrichmentLeftMicros: enrichmentLeftMicros(usage, this.deps.limits()) };
  }

  save(held: store.HeldJob, ranges: readonly Range[], change: Change): JobRecord {
    const now = this.deps.now();
    const { job: old, ...rest } = held.record;
    const { job } = change;
    const wishes = job.state === 'uploading' ? rest.wishes : withoutColumnName(rest.wishes);
    const record: JobRecord = { ...rest, wishes, ...change.with, job };
    if (record.owner.mode === 'live') this.charge(change, old.startedAt === null && job.startedAt !== null, now);
    for (const each of change.enrichment ?? []) settleEnrichment(this.sql, now, each);
    const isGone = old.filesDeletedAt === null && job.filesDeletedAt !== null;
    if (isGone) {
      store.deleteResults(this.sql, job.id);
      dropProjected(this.sql, 'bulk_job', job.id);
    }
    const isDone = old.state !== 'done' && job.state === 'done';
    const hasMail = isDone && job.notify && record.owner.userId !== null;
    const kept: store.HeldJob = {
      record,
      version: held.version + 1,
      filesDue: isGone ? now : held.filesDue,
      mailTry: hasMail ? 1 : held.mailTry,
    };
    const dueAt = this.dueAt(kept, change, old, now);
    store.putJob(this.sql, kept, dueAt);
    if (job.file !== old.file) store.putColumns(this.sql, job.id, job.file?.columns ?? []);
    store.putRanges(this.sql, job.id, ranges, change.ranges);
    // Each range changes the counts; Postgres is shown how it ended.
    if (held.version === 0 || job.state !== old.state || job.file !== old.file || isGone) {
      this.deps.project({ version: kept.version, record });
    }
    if (old.state === 'running' && job.state !== 'running') this.fillSlots();
    if (dueAt !== null) this.deps.wakeBy(store.timerOf(kept), dueAt);
    return record;
  }

  /** Lets paused jobs go on where there is quota again. */
  resumePaused(): void {
    for (const held of store.listInState(this.sql, 'paused_quota')) {
      const job = resume(held.record.job, this.capacity(held.record));
      if (typeof job !== 'string') this.save(held, [], { ...this.workOf(held), job });
    }
  }

  /** A wake-up that is due stays so, however much is going on: some of those who work may be gone. */
  private dueAt({ record, filesDue, mailTry }: store.HeldJob, work: Work, old: Job, now: number): number | null {
    const { job } = record;
    if (job.state === 'running' && old.state !== 'running') return now;
    const due = Math.min(
      nextTimerAt(work, now) ?? Number.POSITIVE_INFINITY,
      filesDue ?? Number.POSITIVE_INFINITY,
      // Of a job that was deleted meanwhile the mail goes once the files are gone.
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
      const job = promote(held.record.job, this.deps.now());
      if (typeof job === 'string') return;
      this.save(held, [], { ...this.workOf(held), job });
    }
  }

  /** Charges of a month that is over change nothing any more. */
  private charge({ charges = [], spendMicros = 0 }: Change, isStarted: boolean, now: number): void {
    const meter = readMeter(this.sql, now);
    const count = charges.reduce((sum, each) => sum + (each.month === meter.usage.month ? each.count : 0), 0);
    if (count === 0 && spendMicros === 0 && !isStarted) return;
    const { usage, ...rest } = addCalls(meter, 'bulk', count);
    writeMeter(this.sql, {
      ...rest,
      usage: {
        ...usage,
        bulkJobs: usage.bulkJobs + Number(isStarted),
        spendMicros: usage.spendMicros + spendMicros,
      },
    });
  }
}
