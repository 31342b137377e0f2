import type { BulkState } from '../../contract/bulk.ts';
import type { KeyMode } from '../../domain/access/keys.ts';
import type { Observation } from '../../domain/belief/facts.ts';
import { rowName } from '../../domain/belief/names.ts';
import type { JobRecord, ResultPart } from '../../domain/bulk/job-record.ts';
import type { Chunk } from '../../domain/bulk/job.ts';
import { withoutAddress, traceJson, type TraceRecord } from '../../domain/traces/traces.ts';
import { sha256Hex } from '../../kernel/crypto.ts';
import type { Id } from '../../kernel/ids.ts';
import { listErasedMarks } from './organisation.ts';
import {
  anyOf,
  clause,
  type Clause,
  type ColumnsOf,
  insertRecord,
  NOTHING,
  orReplace,
  raw,
  selectList,
  type Sql,
} from './sql.ts';

/** A job with the fields that only its object uses. */
export interface HeldJob {
  readonly record: JobRecord;
  /** Counts the job's writes, for the projection. */
  readonly version: number;
  /** When to delete its files (again); null before that, and once they are certainly gone. */
  readonly filesDue: number | null;
  /** The next try of its mail, from 1; 0: no mail to send. */
  readonly mailTry: number;
}

/** Each job waits for one of these timers. They are separate, so that chunks never wait for R2 or the mail service. */
const TIMERS = {
  bulk: 'files_due is null and mail_try = 0',
  bulk_files: 'files_due is not null',
  bulk_mails: 'files_due is null and mail_try > 0',
} as const;

export type BulkTimerName = keyof typeof TIMERS;

export function timerOf({ filesDue, mailTry }: Pick<HeldJob, 'filesDue' | 'mailTry'>): BulkTimerName {
  if (filesDue !== null) return 'bulk_files';
  return mailTry > 0 ? 'bulk_mails' : 'bulk';
}

/** The file's header (`columns`) can be long, and is separate from what changes with every chunk. */
type StoredJob = Omit<HeldJob, 'record'> & { readonly record: string; readonly columns: string };
/** With indexed fields. `dueAt`: when the job next needs work. */
type JobRow = StoredJob & {
  readonly id: Id<'bj'>;
  readonly mode: KeyMode;
  readonly state: BulkState;
  readonly dueAt: number | null;
};

const STORED: ColumnsOf<StoredJob> = {
  record: 'record',
  columns: 'columns',
  version: 'version',
  filesDue: 'files_due',
  mailTry: 'mail_try',
};
const ROW: ColumnsOf<JobRow> = { id: 'id', mode: 'mode', state: 'state', dueAt: 'due_at', ...STORED };
const SELECTED = selectList(STORED);

function toHeld({ record, columns, ...held }: StoredJob): HeldJob {
  const { job, ...rest } = JSON.parse(record) as JobRecord;
  const file = job.file && { ...job.file, columns: JSON.parse(columns) as string[] };
  return { ...held, record: { ...rest, job: { ...job, file } } };
}

export function findJob(sql: Sql, id: Id<'bj'>): HeldJob | null {
  const row = sql.first<StoredJob>`select ${SELECTED} from bulk_job where id = ${id}`;
  return row === undefined ? null : toHeld(row);
}

export function putJob(sql: Sql, held: HeldJob, dueAt: number | null): void {
  const { job, owner } = held.record;
  const file = job.file && { ...job.file, columns: [] };
  const row = {
    ...held,
    record: JSON.stringify({ ...held.record, job: { ...job, file } }),
    columns: JSON.stringify(job.file?.columns ?? []),
    id: job.id,
    mode: owner.mode,
    state: job.state,
    dueAt,
  };
  insertRecord<JobRow>(sql, 'bulk_job', ROW, row, orReplace('id', ROW, ['mode', 'columns']));
}

/** The header changes only when the file is read, and is deleted with the file. */
export function putColumns(sql: Sql, id: Id<'bj'>, columns: readonly string[]): void {
  sql.run`update bulk_job set columns = ${JSON.stringify(columns)} where id = ${id}`;
}

const select = (sql: Sql, where: Clause): HeldJob[] =>
  sql.all<StoredJob>`select ${SELECTED} from bulk_job ${where}`.map(toHeld);

export const listJobs = (
  sql: Sql,
  page: {
    readonly mode: KeyMode;
    readonly state: BulkState | null;
    readonly limit: number;
    readonly before: Id<'bj'> | null;
  },
): HeldJob[] => {
  const inState = page.state === null ? NOTHING : clause`and state = ${page.state}`;
  const before = page.before ?? 'bj_~';
  return select(
    sql,
    clause`where mode = ${page.mode} and id < ${before} ${inState} order by id desc limit ${page.limit}`,
  );
};

export const listInState = (sql: Sql, state: BulkState): HeldJob[] =>
  select(sql, clause`where state = ${state} order by id`);

export const countInState = (sql: Sql, state: BulkState): number =>
  sql.count`select count(*) from bulk_job where state = ${state}`;

export const countFailedWith = (sql: Sql, errors: readonly string[]): number =>
  sql.count`
    select count(*) from bulk_job where state = 'failed' and json_extract(record, '$.job.error') in ${anyOf(errors)}`;

export const listDueJobs = (sql: Sql, now: number, limit: number, timer?: BulkTimerName): HeldJob[] => {
  const ofTimer = timer === undefined ? NOTHING : raw(`and ${TIMERS[timer]}`);
  return select(sql, clause`where due_at <= ${now} ${ofTimer} order by due_at limit ${limit}`);
};

export const dueAtOf = (sql: Sql, id: Id<'bj'>): number | null =>
  sql.first<{ due_at: number | null }>`select due_at from bulk_job where id = ${id}`?.due_at ?? null;

export const nextJobDueAt = (sql: Sql, timer: BulkTimerName): number | null =>
  sql.first<{ due_at: number }>`
    select due_at from bulk_job where due_at is not null and ${raw(TIMERS[timer])} order by due_at limit 1`?.due_at ??
  null;

export const listChunks = (sql: Sql, id: Id<'bj'>): Chunk[] =>
  sql.all<{ record: string }>`select record from bulk_chunk where job_id = ${id} order by place`.map(
    ({ record }) => JSON.parse(record) as Chunk,
  );

export function putChunks(sql: Sql, id: Id<'bj'>, before: readonly Chunk[], after: readonly Chunk[]): void {
  for (const { index } of before.filter((old) => !after.some((each) => each.index === old.index))) {
    sql.run`delete from bulk_chunk where job_id = ${id} and place = ${index}`;
  }
  for (const chunk of after.filter((each) => !before.includes(each))) {
    sql.run`
      insert into bulk_chunk (job_id, place, record) values (${id}, ${chunk.index}, ${JSON.stringify(chunk)})
      on conflict (job_id, place) do update set record = excluded.record`;
  }
}

const RESULT: ColumnsOf<ResultPart> = { from: 'begin', to: 'finish', lease: 'lease' };
type ResultRow = ResultPart & { readonly jobId: Id<'bj'> };
const RESULT_ROW: ColumnsOf<ResultRow> = { jobId: 'job_id', ...RESULT };

export const insertResult = (sql: Sql, id: Id<'bj'>, part: ResultPart): void =>
  void insertRecord<ResultRow>(sql, 'bulk_result', RESULT_ROW, { jobId: id, ...part }, '');

export const listResults = (sql: Sql, id: Id<'bj'>): ResultPart[] =>
  sql.all<ResultPart>`select ${selectList(RESULT)} from bulk_result where job_id = ${id} order by begin`;

export const hasResult = (sql: Sql, id: Id<'bj'>, lease: string): boolean =>
  sql.first`select 1 as found from bulk_result where job_id = ${id} and lease = ${lease}` !== undefined;

export const deleteResults = (sql: Sql, id: Id<'bj'>): void => sql.run`delete from bulk_result where job_id = ${id}`;

export interface ChunkRecords {
  /** The trace's id and record of each checked address. */
  readonly traces: readonly (readonly [id: string, record: string])[];
  readonly observations: readonly Observation[];
}

/** An erased address's mark, which matches nothing in any store. `name`: its key in the history. */
export const erasedMark = (name: string): string => sha256Hex(`erased ${name}`);

/** Tests by history key whether an address was erased since the job was made; null if none was. */
export function erasedSince(sql: Sql, id: Id<'bj'>): ((name: string) => boolean) | null {
  const marks = new Set(listErasedMarks(sql, findJob(sql, id)?.record.job.createdAt ?? 0));
  return marks.size === 0 ? null : (name) => marks.has(erasedMark(name));
}

/**
 * A chunk's records without addresses erased since its job was made, which its holder may have read before. So nothing
 * about them is ever written, here or in Postgres.
 */
export function withoutErased(sql: Sql, id: Id<'bj'>, { traces, observations }: ChunkRecords): ChunkRecords {
  const isErased = erasedSince(sql, id);
  if (isErased === null) return { traces, observations };
  return {
    traces: traces.map(([traceId, record]) => {
      const trace = JSON.parse(record) as TraceRecord;
      const isKept = trace.addressHash === null || !isErased(rowName(trace.addressHash));
      return [traceId, isKept ? record : traceJson(withoutAddress(trace))] as const;
    }),
    observations: observations.filter(({ context }) => !isErased(context.address)),
  };
}
