import { type ApiClient, answerOf, apiBase } from '../../api/client.ts';
import { errorOf, offline } from '../../api/error.ts';
import { queryClient } from '../../api/query-client.ts';
import type { BulkJob, BulkJobResponse, CreateBulkJob } from '../../api/schema.ts';

const MOVING: readonly BulkJob['state'][] = ['uploading', 'queued', 'running'];

/** A job that changes by itself is looked at again and again. */
export const isMoving = ({ state }: BulkJob): boolean => MOVING.includes(state);
export const POLL_MS = 2_000;

export const jobKey = (organisationId: string, id: string) => [organisationId, 'job', id] as const;

/** After a change of one job. */
export async function refreshJob(organisationId: string, id: string): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: jobKey(organisationId, id) }),
    queryClient.invalidateQueries({ queryKey: [organisationId, 'jobs'] }),
  ]);
}

export interface NewList {
  readonly settings: CreateBulkJob;
  readonly source: File | readonly string[];
}

/** Makes a job and gives it its rows. The file goes as it is, streamed. */
export async function createList(
  api: ApiClient,
  organisationId: string,
  { settings, source }: NewList,
): Promise<BulkJob> {
  const { job } = await answerOf(api.POST('/v1/bulk/jobs', { body: settings }));
  const params = { path: { id: job.id } };
  if (!(source instanceof File)) {
    const pasted = await answerOf(api.POST('/v1/bulk/jobs/{id}/paste', { params, body: { emails: [...source] } }));
    return pasted.job;
  }
  const response = await fetch(`${apiBase(organisationId)}/v1/bulk/jobs/${job.id}/upload`, {
    method: 'PUT',
    headers: { 'content-type': 'text/csv' },
    body: source,
  }).catch(() => {
    throw offline();
  });
  const body: unknown = await response.json().catch(() => null);
  if (!response.ok) throw errorOf(response.status, body);
  return (body as BulkJobResponse).job;
}
