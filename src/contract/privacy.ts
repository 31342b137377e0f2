import * as z from 'zod';
import { bodyOf, Display, EpochSeconds } from './common.ts';
import { EventName, Outcome, SmtpCodes } from './feedback.ts';
import { FlatProperties } from './properties.ts';
import { admin, type RouteDeclaration, viewer } from './route.ts';
import { AddressEntry } from './rules.ts';
import { ScreeningRow } from './screening.ts';
import { Trace } from './traces.ts';
import { Warning } from './vocabulary.ts';

/** A person's rights: everything stored about an address, and its erasure. */

const Email = z
  .string()
  .min(1)
  .max(320)
  .describe('The person’s address. Send it in the body, never in a URL; it is not logged.');

export const ExportAddress = z.object({ email: Email });
export const ForgetAddress = z.object({
  email: Email,
  suppress: z
    .boolean()
    .optional()
    .describe(
      'True: imports, mail services and the payment processor add nothing about it any more, for which its hash stays. False lifts that. Unchanged by default.',
    ),
});

const KnownHistory = z.object({
  first_seen_at: EpochSeconds,
  host_class: z.string().describe('The kind of its mail hosts.'),
  purpose: z.string().describe('The purpose of its first request.'),
  features: z.array(z.string()).describe('Features of the address itself.'),
  answers: z
    .array(
      z.object({
        provider: z.string().describe('Who said it.'),
        verdict: z.string().describe('What it said.'),
        full: z.literal(true).optional().describe('It said that the mailbox is full.'),
        warning: Warning.optional(),
        at: EpochSeconds,
      }),
    )
    .describe('Providers’ answers.'),
  reports: z
    .array(
      z.object({
        source: z.string().describe('Who reported it: `api`, `import`, or a connection.'),
        class: z.string().describe('The message’s outcome.'),
        at: EpochSeconds,
      }),
    )
    .describe('Reports about messages to it.'),
  proofs: z
    .array(z.object({ class: z.string().describe('`confirmed` or `paid`.'), at: EpochSeconds }))
    .describe('Signs that somebody reads it.'),
});
export type KnownHistory = z.infer<typeof KnownHistory>;

const MailReport = z.object({
  source: z.string().describe('The connection, or `import`.'),
  outcome: Outcome,
  smtp: SmtpCodes.describe('The codes of the reply.'),
  means: z
    .enum(['sent', 'seen', 'suppressed'])
    .describe(
      'What the report rests on: a message `sent`; one that was opened (`seen`); the service does not send there (`suppressed`).',
    ),
  at: EpochSeconds,
});
const HeldEvent = z.object({
  id: z.string().describe('Names the event: `ev_…`.'),
  event: EventName,
  source: z.string().describe('Who reported it: `api`, or a connection.'),
  at: EpochSeconds,
  properties: FlatProperties.nullable().describe('Its properties, or null.'),
});
const Exposure = z.object({
  at: EpochSeconds.describe('Its first verification or decision of the last 365 days.'),
  attributes: z.unknown().describe('The account’s attributes in a decision.'),
});

export const AddressExport = z.object({
  display: Display,
  exported_at: EpochSeconds,
  suppressed: z.boolean().describe('Kept out of imports and webhooks.'),
  rules: z
    .array(AddressEntry.extend({ rule: z.enum(['block', 'allow']).describe('The list it is on.') }))
    .describe('Your rule on it.'),
  history: KnownHistory.nullable().describe('The inputs of its next number; null if nothing is known.'),
  traces: z.array(Trace).describe('Verifications and decisions, newest first, of live and test keys.'),
  screenings: z.array(ScreeningRow).describe('Newest first.'),
  reports: z.array(MailReport).describe('Reports of mail services and imports.'),
  events: z.array(HeldEvent).describe('Events of the person.'),
  exposures: z.array(Exposure).describe('How segments count it.'),
  kept_answers: z.array(z.unknown()).describe('Answers stored for a repeat under an `Idempotency-Key`, for 24 hours.'),
  truncated: z
    .array(z.enum(['traces', 'screenings', 'reports', 'events']))
    .describe('Lists with more than the newest 1,000. The rest is of the same kind.'),
});
export type AddressExport = z.infer<typeof AddressExport>;

const Removed = z.record(z.string(), z.number().int());
const ErasedStore = z.object({
  store: z.enum(['object', 'postgres', 'caches', 'bulk_files', 'restore_points']).describe('The store.'),
  removed: Removed.describe('Rows of each kind that this call has cut off.'),
  free_by: EpochSeconds.nullable().describe(
    'When it contains nothing about the address any more; null: once Postgres has all rows, without another call.',
  ),
});
export const ErasureReceipt = z.object({
  status: z.enum(['done', 'pending']).describe('`pending`: rows in Postgres follow, without another call.'),
  at: EpochSeconds,
  suppressed: z.boolean().describe('Imports and webhooks bring nothing of it any more.'),
  kept: z
    .array(z.enum(['member', 'invitation']))
    .describe(
      'What stays on purpose: the account’s own member with the address until they leave, or an invitation until it ends.',
    ),
  stores: z.array(ErasedStore).describe('What was removed, by store.'),
});
export type ErasureReceipt = z.infer<typeof ErasureReceipt>;

const Subprocessor = z.object({
  id: z.string().describe('Names it in paths.'),
  kind: z
    .enum(['verification', 'enrichment', 'model', 'mail', 'dns', 'database', 'platform'])
    .describe('What it does for the service.'),
  name: z.string().describe('The company.'),
  sent: z.array(z.string()).describe('The data it receives.'),
  gets_address: z.boolean().describe('The address itself is sent.'),
  host: z.string().nullable().describe('The host of its requests; null without a host of its own.'),
  retention: z
    .object({
      says: z.string().describe('In short.'),
      source: z.string().nullable().describe('Its page, or null.'),
      read_on: z.string().describe('The day it was read, `2026-11-23`.'),
    })
    .nullable()
    .describe('Its retention by its own page as of that day; null if the operator runs it.'),
  switchable: z.boolean().describe('The account can do without it.'),
  enabled: z.boolean().describe('Whether this account’s requests reach it.'),
});
export type SubprocessorBody = z.infer<typeof Subprocessor>;
export const Subprocessors = z.object({
  subprocessors: z.array(Subprocessor).describe('Every company that may get data.'),
});
export const SubprocessorParams = z.object({ id: z.string().describe('As the list names it.') });
export const SwitchSubprocessor = z.object({
  enabled: z.boolean().describe('Whether requests of yours may reach it.'),
});
export const SubprocessorResponse = z.object({ subprocessor: Subprocessor.describe('As it is now.') });

const Days = z.number().int().min(30).max(400);
const Retention = z.object({
  traces: Days.describe('Traces, screenings, and how segments count them.'),
  outcomes: Days.describe('Outcomes and reports of mail services and imports.'),
  events: Days.describe('Events, and which customer of a payment processor an address belongs to.'),
  history: Days.describe('What is known of an address without news.'),
  details: Days.max(90).describe('The detail that replays a trace.'),
});
export const RetentionResponse = z.object({
  retention: Retention.describe('Days. Older records are deleted by the next nightly run.'),
});
export const PutRetention = z.object({
  traces: Retention.shape.traces.nullable().optional(),
  outcomes: Retention.shape.outcomes.nullable().optional(),
  events: Retention.shape.events.nullable().optional(),
  history: Retention.shape.history.nullable().optional(),
  details: Retention.shape.details.nullable().optional(),
});

export const PRIVACY_ROUTES = {
  exportAddress: {
    ...admin('post', '/v1/addresses/export'),
    rate: 'analysis',
    summary: 'All that is held about an address in the account.',
    body: bodyOf(ExportAddress, 'address', { email: 'ada@example.com' }),
    response: { status: 200, schema: AddressExport },
  },
  forgetAddress: {
    ...admin('post', '/v1/addresses/forget'),
    summary: 'Erases all that is held about an address in the account, with a receipt.',
    body: bodyOf(ForgetAddress, 'address', { email: 'ada@example.com' }),
    response: { status: 202, schema: ErasureReceipt },
  },
  subprocessors: {
    ...viewer('get', '/v1/subprocessors'),
    summary: 'Which companies get what, and which of them the account has switched off.',
    response: { status: 200, schema: Subprocessors },
  },
  switchSubprocessor: {
    ...admin('patch', '/v1/subprocessors/:id'),
    summary:
      'Switches a vendor, an enrichment or the model off for the account, or on again, from the next request on.',
    params: SubprocessorParams,
    refuses: [409],
    body: bodyOf(SwitchSubprocessor, 'address', { enabled: false }),
    response: { status: 200, schema: SubprocessorResponse },
  },
  retention: {
    ...viewer('get', '/v1/retention'),
    summary: 'How many days the account’s records are stored.',
    response: { status: 200, schema: RetentionResponse },
  },
  putRetention: {
    ...admin('put', '/v1/retention'),
    summary:
      'Shortens how long records are stored, to 30 days at least; null restores the service’s default. Omitted kinds stay.',
    body: bodyOf(PutRetention, 'address', { traces: 90, events: null }),
    response: { status: 200, schema: RetentionResponse },
  },
} as const satisfies Record<string, RouteDeclaration>;
