import { BODY_LIMIT } from './common.ts';
import * as feedback from './feedback.ts';
import type { RouteDeclaration } from './route.ts';

const REPORT = { method: 'post', access: 'member', meter: null } as const;
const TRACE = 'vr_01kadk8v00e9sanbz5h4n2m6qt';

/** `/v1/outcome` and `/v1/events`. They are not metered; each has a rate of its own. */
export const FEEDBACK_ROUTES = {
  outcome: {
    ...REPORT,
    path: '/v1/outcome',
    summary:
      'What became of a message to a verified address; a second report of one trace replaces the first. One, or up to 100, all or none.',
    rate: 'outcome',
    idempotent: true,
    body: {
      schema: feedback.OutcomesRequest,
      limitBytes: BODY_LIMIT.document,
      example: { trace_id: TRACE, outcome: 'hard_bounce', smtp_code: '550 5.1.1 User unknown' },
    },
    response: { status: 202, schema: feedback.OutcomesReceipt },
  },
  importOutcomes: {
    ...REPORT,
    live: true,
    path: '/v1/outcomes/import',
    summary: 'What became of messages of before, by address: up to 1,000 rows; a row that is sent twice counts once.',
    rate: 'outcome',
    body: {
      schema: feedback.ImportRequest,
      limitBytes: BODY_LIMIT.list,
      example: {
        outcomes: [{ email: 'ada@business.test', outcome: 'hard_bounce', at: 1_795_000_000, smtp_code: '550 5.1.1' }],
      },
    },
    response: { status: 202, schema: feedback.ImportReceipt },
  },
  events: {
    ...REPORT,
    path: '/v1/events',
    summary: 'What a signup went on to do: one event, or up to 100, all or none.',
    rate: 'events',
    body: {
      schema: feedback.EventsRequest,
      limitBytes: BODY_LIMIT.document,
      example: { trace_id: TRACE, event: 'subscribed', at: 1_795_000_000, properties: { plan: 'team' } },
    },
    response: { status: 202, schema: feedback.EventsReceipt },
  },
} as const satisfies Record<string, RouteDeclaration>;
