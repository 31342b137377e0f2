import type * as z from 'zod';
import type { ROUTES, RouteId } from '../../contract/routes.ts';
import type { PolicyChange } from '../../domain/policy/policy-records.ts';
import type { SignedBody } from '../../kernel/signed-body.ts';
import type { Services } from '../../runtime/services.ts';
import type { Download, StreamedBody } from '../../services/bulk/jobs.ts';
import type { OpenOperation } from '../../services/frame.ts';

type Route<K extends RouteId> = (typeof ROUTES)[K];
type Output<S> = S extends z.ZodType ? z.output<S> : undefined;

/** What a route's declaration promises its handler, and what the handler owes. */
interface Call<K extends RouteId> {
  readonly services: Services;
  /** Absent on the routes that need no key. */
  readonly operation: OpenOperation;
  readonly params: Route<K> extends { params: infer S } ? Output<S> : undefined;
  readonly query: Route<K> extends { query: infer S } ? Output<S> : undefined;
  readonly signed: Route<K> extends { signed: object } ? SignedBody : undefined;
  readonly upload: Route<K> extends { upload: object } ? StreamedBody : undefined;
  readonly body: Route<K> extends { body: { schema: infer S } } ? Output<S> : undefined;
  readonly bootstrapToken: Route<K>['access'] extends 'bootstrap' ? string : undefined;
  /** `If-Match`, where the route is `versioned`. */
  readonly expected: PolicyChange['expected'];
}
type Answer<R> = R extends { schema: infer S extends z.ZodType } ? z.output<S> : Download;
type Handlers = { readonly [K in RouteId]: (call: Call<K>) => Promise<Answer<Route<K>['response']>> };

/** A handler whose route is not known at compile time. */
export type Handler = (call: {
  readonly services: Services;
  readonly operation: OpenOperation | undefined;
  readonly params: unknown;
  readonly query: unknown;
  readonly signed: unknown;
  readonly upload: unknown;
  readonly body: unknown;
  readonly bootstrapToken: string | undefined;
  readonly expected: PolicyChange['expected'];
}) => Promise<unknown>;

/** One use case a route. */
export const HANDLERS: Handlers = {
  health: async ({ services }) => services.readHealth(),
  verify: ({ services, operation, body }) => services.verify(operation, body),
  check: ({ services, operation, body }) => services.check(operation, body),
  screen: ({ services, operation, body }) => services.screen(operation, body),
  screenings: ({ services, operation, query }) => services.listScreenings(operation, query),
  decide: ({ services, operation, body }) => services.decide(operation, body),
  policies: ({ services, operation, query }) => services.policies.list(operation, query),
  policy: ({ services, operation, params, query }) => services.policies.read(operation, params.slug, query),
  putPolicy: ({ services, operation, params, body, expected }) =>
    services.policies.put(operation, params.slug, body, expected),
  simulatePolicy: ({ services, operation, params, body }) => services.policies.simulate(operation, params.slug, body),
  listBlockedDomains: ({ services, operation, query }) => services.rules.listDomains(operation, 'block', query),
  blockDomains: ({ services, operation, body }) => services.rules.addDomains(operation, 'block', body),
  unblockDomains: ({ services, operation, body }) => services.rules.removeDomains(operation, 'block', body),
  listAllowedDomains: ({ services, operation, query }) => services.rules.listDomains(operation, 'allow', query),
  allowDomains: ({ services, operation, body }) => services.rules.addDomains(operation, 'allow', body),
  unallowDomains: ({ services, operation, body }) => services.rules.removeDomains(operation, 'allow', body),
  checkDomain: ({ services, operation, body }) => services.rules.checkDomain(operation, body),
  listBlockedAddresses: ({ services, operation, query }) => services.rules.listAddresses(operation, 'block', query),
  blockAddresses: ({ services, operation, body }) => services.rules.addAddresses(operation, 'block', body),
  unblockAddresses: ({ services, operation, body }) => services.rules.removeAddresses(operation, 'block', body),
  listAllowedAddresses: ({ services, operation, query }) => services.rules.listAddresses(operation, 'allow', query),
  allowAddresses: ({ services, operation, body }) => services.rules.addAddresses(operation, 'allow', body),
  unallowAddresses: ({ services, operation, body }) => services.rules.removeAddresses(operation, 'allow', body),
  checkAddress: ({ services, operation, body }) => services.rules.checkAddress(operation, body),
  createBulkJob: ({ services, operation, body }) => services.bulk.create(operation, body),
  listBulkJobs: ({ services, operation, query }) => services.bulk.list(operation, query),
  bulkJob: ({ services, operation, params }) => services.bulk.get(operation, params.id),
  changeBulkJob: ({ services, operation, params, body }) => services.bulk.change(operation, params.id, body),
  deleteBulkJob: ({ services, operation, params }) => services.bulk.remove(operation, params.id),
  uploadBulkFile: ({ services, operation, params, upload }) => services.bulk.upload(operation, params.id, upload),
  pasteBulkEmails: ({ services, operation, params, body }) => services.bulk.paste(operation, params.id, body),
  estimateBulkJob: ({ services, operation, params }) => services.bulk.estimate(operation, params.id),
  startBulkJob: ({ services, operation, params, body }) => services.bulk.start(operation, params.id, body),
  cancelBulkJob: ({ services, operation, params }) => services.bulk.cancel(operation, params.id),
  resumeBulkJob: ({ services, operation, params }) => services.bulk.resume(operation, params.id),
  bulkResults: ({ services, operation, params, query }) => services.bulk.results(operation, params.id, query.segment),
  blockBulkSegment: ({ services, operation, params, body }) => services.bulk.block(operation, params.id, body),
  outcome: ({ services, operation, body }) => services.reportOutcome(operation, body),
  events: ({ services, operation, body }) => services.recordEvents(operation, body),
  stripeWebhook: ({ services, params, signed }) => services.connections.receive(params.connection_id, signed),
  experiments: ({ services, operation, params, query }) => services.insights.experiments(operation, params.slug, query),
  segments: ({ services, operation, query }) => services.insights.segments(operation, query),
  recommendations: ({ services, operation, query }) => services.insights.recommendations(operation, query),
  traces: ({ services, operation, query }) => services.listTraces(operation, query),
  trace: ({ services, operation, params }) => services.readTrace(operation, params.trace_id),
  calibration: ({ services, operation }) => services.readCalibration(operation),
  me: ({ services, operation }) => services.readIdentity(operation),
  usage: ({ services, operation }) => services.readUsage(operation),
  bootstrap: ({ services, bootstrapToken }) => services.operator.bootstrap(bootstrapToken),
  createOrganisation: ({ services, body }) => services.operator.createOrganisation(body),
  listOrganisations: ({ services, query }) => services.operator.listOrganisations(query),
  changeOrganisation: ({ services, params, body }) => services.operator.changeOrganisation(params.id, body),
  deleteOrganisation: ({ services, params }) => services.operator.deleteOrganisation(params.id),
  rebuildOrganisation: ({ services, params }) => services.operator.rebuildOrganisation(params.id),
  createKey: ({ services, params, body }) => services.operator.createKey(params.id, body),
  listKeys: ({ services, params }) => services.operator.listKeys(params.id),
  revokeKey: ({ services, params }) => services.operator.revokeKey(params.id, params.key_id),
  createConnection: ({ services, params, body }) => services.connections.create(params.id, body),
  listConnections: ({ services, params }) => services.connections.list(params.id),
  changeConnection: ({ services, params, body }) =>
    services.connections.replaceSecret(params.id, params.connection_id, body),
  deleteConnection: ({ services, params }) => services.connections.remove(params.id, params.connection_id),
  createUser: ({ services, params, body }) => services.operator.createUser(params.id, body),
  forget: ({ services, body }) => services.operator.forget(body),
  acceptSource: ({ services, body }) => services.operator.acceptSource(body.source),
  status: ({ services }) => services.operator.readStatus(),
};
