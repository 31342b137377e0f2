import * as z from 'zod';
import { bodyOf, Display, EpochSeconds } from './common.ts';
import { EventName, Outcome, SmtpCodes } from './feedback.ts';
import { FlatProperties } from './properties.ts';
import { READ, ADMIN, type RouteDeclaration } from './route.ts';
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
      'True: imports, mail services and the payment processor bring nothing of it any more; its hash is kept for that. False: they may again. Left out: as it was.',
    ),
});

const KnownHistory = z.object({
  first_seen_at: EpochSeconds,
  host_class: z.string().describe('What kind of host takes its mail.'),
  purpose: z.string().describe('What it was first asked about for.'),
  features: z.array(z.string()).describe('What it shows by itself.'),
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
    .describe('What providers said of it.'),
  reports: z
    .array(
      z.object({
        source: z.string().describe('Who reported it: `api`, `import`, or a connection.'),
        class: z.string().describe('What became of the message.'),
        at: EpochSeconds,
      }),
    )
    .describe('What became of messages to it.'),
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
  properties: FlatProperties.nullable().describe('What was sent with it; null: nothing.'),
});
const Exposure = z.object({
  at: EpochSeconds.describe('Its first verification or decision of the last 365 days.'),
  attributes: z.unknown().describe('What the account said of it in a decision.'),
});

export const AddressExport = z.object({
  display: Display,
  exported_at: EpochSeconds,
  suppressed: z.boolean().describe('Kept out of imports and webhooks.'),
  rules: z
    .array(AddressEntry.extend({ rule: z.enum(['block', 'allow']).describe('The list that it is on.') }))
    .describe('Your rule on it.'),
  history: KnownHistory.nullable().describe('What enters its next number; null: nothing is known.'),
  traces: z.array(Trace).describe('Verifications and decisions, newest first, of live and test keys.'),
  screenings: z.array(ScreeningRow).describe('Newest first.'),
  reports: z.array(MailReport).describe('What mail services and imports reported.'),
  events: z.array(HeldEvent).describe('What the person went on to do.'),
  exposures: z.array(Exposure).describe('How segments count it.'),
  kept_answers: z.array(z.unknown()).describe('Answers kept for a repeat under an `Idempotency-Key`, for 24 hours.'),
  truncated: z
    .array(z.enum(['traces', 'screenings', 'reports', 'events']))
    .describe('Lists with more than the newest 1,000. The rest is of the same kind.'),
});
export type AddressExport = z.infer<typeof AddressExport>;

const Removed = z.record(z.string(), z.number().int());
const ErasedStore = z.object({
  store: z
    .enum(['object', 'postgres', 'caches', 'bulk_files', 'restore_points'])
    .describe('Where data of the address stood.'),
  removed: Removed.describe('Rows of each kind that this call has cut off.'),
  free_by: EpochSeconds.nullable().describe(
    'From when on it holds nothing of the address as it is now; null: once Postgres has all rows, without another call.',
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
  stores: z.array(ErasedStore).describe('What was cut off, store by store.'),
});
export type ErasureReceipt = z.infer<typeof ErasureReceipt>;

const Subprocessor = z.object({
  id: z.string().describe('Names it in paths.'),
  kind: z
    .enum(['verification', 'enrichment', 'model', 'mail', 'dns', 'database', 'platform'])
    .describe('What it does for the service.'),
  name: z.string().describe('The company.'),
  sent: z.array(z.string()).describe('What it is sent.'),
  gets_address: z.boolean().describe('The address itself is sent.'),
  host: z.string().nullable().describe('Where requests go; null: it has no host of its own.'),
  retention: z
    .object({
      says: z.string().describe('In short.'),
      source: z.string().nullable().describe('Its page; null: none was found that says it.'),
      read_on: z.string().describe('The day it was read, `2026-11-23`.'),
    })
    .nullable()
    .describe('How long it keeps what it is sent, as its own page said that day; null: the operator runs it.'),
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
  history: Days.describe('What is known of an address of which nothing new was learnt.'),
  details: Days.max(90).describe('What replays a trace.'),
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
    ...ADMIN,
    rate: 'analysis',
    method: 'post',
    path: '/v1/addresses/export',
    summary: 'All that is held about an address in the account.',
    body: bodyOf(ExportAddress, 'address', { email: 'ada@example.com' }),
    response: { status: 200, schema: AddressExport },
  },
  forgetAddress: {
    ...ADMIN,
    method: 'post',
    path: '/v1/addresses/forget',
    summary: 'Erases all that is held about an address in the account, with a receipt.',
    body: bodyOf(ForgetAddress, 'address', { email: 'ada@example.com' }),
    response: { status: 202, schema: ErasureReceipt },
  },
  subprocessors: {
    ...READ,
    path: '/v1/subprocessors',
    summary: 'Which companies get what, and which of them the account has switched off.',
    response: { status: 200, schema: Subprocessors },
  },
  switchSubprocessor: {
    ...ADMIN,
    method: 'patch',
    path: '/v1/subprocessors/:id',
    summary:
      'Switches a vendor, an enrichment or the model off for the account, or on again, from the next request on.',
    params: SubprocessorParams,
    refuses: [409],
    body: bodyOf(SwitchSubprocessor, 'address', { enabled: false }),
    response: { status: 200, schema: SubprocessorResponse },
  },
  retention: {
    ...READ,
    path: '/v1/retention',
    summary: 'How many days the account’s records are kept.',
    response: { status: 200, schema: RetentionResponse },
  },
  putRetention: {
    ...ADMIN,
    method: 'put',
    path: '/v1/retention',
    summary: 'Keeps records for fewer days, 30 at least; null: as long as the service does. What is left out stays.',
    body: bodyOf(PutRetention, 'address', { traces: 90, events: null }),
    response: { status: 200, schema: RetentionResponse },
  },
} as const satisfies Record<string, RouteDeclaration>;
