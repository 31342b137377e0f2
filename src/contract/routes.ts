import { ACCESS_ROUTES } from './access-routes.ts';
import { Identity, Usage } from './account.ts';
import { BULK_ROUTES } from './bulk-routes.ts';
import { CalibrationReport } from './calibration.ts';
import { bodyOf } from './common.ts';
import { CONNECTION_ROUTES } from './connections.ts';
import { DecideRequest, DecisionResult } from './decision.ts';
import { FEEDBACK_ROUTES } from './feedback.ts';
import { FIRST_ROUTES } from './first-routes.ts';
import { InsightsQuery, Recommendations, Segments } from './insights.ts';
import { OPERATOR_ROUTES } from './operator-routes.ts';
import { POLICY_ROUTES } from './policy-routes.ts';
import { PRIVACY_ROUTES } from './privacy.ts';
import { admin, type RouteDeclaration, viewer } from './route.ts';
import { RULE_ROUTES } from './rules.ts';
import {
  ScreeningList,
  ScreeningParams,
  ScreeningQuery,
  ScreeningResponse,
  ScreeningResult,
  ScreenRequest,
} from './screening.ts';
import { TraceList, TraceParams, TraceQuery, TraceResponse, TraceSearch } from './traces.ts';
import { UsageSeries, UsageSeriesQuery } from './usage-series.ts';

export const ROUTES = {
  ...FIRST_ROUTES,
  screen: {
    method: 'post',
    path: '/v1/screen',
    summary: 'Typos, placeholders, names that don’t fit, suspicious domains.',
    access: 'member',
    meter: 'screen',
    rate: 'screen',
    idempotent: true,
    body: bodyOf(ScreenRequest, 'address', { email: 'ada.lovelcae@gmail.com', name: 'Ada Lovelace' }),
    response: { status: 200, schema: ScreeningResult },
  },
  screenings: {
    ...viewer('get', '/v1/screenings'),
    summary: 'Recent screenings of the organisation, newest first.',
    query: ScreeningQuery,
    response: { status: 200, schema: ScreeningList },
  },
  screening: {
    ...viewer('get', '/v1/screenings/:trace_id'),
    summary: 'One screening, as it was answered.',
    params: ScreeningParams,
    response: { status: 200, schema: ScreeningResponse },
  },
  decide: {
    method: 'post',
    path: '/v1/decide',
    summary: 'One decision about one address, by the account’s policy.',
    access: 'member',
    meter: 'decide',
    rate: 'verify',
    idempotent: true,
    refuses: [404],
    body: bodyOf(DecideRequest, 'address', {
      email: 'deliverable@example.com',
      name: 'Ada Lovelace',
      attributes: { plan: 'team' },
    }),
    response: { status: 200, schema: DecisionResult },
  },
  ...POLICY_ROUTES,
  ...RULE_ROUTES,
  ...BULK_ROUTES,
  ...FEEDBACK_ROUTES,
  ...CONNECTION_ROUTES,
  ...PRIVACY_ROUTES,
  traces: {
    ...viewer('get', '/v1/traces'),
    summary: 'Recent decisions of the organisation, newest first.',
    query: TraceQuery,
    response: { status: 200, schema: TraceList },
  },
  trace: {
    ...viewer('get', '/v1/traces/:trace_id'),
    summary: 'One decision, replayed.',
    params: TraceParams,
    response: { status: 200, schema: TraceResponse },
  },
  searchTraces: {
    ...admin('post', '/v1/traces/search'),
    summary: 'The decisions about one address, newest first.',
    body: bodyOf(TraceSearch, 'address', { email: 'ada@example.com' }),
    response: { status: 200, schema: TraceList },
  },
  calibration: {
    ...viewer('get', '/v1/calibration'),
    summary: 'How predictions compare with the account’s own outcomes.',
    response: { status: 200, schema: CalibrationReport },
  },
  segments: {
    ...viewer('get', '/v1/segments'),
    summary: 'How often verified addresses went on to a metric, by segment.',
    query: InsightsQuery,
    response: { status: 200, schema: Segments },
  },
  recommendations: {
    ...viewer('get', '/v1/recommendations'),
    summary: 'Segments that do worse than the rest, each with a rule to paste into a policy.',
    query: InsightsQuery,
    response: { status: 200, schema: Recommendations },
  },
  me: {
    ...viewer('get', '/v1/me'),
    summary: 'The key’s own account, role and origin.',
    response: { status: 200, schema: Identity },
  },
  usage: {
    ...viewer('get', '/v1/usage'),
    summary: 'Calls, spend and quota of the running month.',
    response: { status: 200, schema: Usage },
  },
  usageSeries: {
    ...viewer('get', '/v1/usage/series'),
    summary:
      'Verifications, decisions, rows of files and screenings, and their costs, by day or month, without free checks.',
    query: UsageSeriesQuery,
    // A test key asks by key.
    refuses: [403],
    response: { status: 200, schema: UsageSeries },
  },
  ...ACCESS_ROUTES,
  ...OPERATOR_ROUTES,
} as const satisfies Record<string, RouteDeclaration>;

export type RouteId = keyof typeof ROUTES;

export type KeyedRouteId = {
  [K in RouteId]: (typeof ROUTES)[K]['access'] extends 'public' | 'bootstrap' ? never : K;
}[RouteId];
