import * as z from 'zod';
import { EpochSeconds, NextCursor, Paging, Usd, wholeNumber } from './common.ts';
import { ErrorEnvelope } from './error.ts';
import { Decision } from './policy.ts';
import { Note } from './rules.ts';
import { holdsAddress } from './stored-text.ts';
import {
  Basis,
  CheckReason,
  EmailType,
  MxProvider,
  Purpose,
  Recommendation,
  Unasked,
  Verdict,
  Warning,
} from './vocabulary.ts';

export const BULK_STATES = [
  'uploading',
  'ready',
  'queued',
  'running',
  'paused_quota',
  'done',
  'failed',
  'cancelled',
  'expired',
] as const;
export const BulkState = z
  .enum(BULK_STATES)
  .describe(
    '`uploading`: waits for its file; `ready`: the file is read; `queued`: two other jobs run; `running`; `paused_quota`: the month’s verifications are spent; `done`, `failed`, `cancelled`, `expired`: ended.',
  );
export type BulkState = z.infer<typeof BulkState>;

/** Why a file could not be read, or a job not finished. */
export const BulkErrorCode = z
  .enum([
    'empty_file',
    'not_text',
    'no_rows',
    'too_many_rows',
    'too_wide',
    'unclosed_quote',
    'internal_error',
    'expired_unfinished',
  ])
  .describe(
    'The file’s fault (`too_wide`: padding its short rows to the width of the first would take more than 20 MB); `internal_error`: our fault; `expired_unfinished`: 7 days passed before the end.',
  );
export type BulkErrorCode = z.infer<typeof BulkErrorCode>;

const Count = z.number().int().min(0);

const BulkBreakdown = z.object({
  basis: z
    .partialRecord(Basis, Count)
    .describe('What the answers rest on: no provider checked the addresses under `local`.'),
  warning: z.partialRecord(Warning, Count).describe('Addresses with a provider’s warning.'),
  verdict: z.partialRecord(Verdict, Count).describe('Addresses with each verdict.'),
  recommendation: z.partialRecord(Recommendation, Count).describe('Addresses with each recommendation.'),
  email_type: z.partialRecord(EmailType, Count).describe('Addresses of each type.'),
  reason: z.partialRecord(CheckReason, Count).describe('The first reason of each address that has one.'),
  host_family: z.partialRecord(MxProvider, Count).describe('The addresses by operator of their mail hosts.'),
  decision: z
    .partialRecord(Decision, Count)
    .nullable()
    .describe('The policy’s decisions about the addresses; null without a policy.'),
  domains: z
    .array(
      z.object({
        domain: z.string().describe('The domain, in lower case.'),
        addresses: Count.describe('Different addresses there.'),
      }),
    )
    .describe('The 20 largest domains of the file with five addresses or more; empty once its files are deleted.'),
  slips: Count.describe('Addresses whose domain is a typo of another.'),
  unresolved: Count.describe('Addresses whose mail hosts could not be looked up.'),
  duplicates: Count.describe('Rows of the file beyond the first of each address.'),
});

export const BulkJob = z.object({
  id: z.string().describe('The job’s id in paths: `bj_…`.'),
  state: BulkState,
  name: z.string().nullable().describe('For people, or null.'),
  purpose: Purpose,
  policy_slug: z.string().nullable().describe('The policy that decides each row, or null.'),
  has_header: z.boolean().nullable().describe('Whether the first row is a header; null until a file was read.'),
  email_column: Count.nullable().describe('The address column, counted from 0; null if none was recognised.'),
  email_column_other: Count.nullable().describe(
    'A second column, counted from 0, that is nearly as likely: ask which one is right, and send it with PATCH. Null without one, or once you named the column.',
  ),
  columns: z
    .array(z.string())
    .nullable()
    .describe(
      'The header’s cells. A cell with an address or a phone number is empty, and all are empty in a file without a header. Null until a file is read, and once its files are deleted.',
    ),
  rows: Count.nullable().describe('Rows of the file, without the header and blank lines.'),
  unique: Count.nullable().describe('Different addresses: each is one verification.'),
  invalid: Count.nullable().describe(
    'Rows that will be `skipped`: an empty cell, no `@`, over 320 characters, or two addresses in the cell.',
  ),
  progress: z
    .object({
      chunks_done: Count.describe('Finished parts of the file.'),
      chunks_total: Count.describe('Parts of the file.'),
      rows_done: Count.describe('Rows, repeated addresses and skipped ones too: `rows` when done.'),
    })
    .nullable()
    .describe('The progress; null before it runs.'),
  counts: z.partialRecord(Verdict, Count).describe('Addresses by verdict, so far.'),
  providers_asked: Count.describe('Addresses that a provider was asked about.'),
  providers_not_asked: z
    .partialRecord(Unasked, Count)
    .describe(
      'Why no provider was asked about the other addresses: `settled`, a finding or a rule ends it; `known`, an answer, a report or a catch-all domain says enough. With a provider configured every other address is asked about, within budget and ceilings.',
    ),
  breakdown: BulkBreakdown.nullable().describe('A summary of the addresses checked so far; null before the first.'),
  error: z
    .object({ code: BulkErrorCode, message: z.string().describe('For people. Branch on `code`.') })
    .nullable()
    .describe('Why it failed or expired; else null.'),
  allow_partial: z.boolean().describe('As in its start: it started although the quota did not cover the file.'),
  notify: z.boolean().describe('As requested. A key without a user gets no mail: only users have an address.'),
  created_at: EpochSeconds,
  started_at: EpochSeconds.nullable().describe('When it was started; a queued job’s turn comes later.'),
  finished_at: EpochSeconds.nullable(),
  expires_at: EpochSeconds.describe('When its files are deleted: 7 days after it was created.'),
  files_deleted_at: EpochSeconds.nullable(),
});
export type BulkJob = z.infer<typeof BulkJob>;
export const BulkJobResponse = z.object({ job: BulkJob.describe('The job.') });

/** Every kind of store must accept it: Postgres refuses a NUL and half a surrogate pair. */
const Text = z.string().regex(/^[^\p{Cc}\p{Cs}]*$/u, 'must not contain control characters');
const NO_ADDRESS = 'must not contain an e-mail address';
const Name = Text.trim()
  .min(1)
  .max(200)
  .refine((name) => !holdsAddress(name), NO_ADDRESS)
  .describe('For people; no e-mail address.');
const Slug = z.string().min(1).max(64).describe('The policy that decides each row.');
/** A column by its header's text or its zero-based index. */
const EmailColumn = z
  .union(
    [Text.min(1).max(1_000), z.number().int().min(0)],
    'must be the text of a header, in quotes, or the number of a column, without quotes (0 is the first)',
  )
  .refine((column) => typeof column === 'number' || !holdsAddress(column), NO_ADDRESS)
  .describe('The address column: the text of its header, or its number from 0. By default it is detected.');
const HasHeader = z.boolean().describe('Whether the first row is a header. By default the content decides.');

export const CreateBulkJob = z.object({
  name: Name.optional(),
  purpose: Purpose.optional().describe('What the addresses are for; `list_hygiene` by default.'),
  policy_slug: Slug.optional(),
  has_header: HasHeader.optional(),
  email_column: EmailColumn.optional(),
});
export type CreateBulkJob = z.infer<typeof CreateBulkJob>;

export const ChangeBulkJob = z.object({
  name: Name.nullable().optional(),
  policy_slug: Slug.nullable().optional(),
  has_header: HasHeader.optional(),
  email_column: EmailColumn.nullable().optional().describe('Null detects it by content again.'),
});
export type ChangeBulkJob = z.infer<typeof ChangeBulkJob>;

/** A file with a NUL is not text: one such entry would fail the whole file. */
const PastedEmail = z.string().refine((email) => !email.includes('\0'), 'must not contain a NUL');

export const PasteBulkJob = z.object({
  emails: z.array(PastedEmail).min(1).max(1_000).describe('Each becomes a row of a file with one column.'),
});
export const StartBulkJob = z.object({
  allow_partial: z
    .boolean()
    .optional()
    .describe('Starts although the quota does not cover the file: the job pauses (`paused_quota`) where it ends.'),
  notify: z.boolean().optional().describe('One mail, when done, to the user whose key created the job.'),
});
export const BlockBulkSegment = z.object({
  segment: z
    .enum(
      ['undeliverable', 'review', 'deny'],
      'must be `undeliverable` or `review`; for a job with a policy, `deny` or `review`',
    )
    .describe('`undeliverable` or `review`; of a job with a policy `deny` or `review`.'),
  note: Note.optional(),
});

export const BulkEstimate = z.object({
  rows_unique: Count.describe('Addresses not yet begun: 0 when done.'),
  verifications: Count.describe('Addresses that will be metered.'),
  skipped: Count.describe('Rows without one address: no check, no cost.'),
  cached: Count.describe('Addresses with fresh evidence in your history.'),
  cached_estimated: z.boolean().describe('`cached` was counted on a sample and scaled.'),
  to_verify: Count.describe('The other addresses.'),
  quota_remaining: Count.nullable().describe('Null when unmetered.'),
  fits: z.boolean().describe('Whether the quota covers all of them.'),
  max_cost_usd: Usd.describe('Every provider asked about every address, within an address’s ceiling.'),
  expected_cost_usd: Usd.describe(
    'The router’s expected spend for this purpose, estimated from the mail hosts of a few addresses.',
  ),
  enrichment_max_cost_usd: Usd.describe('The highest cost of enrichment for the policy’s rules.'),
  provider_budget_remaining_usd: Usd.nullable().describe(
    'The rest of the month’s provider budget; null when unlimited.',
  ),
  not_asked: z
    .object({
      terminal: Count.describe('A finding ends them: no mail host, a disposable domain …'),
      rule: Count.describe('A rule of yours names them.'),
      recent: Count.describe('An answer or a report of yours of the last 30 days says enough.'),
      catch_all: Count.describe('The domain is known to accept every recipient.'),
      budget: Count.describe('The month’s provider budget does not cover them.'),
      no_provider: Count.describe('No provider is configured, or the job has a test key.'),
    })
    .describe('Addresses that no provider will be asked about, by reason; scaled from a sample like `cached`.'),
});
export type BulkEstimate = z.infer<typeof BulkEstimate>;
/** 402 of start and resume. */
export const BulkQuotaError = ErrorEnvelope.extend({ estimate: BulkEstimate.describe('The job’s estimate.') });

export const BulkJobParams = z.object({ id: z.string().describe('A job: `bj_…`.') });
export const BulkJobQuery = Paging.extend({ state: BulkState.optional().describe('Jobs in this state.') });
export const BulkJobList = z.object({ jobs: z.array(BulkJob).describe('Newest first.'), cursor: NextCursor });
export const BulkEstimateQuery = z.object({
  again: z
    .enum(['true', 'false'])
    .default('false')
    .describe('`true`: for all addresses of the file, as after `POST /v1/bulk/jobs/:id/again`.'),
});
export const BulkPreviewQuery = z.object({
  limit: wholeNumber(1, 50).default(10).describe('Rows, at most.'),
});
export const BulkPreview = z.object({
  columns: z.array(z.string()).nullable().describe('The header’s cells as in the file; null without a header.'),
  rows: z
    .array(
      z.object({
        cells: z.array(z.string()).describe('The row’s cells as in the file, without CSV quotes.'),
        result: z
          .object({
            status: z.enum(['ok', 'skipped', 'error']).describe('Like `svc_status` of the results.'),
            verdict: Verdict.nullable().describe('The probability in a word.'),
            bounce_probability: z.number().nullable().describe('The probability that a message sent now hard-bounces.'),
            recommendation: Recommendation.nullable().describe('The cheapest action at that probability.'),
            reason: CheckReason.nullable().describe('The first reason; null without one.'),
            email_type: EmailType.nullable().describe('What kind of address it is.'),
            decision: z.string().nullable().describe('The policy’s decision; only in a job with a policy.'),
            rule_id: z
              .string()
              .nullable()
              .describe('The rule that decided, `default` when none matched; only in a job with a policy.'),
            did_you_mean: z
              .string()
              .nullable()
              .describe('The corrected address where the domain is a typo of a well-known one; else null.'),
            basis: Basis.nullable().describe('What decided the verdict; null where the row was not verified.'),
            warning: Warning.nullable().describe('A provider’s warning, or null.'),
            trace_id: z.string().nullable().describe('Its trace: `vr_…`.'),
          })
          .nullable()
          .describe('Null until the job reaches the row. All fields but `status` are null unless it is `ok`.'),
      }),
    )
    .describe('The first rows, within the first 64 KB.'),
});
export type BulkPreview = z.infer<typeof BulkPreview>;
export const BulkResultsQuery = z.object({
  segment: z
    .string()
    .default('all')
    .describe(
      '`all`, `business`, `deliverable` (recommendation `send`), `undeliverable` (`drop`), `review` (`hold`, `challenge`); with a policy, by its decision, `allow`, `deny` and `review` in place of the last three.',
    ),
});
