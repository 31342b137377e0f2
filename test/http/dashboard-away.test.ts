import { afterEach, describe, expect, it } from 'vitest';
import { connectDatabase } from '../../dashboard/worker/database.ts';
import type { ApiBinding } from '../../dashboard/worker/api-binding.ts';
import { openDashboard } from '../support/dashboard.ts';
import { startService } from '../support/service.ts';

const service = await startService();
service.faults.delayMs = 0;
const { DATABASE_URL: url, DATABASE_HTTP_URL: httpUrl } = service.env;
let isApiAway = false;
/** The API; every call fails while it is away. */
const entrypoint = new Proxy(service.entrypoint(), {
  get: (target, name) => {
    const method: unknown = Reflect.get(target, name, target);
    if (typeof method !== 'function') return method;
    return async (...input: unknown[]): Promise<unknown> => {
      if (isApiAway) throw new Error('Network connection lost.');
      return method.apply(target, input) as unknown;
    };
  },
}) as unknown as ApiBinding;
const dashboard = openDashboard(connectDatabase(url, httpUrl), [], { API: entrypoint });

const { id } = await service.createOrganisation();
const EMAIL = 'ada@people.test';
const path = `/operator/v1/organisations/${id}/users`;
await service.call('POST', path, service.operatorKey, { email: EMAIL, role: 'admin' });
const cookie = await dashboard.signIn(EMAIL);

afterEach(() => {
  service.objectFault.error = null;
  service.faults.down = false;
  isApiAway = false;
});

/** What needs which of both. */
const CALLS: readonly (readonly [
  method: string,
  path: string,
  needs: readonly ('Postgres' | 'API')[],
  body?: object,
])[] = [
  ['POST', '/auth/link', ['Postgres'], { email: EMAIL }],
  ['POST', '/auth/link/read', ['Postgres'], { token: 'x' }],
  ['GET', '/auth/me', ['Postgres', 'API']],
  ['GET', '/auth/sessions', ['Postgres']],
  ['POST', '/auth/sessions/end', ['Postgres'], { id: 'x' }],
  ['GET', '/auth/passkey/list-user-passkeys', ['Postgres']],
  ['POST', '/auth/organisations', ['Postgres'], { name: 'Acme' }],
  ['GET', `/api/${id}/v1/me`, ['Postgres', 'API']],
];
const NEEDS = CALLS.flatMap(([method, to, needs, body]) => needs.map((need) => [need, method, to, body] as const));

describe('the dashboard while what it needs is away', () => {
  it.each(NEEDS)('without %s reports an outage, and when to retry: %s %s', async (need, method, to, body) => {
    const ask = () => dashboard.send(method, to, { cookie, ...(body === undefined ? {} : { body }) });
    service.faults.down = need === 'Postgres';
    isApiAway = need === 'API';
    const { status, body: answer, headers } = await ask();
    expect([status, answer.error.code, headers.get('retry-after')]).toEqual([503, 'dependency_unavailable', '5']);
    service.faults.down = false;
    isApiAway = false;
    expect((await ask()).status).toBeLessThan(500);
    await dashboard.settle();
  });

  it.each([
    ['is out of reach', {}],
    ['turns calls away', { overloaded: true }],
  ])(
    'an invitation that is accepted while the organisation’s object %s is an outage, and can be accepted later',
    async (_, flags) => {
      const inviting = await service.createOrganisation();
      const invited = { email: EMAIL, role: 'viewer' };
      const { invitation } = (await service.call('POST', '/v1/invitations', inviting.keys.admin, invited)).body;
      const body = { id: invitation.id, organisation_id: inviting.id };
      const accept = () => dashboard.send('POST', '/auth/invitations/accept', { cookie, body });
      service.objectFault.error = Object.assign(new Error('object'), flags);
      const { status, body: answer, headers } = await accept();
      expect([status, answer.error.code, headers.get('retry-after')]).toEqual([503, 'dependency_unavailable', '5']);
      service.objectFault.error = null;
      expect((await accept()).status).toBe(200);
    },
  );

  it('a link is not used up by a try without Postgres, and is not called used', async () => {
    const token = await dashboard.askLink(EMAIL);
    const use = () => dashboard.send('POST', '/auth/link/use', { body: { token } });
    service.faults.down = true;
    expect(await use()).toMatchObject({ status: 503, body: { error: { code: 'dependency_unavailable' } } });
    service.faults.down = false;
    expect((await use()).status).toBe(200);
  });
});
