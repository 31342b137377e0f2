import type { BulkErrorCode } from '../../contract/bulk.ts';
import { cancel, expire, failRead, type Job, read, remove, resume, start, type Work } from '../../domain/bulk/job.ts';
import type { JobMove, Moved } from '../../domain/bulk/job-record.ts';
import type { Id } from '../../kernel/ids.ts';
import type { HeldJob } from '../sql/bulk.ts';
import type { BulkJobs, Change } from './jobs.ts';

/** Why a job does not move. */
type Refusal = Exclude<Extract<Moved, { ok: false }>['why'], 'missing'>;

/** The result of a move, without the job's record. */
type Taken = Omit<Extract<Moved, { ok: true }>, 'record'> | Extract<Moved, { ok: false }>;

/** Has a job take a step that the caller asks for, or says why it does not. */
export function takeMove(jobs: BulkJobs, id: Id<'bj'>, move: JobMove): Taken {
  const held = jobs.find(id);
  if (held === null) return { ok: false, why: 'missing' };
  const before = jobs.workOf(held);
  const change = moved(jobs, held, before, move);
  if (typeof change === 'string') return { ok: false, why: change };
  const replaced = move.kind === 'change' && move.reread !== null && held.record.upload?.reading;
  jobs.save(held, before.ranges, change);
  return { ok: true, ...(replaced && { replaced }) };
}

function moved(jobs: BulkJobs, held: HeldJob, work: Work, move: JobMove): Change | Refusal {
  const { job, ranges } = work;
  const now = jobs.now();
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
