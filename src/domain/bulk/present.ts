import type { BulkErrorCode, BulkJob } from '../../contract/bulk.ts';
import { epochSeconds } from '../../kernel/clock.ts';
import { expiresAt, type Job } from './job.ts';

/** What is wrong, for people. */
export const ERROR_MESSAGES: Readonly<Record<BulkErrorCode, string>> = {
  empty_file: 'The file is empty.',
  not_text: 'The file is no text: send a CSV file in UTF-8, UTF-16 with its mark, or Windows-1252.',
  no_rows: 'The file has a header and no rows.',
  too_many_rows: 'The file has more than 100,000 rows.',
  unclosed_quote: 'A quoted cell is never closed.',
  internal_error: 'Something went wrong on our side.',
  expired_unfinished: 'The job did not end within 7 days of its creation.',
};

const seconds = (ms: number | null): number | null => (ms === null ? null : epochSeconds(ms));

export function jobBody(job: Job): BulkJob {
  const { file, chunksTotal } = job;
  return {
    id: job.id,
    state: job.state,
    name: job.name,
    purpose: job.purpose,
    policy_slug: job.policySlug,
    has_header: file?.reading.hasHeader ?? null,
    email_column: file?.reading.emailColumn ?? null,
    columns: file === null ? null : [...file.columns],
    rows: file?.rows ?? null,
    unique: file?.unique ?? null,
    invalid: file?.invalid ?? null,
    progress:
      chunksTotal === null ? null : { chunks_done: job.chunksDone, chunks_total: chunksTotal, rows_done: job.rowsDone },
    counts: { ...job.counts },
    error: job.error === null ? null : { code: job.error, message: ERROR_MESSAGES[job.error] },
    allow_partial: job.allowPartial,
    notify: job.notify,
    created_at: epochSeconds(job.createdAt),
    started_at: seconds(job.startedAt),
    finished_at: seconds(job.finishedAt),
    expires_at: epochSeconds(expiresAt(job)),
    files_deleted_at: seconds(job.filesDeletedAt),
  };
}

/** RFC 6266 with RFC 8187: the name as it is, and in plain ASCII for what does not read that. */
export function attachment(name: string | null, segment: string): string {
  const base = (name ?? 'results').replace(/\.csv$/i, '');
  const file = `${segment === 'all' ? base : `${base} ${segment}`}.csv`;
  const plain = file.replace(/[^\w .()-]/g, '_');
  const encoded = encodeURIComponent(file.toWellFormed()).replace(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
