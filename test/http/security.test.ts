import { describe, expect, it, vi } from 'vitest';
import { ErrorEnvelope } from '../../src/contract/error.ts';
import { issueKey, keySecret, mintBootstrapToken, roleAllows } from '../../src/domain/access/keys.ts';
import type { PersonClaims } from '../../src/domain/access/member-records.ts';
import { type Id, newId } from '../../src/kernel/ids.ts';
import { captureLog } from '../support/capture-log.ts';
import { KEYED_CASES, ROUTE_CASES } from '../support/http-table.ts';
import { startService } from '../support/service.ts';

const service = await startService();
const mine = await service.createOrganisation();
const revoked = await mine.createKey({ role: 'admin' });
await service.call('DELETE', `/operator/v1/organisations/${mine.id}/keys/${revoked.id}`, service.operatorKey);

const organisationId = mine.id as Id<'org'>;
// A second admin, so that the member removed by the table below isn't the last one.
await service.addMember(mine.id, 'admin');

const otherSecret = keySecret(Buffer.alloc(32, 9).toString('base64'));
const forged = issueKey(
  otherSecret,
  { organisationId: mine.id as Id<'org'>, mode: 'live', role: 'admin', operator: true },
  new Uint8Array(16),
);
const flipped = mine.keys.admin.slice(0, -1) + (mine.keys.admin.endsWith('A') ? 'B' : 'A');

const REFUSED_KEYS: [name: string, key: string | null][] = [
  ['no key', null],
  ['an empty key', ''],
  ['a word', 'secret'],
  ['a key of another secret', forged],
  ['a key with one character changed', flipped],
  ['a revoked key', revoked.key],
  ['a key with something behind it', `${mine.keys.admin}x`],
];

const STRANGERS: [name: string, person: () => Promise<PersonClaims>][] = [
  [
    'a member of another organisation',
    async () => ({ ...(await service.addMember((await service.createOrganisation()).id, 'admin')), organisationId }),
  ],
  [
    'somebody whose membership was taken away',
    async () => {
      const gone = await service.addMember(mine.id, 'member');
      const { object } = service.objectOf(mine.id);
      await object.removeMember({ userId: gone.userId, actor: 'operator' });
      return gone;
    },
  ],
  [
    'a person of an organisation that does not exist',
    async () => ({
      organisationId: newId('org', 0),
      userId: newId('u', 0),
      signedInAt: Date.now(),
      hasSecondFactor: false,
    }),
  ],
];

describe.each(KEYED_CASES)('$method $route.path', ({ method, path, body, route }) => {
  it.each(REFUSED_KEYS)('answers 401 to %s', async (_, key) => {
    const { status, body: answer, headers } = await service.call(method, path, key, body);
    expect(status).toBe(401);
    expect(ErrorEnvelope.parse(answer).error.code).toBe('unauthorized');
    expect(headers.get('www-authenticate')).toBe('Bearer');
    expect(headers.get('x-trace-id')).toBe(answer.error.trace_id);
  });

  it.each(['viewer', 'member', 'admin'] as const)(
    'lets a key of role %s in as declared, and no further',
    async (role) => {
      const { status, body: answer } = await service.call(method, path, mine.keys[role], body);
      const isOpen = route.access !== 'operator' && route.fresh !== true;
      if (isOpen && roleAllows(role, route.access as typeof role)) expect(status).not.toBe(403);
      else expect({ status, code: answer.error.code }).toEqual({ status: 403, code: 'forbidden' });
    },
  );

  it.each(['viewer', 'member', 'admin'] as const)(
    'lets a person of role %s in as a key of that role, and no further',
    async (role) => {
      // Deleting an organisation ends it, so each person gets one of their own.
      const { id } = route.fresh === true ? await service.createOrganisation() : mine;
      const person = await service.addMember(id, role);
      const { status, body: answer } = await service.call(method, path, person, body);
      const allowed = route.access !== 'operator' && roleAllows(role, route.access as typeof role);
      if (allowed) expect(status).not.toBe(403);
      else expect({ status, code: answer.error.code }).toEqual({ status: 403, code: 'forbidden' });
    },
  );

  it.each(STRANGERS)('is not there for %s', async (_, person) => {
    const { status, body: answer } = await service.call(method, path, await person(), body);
    expect({ status, code: answer.error.code }).toEqual({ status: 404, code: 'not_found' });
  });

  it('settles the role before it looks at the body', async () => {
    if (route.body === undefined || route.access === 'viewer') return;
    const { status } = await service.call(method, path, mine.keys.viewer, '{');
    expect(status).toBe(403);
  });
});

describe('a test key', () => {
  it.each(KEYED_CASES)('is let into $method $route.path only where nothing of the account changes', async (route) => {
    const { method, path, body } = route;
    if (route.route.access === 'operator' || route.route.access === 'admin') return;
    const { status, body: answer } = await service.call(method, path, mine.keys.test, body);
    if (route.route.live !== true) expect(status).not.toBe(403);
    else expect({ status, code: answer.error.code }).toEqual({ status: 403, code: 'forbidden' });
    // Like the role, this is settled before the body is read.
    if (route.route.live === true) expect((await service.call(method, path, mine.keys.test, '{')).status).toBe(403);
  });
});

describe('keys', () => {
  it('a key of a deleted organisation is refused from the next request on', async () => {
    const gone = await service.createOrganisation();
    expect((await service.call('GET', '/v1/me', gone.keys.viewer)).status).toBe(200);
    await service.call('DELETE', `/operator/v1/organisations/${gone.id}`, service.operatorKey);
    expect((await service.call('GET', '/v1/me', gone.keys.viewer)).status).toBe(401);
  });

  it('an organisation that was never created refuses every key, though its MAC is right', async () => {
    const unowned = issueKey(
      keySecret(service.env.SERVICE_SECRET),
      { organisationId: 'org_01jd0000000000000000000000', mode: 'live', role: 'admin', operator: false },
      new Uint8Array(16),
    );
    expect((await service.call('GET', '/v1/me', unowned)).status).toBe(401);
  });

  it('a bootstrap token makes one key, however often it is sent; the next one makes another', async () => {
    const token = (ms: number) => mintBootstrapToken(service.env.SERVICE_SECRET, Date.now() + ms);
    const bootstrap = (sent: string) => service.call('POST', '/operator/v1/bootstrap', sent);
    const [first, second] = [token(1), token(2)];
    const made = (await Promise.all([bootstrap(first), bootstrap(first)])).map(({ status }) => status);
    expect(made.toSorted((a, b) => a - b)).toEqual([201, 401]);
    const again = await bootstrap(first);
    expect([again.status, again.body.error?.message]).toEqual([401, expect.stringContaining('has been used')]);
    expect((await bootstrap(second)).status).toBe(201);
  });

  it('a bootstrap token of another secret makes no key', async () => {
    const { status } = await service.call('POST', '/operator/v1/bootstrap', 'evb_1_00');
    expect(status).toBe(401);
  });
});

describe('the log', () => {
  it.each(['/v1/nothing', '/docs/nothing'])('has a line of a request for %s, without its path', async (path) => {
    const logged = vi.spyOn(console, 'info').mockImplementation(() => undefined);
    const { body } = await service.call('GET', `${path}?email=ada@example.com`, null);
    const lines = logged.mock.calls.map(([line]) => JSON.parse(String(line)));
    logged.mockRestore();
    const { trace_id } = body.error;
    expect(lines).toMatchObject([{ event: 'request', trace_id, status: 404, code: 'not_found', method: 'GET' }]);
    expect(JSON.stringify(lines)).not.toMatch(/nothing|ada@/);
  });

  it.each(['vr_ada-lovelace_example_com', `vr_${'A-_9'.repeat(16)}`])(
    'never has %s, which a caller sent as `trace_id`, in body or path',
    async (text) => {
      const logged = captureLog();
      const report = { trace_id: text, outcome: 'delivered' };
      const { status, headers } = await service.call('POST', '/v1/outcome', mine.keys.member, report);
      await service.call('POST', '/v1/events', mine.keys.member, { ...report, event: 'churned', at: 1 });
      await service.call('GET', `/v1/traces/${text}`, mine.keys.member);
      await service.call('GET', `/v1/traces/${text}?limit=x`, mine.keys.member);
      const { storage, object } = service.objectOf(mine.id);
      // Postgres refuses this record because of its content.
      storage.sql.exec("update outbox set record = '{' where kind = 'outcome' and id = ?", text);
      await object.flush(null);
      expect([status, headers.get('x-trace-id')]).toEqual([202, text]);
      expect(logged.filter((line) => line.includes('outbox_row_refused'))).toHaveLength(1);
      expect(logged.filter((line) => line.includes(text))).toEqual([]);
      storage.sql.exec('delete from outbox where dead = 1');
    },
  );
});

describe('an answer is not cached on the way', () => {
  it.each(ROUTE_CASES)('$method $route.path', async ({ method, path, body }) => {
    for (const key of [mine.keys.admin, service.operatorKey, null]) {
      if (method === 'DELETE' && key === service.operatorKey) continue;
      const { headers } = await service.call(method, path, key, body);
      expect(headers.get('cache-control')).toBe('no-store');
    }
  });

  it.each([
    ['an unknown path', 'GET', '/v1/nothing'],
    ['another method', 'QUERY', '/v1/verify'],
    ['a missing page', 'GET', '/docs/nothing'],
  ])('%s', async (_, method, path) => {
    expect((await service.call(method, path, null)).headers.get('cache-control')).toBe('no-store');
  });

  it('a message of the tool protocol', async () => {
    const { status, headers } = await service.request('/mcp', {
      method: 'POST',
      headers: {
        authorization: `Bearer ${mine.keys.viewer}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    });
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it.each(['/docs/', '/docs/icon.svg', '/openapi.json'])('but %s, which is the same for all', async (path) => {
    const { headers } = await service.request(path);
    expect(headers.get('cache-control')).not.toContain('no-store');
  });
});

describe('paths and methods', () => {
  it('answers 404 to an unknown path before it asks for a key', async () => {
    const { status, body } = await service.call('GET', '/v1/nothing', null);
    expect({ status, code: body.error.code }).toEqual({ status: 404, code: 'not_found' });
  });

  it.each(ROUTE_CASES)('answers 405 with Allow to another method on $route.path', async ({ path, route }) => {
    const { status, body, headers } = await service.call('QUERY', path, null);
    expect({ status, code: body.error.code }).toEqual({ status: 405, code: 'method_not_allowed' });
    expect(headers.get('allow')).toContain(route.method.toUpperCase());
  });

  it('answers health without a key', async () => {
    expect(await service.call('GET', '/health', null)).toMatchObject({ status: 200, body: { status: 'ok' } });
  });
});
