import * as bulk from './bulk.ts';
import { bodyOf } from './common.ts';
import { member, type RouteDeclaration, viewer } from './route.ts';
import { RulesBlocked } from './rules.ts';

const ONE = { params: bulk.BulkJobParams } as const;

const answers = <const N extends 200 | 201 | 202>(status: N) => ({ status, schema: bulk.BulkJobResponse }) as const;

/** `/v1/bulk/jobs`: a CSV in, the same CSV back with a result on every row. Charged by unique address as a job runs. */
export const BULK_ROUTES = {
  createBulkJob: {
    ...member('post', '/v1/bulk/jobs'),
    summary: 'Creates a bulk job, which then waits for its file.',
    refuses: [404],
    body: bodyOf(bulk.CreateBulkJob, 'address', { name: 'Newsletter, March', purpose: 'list_hygiene' }),
    response: answers(201),
  },
  listBulkJobs: {
    ...viewer('get', '/v1/bulk/jobs'),
    summary: 'Bulk jobs, newest first.',
    query: bulk.BulkJobQuery,
    response: { status: 200, schema: bulk.BulkJobList },
  },
  bulkJob: {
    ...viewer('get', '/v1/bulk/jobs/:id'),
    ...ONE,
    summary:
      'A bulk job with its progress: poll until it is `done`, `failed`, `cancelled`, `expired` or `paused_quota`.',
    response: answers(200),
  },
  changeBulkJob: {
    ...member('patch', '/v1/bulk/jobs/:id'),
    ...ONE,
    summary: 'Changes a `ready` job: its name, its policy, and how it reads its file.',
    refuses: [400, 409],
    body: bodyOf(bulk.ChangeBulkJob, 'address', { email_column: 'Work e-mail', has_header: true }),
    response: answers(200),
  },
  deleteBulkJob: {
    ...member('delete', '/v1/bulk/jobs/:id'),
    ...ONE,
    summary: 'Deletes a job’s files now. A job that has not ended is cancelled.',
    response: answers(200),
  },
  uploadBulkFile: {
    ...member('put', '/v1/bulk/jobs/:id/upload'),
    ...ONE,
    summary: 'Uploads the file: CSV up to 50 MB and 100,000 rows, streamed.',
    refuses: [409],
    upload: { contentType: 'text/csv', limitBytes: 50 * 2 ** 20 },
    response: answers(200),
  },
  pasteBulkEmails: {
    ...member('post', '/v1/bulk/jobs/:id/paste'),
    ...ONE,
    summary: 'Uploads up to 1,000 addresses as a file of one column.',
    refuses: [409],
    body: bodyOf(bulk.PasteBulkJob, 'list', { emails: ['ada@example.com'] }),
    response: answers(200),
  },
  estimateBulkJob: {
    ...member('get', '/v1/bulk/jobs/:id/estimate'),
    ...ONE,
    summary: 'The cost of a job; with `again`, of its whole file once more.',
    refuses: [400, 409, 410],
    query: bulk.BulkEstimateQuery,
    response: { status: 200, schema: bulk.BulkEstimate },
  },
  startBulkJob: {
    ...member('post', '/v1/bulk/jobs/:id/start'),
    ...ONE,
    summary: 'Starts a `ready` job, or queues it behind two that run. An absent body counts as `{}`.',
    refuses: [400, 402, 409],
    body: bodyOf(bulk.StartBulkJob, 'address', { allow_partial: false, notify: true }),
    response: answers(202),
  },
  cancelBulkJob: {
    ...member('post', '/v1/bulk/jobs/:id/cancel'),
    ...ONE,
    summary: 'Cancels a job; what was verified stays.',
    refuses: [409],
    response: answers(200),
  },
  resumeBulkJob: {
    ...member('post', '/v1/bulk/jobs/:id/resume'),
    ...ONE,
    summary: 'Resumes a job that waits for quota (`paused_quota`).',
    refuses: [402, 409],
    response: answers(202),
  },
  checkBulkJobAgain: {
    ...member('post', '/v1/bulk/jobs/:id/again'),
    ...ONE,
    summary: 'Makes a new `ready` job from the file of one that has ended, until its files are deleted.',
    refuses: [409, 410],
    response: answers(201),
  },
  bulkResults: {
    ...viewer('get', '/v1/bulk/jobs/:id/results.csv'),
    ...ONE,
    summary: 'The uploaded file with a result on every row, or a segment of it, once the job is `done` or `cancelled`.',
    refuses: [409, 410],
    query: bulk.BulkResultsQuery,
    response: { status: 200, contentType: 'text/csv' },
  },
  bulkPreview: {
    ...viewer('get', '/v1/bulk/jobs/:id/preview'),
    ...ONE,
    summary: 'The first rows of the file with their results, until its files are deleted.',
    refuses: [409, 410],
    query: bulk.BulkPreviewQuery,
    response: { status: 200, schema: bulk.BulkPreview },
  },
  blockBulkSegment: {
    ...member('post', '/v1/bulk/jobs/:id/block'),
    ...ONE,
    live: true,
    summary: 'Blocks the addresses of a segment; those with invalid syntax are skipped.',
    refuses: [409, 410],
    body: bodyOf(bulk.BlockBulkSegment, 'address', { segment: 'undeliverable', note: 'Newsletter, March' }),
    response: { status: 200, schema: RulesBlocked },
  },
} as const satisfies Record<string, RouteDeclaration>;
