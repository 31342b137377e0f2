import { afterAll, describe, expect, it, vi } from 'vitest';
import { FAKES } from '../scripts/mail-fakes/services.ts';
import { CSV_EXAMPLE } from '../scripts/openapi/operation.ts';
import type { RouteDeclaration } from '../src/contract/route.ts';
import { ROUTES } from '../src/contract/routes.ts';
import { roleAllows } from '../src/domain/access/keys.ts';
import { MAIL_SERVICES } from '../src/domain/feedback/outcomes.ts';
import { type IdPrefix, newId } from '../src/kernel/ids.ts';
import { EVENTS } from '../test/support/mail-services.ts';
import { connect } from '../test/support/mcp.ts';
import { dumpTables } from '../test/support/organisation.ts';
import { startService } from '../test/support/service.ts';
import { writeFindings } from './document.ts';
import { costText, countCosts } from './support/cost.ts';
import { addPasskey, MARK, openTwo } from './support/two-organisations.ts';

const service = await startService();
service.faults.delayMs = 0;
const { dashboard, mine, theirs, ids } = await openTwo(service);
// What is due by the clock would be a statement more for the one of two requests that meets it.
vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
const costs = countCosts(service);

/** The contents of an organisation's object without request counts and timers. */
function contentOf(id: string) {
  const { meter: _, timer: __, ...content } = dumpTables(service.objectOf(id).storage);
  return content;
}
const held = contentOf(theirs.id);

const tables: Record<'paths' | 'texts' | 'dashboard' | 'webhooks', (string | number)[][]> = {
  paths: [],
  texts: [],
  dashboard: [],
  webhooks: [],
};
let requests = 0;

interface Answer {
  readonly status: number;
  readonly text: string;
}
interface Caller {
  readonly name: string;
  readonly role: 'viewer' | 'member' | 'admin';
  readonly isTest: boolean;
  send(method: string, path: string, sent?: Sent): Promise<Answer>;
}
interface Sent {
  readonly body?: unknown;
  readonly contentType?: string;
}

const byKey =
  (key: string): Caller['send'] =>
  async (method, path, { body, contentType = 'application/json' } = {}) => {
    const response = await service.request(path, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(body === undefined ? {} : { 'content-type': contentType }) },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    return { status: response.status, text: await response.text() };
  };
const bySession =
  (cookie: string, organisation = mine.id): Caller['send'] =>
  (method, path, { body, contentType = 'application/json' } = {}) =>
    dashboard.send(method, `/api/${organisation}${path}`, { cookie, body, headers: { 'content-type': contentType } });

const { keys, people } = mine;
const CALLERS: readonly Caller[] = [
  { name: 'test key', role: 'member', isTest: true, send: byKey(keys.test) },
  ...(['viewer', 'member', 'admin'] as const).flatMap((role) => [
    { name: `${role} key`, role, isTest: false, send: byKey(keys[role]) },
    { name: `${role} session`, role, isTest: false, send: bySession(people[role].cookie) },
  ]),
];

const DAY_AGO = Date.now() - 86_400_000;
/** An id of this form that never existed. */
const unknown = (prefix: IdPrefix): string => newId(prefix, DAY_AGO);
/** Ids that never existed, by kind. */
const NEVER: Readonly<Record<string, (like: string) => string>> = {
  policy: () => `p-${unknown('vr').slice(-8)}`,
  // A trace's id says of which kind it is.
  trace: (like) => unknown(like.slice(0, 2) as IdPrefix),
  rule: (like) => unknown(like.slice(0, 2) as IdPrefix),
  key: () => unknown('key'),
  member: () => unknown('u'),
  invitation: () => unknown('inv'),
  connection: () => unknown('con'),
  job: () => unknown('bj'),
  organisation: () => unknown('org'),
};
const never = (kind: string, like: string): string => NEVER[kind]?.(like) ?? like;

const THEIRS = [...new Set(Object.values(ids).flatMap((each) => Object.values(each))), theirs.accountId];

/** The answer without ids and other parts that are new in each one. */
const told = ({ status, text }: Answer, id: string): string =>
  `${status} ${text
    .replaceAll(id, 'ID')
    .replaceAll(/\b[a-z]+_[0-9a-z]{26}\b/g, 'NEW')
    .replaceAll(/"latency_ms":\d+/g, '')}`;

/** Asks with an id that never was, with theirs, and with another that never was: theirs has to look and cost as the last. */
async function compare(kind: string, id: string, ask: (id: string) => Promise<Answer>) {
  const last = never(kind, id);
  // What a first request of a caller notes of them makes the object look once more; then it knows what it remembers.
  for (let times = 0; times < 2; times += 1) await ask(never(kind, id));
  const reached = costs.statementsOf(theirs.id);
  const asked = await costs.of(() => ask(id));
  const missing = await costs.of(() => ask(last));
  requests += 4;
  expect(told(asked.answer, id)).toBe(told(missing.answer, last));
  expect(THEIRS.filter((each) => each !== id && asked.answer.text.includes(each))).toEqual([]);
  expect(asked.cost).toEqual(missing.cost);
  // No statement ran on their object.
  expect(costs.statementsOf(theirs.id) - reached).toBe(0);
  return { status: asked.answer.status, cost: costText(asked.cost) };
}

/** Adds the result of one row, also if the row fails. */
async function row(table: keyof typeof tables, name: string, work: () => Promise<(string | number)[]>): Promise<void> {
  try {
    tables[table].push([name, ...(await work())]);
  } catch (error) {
    tables[table].push([name, `**failed**: ${(error as Error).message.split('\n', 1)[0]}`]);
    throw error;
  }
}

const listed = (values: Iterable<string | number>): string =>
  [...new Set(Array.from(values, String))].sort().join('; ');

/** Which ids a path takes, by how it begins. */
const KINDS: Readonly<Record<string, string>> = {
  '/v1/keys/': 'key',
  '/v1/members/': 'member',
  '/v1/invitations/': 'invitation',
  '/v1/connections/': 'connection',
  '/v1/bulk/jobs/': 'job',
  '/v1/traces/': 'trace',
  '/v1/screenings/': 'trace',
  '/v1/policies/': 'policy',
};
/** Ids that are the same for all. */
const SHARED = ['/v1/subprocessors/'];
/** A policy is named by who saves it: one's own is made, and theirs stays. */
const MAKES = ['PUT /v1/policies/:slug'];

const ALL = Object.values<RouteDeclaration>(ROUTES).map((route) => ({
  route,
  method: route.method.toUpperCase(),
  called: `${route.method.toUpperCase()} ${route.path}`,
}));
const NAMED = ALL.filter(
  ({ route: { path, access } }) => path.startsWith('/v1/') && path.includes(':') && access !== 'public',
).filter(({ route: { path }, called }) => !SHARED.some((start) => path.startsWith(start)) && !MAKES.includes(called));

const sentTo = ({ body, upload }: RouteDeclaration): Sent => {
  if (upload !== undefined) return { body: CSV_EXAMPLE, contentType: upload.contentType };
  return body === undefined ? {} : { body: body.example };
};

describe('an id in a path', () => {
  it.each(NAMED)('$called', ({ route, method, called }) =>
    row('paths', `\`${called}\``, async () => {
      const kind = Object.entries(KINDS).find(([start]) => route.path.startsWith(start))?.[1];
      expect(kind, 'give the new kind of id a row in KINDS').toBeDefined();
      const before = requests;
      const served: { readonly caller: Caller; readonly status: number; readonly cost: string }[] = [];
      for (const caller of CALLERS) {
        const isOfAccount = route.live === true || route.access === 'admin';
        const isServed = roleAllows(caller.role, route.access as Caller['role']) && !(caller.isTest && isOfAccount);
        for (const id of Object.values(ids[kind ?? ''] ?? {})) {
          const ask = (each: string) => caller.send(method, route.path.replace(/:\w+/, each), sentTo(route));
          const { status, cost } = await compare(kind ?? '', id, ask);
          expect([caller.name, status]).toEqual([caller.name, isServed ? 404 : 403]);
          if (isServed) served.push({ caller, status, cost });
        }
      }
      const cost = (by: 'key' | 'session') =>
        listed(served.flatMap((each) => (each.caller.name.endsWith(by) ? each.cost : [])));
      return [requests - before, listed(served.map(({ status }) => status)), cost('key'), cost('session')];
    }),
  );
});

const AT = Math.floor(Date.now() / 1000);
const EMAIL = 'ada@business.test';
type Asked = readonly [method: string, path: string, body?: object];

/** The queries and bodies that take an id, and the answer to an id that never existed. */
const TEXTS: readonly (readonly [name: string, kind: string, status: number, ask: (id: string) => Asked])[] = [
  ['GET /v1/traces?key_id', 'key', 200, (id) => ['GET', `/v1/traces?key_id=${id}`]],
  ['GET /v1/traces?bulk_job_id', 'job', 200, (id) => ['GET', `/v1/traces?bulk_job_id=${id}`]],
  ['GET /v1/screenings?key_id', 'key', 200, (id) => ['GET', `/v1/screenings?key_id=${id}`]],
  ['POST /v1/decide policy_slug', 'policy', 404, (id) => ['POST', '/v1/decide', { email: EMAIL, policy_slug: id }]],
  ['POST /v1/bulk/jobs policy_slug', 'policy', 404, (id) => ['POST', '/v1/bulk/jobs', { policy_slug: id }]],
  ['POST /v1/outcome', 'trace', 202, (id) => ['POST', '/v1/outcome', { trace_id: id, outcome: 'hard_bounce' }]],
  ['POST /v1/events', 'trace', 202, (id) => ['POST', '/v1/events', { trace_id: id, event: 'churned', at: AT }]],
  [
    'POST /v1/addresses/blocklist trace_ids',
    'trace',
    200,
    (id) => ['POST', '/v1/addresses/blocklist', { trace_ids: [id] }],
  ],
  [
    'DELETE /v1/addresses/blocklist trace_ids',
    'trace',
    200,
    (id) => ['DELETE', '/v1/addresses/blocklist', { trace_ids: [id] }],
  ],
  ['DELETE /v1/addresses/blocklist ids', 'rule', 200, (id) => ['DELETE', '/v1/addresses/blocklist', { ids: [id] }]],
  ['DELETE /v1/domains/blocklist ids', 'rule', 200, (id) => ['DELETE', '/v1/domains/blocklist', { ids: [id] }]],
];

const TOOLS = [
  ['get_trace', 'trace', (id: string) => ({ trace_id: id })],
  ['report_outcome', 'trace', (id: string) => ({ trace_id: id, outcome: 'delivered' })],
  ['decide_signup', 'policy', (id: string) => ({ email: EMAIL, policy_slug: id })],
] as const;

// What a request looks up of a domain that is new may end behind its answer.
await byKey(keys.member)('POST', '/v1/check', { body: { email: EMAIL } });
await service.settle();

describe('an id in a query or a body', () => {
  it.each(TEXTS)('%s', (name, kind, expected, asked) =>
    row('texts', `\`${name}\``, async () => {
      const before = requests;
      const [statuses, spent]: [number[], string[]] = [[], []];
      for (const caller of CALLERS.filter(({ role }) => role === 'admin')) {
        for (const id of Object.values(ids[kind] ?? {})) {
          const ask = (each: string) => {
            const [method, path, body] = asked(each);
            return caller.send(method, path, body === undefined ? {} : { body });
          };
          const { status, cost } = await compare(kind, id, ask);
          statuses.push(status);
          spent.push(cost);
        }
      }
      // An id that could not name such a thing is refused by its form.
      expect(statuses.filter((status) => status !== expected && status !== 400)).toEqual([]);
      return [requests - before, listed(statuses), listed(spent)];
    }),
  );

  it.each(TOOLS)('tool %s', (tool, kind, input) =>
    row('texts', `tool \`${tool}\``, async () => {
      const before = requests;
      const spent: string[] = [];
      const agent = await connect(service.request, keys.admin, '2026-07-28');
      for (const id of Object.values(ids[kind] ?? {})) {
        const ask = async (each: string): Promise<Answer> => {
          const { body, response } = await agent.call(tool, input(each));
          return { status: response.status, text: JSON.stringify(body) };
        };
        spent.push((await compare(kind, id, ask)).cost);
      }
      expect(spent).not.toEqual([]);
      return [requests - before, 200, listed(spent)];
    }),
  );

  it.each([
    'traces',
    'screenings',
    'keys',
    'policies',
    'bulk/jobs',
    'audit',
    'domains/blocklist',
    'addresses/blocklist',
  ])('a cursor of their list leads to nothing of theirs: /v1/%s', (path) =>
    row('texts', `\`GET /v1/${path}?cursor\``, async () => {
      const first = await service.call('GET', `/v1/${path}?limit=1`, theirs.keys.admin);
      requests += 3;
      const { cursor } = first.body as { cursor: string | null };
      const text = cursor ?? Object.values(ids['job'] ?? {})[0] ?? '';
      const [answer, own] = await Promise.all(
        [text, 'none'].map((each) => byKey(keys.admin)('GET', `/v1/${path}?cursor=${encodeURIComponent(each)}`)),
      );
      expect([200, 400]).toContain(answer?.status);
      expect(own?.status).toBe(400);
      expect(THEIRS.filter((each) => answer?.text.includes(`"${each}"`))).toEqual([]);
      expect(answer?.text).not.toContain(MARK);
      return [3, answer?.status ?? 0, 'one’s own rows alone'];
    }),
  );
});

describe('the dashboard', () => {
  const cookie = people.admin.cookie;
  const own = (path: string, body: object): Promise<Answer> => dashboard.send('POST', path, { cookie, body });

  it('a session opens nothing of an organisation that its person does not belong to', () =>
    row('dashboard', '`/api/:organisation/v1/…`, every route', async () => {
      const before = requests;
      const statuses: number[] = [];
      for (const { route, method } of ALL.filter(
        ({ route: { path, access } }) => path.startsWith('/v1/') && access !== 'public',
      )) {
        const path = route.path.replace(/:\w+/, 'x');
        const sent = sentTo(route);
        const [answer, missing] = [
          await bySession(cookie, theirs.id)(method, path, sent),
          await bySession(cookie, never('organisation', ''))(method, path, sent),
        ];
        requests += 2;
        expect([path, told(answer, theirs.id)]).toEqual([path, told(missing, theirs.id)]);
        expect(answer.status).toBe(404);
        expect(answer.text).not.toContain(MARK);
        statuses.push(answer.status);
      }
      return [requests - before, listed(statuses), 'as of an organisation that never was'];
    }));

  const sessionOf = async (at: string): Promise<string> =>
    (await dashboard.send('GET', '/auth/sessions', { cookie: at })).body.current;

  it.each<[name: string, theirs: () => Promise<string>, ask: (id: string) => Promise<Answer>]>([
    ['POST /auth/sessions/end', () => sessionOf(theirs.people.admin.cookie), (id) => own('/auth/sessions/end', { id })],
    [
      'POST /auth/invitations/accept',
      async () => ids['invitation']?.['open'] ?? '',
      (id) => own('/auth/invitations/accept', { id, organisation_id: theirs.id }),
    ],
    [
      'POST /auth/invitations/accept, as of one’s own organisation',
      async () => ids['invitation']?.['open'] ?? '',
      (id) => own('/auth/invitations/accept', { id, organisation_id: mine.id }),
    ],
    [
      'POST /auth/passkey/delete-passkey',
      () => addPasskey(service, theirs.people.admin.email),
      (id) => own('/auth/passkey/delete-passkey', { id }),
    ],
  ])('%s', (name, idOf, ask) =>
    row('dashboard', `\`${name}\``, async () => {
      const before = requests;
      const id = await idOf();
      const missing = () => (/^[0-9a-f-]{36}$/.test(id) ? crypto.randomUUID() : newId('inv', DAY_AGO));
      await ask(missing());
      const [asked, none] = [await costs.of(() => ask(id)), await costs.of(() => ask(missing()))];
      requests += 3;
      expect([asked.answer.status, asked.answer.text.replace(/"trace_id":"[^"]*"/, '')]).toEqual([
        none.answer.status,
        none.answer.text.replace(/"trace_id":"[^"]*"/, ''),
      ]);
      expect(asked.cost.Postgres).toBe(none.cost.Postgres);
      expect(asked.cost.object).toBe(none.cost.object);
      return [requests - before, asked.answer.status, costText(asked.cost)];
    }),
  );
});

describe('a key of an organisation', () => {
  it('opens no route of operators, whatever the id', () =>
    row('paths', '`/operator/v1/…`, every route', async () => {
      const before = requests;
      for (const { route, method } of ALL.filter(({ route: { access } }) => access === 'operator')) {
        for (const caller of CALLERS.filter(({ name }) => name.endsWith('key'))) {
          const path = (id: string) => route.path.replace(':id', id).replace(/:\w+/, 'x');
          const { status } = await compare('organisation', theirs.id, (id) =>
            caller.send(method, path(id), sentTo(route)),
          );
          expect(status).toBe(403);
        }
      }
      return [requests - before, 403, 'as of an organisation that never was', 'no such path'];
    }));
});

describe('a webhook', () => {
  it.each(MAIL_SERVICES)('%s: what proves it is of one connection alone', (kind) =>
    row('webhooks', `\`POST /integrations/${kind}/:connection_id\``, async () => {
      const fake = FAKES[kind](Date.now());
      await service.call('POST', '/v1/connections', keys.admin, { kind, secret: fake.secret });
      const signed = () => fake.sign(Object.values(EVENTS[kind])[0]?.event ?? {}, Date.now());
      const send = async (id: string) =>
        (
          await service.request(`/integrations/${kind}/${id}`, {
            method: 'POST',
            headers: signed().headers,
            body: signed().body,
          })
        ).status;
      const [answer, other, missing] = [
        await send(ids['connection']?.[kind] ?? ''),
        await send(ids['connection']?.['stripe'] ?? ''),
        await send(newId('con', DAY_AGO)),
      ];
      requests += 3;
      expect(answer).toBeGreaterThanOrEqual(401);
      expect([other, missing]).toEqual([404, 404]);
      return [3, answer, other, missing];
    }),
  );
});

it('what they have is what they had', () => {
  expect(contentOf(theirs.id)).toEqual(held);
});

afterAll(() => {
  vi.useRealTimers();
  writeFindings('isolation', {
    summary: `${requests} requests of ${CALLERS.length} callers of one organisation (${CALLERS.map(({ name }) => name).join(', ')}), with ${THEIRS.length} ids of another: ${Object.keys(ids).join(', ')}, in each of their states. No statement ran on the other organisation's object, and what it holds is the same afterwards. A caller whose role does not reach a route is refused with 403, whatever the id.`,
    tables: [
      {
        title: 'In a path',
        columns: ['route', 'requests', 'answer', 'calls and statements for a key', 'for a session'],
        rows: tables.paths,
      },
      {
        title: 'In a query or a body',
        columns: ['where', 'requests', 'answer', 'calls and statements'],
        rows: tables.texts,
      },
      {
        title: 'At the dashboard',
        columns: ['where', 'requests', 'answer', 'calls and statements'],
        rows: tables.dashboard,
      },
      {
        title: 'Webhooks, signed with the secret of one’s own connection',
        columns: ['route', 'requests', 'their connection', 'theirs of another service', 'one that never was'],
        rows: tables.webhooks,
      },
    ],
  });
});
