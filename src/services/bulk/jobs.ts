import type * as contract from '../../contract/bulk.ts';
import type { KeyIdentity } from '../../domain/access/key-record.ts';
import type { LayoutHints } from '../../domain/bulk/csv/detect.ts';
import { pasteFile } from '../../domain/bulk/csv/paste.ts';
import { addressesKey, jobPrefix, rowIndexKey, UPLOAD_BYTES_MAX, uploadKey } from '../../domain/bulk/files.ts';
import { newJob, resultsOf } from '../../domain/bulk/job.ts';
import type { JobMove, JobRecord, Moved, ReadFile } from '../../domain/bulk/job-record.ts';
import { attachment, ERROR_MESSAGES, jobBody, noColumnMessage } from '../../domain/bulk/present.ts';
import { blockableOf, canBeRule, segment, segmentsOf } from '../../domain/bulk/results/segments.ts';
import { RULES_MAX } from '../../domain/rules/types.ts';
import { DomainError } from '../../kernel/errors.ts';
import { type Id, newId, parseId } from '../../kernel/ids.ts';
import { askObject, type BulkPort, PORT_VERSION } from '../../organisation/api.ts';
import { type Blobs, deletePrefix, putStream } from '../../storage/r2.ts';
import { admitReached } from '../access/account.ts';
import type { OpenOperation } from '../frame.ts';
import type { Operation } from '../operation.ts';
import type { ruleListServices } from '../rules/rule-lists.ts';
import { readAddresses } from './addresses.ts';
import { type EstimateDeps, estimateJob } from './estimate.ts';
import { readUpload } from './read-upload.ts';
import { GONE, NO_JOB, notYet, refusalOf, TAKEN, TOO_LARGE } from './refusals.ts';
import { readResults, resultStream } from './results.ts';

export interface BulkDeps extends EstimateDeps {
  readonly blobs: Blobs;
  readonly rules: Pick<ReturnType<typeof ruleListServices>, 'blockAddresses'>;
}

/** A body as it arrives. */
export interface StreamedBody {
  readonly stream: ReadableStream<Uint8Array>;
  /** Whether it has a `Content-Length`, which has been held against the limit. */
  readonly isLengthKnown: boolean;
}

/** A file as it leaves. */
export interface Download {
  readonly stream: ReadableStream<Uint8Array>;
  readonly disposition: string;
  /** Null: not known. */
  readonly charset: string | null;
}

const ALL = 'all';
const downloadableOf = (hasPolicy: boolean): readonly string[] => [ALL, ...Object.keys(segmentsOf(hasPolicy))];

const CALL_TIMEOUT_MS = 10_000;

/** Bulk jobs as the API offers them. */
export function bulkServices(deps: BulkDeps) {
  const { blobs, objects } = deps;
  const now = objects.now;

  const ask = <T>(op: Operation, name: keyof BulkPort, call: (stub: BulkPort) => Promise<T>): Promise<T> =>
    askObject(objects, op.organisationId, name, call, CALL_TIMEOUT_MS);

  /** Test keys see the jobs of test keys. `policySlug`: a policy there has to be. */
  async function requireJob(
    op: Operation,
    text: string,
    policySlug?: string,
  ): Promise<JobRecord & { readonly caller: KeyIdentity }> {
    const { key: caller } = await admitReached(op, null, policySlug);
    const id = parseId('bj', text);
    const record = id === null ? null : await ask(op, 'findJob', (stub) => stub.findJob({ v: PORT_VERSION, id }));
    if (record === null || record.owner.mode !== op.mode) throw NO_JOB;
    return { ...record, caller };
  }

  /** Takes a step, or refuses it. */
  async function move(op: Operation, id: Id<'bj'>, step: JobMove): Promise<Moved> {
    const operationId = `${op.traceId} ${step.kind}`;
    return ask(op, 'moveJob', (stub) => stub.moveJob({ v: PORT_VERSION, operationId, id, move: step }));
  }

  const body = ({ job }: JobRecord): { job: contract.BulkJob } => ({ job: jobBody(job) });

  async function take(op: Operation, record: JobRecord, step: JobMove) {
    const moved = await move(op, record.job.id, step);
    if (moved.ok) return body(moved.record);
    if (moved.why !== 'quota') throw refusalOf(moved.why, record);
    throw new DomainError('quota_exceeded', 'The job does not fit what is left of this UTC month’s verifications.', {
      estimate: await estimateJob(deps, op, record),
    });
  }

  /** Stores and reads an upload under a place of its own: of two at once one is taken, and nothing of the other stays. */
  async function upload(
    op: Operation,
    record: JobRecord,
    isPasted: boolean,
    store: (key: string) => Promise<'stored' | 'too_large' | 'interrupted'>,
  ) {
    const prefix = jobPrefix(op.organisationId, record.job.id);
    const attempt = newId('rq', now());
    const drop = () =>
      blobs.delete([uploadKey(prefix, attempt), rowIndexKey(prefix, attempt), addressesKey(prefix, attempt)]);
    const stored = await store(uploadKey(prefix, attempt));
    if (stored === 'too_large') throw TOO_LARGE;
    if (stored === 'interrupted') throw new DomainError('invalid_request', 'The body broke off.');
    try {
      const read = await readUpload(blobs, prefix, { attempt, reading: attempt, isPasted }, record.wishes);
      const isRead = typeof read !== 'string';
      const step: JobMove = isRead ? { kind: 'read', ...read } : { kind: 'unreadable', error: read };
      const moved = await move(op, record.job.id, step);
      if (!moved.ok || !isRead) await drop();
      if (!moved.ok && moved.why === 'state') throw TAKEN;
      if (!moved.ok) throw refusalOf(moved.why, record);
      return body(moved.record);
    } catch (error) {
      await drop();
      throw error;
    }
  }

  async function requireUploading(op: Operation, id: string): Promise<JobRecord> {
    const record = await requireJob(op, id);
    if (record.job.state !== 'uploading') throw refusalOf('state', record);
    return record;
  }

  async function reread(op: Operation, record: JobRecord, change: contract.ChangeBulkJob): Promise<ReadFile | null> {
    const { has_header: hasHeader, email_column: emailColumn } = change;
    const { job, upload: stored } = record;
    if (stored === null || job.file === null || (hasHeader === undefined && emailColumn === undefined)) return null;
    const wishes: LayoutHints = {
      hasHeader: hasHeader ?? job.file.reading.hasHeader,
      emailColumn: emailColumn === undefined ? job.file.reading.emailColumn : emailColumn,
    };
    const prefix = jobPrefix(op.organisationId, job.id);
    const read = await readUpload(blobs, prefix, { ...stored, reading: newId('rq', now()) }, wishes);
    // A header alone is a file without rows, and a header that is none is a row: the job stays as it is.
    if (typeof read === 'string') throw new DomainError('invalid_request', ERROR_MESSAGES[read]);
    if (emailColumn !== undefined && emailColumn !== null && read.file.reading.emailColumn === null) {
      await dropReading(prefix, read.upload.reading);
      throw new DomainError('no_email_column', noColumnMessage(true, read.file.columns));
    }
    return read;
  }

  const dropReading = (prefix: string, reading: string) =>
    blobs.delete([rowIndexKey(prefix, reading), addressesKey(prefix, reading)]);

  async function readySegment(
    op: Operation,
    id: string,
    name: string,
    namesOf: (hasPolicy: boolean) => readonly string[],
  ) {
    const record = await requireJob(op, id);
    const { job, caller, upload: stored } = record;
    const hasPolicy = job.policySlug !== null;
    const names = namesOf(hasPolicy);
    if (!names.includes(name)) {
      throw new DomainError('invalid_request', `\`segment\` must be one of ${names.join(', ')}.`);
    }
    const includes = name === ALL ? null : segment(name, hasPolicy);
    const standing = resultsOf(job);
    if (standing === 'gone') throw GONE;
    if (standing === 'not_yet' || stored === null) throw notYet(job);
    const prefix = jobPrefix(op.organisationId, job.id);
    const places = () => ask(op, 'listResults', (stub) => stub.listResults({ v: PORT_VERSION, id: job.id }));
    return { job, caller, stored, includes, prefix, resultOf: await readResults(blobs, prefix, job, places) };
  }

  return {
    async create(op: Operation, wishes: contract.CreateBulkJob) {
      const { key, organisation } = await admitReached(op, null, wishes.policy_slug);
      const job = newJob(
        {
          id: newId('bj', now()),
          name: wishes.name ?? null,
          purpose: wishes.purpose ?? 'list_hygiene',
          policySlug: wishes.policy_slug ?? null,
        },
        now(),
      );
      const read = { hasHeader: wishes.has_header ?? null, emailColumn: wishes.email_column ?? null };
      const record = { job, owner: key, organisation, wishes: read, upload: null, sample: null, policyVersion: null };
      return body(await ask(op, 'createJob', (stub) => stub.createJob({ v: PORT_VERSION, record })));
    },

    async upload(op: Operation, id: string, { stream, isLengthKnown }: StreamedBody) {
      const record = await requireUploading(op, id);
      return upload(op, record, false, (key) => putStream(blobs, key, stream, isLengthKnown, UPLOAD_BYTES_MAX));
    },

    async paste(op: Operation, id: string, { emails }: { readonly emails: readonly string[] }) {
      const record = await requireUploading(op, id);
      const pasted = { ...record, wishes: { hasHeader: true, emailColumn: 0 } };
      return upload(op, pasted, true, async (key) => {
        await blobs.put(key, pasteFile(emails));
        return 'stored';
      });
    },

    async change(op: Operation, id: string, change: contract.ChangeBulkJob) {
      const record = await requireJob(op, id, change.policy_slug ?? undefined);
      if (record.job.state !== 'ready') throw refusalOf('state', record);
      const read = await reread(op, record, change);
      const prefix = jobPrefix(op.organisationId, record.job.id);
      const moved = await move(op, record.job.id, {
        kind: 'change',
        reread: read,
        ...(change.name === undefined ? {} : { name: change.name }),
        ...(change.policy_slug === undefined ? {} : { policySlug: change.policy_slug }),
      });
      // Of several at once each has put its reading in the place of another's.
      const stale = moved.ok ? moved.replaced : read?.upload.reading;
      if (stale !== undefined) await dropReading(prefix, stale);
      if (!moved.ok) throw refusalOf(moved.why, record);
      return body(moved.record);
    },

    async list(
      op: OpenOperation,
      { limit, cursor, state }: { limit: number; cursor?: string | undefined; state?: contract.BulkState | undefined },
    ) {
      const before = cursor === undefined ? null : parseId('bj', cursor);
      if (cursor !== undefined && before === null) {
        await op.admitFaulty();
        throw new DomainError('invalid_request', '`cursor` is not valid.');
      }
      await admitReached(op);
      const page = { v: PORT_VERSION, mode: op.mode, state: state ?? null, limit: limit + 1, before } as const;
      const listed = await ask(op, 'listJobs', (stub) => stub.listJobs(page));
      const shown = listed.slice(0, limit);
      return {
        jobs: shown.map(({ job }) => jobBody(job)),
        cursor: listed.length > limit ? (shown.at(-1)?.job.id ?? null) : null,
      };
    },

    get: async (op: Operation, id: string) => body(await requireJob(op, id)),

    async estimate(op: Operation, id: string) {
      const record = await requireJob(op, id);
      if (record.job.filesDeletedAt !== null) throw GONE;
      if (record.job.file === null) throw refusalOf('state', record);
      if (record.job.file.reading.emailColumn === null) throw refusalOf('no_email_column', record);
      return estimateJob(deps, op, record);
    },

    async start(
      op: Operation,
      id: string,
      wishes: { allow_partial?: boolean | undefined; notify?: boolean | undefined },
    ) {
      const record = await requireJob(op, id);
      const { allow_partial: allowPartial = false, notify = false } = wishes;
      return take(op, record, { kind: 'start', allowPartial, notify });
    },

    cancel: async (op: Operation, id: string) => take(op, await requireJob(op, id), { kind: 'cancel' }),
    resume: async (op: Operation, id: string) => take(op, await requireJob(op, id), { kind: 'resume' }),

    async remove(op: Operation, id: string) {
      const record = await requireJob(op, id);
      const removed = await take(op, record, { kind: 'remove' });
      // The object's own timer does it again: somebody may be writing right now.
      await deletePrefix(blobs, jobPrefix(op.organisationId, record.job.id));
      return removed;
    },

    async results(op: Operation, id: string, name: string): Promise<Download> {
      const { job, stored, includes, prefix, resultOf } = await readySegment(op, id, name, downloadableOf);
      return {
        stream: await resultStream(blobs, prefix, stored, job, resultOf, includes),
        disposition: attachment(job.name, name),
        charset: job.file?.charset ?? null,
      };
    },

    async block(op: Operation, id: string, { segment: name, note }: { segment: string; note?: string | undefined }) {
      const { job, caller, stored, includes, prefix, resultOf } = await readySegment(op, id, name, blockableOf);
      const unique = job.file?.unique ?? 0;
      const numbers = Array.from({ length: unique }, (_, number) => number).filter((number) => {
        const kind = resultOf(number)?.kind ?? null;
        return canBeRule(kind) && includes?.(kind);
      });
      if (numbers.length > RULES_MAX) {
        throw new DomainError('invalid_request', `An account has up to ${RULES_MAX} address rules: none was added.`);
      }
      const emails = await readAddresses(blobs, addressesKey(prefix, stored.reading), unique, numbers);
      const { rejected: _, ...added } = await deps.rules.blockAddresses(op, caller, emails, note);
      return added;
    },
  };
}
