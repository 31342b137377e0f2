import { expect } from 'vitest';
import { type BulkJob, BulkJobResponse } from '../../src/contract/bulk.ts';
import type { startService } from './service.ts';

type Service = Awaited<ReturnType<typeof startService>>;
type Organisation = Awaited<ReturnType<Service['createOrganisation']>>;

/** A job's calls, with a member's key. */
export function bulkCalls(service: Service, organisation: Organisation, key = organisation.keys.member) {
  const call = (method: string, path: string, body?: unknown) =>
    service.call(method, `/v1/bulk/jobs${path}`, key, body);
  const upload = (id: string, file: BodyInit | null, headers: Record<string, string> = {}) =>
    service
      .request(`/v1/bulk/jobs/${id}/upload`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'text/csv', ...headers },
        body: file,
        ...(file instanceof ReadableStream && { duplex: 'half' }),
      })
      .then(async (response) => ({ status: response.status, body: await response.json<{ job: BulkJob }>() }));
  const create = async (wishes: object = {}): Promise<string> => (await call('POST', '', wishes)).body.job.id;
  return {
    call,
    upload,
    create,
    /** A job that has read this file. */
    async ready(file: string, wishes: object = {}): Promise<string> {
      const id = await create(wishes);
      expect((await upload(id, file)).status).toBe(200);
      return id;
    },
    job: async (id: string) => BulkJobResponse.parse((await call('GET', `/${id}`)).body).job,
    start: (id: string, wishes: object = {}) => call('POST', `/${id}/start`, wishes),
    download: (id: string, segment = 'all') =>
      service.request(`/v1/bulk/jobs/${id}/results.csv?segment=${segment}`, {
        headers: { authorization: `Bearer ${key}` },
      }),
    run: () => service.runJobs(organisation.id),
    files: (id = '') => service.files.keys(`orgs/${organisation.id}/jobs/${id}`),
  };
}
