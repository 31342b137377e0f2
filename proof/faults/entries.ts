import { connectDatabase } from '../../dashboard/worker/database.ts';
import type { ApiBinding } from '../../dashboard/worker/api-binding.ts';
import type { RouteDeclaration } from '../../src/contract/route.ts';
import { ROUTES } from '../../src/contract/routes.ts';
import { TOOLS } from '../../src/contract/mcp.ts';
import { ApiCalls } from '../../test/support/api-calls.ts';
import { openDashboard } from '../../test/support/dashboard.ts';
import type { ApiDocument, Operation } from '../fuzzing/document.ts';
import { OPERATORS, type World } from './world.ts';

/** An answer by any entrypoint. */
interface Raw {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

/** A call of the service: a route, a tool, or a page or call of the dashboard. */
export interface Entry {
  /** The route's name, `tool <name>: <route>`, or `dashboard <method> <path>`. */
  readonly id: string;
  readonly called: string;
  /** Prepares what the call acts on; the returned function sends it. */
  readonly prepare: (client: Client) => Promise<() => Promise<Raw>>;
  /** Null means the document does not describe it. */
  readonly operation: Operation | null;
}

let serial = 0;
/** Each address has a domain of its own: evidence about a domain makes further questions worth less. */
const named = (): string => `person@d${(serial += 1)}.bulk.test`;

/** May register: links are counted by address. */
const newPerson = (): string => `person${(serial += 1)}@people.test`;

/** The callers: organisations and a person who has signed in. */
export async function openClient(world: World) {
  const { service } = world;
  const createOrganisation = async (limits: object = {}) => {
    const made = await service.createOrganisation(Object.assign({ rate_per_minute: 1_000_000 }, limits));
    // The examples are asked with a live key: a test key reaches nothing.
    return Object.assign({}, made, { keys: Object.assign({}, made.keys, { test: made.keys.member }) });
  };
  const calls = await ApiCalls.open(Object.assign({}, service, { createOrganisation }), world.amazon);
  const policy = {
    name: 'By country',
    rules: [{ id: 'de', when: { path: 'company.country', op: 'eq', value: 'DE' }, decision: 'review' }],
    default: 'allow',
  };
  const saved = await service.call('PUT', '/v1/policies/default', calls.keys.admin, policy);
  if (saved.status !== 200) throw new Error(`the policy was not saved: ${saved.status}`);
  const verified = await service.call('POST', '/v1/verify', calls.keys.member, { email: named() });
  const email = OPERATORS[(serial += 1) % OPERATORS.length] ?? '';
  const organisation = await service.createOrganisation();
  await service.call('POST', `/operator/v1/organisations/${organisation.id}/users`, service.operatorKey, {
    email,
    role: 'admin',
  });
  return {
    world,
    calls,
    traceId: String(verified.body.trace_id),
    person: { email, organisation, cookie: await dashboardOf(world, true).signIn(email) },
  };
}
export type Client = Awaited<ReturnType<typeof openClient>>;

/** Bodies that lead to more dependencies than the examples do. */
const BODIES: Readonly<Record<string, (world: World) => object>> = {
  verify: () => ({ email: named() }),
  check: () => ({ email: named() }),
  decide: () => ({ email: named() }),
  screen: () => ({ email: `asdf.qwerty${(serial += 1)}@google-workspace.test`, name: 'Asdf Qwerty' }),
  acceptSource: ({ listUrl }) => ({ source: listUrl }),
};

const routeEntries = (document: ApiDocument): Entry[] =>
  Object.entries<RouteDeclaration>(ROUTES).map(([id, route]) => ({
    id,
    called: `${route.method.toUpperCase()} ${route.path}`,
    prepare: ({ calls, world }) => calls.prepared(id, route, BODIES[id]?.(world)),
    operation:
      document.operations.find(
        ({ method, path }) =>
          method === route.method.toUpperCase() && path === route.path.replaceAll(/:(\w+)/g, '{$1}'),
      ) ?? null,
  }));

const TOOL_INPUTS: Readonly<Record<string, (client: Client) => object>> = {
  check_domain: () => ({ domain: 'business.test' }),
  report_outcome: ({ traceId }) => ({ trace_id: traceId, outcome: 'delivered' }),
  get_usage: () => ({}),
  get_trace: ({ traceId }) => ({ trace_id: traceId }),
};
const MCP_HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
/** The HTTP form of a tool's refusal. */
const STATUS_OF: Readonly<Record<string, number>> = { dependency_unavailable: 503, rate_limited: 429 };

interface ToolReply {
  readonly result?: { readonly isError?: boolean; readonly structuredContent: object };
}

/** A tool's answer, read as its route's. */
function readTool(status: number, headers: Headers, text: string): Raw {
  const [, data = text] = /^data: (.*)$/m.exec(text) ?? [];
  const { result } = JSON.parse(data) as ToolReply;
  if (result === undefined) return { status, headers, body: JSON.parse(data) };
  const { error } = result.structuredContent as { readonly error?: { readonly code: string } };
  const refused = result.isError === true ? (STATUS_OF[error?.code ?? ''] ?? 400) : status;
  return { status: refused, headers, body: result.structuredContent };
}

const toolEntries = (): Entry[] =>
  TOOLS.map(({ name, route }) => ({
    id: `tool ${name}: ${route}`,
    called: `tool \`${name}\``,
    async prepare(client) {
      const input = TOOL_INPUTS[name]?.(client) ?? BODIES[route]?.(client.world) ?? {};
      const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } };
      return async () => {
        const response = await client.world.service.request('/mcp', {
          method: 'POST',
          headers: Object.assign({ authorization: `Bearer ${client.calls.keys.member}` }, MCP_HEADERS),
          body: JSON.stringify(message),
        });
        return readTool(response.status, response.headers, await response.text());
      };
    },
    operation: null,
  }));

/** The dashboard's own Worker, on the API’s entrypoint and its Postgres. `shows`: links go to a console in place of a mailbox. */
function dashboardOf({ service, entrypoint }: World, shows: boolean) {
  const { DATABASE_URL: url, DATABASE_HTTP_URL: httpUrl } = service.env;
  return openDashboard(connectDatabase(url, httpUrl), [], {
    API: entrypoint as ApiBinding,
    SIGNUP_DOMAINS: 'people.test',
    OPERATOR_EMAILS: OPERATORS.join(','),
    ...(shows ? {} : ({ CONSOLE: undefined } as object)),
  });
}

interface Sent {
  readonly path?: string;
  readonly body?: object;
}
/** Calls of the dashboard, each with its preparation. */
const DASHBOARD: Readonly<Record<string, (client: Client) => Promise<Sent> | Sent>> = {
  'GET /': () => ({}),
  'GET /health': () => ({}),
  'GET /auth/means': () => ({}),
  'GET /auth/api': () => ({}),
  'POST /auth/link': () => ({ body: { email: newPerson() } }),
  'POST /auth/link/read': () => ({ body: { token: 'x' } }),
  'POST /auth/link/use': async ({ world }) => ({
    body: { token: await dashboardOf(world, true).askLink(newPerson()) },
  }),
  'GET /auth/me': () => ({}),
  'GET /auth/operations': () => ({}),
  'GET /auth/sessions': () => ({}),
  'POST /auth/sessions/end': () => ({ body: { id: 'x' } }),
  'GET /auth/passkey/list-user-passkeys': () => ({}),
  'POST /auth/organisations': async ({ world: { service } }) => {
    // A person may create three a day.
    await service.database.query('delete from auth_rate', []);
    return { body: { name: 'Made by a person' } };
  },
  'POST /auth/invitations/accept': async ({ world: { service }, person }) => {
    const { id, keys } = await service.createOrganisation();
    const invited = { email: person.email, role: 'viewer' };
    const { body } = await service.call('POST', '/v1/invitations', keys.admin, invited);
    return { body: { id: body.invitation.id, organisation_id: id } };
  },
  'GET /api/:organisation/v1/me': ({ person }) => ({ path: `/api/${person.organisation.id}/v1/me` }),
  'GET /api/:organisation/v1/usage': ({ person }) => ({ path: `/api/${person.organisation.id}/v1/usage` }),
  'GET /api/:organisation/v1/traces': ({ person }) => ({ path: `/api/${person.organisation.id}/v1/traces` }),
};

const dashboardEntries = (): Entry[] =>
  Object.entries(DASHBOARD).map(([called, stage]) => ({
    id: `dashboard ${called}`,
    called: `dashboard: ${called}`,
    async prepare(client) {
      const [method = '', to = ''] = called.split(' ');
      const { path = to, body } = await stage(client);
      // Each from a network of its own: tries are counted by network.
      const dashboard = dashboardOf(client.world, false);
      return async () => {
        const { cookie } = client.person;
        const answer = await dashboard.send(method, path, body === undefined ? { cookie } : { cookie, body });
        client.world.defer(dashboard.settle());
        return { status: answer.status, headers: answer.headers, body: answer.body ?? answer.text };
      };
    },
    operation: null,
  }));

export const entriesOf = (document: ApiDocument): readonly Entry[] => [
  ...routeEntries(document),
  ...toolEntries(),
  ...dashboardEntries(),
];
