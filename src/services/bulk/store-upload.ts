import {
  type JobMove,
  type JobRecord,
  addressesKey,
  jobPrefix,
  rowIndexKey,
  uploadKey,
} from '../../domain/bulk/job-record.ts';
import { DomainError } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import type { Context } from '../verb.ts';
import { jobAnswer, moveJob } from './job-steps.ts';
import { readUpload } from './read-upload.ts';
import { refusalOf, TAKEN, TOO_LARGE } from './refusals.ts';

/** Stores and reads an upload under an id of its own. Of two at once the job takes one, and the other is deleted. */
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
  // Where the answer is lost, the job may have taken the file: it stays, and goes with the job's other files.
  const moved = await moveJob(context, record.job.id, step);
  if (!moved.ok || !isRead) await drop();
  if (!moved.ok && moved.why === 'state') throw TAKEN;
  if (!moved.ok) throw refusalOf(moved.why, record);
  return jobAnswer(moved.record);
}
