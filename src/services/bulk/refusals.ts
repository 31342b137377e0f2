import type { Job } from '../../domain/bulk/job.ts';
import type { JobRecord, Moved } from '../../domain/bulk/job-record.ts';
import { noColumnMessage, standingOf } from '../../domain/bulk/present.ts';
import { DomainError } from '../../kernel/errors.ts';

export const NO_JOB = new DomainError('not_found', 'This job does not exist.');
const NO_POLICY = new DomainError('not_found', 'This policy does not exist.');
export const GONE = new DomainError('gone', 'The job’s files were deleted.');
export const TAKEN = new DomainError('conflict', 'While this file was read the job took another one, or ended.');
export const TOO_LARGE = new DomainError('too_large', 'The file is larger than 50 MB.');
export const notYet = (job: Job): DomainError =>
  new DomainError('conflict', `There are no results. ${standingOf(job)}`);

/** Says why a job refuses a step, and which steps it takes. */
export function refusalOf(why: Extract<Moved, { ok: false }>['why'], { job, wishes }: JobRecord): DomainError {
  if (why === 'missing') return NO_JOB;
  if (why === 'no_policy') return NO_POLICY;
  if (why !== 'no_email_column') return new DomainError('conflict', standingOf(job));
  return new DomainError('no_email_column', noColumnMessage(wishes.emailColumn !== null, job.file?.columns ?? []));
}
