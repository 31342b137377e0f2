import type * as contract from '../../contract/bulk.ts';
import { ROUTES } from '../../contract/routes.ts';
import { USUAL_PURPOSE } from '../../contract/vocabulary.ts';
import { type JobRecord, type Moved, type JobMove, jobPrefix } from '../../domain/bulk/job-record.ts';
import { type Job, newJob } from '../../domain/bulk/job.ts';
import { noColumnMessage, standingOf, jobBody } from '../../domain/bulk/present.ts';
import { DomainError } from '../../kernel/errors.ts';
import { type Id, parseId, newId } from '../../kernel/ids.ts';
import { askObject } from '../../organisation/api.ts';
import { deletePrefix } from '../../storage/r2.ts';
import { pageOf, readCursor } from '../request-values.ts';
import { type Context, verb } from '../verb.ts';
import { estimateJob } from './estimate.ts';

const NO_JOB = new DomainError('not_found', 'This job does not exist.');
const NO_POLICY = new DomainError('not_found', 'This policy does not exist.');
export const GONE = new DomainError('gone', 'The job’s files were deleted.');
export const TAKEN = new DomainError('conflict', 'While this file was read the job took another one, or ended.');
export const TOO_LARGE = new DomainError('too_large', 'The file is larger than 50 MB.');
export const notYet = (job: Job): DomainError =>
  new DomainError('conflict', `There are no results. ${standingOf(job)}`);

/** Why a job refuses a step, and which steps it takes. */
export function refusalOf(why: Extract<Moved, { ok: false }>['why'], { job, wishes }: JobRecord): DomainError {
  if (why === 'missing') return NO_JOB;
  if (why === 'no_policy') return NO_POLICY;
  if (why !== 'no_email_column') return new DomainError('conflict', standingOf(job));
  return new DomainError('no_email_column', noColumnMessage(wishes.emailColumn !== null, job.file?.columns ?? []));
}

/** The job of this id, or a refusal. Test and live keys each see only their own mode's jobs. */
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

/** Applies a step to the job. The answer includes the reason if it can't. */
export function moveJob({ deps, organisationId, traceId }: Context, id: Id<'bj'>, move: JobMove): Promise<Moved> {
  const operationId = `${traceId} ${move.kind}`;
  return askObject(deps.objects, organisationId).moveJob({ operationId, id, move });
}

export const jobAnswer = ({ job }: JobRecord): { job: contract.BulkJob } => ({ job: jobBody(job) });

/** Applies a step to the job, or throws the refusal. */
async function takeStep(context: Context, record: JobRecord, step: JobMove) {
  const moved = await moveJob(context, record.job.id, step);
  if (moved.ok) return jobAnswer(moved.record);
  if (moved.why !== 'quota') throw refusalOf(moved.why, record);
  throw new DomainError('quota_exceeded', 'The job does not fit what is left of this UTC month’s verifications.', {
    estimate: await estimateJob(context, record),
  });
}

type NewJob = Parameters<typeof newJob>[0];

export function addJob(
  { deps, organisationId, authorized }: Context,
  { name, purpose, policySlug }: Omit<NewJob, 'id'>,
  wishes: JobRecord['wishes'],
): Promise<JobRecord> {
  const now = deps.now();
  const record = {
    job: newJob({ id: newId('bj', now), name, purpose, policySlug }, now),
    owner: authorized.key,
    organisation: authorized.organisation,
    wishes,
    upload: null,
    sample: null,
    policyVersion: null,
  };
  return askObject(deps.objects, organisationId).createJob({ record });
}

/** Creates a job, which then waits for its file. */
export const createJob = verb({
  route: ROUTES.createBulkJob,
  // Refused if the account has no policy of this name.
  lookup: ({ body: { policy_slug } }) => (policy_slug === undefined ? {} : { policySlug: policy_slug }),
  run: async (context, { body: { name = null, purpose = USUAL_PURPOSE.file, policy_slug = null, ...layout } }) => {
    const wishes = { hasHeader: layout.has_header ?? null, emailColumn: layout.email_column ?? null };
    return jobAnswer(await addJob(context, { name, purpose, policySlug: policy_slug }, wishes));
  },
});

/** Newest first. */
export const listJobs = verb({
  route: ROUTES.listBulkJobs,
  parse: ({ query: { limit, cursor, state } }) => ({ limit, before: readCursor(cursor, 'bj'), state: state ?? null }),
  run: async ({ deps, organisationId, mode }, { limit, before, state }) => {
    const page = { mode, state, limit: limit + 1, before };
    const listed = await askObject(deps.objects, organisationId).listJobs(page);
    const { shown, cursor } = pageOf(listed, limit, ({ job }) => job.id);
    return { jobs: shown.map(({ job }) => jobBody(job)), cursor };
  },
});

export const readJob = verb({
  route: ROUTES.bulkJob,
  run: async (context, { params }) => jobAnswer(await requireJob(context, params.id)),
});

/** The cost of the rest of the job, or of its whole file again. */
export const readEstimate = verb({
  route: ROUTES.estimateBulkJob,
  run: async (context, { params, query: { again } }) => {
    const record = await requireJob(context, params.id);
    if (record.job.filesDeletedAt !== null) throw GONE;
    if (record.job.file === null) throw refusalOf('state', record);
    if (record.job.file.reading.emailColumn === null) throw refusalOf('no_email_column', record);
    return estimateJob(context, record, again === 'true');
  },
});

export const startJob = verb({
  route: ROUTES.startBulkJob,
  run: async (context, { params, body: { allow_partial: allowPartial = false, notify = false } }) =>
    takeStep(context, await requireJob(context, params.id), { kind: 'start', allowPartial, notify }),
});

export const resumeJob = verb({
  route: ROUTES.resumeBulkJob,
  run: async (context, { params }) => takeStep(context, await requireJob(context, params.id), { kind: 'resume' }),
});

/** Chunks in progress are finished; others are dropped. */
export const cancelJob = verb({
  route: ROUTES.cancelBulkJob,
  run: async (context, { params }) => takeStep(context, await requireJob(context, params.id), { kind: 'cancel' }),
});

/** Deletes a job's files now; its record stays. */
export const deleteJob = verb({
  route: ROUTES.deleteBulkJob,
  run: async (context, { params }) => {
    const record = await requireJob(context, params.id);
    const removed = await takeStep(context, record, { kind: 'remove' });
    // A chunk may be writing right now: the object's timer deletes the files once more.
    await deletePrefix(context.deps.blobs, jobPrefix(context.organisationId, record.job.id));
    return removed;
  },
});
