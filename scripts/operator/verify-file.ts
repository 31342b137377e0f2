import { accessSync, constants, createReadStream, createWriteStream, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import type { BulkEstimate, BulkJob } from '../../src/contract/bulk.ts';
import { holdsAddress } from '../../src/contract/stored-text.ts';
import { UPLOAD_BYTES_MAX } from '../../src/domain/bulk/files.ts';
import { columnNames } from '../../src/domain/bulk/present.ts';
import { segmentsOf } from '../../src/domain/bulk/results/segments.ts';
import { micros, usd } from '../../src/domain/metering/index.ts';
import { type Connection, callService, findConnection, OperatorError } from './api.ts';
import { printAnswer } from './print.ts';

interface Options {
  column?: string;
  segment: string;
  purpose?: string;
  policy?: string;
  allowPartial: boolean;
  keep: boolean;
  apiKey?: string;
}
interface Globals {
  url?: string;
  state: string;
  json: boolean;
}

const POLL_MS = 500;
const JOBS = '/v1/bulk/jobs';

/** `verify-file IN.csv OUT.csv`: a file through a running service. */
export function addVerifyFile(program: Command): void {
  program
    .command('verify-file <in> <out>')
    .description('run a CSV file through the service and write it back with a result on every row')
    .option('--column <name>', 'column of the addresses: its header, or its number from 0')
    .option('--segment <segment>', 'write only these rows', 'all')
    .option('--purpose <purpose>', 'what the addresses are for')
    .option('--policy <slug>', 'decide every row by this policy')
    .option('--allow-partial', 'go as far as the quota does', false)
    .option('--keep', 'leave the files with the service, for other segments (7 days)', false)
    .option('--api-key <key>', 'key of the organisation (EMAIL_VERIFICATION_API_KEY); the local stack’s without it')
    .action(async (input: string, output: string, options: Options) => {
      const { url, state, json } = program.opts<Globals>();
      const connection = findConnection(
        { ...(url !== undefined && { url }), state, key: options.apiKey },
        'organisation',
      );
      const { job, estimate, spentUsd } = await verifyFile(connection, input, output, options);
      const { id, state: end, rows, unique, invalid: skipped, counts } = job;
      const { expected_cost_usd, max_cost_usd } = estimate;
      // By the account's usage: what else it verified meanwhile is in it.
      const cost = { expected_cost_usd, max_cost_usd, spent_usd: spentUsd };
      printAnswer({ job: { id, state: end, rows, unique, skipped }, counts, cost, file: output }, json);
    });
}

async function verifyFile(connection: Connection, input: string, output: string, options: Options) {
  const ask = async (method: string, path: string, body?: unknown): Promise<BulkJob> =>
    ((await callService(connection, method, JOBS + path, body)) as { job: BulkJob }).job;
  const size = checkedSize(input, output);
  checkSegment(options);
  const { id } = await ask('POST', '', wishesOf(input, options));
  /** Whether verified rows would go with the files. */
  let isPaid = false;
  try {
    const read = await upload(connection, `${JOBS}/${id}/upload`, input, size);
    if (read.state === 'failed') throw new OperatorError(`${input}: ${read.error?.message ?? 'it could not be read.'}`);
    if (read.email_column === null) throw new OperatorError(noColumn(read, options));
    const estimate = (await callService(connection, 'GET', `${JOBS}/${id}/estimate`)) as BulkEstimate;
    const before = await spendUsd(connection);
    await ask('POST', `/${id}/start`, { allow_partial: options.allowPartial });
    isPaid = true;
    const job = await watch(() => ask('GET', `/${id}`), estimate);
    if (job.state !== 'done') throw new OperatorError(unfinished(job));
    await download(connection, id, options.segment, output);
    isPaid = false;
    return { job, estimate, spentUsd: Math.max(0, usd(micros(await spendUsd(connection)) - micros(before))) };
  } finally {
    if (!isPaid && !options.keep) await ask('DELETE', `/${id}`).catch(() => undefined);
  }
}

function wishesOf(input: string, { column, purpose, policy }: Options) {
  const name = basename(input);
  return {
    // A job's name outlives its file.
    ...(!holdsAddress(name) && { name }),
    ...(column !== undefined && { email_column: columnOf(column) }),
    ...(purpose && { purpose }),
    ...(policy && { policy_slug: policy }),
  };
}

/** Before anything is uploaded: a job is paid for whatever is written of it. */
function checkSegment({ segment, policy }: Options): void {
  const names = ['all', ...Object.keys(segmentsOf(policy !== undefined))];
  if (names.includes(segment)) return;
  throw new OperatorError(`--segment is one of ${names.join(', ')} ${policy ? 'with' : 'without'} a policy.`);
}

function noColumn({ columns }: BulkJob, { column }: Options): string {
  const why =
    column === undefined ? 'No column with plain e-mail addresses was found' : `The file has no column “${column}”`;
  return `${why}: name one with --column by ${columnNames(columns ?? [])}.`;
}

/** A job that stands still before its end; what it verified is kept with it. */
function unfinished({ id, state, error }: BulkJob): string {
  const way =
    state === 'paused_quota' ? 'It goes on by itself once there is quota' : (error?.message ?? 'It has ended');
  return `The job ${id} is ${state}. ${way.replace(/\.$/, '')}; its files are kept for 7 days.`;
}

/** What the account has spent on providers this month. */
const spendUsd = async (connection: Connection): Promise<number> =>
  ((await callService(connection, 'GET', '/v1/usage')) as { provider_spend_usd: number }).provider_spend_usd;

/** Before anything is spent: whether the file can be read and taken, and its results be written. */
function checkedSize(input: string, output: string): number {
  const size = statSync(input, { throwIfNoEntry: false })?.size;
  if (size === undefined) throw new OperatorError(`${input} can't be read (ENOENT).`);
  if (size > UPLOAD_BYTES_MAX) throw new OperatorError(`${input} is larger than ${UPLOAD_BYTES_MAX / 2 ** 20} MB.`);
  try {
    accessSync(dirname(output), constants.W_OK);
  } catch {
    throw new OperatorError(`${output} can't be written.`);
  }
  return size;
}

/** Digits alone are a column's number. */
const columnOf = (text: string): string | number => (/^\d+$/.test(text) ? Number(text) : text);

async function send(connection: Connection, path: string, init: RequestInit & { duplex?: 'half' } = {}) {
  const headers = { authorization: `Bearer ${connection.key}`, ...(init.headers as Record<string, string>) };
  try {
    return await fetch(connection.baseUrl.replace(/\/$/, '') + path, { ...init, headers });
  } catch {
    throw new OperatorError(`${connection.baseUrl} can't be reached, or broke off.`);
  }
}

async function upload(connection: Connection, path: string, file: string, size: number): Promise<BulkJob> {
  const response = await send(connection, path, {
    method: 'PUT',
    headers: { 'content-type': 'text/csv', 'content-length': String(size) },
    body: Readable.toWeb(createReadStream(file)) as BodyInit,
    duplex: 'half',
  });
  const answer = (await response.json()) as { job: BulkJob; error?: { message: string } };
  if (!response.ok) throw new OperatorError(`${file}: ${answer.error?.message ?? response.status}`);
  return answer.job;
}

async function download(connection: Connection, id: string, segment: string, file: string): Promise<void> {
  const response = await send(connection, `${JOBS}/${id}/results.csv?segment=${encodeURIComponent(segment)}`);
  if (!response.ok || response.body === null) {
    const answer = (await response.json().catch(() => null)) as { error?: { message: string } } | null;
    throw new OperatorError(answer?.error?.message ?? `The service answered ${response.status}.`);
  }
  try {
    await pipeline(
      Readable.fromWeb(response.body as unknown as Parameters<typeof Readable.fromWeb>[0]),
      createWriteStream(file),
    );
  } catch {
    throw new OperatorError(
      `${file} is not whole: the results broke off. The files of the job ${id} are kept for 7 days.`,
    );
  }
}

/** Looks until the job stands still, with a line that says how far it is. */
async function watch(look: () => Promise<BulkJob>, estimate: BulkEstimate): Promise<BulkJob> {
  const startedAt = Date.now();
  for (;;) {
    const job = await look();
    if (job.state !== 'running' && job.state !== 'queued') {
      if (process.stderr.isTTY) process.stderr.write('\r\u001b[K');
      return job;
    }
    if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${progressLine(job, estimate, Date.now() - startedAt)}`);
    await sleep(POLL_MS);
  }
}

const BAR_CELLS = 24;

function progressLine({ state, progress, rows }: BulkJob, estimate: BulkEstimate, ms: number): string {
  const done = progress?.rows_done ?? 0;
  const total = Math.max(1, rows ?? 1);
  const filled = Math.round((done / total) * BAR_CELLS);
  const rate = done / Math.max(0.001, ms / 1_000);
  const leftS = rate === 0 ? null : Math.ceil((total - done) / rate);
  const cost = (estimate.expected_cost_usd * done) / total;
  return [
    `${state} ${'█'.repeat(filled)}${'░'.repeat(BAR_CELLS - filled)} ${done}/${total}`,
    `${Math.round(rate)} rows/s`,
    leftS === null ? '' : `${leftS} s left`,
    `about $${cost.toFixed(2)}`,
  ].join('  ');
}
