import { setTimeout as sleep } from 'node:timers/promises';
import type { BulkJob } from '../../src/contract/bulk.ts';
import { createOrganisation } from './organisation.ts';
import type { BenchRuntime } from './runtime.ts';

const POLL_MS = 250;

/** A member's calls about bulk jobs, of an organisation of its own. */
export async function openJobs(runtime: BenchRuntime) {
  const { key } = await createOrganisation(runtime);
  const call = async (
    method: string,
    path: string,
    init: {
      readonly body?: string | Uint8Array<ArrayBuffer>;
      readonly headers?: Readonly<Record<string, string>>;
    } = {},
  ): Promise<Response> => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...init.headers };
    const response = await fetch(`${runtime.urls.service}v1/bulk/jobs${path}`, { ...init, method, headers });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response;
  };
  const jobOf = async (response: Response) => (await response.json<{ job: BulkJob }>()).job;
  const create = async () => (await jobOf(await call('POST', '', { body: '{}' }))).id;
  const upload = (id: string, body: string | Uint8Array<ArrayBuffer>) =>
    call('PUT', `/${id}/upload`, { body, headers: { 'content-type': 'text/csv' } });
  return {
    create,
    upload,
    remove: (id: string) => call('DELETE', `/${id}`),
    results: (id: string) => call('GET', `/${id}/results.csv`),
    /** A job that has begun with the file. */
    async start(file: string | Uint8Array<ArrayBuffer>): Promise<string> {
      const id = await create();
      await upload(id, file);
      await call('POST', `/${id}/start`, { body: '{}' });
      return id;
    },
    async done(id: string): Promise<void> {
      for (;;) {
        const { state } = await jobOf(await call('GET', `/${id}`));
        if (state === 'done') return;
        if (state !== 'running' && state !== 'queued') throw new Error(`the job is ${state}`);
        await sleep(POLL_MS);
      }
    },
  };
}
