import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import type { BulkEstimate, BulkJob, CreateBulkJob } from '../../src/contract/bulk.ts';
import { type Connection, callService, Interrupted, OperatorError } from './api.ts';

const JOBS = '/v1/bulk/jobs';
const pathOf = (id: string): string => `${JOBS}/${encodeURIComponent(id)}`;

export type BulkCalls = ReturnType<typeof bulkCalls>;

/** The calls about an organisation's jobs. `signal` ends those that may be left midway: none that changes what a job costs. */
export function bulkCalls(connection: Connection, signal: AbortSignal) {
  const ask = async (method: string, path: string, body?: unknown, until?: AbortSignal): Promise<BulkJob> =>
    ((await callService(connection, method, path, body, until)) as { job: BulkJob }).job;

  /** Bodies that are streamed, for as long as they take. */
  async function send(path: string, init: RequestInit & { duplex?: 'half' } = {}): Promise<Response> {
    const headers = { authorization: `Bearer ${connection.key}`, ...(init.headers as Record<string, string>) };
    try {
      return await fetch(connection.baseUrl.replace(/\/$/, '') + path, { ...init, headers, signal });
    } catch {
      if (signal.aborted) throw new Interrupted('Interrupted.');
      throw new OperatorError(`${connection.baseUrl} can't be reached, or broke off.`);
    }
  }

  return {
    signal,

    create: (wishes: CreateBulkJob) => ask('POST', JOBS, wishes),
    find: (id: string) => ask('GET', pathOf(id), undefined, signal),
    start: (id: string, allowPartial: boolean) => ask('POST', `${pathOf(id)}/start`, { allow_partial: allowPartial }),
    cancel: (id: string) => ask('POST', `${pathOf(id)}/cancel`),
    /** Its files. */
    remove: (id: string) => ask('DELETE', pathOf(id)),

    estimate: async (id: string): Promise<BulkEstimate> =>
      (await callService(connection, 'GET', `${pathOf(id)}/estimate`, undefined, signal)) as BulkEstimate,

    /** What the account has spent on providers this month. */
    spendUsd: async (): Promise<number> =>
      ((await callService(connection, 'GET', '/v1/usage')) as { provider_spend_usd: number }).provider_spend_usd,

    async upload(id: string, file: string, size: number): Promise<BulkJob> {
      const response = await send(`${pathOf(id)}/upload`, {
        method: 'PUT',
        headers: { 'content-type': 'text/csv', 'content-length': String(size) },
        body: Readable.toWeb(createReadStream(file)) as BodyInit,
        duplex: 'half',
      });
      const answer = (await response.json().catch(() => null)) as { job: BulkJob; error?: { message: string } } | null;
      if (!response.ok || answer === null)
        throw new OperatorError(`${file}: ${answer?.error?.message ?? `the service answered ${response.status}.`}`);
      return answer.job;
    },

    async results(id: string, segment: string): Promise<Readable> {
      const response = await send(`${pathOf(id)}/results.csv?segment=${encodeURIComponent(segment)}`);
      if (!response.ok || response.body === null) {
        const answer = (await response.json().catch(() => null)) as { error?: { message: string } } | null;
        throw new OperatorError(answer?.error?.message ?? `The service answered ${response.status}.`);
      }
      return Readable.fromWeb(response.body as unknown as Parameters<typeof Readable.fromWeb>[0]);
    },
  };
}
