import type { BulkErrorCode, BulkState } from '../../contract/bulk.ts';
import type { Purpose, Unasked, Verdict } from '../../contract/vocabulary.ts';
import { DAY_MS } from '../../kernel/clock.ts';
import type { Id } from '../../kernel/ids.ts';
import { type Breakdown, type DomainShare, NO_BREAKDOWN } from './breakdown.ts';
import { chunksOf } from './csv/address-file.ts';
import type { Charset, CsvLayout } from './csv/dialect.ts';

/** Events of a job. `slot`: one of the organisation's two running places is free. */
export const BULK_EVENTS = [
  'file_read',
  'file_unreadable',
  'change',
  'start_in_slot',
  'start_without_slot',
  'slot_freed',
  'quota_ended',
  'resume_in_slot',
  'resume_without_slot',
  'last_chunk_done',
  'cancel',
  'delete',
  'time_over',
] as const;
export type BulkEvent = (typeof BULK_EVENTS)[number];

type Transitions = Partial<Readonly<Record<BulkEvent, BulkState>>>;

/** For a job that has not ended: it expires after seven days, and deleting its files cancels it. */
const UNFINISHED: Transitions = { delete: 'cancelled', time_over: 'expired' };
/** An ended job keeps its state when its files are deleted. */
const afterEnd = (state: BulkState): Transitions => ({ delete: state, time_over: state });

/** An event without a row is refused with 409. */
const TRANSITIONS: Readonly<Record<BulkState, Transitions>> = {
  uploading: { ...UNFINISHED, file_read: 'ready', file_unreadable: 'failed' },
  ready: { ...UNFINISHED, change: 'ready', start_in_slot: 'running', start_without_slot: 'queued' },
  queued: { ...UNFINISHED, slot_freed: 'running', cancel: 'cancelled' },
  running: { ...UNFINISHED, quota_ended: 'paused_quota', last_chunk_done: 'done', cancel: 'cancelled' },
  paused_quota: { ...UNFINISHED, resume_in_slot: 'running', resume_without_slot: 'queued', cancel: 'cancelled' },
  done: afterEnd('done'),
  failed: afterEnd('failed'),
  cancelled: afterEnd('cancelled'),
  expired: afterEnd('expired'),
};

/** Null where the state does not allow the event. */
export const nextState = (state: BulkState, event: BulkEvent): BulkState | null => TRANSITIONS[state][event] ?? null;

/** Running jobs of an organisation; further ones queue, oldest start first. */
export const RUNNING_JOBS_MAX = 2;

/** Whether a job that ended with this code failed on our side. */
const IS_OURS: Readonly<Record<BulkErrorCode, boolean>> = {
  // The caller's file is at fault.
  empty_file: false,
  not_text: false,
  no_rows: false,
  too_many_rows: false,
  too_wide: false,
  unclosed_quote: false,
  internal_error: true,
  // Most such jobs were never started, or waited for quota.
  expired_unfinished: false,
};
export const OUR_ERRORS = Object.entries(IS_OURS).flatMap(([code, isOurs]) => (isOurs ? [code] : []));

/** How long after its creation a job may run, and its files are stored. */
export const RETENTION_MS = 7 * DAY_MS;

/** A job as stored: one row. Times are epoch milliseconds. */
export interface Job {
  readonly id: Id<'bj'>;
  readonly state: BulkState;
  readonly name: string | null;
  readonly purpose: Purpose;
  readonly policySlug: string | null;
  /** Null until a file was read. */
  readonly file: {
    readonly reading: CsvLayout;
    readonly columns: readonly string[];
    /** A second column that is nearly as likely. */
    readonly emailColumnOther: number | null;
    readonly charset: Charset | null;
    readonly rows: number;
    readonly unique: number;
    readonly invalid: number;
    /** For each chunk, the rows beyond the first of each address. */
    readonly repeats: readonly number[];
    readonly domains: readonly DomainShare[];
  } | null;
  /** Fixed at start. */
  readonly chunksTotal: number | null;
  readonly chunksDone: number;
  /** Rows that are skipped, or whose address has a result or failed for good. */
  readonly rowsDone: number;
  readonly counts: Readonly<Partial<Record<Verdict, number>>>;
  /** Addresses whose mail hosts could not be looked up. */
  readonly unresolved: number;
  readonly asking: Asking;
  readonly breakdown: Breakdown;
  /** The first address that no chunk was cut for. */
  readonly cursor: number;
  /** Metered verifications, including those in progress. */
  readonly charged: number;
  readonly error: BulkErrorCode | null;
  readonly allowPartial: boolean;
  readonly notify: boolean;
  readonly createdAt: number;
  readonly startedAt: number | null;
  readonly finishedAt: number | null;
  readonly filesDeletedAt: number | null;
}

/** How many addresses a provider was asked about, and why not about the others. */
export interface Asking {
  readonly asked: number;
  readonly notAsked: Readonly<Partial<Record<Unasked, number>>>;
}

/** Addresses that are charged but without a result: one row while the chunk is in progress. */
export interface Chunk {
  readonly jobId: Id<'bj'>;
  /** The place on the grid of a hundred addresses. */
  readonly index: number;
  /** From `from` to `to`: all hundred, or as many as the quota allowed. */
  readonly from: number;
  readonly to: number;
  /** The current worker's lease; null while the chunk waits. */
  readonly lease: string | null;
  /** When the lease or the wait ends. */
  readonly until: number;
  /** Tries that failed, and leases that ended silently. */
  readonly failures: number;
  readonly lapses: number;
  /** The UTC month it was charged in, `YYYY-MM`. */
  readonly month: string;
  /** When it was cut. Trace ids derive from it, so that a retry gives the same ids. */
  readonly begunAt: number;
}

export interface Work {
  readonly job: Job;
  readonly chunks: readonly Chunk[];
}

/** Verifications to charge in a UTC month; negative for a refund. */
export interface Charge {
  readonly month: string;
  readonly count: number;
}

/** A job after a step, and the step's charges. */
export interface Step extends Work {
  readonly charges: readonly Charge[];
}

export const expiresAt = ({ createdAt }: Pick<Job, 'createdAt'>): number => createdAt + RETENTION_MS;

export const newJob = (wishes: Pick<Job, 'id' | 'name' | 'purpose' | 'policySlug'>, createdAt: number): Job => ({
  ...wishes,
  state: 'uploading',
  file: null,
  chunksTotal: null,
  chunksDone: 0,
  rowsDone: 0,
  counts: {},
  unresolved: 0,
  asking: { asked: 0, notAsked: {} },
  breakdown: NO_BREAKDOWN,
  cursor: 0,
  charged: 0,
  error: null,
  allowPartial: false,
  notify: false,
  createdAt,
  startedAt: null,
  finishedAt: null,
  filesDeletedAt: null,
});

/** Adds a reading's findings, after an upload or when the stored file is read again. */
export function read(job: Job, file: NonNullable<Job['file']>): Job | 'state' {
  const state = nextState(job.state, job.file === null ? 'file_read' : 'change');
  return state === null ? 'state' : { ...job, state, file };
}

export function failRead(job: Job, error: BulkErrorCode, now: number): Job | 'state' {
  const state = nextState(job.state, 'file_unreadable');
  return state === null ? 'state' : { ...job, state, error, finishedAt: now };
}

/** What a job needs in order to start or continue. */
export interface Capacity {
  /** Null means unmetered. */
  readonly quotaLeft: number | null;
  readonly running: number;
}

const hasSlot = ({ running }: Capacity): boolean => running < RUNNING_JOBS_MAX;

/** Starts a job, or returns the obstacle. */
export function start(
  job: Job,
  wishes: { readonly allowPartial: boolean; readonly notify: boolean },
  capacity: Capacity,
  now: number,
): Job | 'state' | 'no_email_column' | 'quota' {
  const state = nextState(job.state, hasSlot(capacity) ? 'start_in_slot' : 'start_without_slot');
  if (state === null || job.file === null) return 'state';
  if (job.file.reading.emailColumn === null) return 'no_email_column';
  const { unique, invalid } = job.file;
  if (!wishes.allowPartial && capacity.quotaLeft !== null && unique > capacity.quotaLeft) return 'quota';
  return whenDone(
    { ...job, ...wishes, state, startedAt: now, chunksTotal: chunksOf(unique), rowsDone: invalid },
    [],
    now,
  );
}

/** Resumes a paused job: by call, after a raised quota, and on the 1st of the month. */
export function resume(job: Job, capacity: Capacity): Job | 'state' | 'quota' {
  const state = nextState(job.state, hasSlot(capacity) ? 'resume_in_slot' : 'resume_without_slot');
  if (state === null) return 'state';
  return capacity.quotaLeft !== null && capacity.quotaLeft <= 0 ? 'quota' : { ...job, state };
}

/** The queued job that was started first. */
export function nextInQueue(jobs: readonly Job[]): Job | null {
  const queued = jobs.filter(({ state }) => state === 'queued');
  const order = (a: Job, b: Job): number =>
    (a.startedAt ?? 0) - (b.startedAt ?? 0) || a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1);
  return queued.toSorted(order)[0] ?? null;
}

export function promote(job: Job, now: number): Job | 'state' {
  const state = nextState(job.state, 'slot_freed');
  return state === null ? 'state' : whenDone({ ...job, state }, [], now);
}

/** A running job with nothing left to do is done. */
export function whenDone(job: Job, chunks: readonly Chunk[], now: number): Job {
  const isDone = job.cursor >= (job.file?.unique ?? 0) && chunks.length === 0;
  const state = isDone ? nextState(job.state, 'last_chunk_done') : null;
  return state === null ? job : { ...job, state, finishedAt: now };
}

/** Cancels a job: chunks in progress are finished, chunks that wait for a retry are dropped. */
export function cancel({ job, chunks }: Work, now: number): Step | 'state' {
  const state = nextState(job.state, 'cancel');
  if (state === null) return 'state';
  const ended = { ...job, state, finishedAt: now };
  return drop({ job: ended, chunks }, ({ lease, until }) => lease === null || until <= now);
}

/** Deletes a job's files and ends it and its chunks, whose results can't be stored. Null means already deleted. */
export const remove = (work: Work, now: number): Step | null => endFiles(work, 'delete', now);

/** Deletes the files after their retention. Null means it is not over, or they are deleted. */
export const expire = (work: Work, now: number): Step | null =>
  now < expiresAt(work.job) ? null : endFiles(work, 'time_over', now);

/** Removes the header's cells and domain names along with the files. */
export const withoutFiles = (job: Job, now: number): Job => ({
  ...job,
  file: job.file && { ...job.file, columns: [], domains: [] },
  filesDeletedAt: job.filesDeletedAt ?? now,
});

function endFiles({ job, chunks }: Work, event: BulkEvent & ('delete' | 'time_over'), now: number): Step | null {
  const state = nextState(job.state, event);
  if (state === null || job.filesDeletedAt !== null) return null;
  const error = state === 'expired' ? 'expired_unfinished' : job.error;
  const ended = withoutFiles({ ...job, state, error, finishedAt: job.finishedAt ?? now }, now);
  return drop({ job: ended, chunks }, () => true);
}

/** Drops chunks without a result, and refunds their charge. */
export function drop({ job, chunks }: Work, isDropped: (chunk: Chunk) => boolean): Step {
  const dropped = chunks.filter(isDropped);
  const charges = dropped.map(({ month, from, to }) => ({ month, count: from - to }));
  const charged = charges.reduce((sum, { count }) => sum + count, job.charged);
  return { job: { ...job, charged }, chunks: chunks.filter((chunk) => !dropped.includes(chunk)), charges };
}

/** Results can be downloaded if the job is done or cancelled and its files exist. */
export function resultsOf({ state, filesDeletedAt }: Job): 'ready' | 'not_yet' | 'gone' {
  if (filesDeletedAt !== null) return 'gone';
  return state === 'done' || state === 'cancelled' ? 'ready' : 'not_yet';
}
