import { basename } from 'node:path';
import type { Command } from 'commander';
import type { BulkJob, CreateBulkJob } from '../../src/contract/bulk.ts';
import { holdsAddress } from '../../src/contract/stored-text.ts';
import { UPLOAD_BYTES_MAX } from '../../src/domain/bulk/job-record.ts';
import { columnNames } from '../../src/domain/bulk/present.ts';
import { segmentsOf } from '../../src/domain/bulk/results/segments.ts';
import { micros, usd } from '../../src/domain/metering/usage.ts';
import { findConnection, Interrupted, OperatorError } from './api.ts';
import { type BulkCalls, bulkCalls, collectJob, fetchCommand, type Wanted } from './bulk-job.ts';
import { checkOutput, sizeToSend } from './local-files.ts';
import { printAnswer } from './print.ts';
import { ask, organisationKey, organisationKeyFile, refusedOrganisationKey } from './secret-input.ts';

interface FetchOptions {
  segment: string;
  allowPartial: boolean;
  apiKeyFile?: string;
}
interface VerifyOptions extends FetchOptions {
  column?: string;
  purpose?: CreateBulkJob['purpose'];
  policy?: string;
  keep: boolean;
}
interface Globals {
  url?: string;
  state: string;
  json: boolean;
}

/** `verify-file IN.csv OUT.csv`: a file through a running service. `fetch-file JOB OUT.csv`: the results of one begun before. */
export function addFileCommands(program: Command): void {
  const command = (name: string, description: string, partial: string): Command =>
    program
      .command(name)
      .description(description)
      .option('--segment <segment>', 'write only these rows', 'all')
      .option('--allow-partial', partial, false)
      .addOption(organisationKeyFile())
      .addOption(refusedOrganisationKey(program));
  const connect = ({ apiKeyFile }: FetchOptions): BulkCalls => {
    const { url, state } = program.opts<Globals>();
    return bulkCalls(
      findConnection({ ...(url !== undefined && { url }), state, key: organisationKey(apiKeyFile) }, 'organisation'),
      interruption(),
    );
  };
  const wantedOf = (output: string, { segment, allowPartial }: FetchOptions): Wanted => {
    const { url, state } = program.opts<Globals>();
    const isStateGiven = program.getOptionValueSource('state') === 'cli';
    return { output, segment, allowPartial, ...(url !== undefined && { url }), ...(isStateGiven && { state }) };
  };
  const print = (answer: object): void => printAnswer(answer, program.opts<Globals>().json);

  command(
    'verify-file <in> <out>',
    'run a CSV file through the service and write it back with a result on every row',
    'go as far as the quota does: what is verified by then is written, the other rows with empty svc_ cells',
  )
    .option('--column <name>', 'column of the addresses: its header, or its number from 0')
    .option('--purpose <purpose>', 'what the addresses are for')
    .option('--policy <slug>', 'decide every row by this policy')
    .option('--keep', 'leave the files with the service, for other segments (7 days)', false)
    .action(async (input: string, output: string, options: VerifyOptions) => {
      const { job, estimate, spentUsd } = await verifyFile(connect(options), input, wantedOf(output, options), options);
      const { expected_cost_usd, max_cost_usd } = estimate;
      // By the account's usage: what else it verified meanwhile is in it.
      const cost = { expected_cost_usd, max_cost_usd, spent_usd: spentUsd };
      print({ ...shown(job), cost, file: output });
    });
  command(
    'fetch-file <job> <out>',
    'wait for a job that was begun before and write its results; its files stay with the service until their 7 days are over',
    'write what is verified of a job that was cancelled, or has paused for want of quota: it is cancelled then',
  ).action(async (id: string, output: string, options: FetchOptions) => {
    print({ ...shown(await fetchFile(connect(options), id, wantedOf(output, options))), file: output });
  });
}

function shown({ id, state, rows, progress, unique, invalid: skipped, counts }: BulkJob) {
  const verified = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return { job: { id, state, rows, rows_done: progress?.rows_done ?? 0, unique, verified, skipped }, counts };
}

/** Ctrl-C, the first time; the second ends the process as ever. */
function interruption(): AbortSignal {
  const controller = new AbortController();
  process.once('SIGINT', () => controller.abort());
  return controller.signal;
}

async function fetchFile(calls: BulkCalls, id: string, wanted: Wanted): Promise<BulkJob> {
  checkOutput(wanted.output);
  const { policy_slug: policy } = await calls.find(id);
  checkSegment(wanted.segment, policy !== null);
  return collectJob(calls, id, wanted, null);
}

async function verifyFile(calls: BulkCalls, input: string, wanted: Wanted, options: VerifyOptions) {
  const size = sizeToSend(input, UPLOAD_BYTES_MAX);
  checkOutput(wanted.output, input);
  checkSegment(wanted.segment, Boolean(options.policy));
  const { id } = await calls.create(wishesOf(input, options));
  /** Whether verified rows would go with the files. */
  let isPaid = false;
  try {
    const read = await calls.upload(id, input, size);
    if (read.state === 'failed') throw new OperatorError(`${input}: ${read.error?.message ?? 'it could not be read.'}`);
    if (read.email_column === null) throw new OperatorError(noColumn(read, options));
    const column = await whichColumn(
      read,
      read.email_column,
      process.stdin.isTTY ? (question) => ask(question, false) : null,
    );
    if (column !== read.email_column) await calls.change(id, { email_column: column });
    const estimate = await calls.estimate(id);
    const before = await calls.spendUsd();
    calls.signal.throwIfAborted();
    isPaid = true;
    await calls.start(id, wanted.allowPartial).catch(async (error: unknown) => {
      // An answer that was lost may have been a yes.
      isPaid = (await calls.find(id).catch(() => null))?.state !== 'ready';
      throw isPaid ? orBegun(error, id, wanted) : error;
    });
    console.error(
      `The job ${id} has begun. If this ends before it does, ${fetchCommand(id, wanted)} fetches its results.`,
    );
    const job = await collectJob(calls, id, wanted, estimate.expected_cost_usd);
    isPaid = false;
    const after = await calls.spendUsd().catch(() => null);
    const spentUsd = after === null ? null : Math.max(0, usd(micros(after) - micros(before)));
    return { job, estimate, spentUsd };
  } catch (error) {
    throw calls.signal.aborted && !isPaid ? new Interrupted('Nothing was started, and nothing is charged.') : error;
  } finally {
    if (!isPaid && !options.keep) await calls.remove(id).catch(() => undefined);
  }
}

function orBegun(error: unknown, id: string, wanted: Wanted): unknown {
  if (!(error instanceof OperatorError)) return error;
  const later = `The job ${id} may have begun: ${fetchCommand(id, wanted)} fetches its results.`;
  return new OperatorError(`${error.message} ${later}`);
}

function wishesOf(input: string, { column, purpose, policy }: VerifyOptions): CreateBulkJob {
  const name = basename(input);
  return {
    // A job's name outlives its file.
    ...(!holdsAddress(name) && { name }),
    ...(column !== undefined && { email_column: columnOf(column) }),
    ...(purpose && { purpose }),
    ...(policy && { policy_slug: policy }),
  };
}

/** Before anything is spent or waited for: a job is paid for whatever is written of it. */
function checkSegment(segment: string, hasPolicy: boolean): void {
  const names = ['all', ...Object.keys(segmentsOf(hasPolicy))];
  if (names.includes(segment)) return;
  throw new OperatorError(`--segment is one of ${names.join(', ')} ${hasPolicy ? 'with' : 'without'} a policy.`);
}

/**
 * Where two columns hold addresses: the one that a person chooses, and where nobody can be asked the likelier one.
 * @param choose asks at the terminal; null means nobody is there
 */
export async function whichColumn(
  { columns, email_column_other: other }: Pick<BulkJob, 'columns' | 'email_column_other'>,
  column: number,
  choose: ((question: string) => Promise<string>) | null,
): Promise<number> {
  if (other === null) return column;
  const named = (at: number): string => `${at}${columns?.[at] ? ` (“${columns[at]}”)` : ''}`;
  const both = `Two columns hold addresses: ${named(column)} and ${named(other)}.`;
  if (choose !== null) return (await choose(`${both} Which one? [${column}]`)) === String(other) ? other : column;
  console.error(`${both} The first of these is taken; --column ${other} takes the other.`);
  return column;
}

function noColumn({ columns }: BulkJob, { column }: VerifyOptions): string {
  const why =
    column === undefined ? 'No column with plain e-mail addresses was found' : `The file has no column “${column}”`;
  return `${why}: name one with --column by ${columnNames(columns ?? [])}.`;
}

/** Digits alone are a column's number. */
const columnOf = (text: string): string | number => (/^\d+$/.test(text) ? Number(text) : text);
