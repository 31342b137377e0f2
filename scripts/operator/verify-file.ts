import { accessSync, constants, createReadStream, createWriteStream, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import type { BulkEstimate, BulkJob } from '../../src/contract/bulk.ts';
import { UPLOAD_BYTES_MAX } from '../../src/domain/bulk/files.ts';
import { type Connection, callService, findConnection, OperatorError } from './api.ts';
import { printAnswer } from './print.ts';

interface Options {
  column?: string;
  segment: string;
  purpose?: string;
  policy?: string;
  allowPartial: boolean;
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
    .option('--api-key <key>', 'key of the organisation (EMAIL_VERIFICATION_API_KEY); the local stack’s without it')
    .action(async (input: string, output: string, options: Options) => {
      const { url, state, json } = program.opts<Globals>();
      const connection = findConnection(
        { ...(url !== undefined && { url }), state, key: options.apiKey },
        'organisation',
      );
      const { job, estimate } = await verifyFile(connection, input, output, options);
      const { rows, unique, invalid, counts } = job;
      const cost = { expected_cost_usd: estimate.expected_cost_usd, max_cost_usd: estimate.max_cost_usd };
      printAnswer({ job: { id: job.id, state: job.state, rows, unique, invalid }, counts, cost, file: output }, json);
      if (job.state !== 'done') process.exitCode = 1;
    });
}

async function verifyFile(connection: Connection, input: string, output: string, options: Options) {
  const ask = async (method: string, path: string, body?: unknown): Promise<BulkJob> =>
    ((await callService(connection, method, JOBS + path, body)) as { job: BulkJob }).job;
  const size = checkedSize(input, output);
  const column = options.column === undefined ? {} : { email_column: columnOf(options.column) };
  const name = input.split('/').at(-1);
  const { purpose, policy } = options;
  const wishes = { ...column, ...(purpose && { purpose }), ...(policy && { policy_slug: policy }) };
  const { id } = await ask('POST', '', { name, ...wishes });
  const read = await upload(connection, `${JOBS}/${id}/upload`, input, size);
  if (read.state === 'failed') throw new OperatorError(`${input}: ${read.error?.message ?? 'it could not be read.'}`);
  const estimate = (await callService(connection, 'GET', `${JOBS}/${id}/estimate`)) as BulkEstimate;
  await ask('POST', `/${id}/start`, { allow_partial: options.allowPartial });
  const job = await watch(() => ask('GET', `/${id}`), estimate);
  if (job.state !== 'done') {
    throw new OperatorError(`The job ${id} is ${job.state}${job.error === null ? '' : `: ${job.error.message}`}.`);
  }
  await download(connection, `${JOBS}/${id}/results.csv?segment=${encodeURIComponent(options.segment)}`, output);
  return { job, estimate };
}

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

async function download(connection: Connection, path: string, file: string): Promise<void> {
  const response = await send(connection, path);
  if (!response.ok || response.body === null) {
    const answer = (await response.json().catch(() => null)) as { error?: { message: string } } | null;
    throw new OperatorError(answer?.error?.message ?? `The service answered ${response.status}.`);
  }
  await pipeline(
    Readable.fromWeb(response.body as unknown as Parameters<typeof Readable.fromWeb>[0]),
    createWriteStream(file),
  );
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

function progressLine({ state, progress, unique }: BulkJob, estimate: BulkEstimate, ms: number): string {
  const done = progress?.rows_done ?? 0;
  const total = Math.max(1, unique ?? 1);
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
