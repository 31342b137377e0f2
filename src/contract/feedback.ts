import * as z from 'zod';
import { bodyOf, EpochSeconds } from './common.ts';
import { FlatProperties } from './properties.ts';
import type { RouteDeclaration } from './route.ts';

/** What became of a message or a signup, as the account reports it. */

/** Reports the fault of the form that was sent; a union's own message names neither form. */
const checkForm =
  (list: string, batch: z.ZodType, one: z.ZodObject) =>
  (input: unknown, context: z.RefinementCtx): unknown => {
    const isBatch = typeof input === 'object' && input !== null && list in input;
    const other = isBatch ? Object.keys(one.shape).find((name) => name in input) : undefined;
    if (other !== undefined) {
      context.addIssue(`has both \`${list}\` and \`${other}\`: send a batch or a single one, not both`);
      return z.NEVER;
    }
    const { error } = (isBatch ? batch : one).safeParse(input);
    if (error === undefined) return input;
    context.issues.push(...(error.issues as z.core.$ZodRawIssue[]));
    return z.NEVER;
  };

export const Outcome = z
  .enum(['delivered', 'hard_bounce', 'soft_bounce', 'complaint', 'unknown'])
  .describe(
    'The message’s outcome: `hard_bounce`, a permanent failure; `soft_bounce`, a temporary one; `complaint`, the person called it spam.',
  );
export type Outcome = z.infer<typeof Outcome>;

/** @public The document names it. What a report says about the mailbox. */
export const DeliveryClass = z
  .enum(['user_unknown', 'refused', 'full', 'soft', 'delivered', 'complaint'])
  .describe(
    '`user_unknown`, the mailbox does not exist; `refused`, for good, without saying why; `full`; `soft`, refused for now; `delivered`; `complaint`: it arrived.',
  );

export const OutcomeRequest = z.object({
  trace_id: z
    .string()
    .regex(/^vr_[A-Za-z0-9_-]{1,64}$/, 'must be a `vr_` id')
    .describe('The verification reported on; a well-formed id that is not known is accepted.'),
  outcome: Outcome,
  smtp_code: z
    .string()
    .optional()
    .describe('A code as text (`"550"`), or a whole bounce message: only its basic and its enhanced code are stored.'),
});
export type OutcomeRequest = z.infer<typeof OutcomeRequest>;

const OutcomeBatch = z.object({
  outcomes: z.array(OutcomeRequest).min(1).max(100).describe('Up to 100 reports, all or none.'),
});
/** @public The document names it. */
export const OutcomesBody = z.union([OutcomeBatch, OutcomeRequest]);
export const OutcomesRequest = z.preprocess(checkForm('outcomes', OutcomeBatch, OutcomeRequest), OutcomesBody);

export const SmtpCodes = z.object({
  code: z.string().nullable().describe('Basic reply code (RFC 5321), `550`.'),
  enhanced: z.string().nullable().describe('Enhanced status code (RFC 3463), `5.1.1`.'),
});

const Codes = SmtpCodes.nullable().describe('The codes in `smtp_code`, or null.');

export const OutcomeReceipt = z.object({
  id: z.string().describe('Names the report: `oc_…`.'),
  trace_id: z.string().describe('The verification reported on.'),
  outcome: Outcome,
  matched: z
    .boolean()
    .nullable()
    .describe('Whether the key may read such a trace of the account; null: it could not be asked at once.'),
  smtp: Codes,
  read_as: DeliveryClass.nullable().describe(
    'How the report is classified. Null if it is not about the mailbox: a refusal of the sender, the message’s content or its rate, whatever the code; a failure of routing; `unknown`.',
  ),
});
export type OutcomeReceipt = z.infer<typeof OutcomeReceipt>;

const OutcomeReceipts = z.object({ outcomes: z.array(OutcomeReceipt).describe('In the order of the request.') });
export const OutcomesReceipt = z.union([OutcomeReceipts, OutcomeReceipt]);
export type OutcomesReceipt = z.infer<typeof OutcomesReceipt>;

/** An earlier message's outcome, by its address. */
const ImportedOutcome = z.object({
  email: z.string().min(1).max(320).describe('The address that the message was sent to.'),
  outcome: Outcome.exclude(['unknown']).describe('What became of the message.'),
  at: z.number().min(0).describe('Epoch seconds: when it happened, up to 400 days back.'),
  smtp_code: z.string().max(2_000).optional().describe('As in `POST /v1/outcome`.'),
});
export const ImportRequest = z.object({
  outcomes: z.array(ImportedOutcome).min(1).max(1_000).describe('Up to 1,000 rows.'),
});
export type ImportedOutcome = z.infer<typeof ImportedOutcome>;

export const ImportReceipt = z.object({
  accepted: z.number().int().describe('Rows that are new.'),
  duplicates: z
    .number()
    .int()
    .describe('Rows whose address, outcome and time were reported before, here or in this request.'),
  rejected: z
    .array(
      z.object({
        index: z.number().int().describe('Its place in the request, from 0.'),
        reason: z
          .enum(['not_an_address', 'too_old', 'in_the_future', 'suppressed'])
          .describe('`suppressed`: the account erased the address and excludes it.'),
      }),
    )
    .describe('Rejected rows; the others are stored.'),
  read_as: z
    .partialRecord(DeliveryClass, z.number().int())
    .describe('How the accepted rows are classified. A row that is not about the mailbox is in none of the counts.'),
});
export type ImportReceipt = z.infer<typeof ImportReceipt>;

/** The report in force, in a single trace. */
export const ReportedOutcome = z.object({
  id: z.string().describe('Names the report: `oc_…`.'),
  outcome: Outcome,
  smtp: Codes,
  reported_at: EpochSeconds,
});
export type ReportedOutcome = z.infer<typeof ReportedOutcome>;

/** One of the contract's, or one of the account's own. */
export const EventName = z
  .string()
  .regex(
    /^(?:signup_completed|activated|subscribed|upgraded|churned|refunded|support_ticket|fraud_flag|custom:[a-z][a-z0-9_]{0,63})$/,
    'must be one of signup_completed, activated, subscribed, upgraded, churned, refunded, support_ticket, fraud_flag, or custom: with a name of up to 64 lowercase letters, digits and underscores, a letter first',
  )
  .describe('What happened: one of the service’s names, or `custom:` with one of yours.');

export const EventInput = z.object({
  trace_id: z
    .string()
    .regex(/^(?:vr|dc)_[A-Za-z0-9_-]{1,64}$/, 'must be a `dc_` or `vr_` id')
    .describe('The decision or verification that let the person in.'),
  event: EventName,
  at: z.number().min(0).describe('Epoch seconds; not more than a day ahead.'),
  properties: FlatProperties.optional().describe('Facts to keep with it; no e-mail address.'),
});
export type EventInput = z.infer<typeof EventInput>;

const EventBatch = z.object({
  events: z.array(EventInput).min(1).max(100).describe('Up to 100 events, all or none.'),
});

/** @public The document names it. */
export const EventsBody = z.union([EventBatch, EventInput]);
export const EventsRequest = z.preprocess(checkForm('events', EventBatch, EventInput), EventsBody);
export type EventsRequest = z.infer<typeof EventsRequest>;

export const WebhookParams = z.object({ connection_id: z.string().describe('The connection: the end of its URL.') });
export const WebhookReceipt = z.object({ received: z.literal(true).describe('It was taken.') });

export const EventsReceipt = z.object({
  accepted: z.number().int().describe('The number of accepted events.'),
  ids: z.array(z.string()).describe('Their ids, `ev_…`, in the order of the request.'),
});
export type EventsReceipt = z.infer<typeof EventsReceipt>;

const REPORT = { method: 'post', access: 'member', meter: null } as const;
const TRACE = 'vr_01kadk8v00e9sanbz5h4n2m6qt';

/** `/v1/outcome` and `/v1/events`. They are not metered; each has a rate of its own. */
export const FEEDBACK_ROUTES = {
  outcome: {
    ...REPORT,
    path: '/v1/outcome',
    summary:
      'Reports a message’s outcome; a second report of one trace replaces the first. One, or up to 100, all or none.',
    rate: 'outcome',
    idempotent: true,
    body: bodyOf(OutcomesRequest, 'document', {
      trace_id: TRACE,
      outcome: 'hard_bounce',
      smtp_code: '550 5.1.1 User unknown',
    }),
    response: { status: 202, schema: OutcomesReceipt },
  },
  importOutcomes: {
    ...REPORT,
    live: true,
    path: '/v1/outcomes/import',
    summary: 'Imports outcomes of earlier messages, by address: up to 1,000 rows; a repeated row counts once.',
    rate: 'outcome',
    body: bodyOf(ImportRequest, 'list', {
      outcomes: [{ email: 'ada@business.test', outcome: 'hard_bounce', at: 1_795_000_000, smtp_code: '550 5.1.1' }],
    }),
    response: { status: 202, schema: ImportReceipt },
  },
  events: {
    ...REPORT,
    path: '/v1/events',
    summary: 'Reports what a signup went on to do: one event, or up to 100, all or none.',
    rate: 'events',
    body: bodyOf(EventsRequest, 'document', {
      trace_id: TRACE,
      event: 'subscribed',
      at: 1_795_000_000,
      properties: { plan: 'team' },
    }),
    response: { status: 202, schema: EventsReceipt },
  },
} as const satisfies Record<string, RouteDeclaration>;
