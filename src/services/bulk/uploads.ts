import type * as contract from '../../contract/bulk.ts';
import { ROUTES } from '../../contract/routes.ts';
import { holdsAddress } from '../../contract/stored-text.ts';
import { release } from '../../domain/bulk/csv/address-file.ts';
import { detect, type LayoutHints, SAMPLE_BYTES } from '../../domain/bulk/csv/detect.ts';
import { pasteFile } from '../../domain/bulk/csv/identity.ts';
import { type FileFault, FileIngest } from '../../domain/bulk/csv/ingest.ts';
import {
  type ReadFile,
  type StoredUpload,
  addressesKey,
  rowIndexKey,
  uploadKey,
  type JobMove,
  type JobRecord,
  jobPrefix,
  UPLOAD_BYTES_MAX,
} from '../../domain/bulk/job-record.ts';
import { ERROR_MESSAGES, noColumnMessage } from '../../domain/bulk/present.ts';
import { DomainError } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import { type Blobs, getFile, openFile, PartedPut, putStream } from '../../storage/r2.ts';
import { type Context, verb } from '../verb.ts';
import { addJob, GONE, jobAnswer, moveJob, refusalOf, TAKEN, TOO_LARGE, requireUploading, requireJob } from './jobs.ts';

type Unreadable = FileFault | 'empty_file';

/**
 * Reads an upload in one pass. Its first 64 KB show the layout. Index and addresses are stored under the reading's own
 * id, so that two readings at once never mix.
 */
export async function readUpload(
  blobs: Blobs,
  prefix: string,
  upload: StoredUpload,
  wishes: LayoutHints,
): Promise<ReadFile | Unreadable> {
  const { attempt, reading, isPasted } = upload;
  const blocks = await openFile(blobs, uploadKey(prefix, attempt));
  /** Receives an address file that is too long for memory. */
  let parted: PartedPut | null = null;
  let isStored = false;
  try {
    const head: Uint8Array[] = [];
    let sampled = 0;
    let next = await blocks.next();
    for (; next.done !== true && sampled < SAMPLE_BYTES; next = await blocks.next()) {
      head.push(next.value.slice());
      sampled += next.value.length;
    }
    const detected = detect(joined(head, SAMPLE_BYTES), next.done === true && sampled <= SAMPLE_BYTES, wishes);
    if (typeof detected === 'string') return detected;

    const { columns, charset, emailColumnOther, ...how } = detected;
    // Titles are stored outside the file, where no address in any form may be.
    const titles = columns.map((title) => (holdsAddress(title) ? '' : title));
    const ingest = new FileIngest(how, isPasted);
    let takesMore = head.every((block) => ingest.write(block));
    for (; next.done !== true && takesMore; next = await blocks.next()) {
      takesMore = ingest.write(next.value);
      const piece = ingest.takePiece();
      if (piece === null) continue;
      parted ??= new PartedPut(blobs, addressesKey(prefix, reading));
      await parted.write(piece);
      release(piece);
    }
    const facts = ingest.end();
    if (typeof facts === 'string') return facts;
    const { rowIndex, addressFile, ...counts } = facts;
    await blobs.put(rowIndexKey(prefix, reading), rowIndex);
    if (parted === null) await blobs.put(addressesKey(prefix, reading), addressFile);
    else {
      await parted.write(addressFile);
      await parted.end();
    }
    isStored = true;
    release(rowIndex, addressFile);
    return { upload, file: { reading: how, columns: titles, emailColumnOther, charset, ...counts } };
  } finally {
    await blocks.return();
    if (!isStored) await parted?.abort();
  }
}

function joined(blocks: readonly Uint8Array[], limit: number): Uint8Array {
  const all = new Uint8Array(blocks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const block of blocks) {
    all.set(block, at);
    at += block.length;
  }
  return all.subarray(0, limit);
}

/** Stores and reads an upload under its own id. If two come at once, the job takes one and the other is deleted. */
export async function storeUpload(
  context: Context,
  record: JobRecord,
  isPasted: boolean,
  store: (key: string) => Promise<'stored' | 'too_large' | 'interrupted'>,
) {
  const { blobs } = context.deps;
  const prefix = jobPrefix(context.organisationId, record.job.id);
  const attempt = newId('rq', context.deps.now());
  const drop = () =>
    blobs.delete([uploadKey(prefix, attempt), rowIndexKey(prefix, attempt), addressesKey(prefix, attempt)]);
  const stored = await store(uploadKey(prefix, attempt));
  if (stored === 'too_large') throw TOO_LARGE;
  if (stored === 'interrupted') throw new DomainError('invalid_request', 'The body broke off.');
  const upload = { attempt, reading: attempt, isPasted };
  const read = await readUpload(blobs, prefix, upload, record.wishes).catch(async (error: unknown) => {
    await drop();
    throw error;
  });
  const isRead = typeof read !== 'string';
  const step: JobMove = isRead ? { kind: 'read', ...read } : { kind: 'unreadable', error: read };
  // If the answer is lost, the job may have taken the file: it stays, and is deleted with the job's other files.
  const moved = await moveJob(context, record.job.id, step);
  if (!moved.ok || !isRead) await drop();
  if (!moved.ok && moved.why === 'state') throw TAKEN;
  if (!moved.ok) throw refusalOf(moved.why, record);
  return jobAnswer(moved.record);
}

/** Streams a job's file. The request is authorized before the first byte is read. */
export const uploadFile = verb({
  route: ROUTES.uploadBulkFile,
  run: async (context, { params, upload: { stream, isLengthKnown } }) => {
    const record = await requireUploading(context, params.id);
    return storeUpload(context, record, false, (key) =>
      putStream(context.deps.blobs, key, stream, isLengthKnown, UPLOAD_BYTES_MAX),
    );
  },
});

/** Accepts addresses instead of a file, and makes a file of one column of them. */
export const pasteEmails = verb({
  route: ROUTES.pasteBulkEmails,
  run: async (context, { params, body: { emails } }) => {
    const record = await requireUploading(context, params.id);
    const pasted = { ...record, wishes: { hasHeader: true, emailColumn: 0 } };
    return storeUpload(context, pasted, true, async (key) => {
      await context.deps.blobs.put(key, pasteFile(emails));
      return 'stored';
    });
  },
});

/** Changes a job before it starts: its name, its policy, or its file's layout. */
export const changeJob = verb({
  route: ROUTES.changeBulkJob,
  // Refused if the account has no policy of this name.
  lookup: ({ body: { policy_slug } }) => (policy_slug ? { policySlug: policy_slug } : {}),
  run: async (context, { params, body: change }) => {
    const record = await requireJob(context, params.id);
    if (record.job.state !== 'ready') throw refusalOf('state', record);
    const read = await reread(context, record, change);
    const prefix = jobPrefix(context.organisationId, record.job.id);
    const moved = await moveJob(context, record.job.id, {
      kind: 'change',
      reread: read,
      ...(change.name === undefined ? {} : { name: change.name }),
      ...(change.policy_slug === undefined ? {} : { policySlug: change.policy_slug }),
    });
    // The replaced reading or, if the change was refused, this one itself.
    const stale = moved.ok ? moved.replaced : read?.upload.reading;
    if (stale !== undefined) await dropReading(context, prefix, stale);
    if (!moved.ok) throw refusalOf(moved.why, record);
    return jobAnswer(moved.record);
  },
});

async function reread(context: Context, record: JobRecord, change: contract.ChangeBulkJob): Promise<ReadFile | null> {
  const { has_header: hasHeader, email_column: emailColumn } = change;
  const { job, upload: stored } = record;
  if (stored === null || job.file === null || (hasHeader === undefined && emailColumn === undefined)) return null;
  const wishes: LayoutHints = {
    hasHeader: hasHeader ?? job.file.reading.hasHeader,
    emailColumn: emailColumn === undefined ? job.file.reading.emailColumn : emailColumn,
  };
  const prefix = jobPrefix(context.organisationId, job.id);
  const read = await readUpload(
    context.deps.blobs,
    prefix,
    { ...stored, reading: newId('rq', context.deps.now()) },
    wishes,
  );
  // With the other header setting the file may have no rows: the job stays as it is.
  if (typeof read === 'string') throw new DomainError('invalid_request', ERROR_MESSAGES[read]);
  if (emailColumn !== undefined && emailColumn !== null && read.file.reading.emailColumn === null) {
    await dropReading(context, prefix, read.upload.reading);
    throw new DomainError('no_email_column', noColumnMessage(true, read.file.columns));
  }
  // The column was not changed, so the earlier hint still holds.
  if (emailColumn === undefined)
    return { ...read, file: { ...read.file, emailColumnOther: job.file.emailColumnOther } };
  return read;
}

const dropReading = ({ deps }: Context, prefix: string, reading: string) =>
  deps.blobs.delete([rowIndexKey(prefix, reading), addressesKey(prefix, reading)]);

/** A new job from an ended job's file, read the same way. Paid evidence is reused. */
export const againJob = verb({
  route: ROUTES.checkBulkJobAgain,
  run: async (context, { params }) => {
    const { deps, organisationId } = context;
    const before = await requireJob(context, params.id);
    const { job, upload } = before;
    if (job.filesDeletedAt !== null) throw GONE;
    if (upload === null || job.file === null || job.finishedAt === null) throw refusalOf('state', before);
    const source = await getFile(deps.blobs, uploadKey(jobPrefix(organisationId, job.id), upload.attempt));
    const { hasHeader, emailColumn } = job.file.reading;
    const created = await addJob(context, job, { hasHeader, emailColumn });
    return storeUpload(context, created, upload.isPasted === true, (key) =>
      putStream(deps.blobs, key, source.body, true, UPLOAD_BYTES_MAX),
    );
  },
});
