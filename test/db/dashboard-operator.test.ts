import { beforeAll, describe, expect, it } from 'vitest';
import type { DashboardEnv } from '../../dashboard/worker/settings.ts';
import { newAddress, ORGANISATION, openDashboard, type Sending } from '../support/dashboard.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});

const open = (known?: readonly string[], change?: Partial<DashboardEnv>) => openDashboard(database.db, known, change);

describe('the operator screen', () => {
  const named = (email: string) => ({ OPERATOR_EMAILS: ` ${email.toUpperCase()} , other@people.test` });
  const read = (send: ReturnType<typeof open>['send'], sent: Sending = {}) => send('GET', '/auth/operations', sent);

  it('shows an operator how the service does, and asks the API by their own address', async () => {
    const operator = newAddress();
    const { send, signIn, operators } = open([operator], named(operator));
    const cookie = await signIn(operator);
    expect((await send('GET', '/auth/me', { cookie })).body).toMatchObject({ is_operator: true });
    expect(await read(send, { cookie })).toMatchObject({ status: 200, body: { status: {}, directory: [] } });
    expect(operators).toEqual([operator]);
  });

  it('lets an operator sign in who is in no organisation', async () => {
    const operator = newAddress();
    const { send, signIn } = open([], named(operator));
    expect((await read(send, { cookie: await signIn(operator) })).status).toBe(200);
  });

  it.each([
    ['is in no list', {}],
    ['begins alike', { OPERATOR_EMAILS: 'x' }],
  ])(
    'asks the API nothing for an address that %s',
    async (_, { OPERATOR_EMAILS: prefix }: { OPERATOR_EMAILS?: string }) => {
      const email = newAddress();
      const settings = prefix === undefined ? {} : { OPERATOR_EMAILS: `${prefix}${email},${email}.test` };
      const { send, signIn, operators } = open([email], settings);
      const cookie = await signIn(email);
      expect((await send('GET', '/auth/me', { cookie })).body).toMatchObject({ is_operator: false });
      expect(await read(send, { cookie, headers: { 'x-user-email': 'other@people.test' } })).toMatchObject({
        status: 403,
        body: { error: { code: 'forbidden' } },
      });
      expect(operators).toEqual([]);
    },
  );

  it('refuses whom the API does not take for an operator', async () => {
    const operator = newAddress();
    const known = open([operator], named(operator));
    const API = { ...known.env.API, readOperations: async () => null };
    const { send, signIn } = open([operator], { OPERATOR_EMAILS: operator, API });
    expect((await read(send, { cookie: await signIn(operator) })).status).toBe(403);
  });

  it.each(['', 'dashboard.session_token=a.b', `__Host-dashboard.session_token=${'a'.repeat(32)}.${'b'.repeat(44)}`])(
    'is closed without a session: %j',
    async (cookie) => {
      const operator = newAddress();
      const { send, operators } = open([operator], named(operator));
      expect((await read(send, { cookie })).status).toBe(401);
      expect(operators).toEqual([]);
    },
  );

  it('is closed to a session that has ended', async () => {
    const operator = newAddress();
    const { send, signIn } = open([operator], named(operator));
    const cookie = await signIn(operator);
    await send('POST', '/auth/sign-out', { body: {}, cookie });
    expect((await read(send, { cookie })).status).toBe(401);
  });

  it('is closed to another site, and takes nothing but GET', async () => {
    const operator = newAddress();
    const { send, signIn, operators } = open([operator], named(operator));
    const cookie = await signIn(operator);
    expect((await read(send, { cookie, headers: { 'sec-fetch-site': 'cross-site' } })).status).toBe(403);
    for (const method of ['POST', 'PUT', 'DELETE'])
      expect((await send(method, '/auth/operations', { body: {}, cookie })).status).toBe(404);
    expect(operators).toEqual([]);
  });

  it('has no other way in: the API’s operator routes are at no path of the dashboard', async () => {
    const operator = newAddress();
    const { send, signIn, served } = open([operator], named(operator));
    const cookie = await signIn(operator);
    for (const path of [
      '/api/operator/v1/status',
      `/api/${ORGANISATION}/operator/v1/status`,
      '/auth/operator/v1/status',
    ])
      expect((await send('GET', path, { cookie })).status).toBe(404);
    expect(served).toEqual([]);
  });
});
