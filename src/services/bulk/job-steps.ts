import type * as contract from '../../contract/bulk.ts';
import type { JobMove, JobRecord, Moved } from '../../domain/bulk/job-record.ts';
import { jobBody } from '../../domain/bulk/present.ts';
import { DomainError } from '../../kernel/errors.ts';
import { type Id, parseId } from '../../kernel/ids.ts';
import { askObject } from '../../organisation/api.ts';
import type { Context } from '../verb.ts';
import { estimateJob } from './estimate.ts';
import { NO_JOB, refusalOf } from './refusals.ts';

/** The job of this id, or a refusal. Test keys see the jobs of test keys, live keys those of live keys. */
export async function requireJob(context: Context, text: string): Promise<JobRecord> {
  const { deps, organisationId, mode } = context;
  const id = parseId('bj', text);
  const record = id === null ? null : await askObject(deps.objects, organisationId).findJob({ id });
  if (record === null || record.owner.mode !== mode) throw NO_JOB;
  return record;
}

export async function requireUploading(context: Context, id: string): Promise<JobRecord> {
  const record = await requireJob(context, id);
  if (record.job.state !== 'uploading') throw refusalOf('state', record);
  return record;
}

/** Has the job take a step. The answer says why where it can't. */
export function moveJob({ deps, organisationId, traceId }: Context, id: Id<'bj'>, move: JobMove): Promise<Moved> {
  const operationId = `${traceId} ${move.kind}`;
  return askObject(deps.objects, organisationId).moveJob({ operationId, id, move });
}

export const jobAnswer = ({ job }: JobRecord): { job: contract.BulkJob } => ({ job: jobBody(job) });

/** Has the job take a step, or throws the refusal. */
export async function takeStep(context: Context, record: JobRecord, step: JobMove) {
  const moved = await moveJob(context, record.job.id, step);
  if (moved.ok) return jobAnswer(moved.record);
  if (moved.why !== 'quota') throw refusalOf(moved.why, record);
  throw new DomainError('quota_exceeded', 'The job does not fit what is left of this UTC month’s verifications.', {
    estimate: await estimateJob(context, record),
  });
}
