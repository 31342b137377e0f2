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
    'What is wrong with the file (`too_wide`: its short rows, filled up to the width of the first, would grow by more than 20 MB); `internal_error`: a fault of ours; `expired_unfinished`: 7 days were over before the end.',
  );
export type BulkErrorCode = z.infer<typeof BulkErrorCode>;

const Count = z.number().int().min(0);

const BulkBreakdown = z.object({
  basis: z
    .partialRecord(Basis, Count)
    .describe('What the answers rest on: addresses under `local` were not checked by anybody.'),
  warning: z.partialRecord(Warning, Count).describe('Addresses that a provider warns of.'),
  verdict: z.partialRecord(Verdict, Count).describe('Addresses with each verdict.'),
  recommendation: z.partialRecord(Recommendation, Count).describe('Addresses with each recommendation.'),
  email_type: z.partialRecord(EmailType, Count).describe('Addresses of each type.'),
  reason: z.partialRecord(CheckReason, Count).describe('The first reason of each address that has one.'),
  host_family: z.partialRecord(MxProvider, Count).describe('Whose mail hosts the addresses’ domains have.'),
  decision: z
    .partialRecord(Decision, Count)
    .nullable()
    .describe('What the policy decided of the addresses; null without a policy.'),
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
  id: z.string().describe('Names the job in paths: `bj_…`.'),
  state: BulkState,
  name: z.string().nullable().describe('For people; null: it has none.'),
  purpose: Purpose,
  policy_slug: z.string().nullable().describe('The policy that decides each row; null: none does.'),
  has_header: z.boolean().nullable().describe('Whether the first row is a header; null until a file was read.'),
  email_column: Count.nullable().describe('The column with the addresses, counted from 0; null where none was found.'),
  email_column_other: Count.nullable().describe(
    'A second column, counted from 0, that is nearly as likely: ask which one is meant, and name it with PATCH. Null: there is none, or the column was named.',
  ),
  columns: z
    .array(z.string())
    .nullable()
    .describe(
      'The header’s cells. A cell is empty where it holds an address or a phone number, and all are empty in a file without a header. Null until a file is read, and once its files are deleted.',
    ),
  rows: Count.nullable().describe('Rows of the file, without the header and blank lines.'),
  unique: Count.nullable().describe('Different addresses: each is one verification.'),
  invalid: Count.nullable().describe(
    'Rows that will be `skipped`: an empty cell, no `@`, over 320 characters, or two addresses in the cell.',
  ),
  progress: z
    .object({
      chunks_done: Count.describe('Parts of the file that are done.'),
      chunks_total: Count.describe('Parts that the file is worked on in.'),
      rows_done: Count.describe('Rows, repeated addresses and skipped ones too: `rows` when done.'),
    })
    .nullable()
    .describe('How far it is; null before it runs.'),
  counts: z.partialRecord(Verdict, Count).describe('Addresses by verdict, so far.'),
  providers_asked: Count.describe('Addresses that a provider was asked about.'),
  providers_not_asked: z
    .partialRecord(Unasked, Count)
    .describe(
      'Why not about the other addresses: `settled`, a finding or a rule ends it; `known`, an answer, a report or a catch-all domain says enough. With a provider set up every other address is asked about, as far as budget and ceilings reach.',
    ),
  breakdown: BulkBreakdown.nullable().describe('What the addresses checked so far are; null before the first are.'),
  error: z
    .object({ code: BulkErrorCode, message: z.string().describe('For people. Branch on `code`.') })
    .nullable()
    .describe('Why it failed or expired; else null.'),
  allow_partial: z.boolean().describe('As asked for at its start: it began although the quota did not reach.'),
  notify: z.boolean().describe('As asked for. A key without a user gets no mail: only users have an address.'),
  created_at: EpochSeconds,
  started_at: EpochSeconds.nullable().describe('When it was started; a queued job’s turn comes later.'),
  finished_at: EpochSeconds.nullable(),
  expires_at: EpochSeconds.describe('When its files are deleted: 7 days after it was created.'),
  files_deleted_at: EpochSeconds.nullable(),
});
export type BulkJob = z.infer<typeof BulkJob>;
export const BulkJobResponse = z.object({ job: BulkJob.describe('The job.') });

/** Every kind of store must accept it: Postgres refuses a NUL and half a surrogate pair. */
const Text = z.string().regex(/^[^\p{Cc}\p{Cs}]*$/u, 'must not hold control characters');
const NO_ADDRESS = 'must not hold an e-mail address';
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
  .describe('The column with the addresses: the text of its header, or its number from 0. Left out: it is found.');
const HasHeader = z.boolean().describe('Whether the first row is a header. Left out: the content tells.');

export const CreateBulkJob = z.object({
  name: Name.optional(),
  purpose: Purpose.optional().describe('What the addresses are for; `list_hygiene` when left out.'),
  policy_slug: Slug.optional(),
  has_header: HasHeader.optional(),
  email_column: EmailColumn.optional(),
});
export type CreateBulkJob = z.infer<typeof CreateBulkJob>;

export const ChangeBulkJob = z.object({
  name: Name.nullable().optional(),
  policy_slug: Slug.nullable().optional(),
  has_header: HasHeader.optional(),
  email_column: EmailColumn.nullable().optional().describe('Null: it is found by its content again.'),
});
export type ChangeBulkJob = z.infer<typeof ChangeBulkJob>;

/** A file with a NUL is not text: one such entry would fail the whole file. */
const PastedEmail = z.string().refine((email) => !email.includes('\0'), 'must not hold a NUL');

export const PasteBulkJob = z.object({
  emails: z.array(PastedEmail).min(1).max(1_000).describe('Each becomes a row of a file with one column.'),
});
export const StartBulkJob = z.object({
  allow_partial: z
    .boolean()
    .optional()
    .describe('Begins although the quota does not reach: the job pauses (`paused_quota`) where it ends.'),
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
  cached: Count.describe('Addresses of which your history has fresh evidence.'),
  cached_estimated: z.boolean().describe('`cached` was counted on a sample and scaled.'),
  to_verify: Count.describe('The other addresses.'),
  quota_remaining: Count.nullable().describe('Null when unmetered.'),
  fits: z.boolean().describe('Whether the quota reaches for all of them.'),
  max_cost_usd: Usd.describe('Every address asked of every provider, within the ceiling of an address.'),
  expected_cost_usd: Usd.describe(
    'What the router would spend at this purpose, from the mail hosts of a few addresses.',
  ),
  enrichment_max_cost_usd: Usd.describe('What enrichment may cost at most, for the policy’s rules.'),
  provider_budget_remaining_usd: Usd.nullable().describe('Of the month’s provider budget; null when unlimited.'),
  not_asked: z
    .object({
      terminal: Count.describe('A finding ends them: no mail host, a disposable domain …'),
      rule: Count.describe('A rule of yours names them.'),
      recent: Count.describe('An answer or a report of yours of the last 30 days says enough.'),
      catch_all: Count.describe('The domain is known to accept every recipient.'),
      budget: Count.describe('The month’s provider budget does not reach for them.'),
      no_provider: Count.describe('No provider is set up, or the job has a test key.'),
    })
    .describe('Addresses that no provider will be asked about, by why; scaled from a sample as `cached` is.'),
});
export type BulkEstimate = z.infer<typeof BulkEstimate>;
/** 402 of start and resume. */
export const BulkQuotaError = ErrorEnvelope.extend({ estimate: BulkEstimate.describe('What the job would take.') });

export const BulkJobParams = z.object({ id: z.string().describe('A job: `bj_…`.') });
export const BulkJobQuery = Paging.extend({ state: BulkState.optional().describe('Jobs in this state.') });
export const BulkJobList = z.object({ jobs: z.array(BulkJob).describe('Newest first.'), cursor: NextCursor });
export const BulkEstimateQuery = z.object({
  again: z
    .enum(['true', 'false'])
    .default('false')
    .describe('`true`: of all addresses of the file, as `POST /v1/bulk/jobs/:id/again` would begin with them.'),
});
export const BulkPreviewQuery = z.object({
  limit: wholeNumber(1, 50).default(10).describe('Rows, at most.'),
});
export const BulkPreview = z.object({
  columns: z
    .array(z.string())
    .nullable()
    .describe('The header’s cells as they stand in the file; null without a header.'),
  rows: z
    .array(
      z.object({
        cells: z.array(z.string()).describe('As they stand in the file, without the quotes of CSV.'),
        result: z
          .object({
            status: z.enum(['ok', 'skipped', 'error']).describe('As `svc_status` of the results.'),
            verdict: Verdict.nullable().describe('The probability in a word.'),
            bounce_probability: z.number().nullable().describe('That a message sent now bounces for good.'),
            recommendation: Recommendation.nullable().describe('The cheapest action at that probability.'),
            reason: CheckReason.nullable().describe('The first reason; null without one.'),
            email_type: EmailType.nullable().describe('What kind of address it is.'),
            decision: z.string().nullable().describe('Of a job with a policy.'),
            rule_id: z
              .string()
              .nullable()
              .describe('Of a job with a policy: the rule that decided; `default` when none matched.'),
            did_you_mean: z
              .string()
              .nullable()
              .describe('The corrected address where the domain is a typo of a well-known one; else null.'),
            basis: Basis.nullable().describe('What decided the verdict; null where the row was not verified.'),
            warning: Warning.nullable().describe('What a provider warns of; null: nothing.'),
            trace_id: z.string().nullable().describe('Its trace: `vr_…`.'),
          })
          .nullable()
          .describe('Null: the job has not come to the row. All but `status` is null where it is not `ok`.'),
      }),
    )
    .describe('The first rows, as far as they stand in the first 64 KB.'),
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
