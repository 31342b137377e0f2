import { answerOf, type ApiClient, apiBase, apiOf } from '../../api/client.ts';
import { errorOf, offline } from '../../api/error.ts';
import { queryClient } from '../../api/query-client.ts';
import type { BulkJob, BulkJobResponse, CreateBulkJob } from '../../api/schema.ts';

const MOVING: readonly BulkJob['state'][] = ['uploading', 'queued', 'running'];

/** A list without a file has no name of its own. */
export const listName = ({ name }: BulkJob): string => name ?? 'Pasted addresses';

/** Whether a job changes by itself, and so is polled. */
export const isMoving = ({ state }: BulkJob): boolean => MOVING.includes(state);
export const POLL_MS = 2_000;

export const jobKey = (organisationId: string, id: string) => [organisationId, 'job', id] as const;

/** Call after a change of a job. */
export async function refreshJob(organisationId: string, id: string): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: jobKey(organisationId, id) }),
    queryClient.invalidateQueries({ queryKey: [organisationId, 'jobs'] }),
  ]);
}

export const resultsUrl = (organisationId: string, jobId: string, segment: string): string =>
  `${apiBase(organisationId)}/v1/bulk/jobs/${jobId}/results.csv?segment=${segment}`;

export async function pasteList(api: ApiClient, settings: CreateBulkJob, emails: readonly string[]): Promise<BulkJob> {
  const { job } = await answerOf(api.POST('/v1/bulk/jobs', { body: settings }));
  const params = { path: { id: job.id } };
  return (await answerOf(api.POST('/v1/bulk/jobs/{id}/paste', { params, body: { emails: [...emails] } }))).job;
}

/** Creates a job from a file. Uses XMLHttpRequest, as `fetch` has no upload progress. */
export async function uploadList(
  organisationId: string,
  settings: CreateBulkJob,
  file: Blob,
  onProgress: (share: number) => void,
): Promise<BulkJob> {
  const { job } = await answerOf(apiOf(organisationId).POST('/v1/bulk/jobs', { body: settings }));
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('PUT', `${apiBase(organisationId)}/v1/bulk/jobs/${job.id}/upload`);
    request.setRequestHeader('content-type', 'text/csv');
    request.responseType = 'json';
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(loaded / Math.max(1, total)));
    request.addEventListener('error', () => reject(offline()));
    request.addEventListener('load', () =>
      request.status < 300
        ? resolve((request.response as BulkJobResponse).job)
        : reject(errorOf(request.status, request.response)),
    );
    request.send(file);
  });
}
