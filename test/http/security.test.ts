import { describe, expect, it, vi } from 'vitest';
import { ErrorEnvelope } from '../../src/contract/error.ts';
import { issueKey, keySecret, roleAllows } from '../../src/domain/access/index.ts';
import type { Id } from '../../src/kernel/ids.ts';
import { KEYED_CASES, ROUTE_CASES } from '../support/http-table.ts';
import { startService } from '../support/service.ts';

const service = await startService();
const mine = await service.createOrganisation();
const revoked = await mine.createKey({ role: 'admin' });
await service.call('DELETE', `/operator/v1/organisations/${mine.id}/keys/${revoked.id}`, service.operatorKey);

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
      const allowed = route.access !== 'operator' && roleAllows(role, route.access as typeof role);
      if (allowed) expect(status).not.toBe(403);
      else expect({ status, code: answer.error.code }).toEqual({ status: 403, code: 'forbidden' });
    },
  );

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
    // Settled before the body is looked at, as a role is.
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

  it('an organisation nobody created refuses every key, though its MAC is right', async () => {
    const nobody = issueKey(
      keySecret(service.env.SERVICE_SECRET),
      { organisationId: 'org_01jd0000000000000000000000', mode: 'live', role: 'admin', operator: false },
      new Uint8Array(16),
    );
    expect((await service.call('GET', '/v1/me', nobody)).status).toBe(401);
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
