import type * as contract from '../../contract/bulk.ts';
import type { JobMove, JobRecord, Moved } from '../../domain/bulk/job-record.ts';
import { jobBody } from '../../domain/bulk/present.ts';
import { DomainError } from '../../kernel/errors.ts';
import { type Id, parseId } from '../../kernel/ids.ts';
import { askObject, type BulkPort, PORT_VERSION } from '../../organisation/api.ts';
import type { Context } from '../verb.ts';
import { estimateJob } from './estimate.ts';
import { NO_JOB, refusalOf } from './refusals.ts';

const CALL_TIMEOUT_MS = 10_000;

export const askJobs = <T>(
  { deps, organisationId }: Context,
  name: keyof BulkPort,
  call: (stub: BulkPort) => Promise<T>,
): Promise<T> => askObject(deps.objects, organisationId, name, call, CALL_TIMEOUT_MS);

/** The job of this id, or a refusal. Test keys see the jobs of test keys, live keys those of live keys. */
export async function requireJob(context: Context, text: string): Promise<JobRecord> {
  const id = parseId('bj', text);
  const record =
    id === null ? null : await askJobs(context, 'findJob', (stub) => stub.findJob({ v: PORT_VERSION, id }));
  if (record === null || record.owner.mode !== context.mode) throw NO_JOB;
  return record;
}

export async function requireUploading(context: Context, id: string): Promise<JobRecord> {
  const record = await requireJob(context, id);
  if (record.job.state !== 'uploading') throw refusalOf('state', record);
  return record;
}

/** Has the job take a step. The answer says why where it can't. */
export function moveJob(context: Context, id: Id<'bj'>, step: JobMove): Promise<Moved> {
  const operationId = `${context.traceId} ${step.kind}`;
  return askJobs(context, 'moveJob', (stub) => stub.moveJob({ v: PORT_VERSION, operationId, id, move: step }));
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
