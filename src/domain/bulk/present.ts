import type { BulkErrorCode, BulkJob, BulkState } from '../../contract/bulk.ts';
import type { Verdict } from '../../contract/vocabulary.ts';
import { epochSeconds } from '../../kernel/clock.ts';
import { type Job, expiresAt } from './job.ts';

export const ERROR_MESSAGES: Readonly<Record<BulkErrorCode, string>> = {
  empty_file: 'The file is empty.',
  not_text:
    'The file is not text (a workbook, an archive?): save it as CSV in UTF-8, UTF-16 with its mark, or Windows-1252.',
  no_rows: 'The file has a header and no rows.',
  too_many_rows: 'The file has more than 100,000 rows: split it.',
  too_wide:
    'The first row has far more cells than the others: padding them to its width would take more than 20 MB. Remove its empty cells.',
  unclosed_quote: 'A quoted cell is never closed: look for a cell that begins with " and does not end with one.',
  internal_error: 'Something went wrong on our side.',
  expired_unfinished: 'The job did not end within 7 days of its creation.',
};

const STANDING: Readonly<Record<BulkState, string>> = {
  uploading: 'it waits for its file',
  ready: 'it has its file and can be started; another file takes a new job',
  queued: 'it waits for one of two running jobs to end; it can be cancelled',
  running: 'wait until it is done, or cancel it',
  paused_quota: 'it goes on once there is quota (resume, or by itself); cancelled, it gives out what is verified',
  done: 'it has ended, and its results can be downloaded',
  failed: 'its file could not be read; the next try takes a new job',
  cancelled: 'it has ended, and its results can be downloaded',
  expired: 'its 7 days are over; the next try takes a new job',
};
const FILES_GONE = 'its files are gone; the next try takes a new job';

export function standingOf({ state, filesDeletedAt }: Pick<Job, 'state' | 'filesDeletedAt'>): string {
  const standing = filesDeletedAt === null || state === 'expired' ? STANDING[state] : FILES_GONE;
  return `The job is \`${state}\`: ${standing}.`;
}

const TITLES_SHOWN = 10;
const TITLE_SHOWN = 40;

const titlesShown = (columns: readonly string[]): string[] =>
  columns
    .filter((title) => title !== '')
    .slice(0, TITLES_SHOWN)
    .map((title) => (title.length > TITLE_SHOWN ? `${title.slice(0, TITLE_SHOWN).toWellFormed()}…` : title));

/** The names a caller can use for the file's columns. */
export function columnNames(columns: readonly string[]): string {
  const shown = titlesShown(columns).map((title) => `“${title}”`);
  const byTitle = shown.length === 0 ? '' : `its header (${shown.join(', ')}) or `;
  return `${byTitle}its number, 0 to ${Math.max(0, columns.length - 1)}`;
}

/** Why the address column is unknown, and what to send. `isNamed`: the caller's column is missing. */
export function noColumnMessage(isNamed: boolean, columns: readonly string[]): string {
  const why = isNamed
    ? 'The file does not have the column that `email_column` names.'
    : 'No column with plain e-mail addresses was found.';
  const titles = titlesShown(columns).map((title) => JSON.stringify(title));
  const byTitle = titles.length === 0 ? '' : `the text of a header, in quotes (${titles.join(', ')}), or `;
  const last = columns.length > 1 ? `, ${columns.length - 1} the last` : '';
  return `${why} PATCH the job with \`email_column\`: ${byTitle}the number of a column, without quotes (0 is the first${last}).`;
}

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
    email_column_other: file?.emailColumnOther ?? null,
    columns: file === null || job.filesDeletedAt !== null ? null : [...file.columns],
    rows: file?.rows ?? null,
    unique: file?.unique ?? null,
    invalid: file?.invalid ?? null,
    progress:
      chunksTotal === null ? null : { chunks_done: job.chunksDone, chunks_total: chunksTotal, rows_done: job.rowsDone },
    counts: { ...job.counts },
    providers_asked: job.asking.asked,
    providers_not_asked: { ...job.asking.notAsked },
    breakdown: breakdownBody(job),
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

function breakdownBody({ breakdown, file, counts, unresolved, chunksDone, policySlug }: Job): BulkJob['breakdown'] {
  if (file === null || chunksDone === 0) return null;
  return {
    basis: { ...breakdown.basis },
    warning: { ...breakdown.warning },
    verdict: { ...counts },
    recommendation: { ...breakdown.recommendation },
    email_type: { ...breakdown.emailType },
    reason: { ...breakdown.reason },
    host_family: { ...breakdown.hostFamily },
    decision: policySlug === null ? null : { ...breakdown.decision },
    domains: file.domains.map(({ domain, addresses }) => ({ domain, addresses })),
    slips: breakdown.slips,
    unresolved,
    duplicates: file.rows - file.invalid - file.unique,
  };
}

/** RFC 6266 with RFC 8187: the name, and an ASCII form for clients that don't read that. */
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

/** The mail after a job: counts and a link, never the file's content. */
export function doneMail(job: Job, publicUrl: string | null): { readonly subject: string; readonly text: string } {
  const name = job.name ?? job.id;
  const counts = (Object.entries(job.counts) as [Verdict, number][]).map(([verdict, count]) => `${verdict}: ${count}`);
  const { rows = 0, unique = 0, invalid = 0 } = job.file ?? {};
  return {
    // A header is one line.
    subject: `Bulk verification done: ${name.replace(/\s+/g, ' ')}`,
    text: [
      `The bulk verification "${name}" is done.`,
      '',
      `Rows: ${rows}`,
      `Different addresses: ${unique}`,
      `Skipped rows: ${invalid}`,
      ...counts,
      '',
      'Its results, for a request with an API key:',
      `${publicUrl ?? ''}/v1/bulk/jobs/${job.id}/results.csv`,
      '',
    ].join('\n'),
  };
}
