import type * as z from 'zod';
import * as bulk from './bulk.ts';
import { BODY_LIMIT } from './common.ts';
import type { RouteDeclaration } from './route.ts';
import { RulesBlocked } from './rules.ts';

const READ = { access: 'viewer', meter: null, rate: 'read', method: 'get' } as const;
const CHANGE = { access: 'member', meter: null, rate: 'read' } as const;
const ONE = { params: bulk.BulkJobParams } as const;

const body = <S extends z.ZodType, const L extends keyof typeof BODY_LIMIT>(schema: S, limit: L, example: unknown) => ({
  schema,
  limitBytes: BODY_LIMIT[limit],
  example,
});
const answers = <const N extends 200 | 201 | 202>(status: N) => ({ status, schema: bulk.BulkJobResponse }) as const;

/** `/v1/bulk/jobs`: a CSV in, the same CSV back with a result on every row. Charged by unique address as a job runs. */
export const BULK_ROUTES = {
  createBulkJob: {
    ...CHANGE,
    method: 'post',
    path: '/v1/bulk/jobs',
    summary: 'Creates a bulk job, which then waits for its file.',
    refuses: [404],
    body: body(bulk.CreateBulkJob, 'address', { name: 'Newsletter, March', purpose: 'list_hygiene' }),
    response: answers(201),
  },
  listBulkJobs: {
    ...READ,
    path: '/v1/bulk/jobs',
    summary: 'Bulk jobs, newest first.',
    query: bulk.BulkJobQuery,
    response: { status: 200, schema: bulk.BulkJobList },
  },
  bulkJob: {
    ...READ,
    ...ONE,
    path: '/v1/bulk/jobs/:id',
    summary:
      'A bulk job with its progress: to be looked at until it is `done`, `failed`, `cancelled`, `expired` or `paused_quota`.',
    response: answers(200),
  },
  changeBulkJob: {
    ...CHANGE,
    ...ONE,
    method: 'patch',
    path: '/v1/bulk/jobs/:id',
    summary: 'Changes a `ready` job: its name, its policy, and how it reads its file.',
    refuses: [400, 409],
    body: body(bulk.ChangeBulkJob, 'address', { email_column: 'Work e-mail', has_header: true }),
    response: answers(200),
  },
  deleteBulkJob: {
    ...CHANGE,
    ...ONE,
    method: 'delete',
    path: '/v1/bulk/jobs/:id',
    summary: 'Deletes a job’s files now. A job that has not ended is cancelled.',
    response: answers(200),
  },
  uploadBulkFile: {
    ...CHANGE,
    ...ONE,
    method: 'put',
    path: '/v1/bulk/jobs/:id/upload',
    summary: 'Takes the file: CSV up to 50 MB and 100,000 rows, streamed.',
    refuses: [409],
    upload: { contentType: 'text/csv', limitBytes: 50 * 2 ** 20 },
    response: answers(200),
  },
  pasteBulkEmails: {
    ...CHANGE,
    ...ONE,
    method: 'post',
    path: '/v1/bulk/jobs/:id/paste',
    summary: 'Takes up to 1,000 addresses as a file of one column.',
    refuses: [409],
    body: body(bulk.PasteBulkJob, 'list', { emails: ['ada@example.com'] }),
    response: answers(200),
  },
  estimateBulkJob: {
    ...CHANGE,
    ...ONE,
    method: 'get',
    path: '/v1/bulk/jobs/:id/estimate',
    summary: 'What a job with its file would cost; with `again`, what its file would cost once more.',
    refuses: [400, 409, 410],
    query: bulk.BulkEstimateQuery,
    response: { status: 200, schema: bulk.BulkEstimate },
  },
  startBulkJob: {
    ...CHANGE,
    ...ONE,
    method: 'post',
    path: '/v1/bulk/jobs/:id/start',
    summary: 'Starts a `ready` job, or queues it behind two that run. An absent body counts as `{}`.',
    refuses: [400, 402, 409],
    body: body(bulk.StartBulkJob, 'address', { allow_partial: false, notify: true }),
    response: answers(202),
  },
  cancelBulkJob: {
    ...CHANGE,
    ...ONE,
    method: 'post',
    path: '/v1/bulk/jobs/:id/cancel',
    summary: 'Cancels a job; what was verified stays.',
    refuses: [409],
    response: answers(200),
  },
  resumeBulkJob: {
    ...CHANGE,
    ...ONE,
    method: 'post',
    path: '/v1/bulk/jobs/:id/resume',
    summary: 'Goes on with a job that the quota has paused (`paused_quota`).',
    refuses: [402, 409],
    response: answers(202),
  },
  checkBulkJobAgain: {
    ...CHANGE,
    ...ONE,
    method: 'post',
    path: '/v1/bulk/jobs/:id/again',
    summary: 'Makes a new `ready` job from the file of one that has ended, until its files are deleted.',
    refuses: [409, 410],
    response: answers(201),
  },
  bulkResults: {
    ...READ,
    ...ONE,
    path: '/v1/bulk/jobs/:id/results.csv',
    summary: 'The uploaded file with a result on every row, or a segment of it, once the job is `done` or `cancelled`.',
    refuses: [409, 410],
    query: bulk.BulkResultsQuery,
    response: { status: 200, contentType: 'text/csv' },
  },
  bulkPreview: {
    ...READ,
    ...ONE,
    path: '/v1/bulk/jobs/:id/preview',
    summary: 'The first rows of the file as they stand there, with what is known of each, until its files are deleted.',
    refuses: [409, 410],
    query: bulk.BulkPreviewQuery,
    response: { status: 200, schema: bulk.BulkPreview },
  },
  blockBulkSegment: {
    ...CHANGE,
    ...ONE,
    live: true,
    method: 'post',
    path: '/v1/bulk/jobs/:id/block',
    summary: 'Blocks the addresses of a segment; those with broken syntax are left out.',
    refuses: [409, 410],
    body: body(bulk.BlockBulkSegment, 'address', { segment: 'undeliverable', note: 'Newsletter, March' }),
    response: { status: 200, schema: RulesBlocked },
  },
} as const satisfies Record<string, RouteDeclaration>;
