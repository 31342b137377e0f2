import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BulkEstimate, BulkJob, BulkState, ChangeBulkJob, CreateBulkJob } from '../../src/contract/bulk.ts';
import { type Connection, callService, Interrupted, OperatorError } from './api.ts';
import { replaceFile } from './local-files.ts';
import { bar } from './print.ts';

const BAR_CELLS = 24;

/** How long a job has been watched, and how much was done at the start. */
export interface Look {
  readonly elapsedMs: number;
  readonly rowsBefore: number;
}

/**
 * A job in one line: its progress, its speed while watched, the time left at that speed.
 * @param expectedCostUsd of the whole job, or null
 */
export function progressLine(
  { state, progress, rows }: Pick<BulkJob, 'state' | 'progress' | 'rows'>,
  { elapsedMs, rowsBefore }: Look,
  expectedCostUsd: number | null,
): string {
  const done = progress?.rows_done ?? rowsBefore;
  const total = Math.max(1, rows ?? 1);
  const rate = (done - rowsBefore) / Math.max(0.001, elapsedMs / 1_000);
  const parts = [
    `${state} ${bar(done, total, BAR_CELLS)} ${done}/${total}`,
    `${Math.round(rate)} rows/s`,
    rate === 0 ? null : `${Math.ceil((total - done) / rate)} s left`,
    expectedCostUsd === null ? null : `about $${((expectedCostUsd * done) / total).toFixed(2)}`,
  ];
  return parts.filter((part) => part !== null).join('  ');
}

const JOBS = '/v1/bulk/jobs';
const pathOf = (id: string): string => `${JOBS}/${encodeURIComponent(id)}`;

export type BulkCalls = ReturnType<typeof bulkCalls>;

/** Calls about an organisation's jobs. `signal` ends those that may be interrupted: none that changes a job's cost. */
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
    change: (id: string, change: ChangeBulkJob) => ask('PATCH', pathOf(id), change),
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

/** Which results go where, and where the service is as far as the command line said. */
export interface Wanted {
  readonly output: string;
  readonly segment: string;
  /** What is verified will do: a paused job is cancelled. */
  readonly allowPartial: boolean;
  readonly url?: string;
  readonly state?: string;
}

const PLAIN = /^[\w./:=@%+,-]+$/;
const quoted = (word: string): string => (PLAIN.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`);

/** The command that fetches a job's results later. The key is not part of it: it would stay in logs and histories. */
export function fetchCommand(id: string, { output, segment, allowPartial, url, state }: Wanted): string {
  const words = [
    'fetch-file',
    id,
    output,
    ...(segment === 'all' ? [] : ['--segment', segment]),
    ...(allowPartial ? ['--allow-partial'] : []),
    ...(url === undefined ? [] : ['--url', url]),
    ...(state === undefined ? [] : ['--state', state]),
  ];
  return `\`npm run operator -- ${words.map(quoted).join(' ')}\``;
}

/** Why a job's results are incomplete, and how to get the part it has. The service itself says why a job failed. */
const STANDINGS: Partial<Readonly<Record<BulkState, (id: string, wanted: Wanted) => string>>> = {
  uploading: () => 'its file is not uploaded yet.',
  ready: () => 'it was never started.',
  paused_quota: (id, wanted) =>
    `the month’s verifications are spent, and it goes on by itself once there are more. ${fetchCommand(id, wanted)} fetches its results then; with --allow-partial it is cancelled, and what is verified is written.`,
  cancelled: (id, wanted) =>
    `it did not get to every row. ${fetchCommand(id, { ...wanted, allowPartial: true })} writes what is verified.`,
};

function requireResults(job: BulkJob, wanted: Wanted): void {
  const { id, state, error, files_deleted_at: filesDeletedAt } = job;
  if (filesDeletedAt !== null) throw new OperatorError(`The files of the job ${id} are deleted.`);
  if (state === 'done' || (wanted.allowPartial && (state === 'paused_quota' || state === 'cancelled'))) return;
  throw new OperatorError(`The job ${id} is ${state}: ${error?.message ?? STANDINGS[state]?.(id, wanted)}`);
}

/**
 * Waits for a job and writes its results, whole or not at all; returns the ended job. Throws an `OperatorError` that
 * names the command to continue with, if there is something to get.
 * @param expectedCostUsd of the whole job, or null
 */
export async function collectJob(
  calls: BulkCalls,
  id: string,
  wanted: Wanted,
  expectedCostUsd: number | null,
): Promise<BulkJob> {
  async function orLater<T>(standing: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const later = `The job ${id} ${standing}: ${fetchCommand(id, wanted)} fetches its results.`;
      if (calls.signal.aborted) throw new Interrupted(later);
      throw error instanceof OperatorError ? new OperatorError(`${error.message} ${later}`) : error;
    }
  }
  const seen = await orLater('goes on', () => watch(calls, id, expectedCostUsd));
  requireResults(seen, wanted);
  const job = seen.state === 'paused_quota' ? await orLater('is paused', () => calls.cancel(id)) : seen;
  await orLater('has ended', async () => replaceFile(wanted.output, await calls.results(id, wanted.segment)));
  return job;
}

const POLL_MS = 500;

/** Polls until the job rests, with a progress line. */
async function watch(calls: BulkCalls, id: string, expectedCostUsd: number | null): Promise<BulkJob> {
  const show = (line: string): void => {
    if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${line}`);
  };
  const startedAt = Date.now();
  let rowsBefore: number | null = null;
  try {
    for (;;) {
      const job = await calls.find(id);
      if (job.state !== 'running' && job.state !== 'queued') return job;
      rowsBefore ??= job.progress?.rows_done ?? 0;
      show(progressLine(job, { elapsedMs: Date.now() - startedAt, rowsBefore }, expectedCostUsd));
      await sleep(POLL_MS, undefined, { signal: calls.signal });
    }
  } finally {
    show('');
  }
}
