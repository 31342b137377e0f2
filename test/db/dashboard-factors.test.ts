import { readFileSync } from 'node:fs';
import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { authSession, authTwoFactor } from '../../dashboard/worker/auth-schema.ts';
import { newAddress, ORGANISATION, openDashboard } from '../support/dashboard.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';
import { totpCode, totpKey } from '../support/totp.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});

/** A person who has signed in, and what they do next. */
async function person() {
  const email = newAddress();
  const opened = openDashboard(database.db, [email]);
  const { send, signIn, served } = opened;
  const state = { cookie: await signIn(email), secret: '' };
  const post = (path: string, body: object = {}) => send('POST', path, { body, cookie: state.cookie });
  const code = () => totpCode(state.secret);
  const next = ({ headers }: { readonly headers: Headers }) => {
    const [cookie] = headers.getSetCookie().filter((each) => each.includes('session_token='));
    if (cookie !== undefined) state.cookie = cookie.split(';', 1)[0] ?? '';
  };
  return {
    ...opened,
    email,
    state,
    post,
    code,
    me: async () => (await send('GET', '/auth/me', { cookie: state.cookie })).body,
    api: async () => (await send('GET', `/api/${ORGANISATION}/v1/me`, { cookie: state.cookie })).status,
    lastPerson: () => served.at(-1)?.person,
    again: async () => {
      state.cookie = await signIn(email);
    },
    async enrol() {
      const begun = await post('/auth/two-factor/enable', { method: 'totp' });
      state.secret = new URL(begun.body.totpURI).searchParams.get('secret') ?? '';
      const proved = await post('/auth/code', { code: await code() });
      next(proved);
      return { begun, proved, backupCodes: begun.body.backupCodes as string[] };
    },
  };
}

describe('a session', () => {
  it('ends 30 days after its person signed in, however it is used', async () => {
    const { api, state, send, email } = await person();
    const start = Date.now();
    for (let day = 1; day < 30; day += 1) {
      vi.useFakeTimers({ now: start + day * DAY_MS, toFake: ['Date'] });
      expect(await api(), `day ${day}`).toBe(200);
    }
    vi.setSystemTime(start + 30 * DAY_MS + 1_000);
    expect(await api()).toBe(401);
    expect((await send('GET', '/auth/passkey/list-user-passkeys', { cookie: state.cookie })).status).toBe(401);
    expect(email).not.toBe('');
  });
});

describe('an authenticator app', () => {
  it('is asked for once it is set up: a link alone opens nothing', async () => {
    const { enrol, again, api, me, post, code, lastPerson } = await person();
    expect(await api()).toBe(200);
    expect(lastPerson()?.hasSecondFactor).toBe(false);
    const { begun, proved } = await enrol();
    expect([begun.status, proved.status]).toEqual([200, 200]);
    expect(await api()).toBe(200);
    expect(lastPerson()?.hasSecondFactor).toBe(true);
    vi.useFakeTimers({ now: Date.now() + 2 * MINUTE_MS, toFake: ['Date'] });
    await again();
    expect(await api()).toBe(403);
    expect(await me()).toMatchObject({ needs_code: true, organisations: [], factors: { totp: true, passkeys: 0 } });
    expect((await post('/auth/code', { code: '000000' })).status).toBe(400);
    expect((await post('/auth/code', { code: await code() })).status).toBe(200);
    expect(await api()).toBe(200);
    expect(lastPerson()?.hasSecondFactor).toBe(true);
    expect(await me()).toMatchObject({ needs_code: false, session: { second_factor: true } });
  });

  it('takes a code once, and five tries in a quarter of an hour', async () => {
    const { enrol, again, post, code } = await person();
    await enrol();
    vi.useFakeTimers({ now: Date.now() + 20 * MINUTE_MS, toFake: ['Date'] });
    await again();
    const good = await code();
    expect((await post('/auth/code', { code: good })).status).toBe(200);
    await again();
    expect((await post('/auth/code', { code: good })).status).toBe(429);
    const statuses = [];
    for (let tries = 0; tries < 5; tries += 1)
      statuses.push((await post('/auth/code', { code: `00000${tries}` })).status);
    expect(statuses).toEqual([400, 400, 400, 429, 429]);
    vi.setSystemTime(Date.now() + 15 * MINUTE_MS);
    expect((await post('/auth/code', { code: await code() })).status).toBe(200);
  });

  it('is replaced by a backup code, once, when it is lost', async () => {
    const { enrol, again, post, api } = await person();
    const { backupCodes } = await enrol();
    vi.useFakeTimers({ now: Date.now() + 20 * MINUTE_MS, toFake: ['Date'] });
    await again();
    expect((await post('/auth/code', { code: backupCodes[0] })).status).toBe(200);
    expect(await api()).toBe(200);
    vi.setSystemTime(Date.now() + 2 * DAY_MS);
    await again();
    expect((await post('/auth/code', { code: backupCodes[0] })).status).toBe(400);
    expect((await post('/auth/two-factor/disable')).status).toBe(403);
    expect((await post('/auth/code', { code: backupCodes[1] })).status).toBe(200);
    expect((await post('/auth/two-factor/disable')).status).toBe(200);
  });

  it('is set up and taken away by a fresh session alone, and is kept sealed', async () => {
    const { enrol, post, send, state, email } = await person();
    const start = Date.now();
    vi.useFakeTimers({ now: start + 11 * MINUTE_MS, toFake: ['Date'] });
    expect((await post('/auth/two-factor/enable', { method: 'totp' })).status).toBe(403);
    vi.setSystemTime(start);
    await enrol();
    const rows = await database.db.select().from(authTwoFactor);
    expect(JSON.stringify(rows)).not.toContain(totpKey(state.secret));
    vi.setSystemTime(start + 11 * MINUTE_MS);
    expect((await post('/auth/two-factor/disable')).status).toBe(403);
    for (const path of [
      'get-totp-uri',
      'verify-totp',
      'verify-backup-code',
      'view-backup-codes',
      'generate-backup-codes',
    ])
      expect((await send('POST', `/auth/two-factor/${path}`, { body: {}, cookie: state.cookie })).status, path).toBe(
        404,
      );
    expect(email).not.toBe('');
  });

  it('can’t be switched on in a session that went stale after it was begun', async () => {
    const { post, state, code } = await person();
    const begun = await post('/auth/two-factor/enable', { method: 'totp' });
    state.secret = new URL(begun.body.totpURI).searchParams.get('secret') ?? '';
    vi.useFakeTimers({ now: Date.now() + 11 * MINUTE_MS, toFake: ['Date'] });
    expect((await post('/auth/code', { code: await code() })).status).toBe(403);
  });
});

it('an operator gives a person who has lost everything the way back of the guide', async () => {
  const { enrol, again, api, me, email } = await person();
  await enrol();
  await again();
  expect(await api()).toBe(403);
  const guide = readFileSync('docs/guides/second-factor.md', 'utf8');
  const [, statement = ''] = /psql "\$DATABASE_URL" -c "(.*)"/.exec(guide) ?? [];
  await database.db.execute(statement.replace('ada@example.com', email));
  expect(await api()).toBe(401);
  await again();
  expect(await api()).toBe(200);
  expect((await me()).factors).toEqual({ totp: false, passkeys: 0 });
});

it('a second factor is of its session alone', async () => {
  const { enrol, again, state } = await person();
  await enrol();
  await again();
  const [token = ''] = decodeURIComponent(state.cookie.split('=')[1] ?? '').split('.');
  const [row] = await database.db.select().from(authSession).where(eq(authSession.token, token));
  expect(row?.secondFactorAt).toBeNull();
});
