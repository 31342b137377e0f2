import { setTimeout as sleep } from 'node:timers/promises';
import type { BulkJob, BulkState } from '../../src/contract/bulk.ts';
import { Interrupted, OperatorError } from './api.ts';
import type { BulkCalls } from './bulk-calls.ts';
import { progressLine } from './job-progress.ts';
import { replaceFile } from './local-files.ts';

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

/** The command line that has a job's results later. The key is not part of it: it would stay in logs and histories. */
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
 * Waits for a job and writes its results, whole or not at all; returns it as it ended. Throws an `OperatorError` that names the
 * command to go on with, wherever there is something to be had.
 * @param expectedCostUsd of the whole job; null where it is not known
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

/** Looks until the job stands still, with a line that says how far it is. */
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
