import { eq } from 'drizzle-orm';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { authPasskey, authSession, authUser } from '../../dashboard/worker/auth-schema.ts';
import { LIMITS } from '../../dashboard/worker/limits.ts';
import type { DashboardEnv } from '../../dashboard/worker/settings.ts';
import { newId } from '../../src/kernel/ids.ts';
import { captureLog } from '../support/capture-log.ts';
import { newAddress, ORGANISATION, ORIGIN, openDashboard, type Served } from '../support/dashboard.ts';
import { openTestDatabase, type TestDatabase } from '../support/database.ts';

const DAY_MS = 86_400_000;

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});

const open = (known?: readonly string[], change?: Partial<DashboardEnv>) => openDashboard(database.db, known, change);

describe('a link', () => {
  it('signs in once, and only by the button: looking at it uses nothing up', async () => {
    const email = newAddress();
    const { send, askLink } = open([email]);
    const token = await askLink(email);
    for (const path of [
      `/sign-in/link?token=${token}`,
      `/auth/link/use?token=${token}`,
      `/auth/inner/magic-link/verify?token=${token}`,
    ])
      expect((await send('GET', path)).headers.getSetCookie()).toEqual([]);
    for (let looks = 0; looks < 2; looks += 1)
      expect(await send('POST', '/auth/link/read', { body: { token } })).toMatchObject({
        status: 200,
        body: { email },
      });
    const used = await send('POST', '/auth/link/use', { body: { token } });
    expect(used).toMatchObject({ status: 200, body: { ok: true } });
    const [cookie = ''] = used.headers.getSetCookie();
    expect(cookie).toMatch(/^__Host-dashboard\.session_token=(?!.*Domain).*Path=\/; HttpOnly; Secure; SameSite=Lax$/);
    expect(await send('POST', '/auth/link/use', { body: { token } })).toMatchObject({
      status: 400,
      body: { error: { code: 'link_invalid' } },
    });
    expect(await send('GET', '/auth/me', { cookie: cookie.split(';', 1)[0] ?? '' })).toMatchObject({
      status: 200,
      body: { user: { email }, organisations: [{ id: ORGANISATION }] },
    });
  });

  it('is over after ten minutes where it is mailed', async () => {
    const email = newAddress();
    const { CONSOLE: _, ...env } = open([email]).env;
    let url = '';
    const API = {
      ...env.API,
      sendsMail: async () => true,
      mailSignInLink: async (_to: string, link: string) => (url = link) !== '',
    };
    const { send, settle } = open([email], { API, CONSOLE: undefined as never });
    await send('POST', '/auth/link', { body: { email } });
    await settle();
    const body = { token: url.split('#')[1] };
    vi.useFakeTimers({ now: Date.now() + 10 * 60_000 + 1_000, toFake: ['Date'] });
    expect((await send('POST', '/auth/link/read', { body })).status).toBe(400);
    expect((await send('POST', '/auth/link/use', { body })).status).toBe(400);
  });

  it('leaves a line in the log that names the person by id, and one where it failed', async () => {
    const email = newAddress();
    const { send, askLink } = open([email]);
    const lines = captureLog();
    const token = await askLink(email);
    for (let tries = 0; tries < 2; tries += 1) await send('POST', '/auth/link/use', { body: { token } });
    const [user] = await database.db.select().from(authUser).where(eq(authUser.email, email));
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { level: 'info', event: 'signed_in', means: 'link', user: user?.id },
      { level: 'warn', event: 'sign_in_failed', means: 'link' },
    ]);
  });

  it('is in Postgres only as its hash', async () => {
    const email = newAddress();
    const { askLink } = open([email]);
    const token = (await askLink(email)) ?? '';
    const rows = await database.db.execute(`select * from auth_verification`);
    expect(token.length).toBeGreaterThanOrEqual(32);
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  it('makes a person under the id that the API has for the address', async () => {
    const email = newAddress();
    const { signIn, env } = open([email]);
    await signIn(email);
    const [user] = await database.db.select().from(authUser).where(eq(authUser.email, email));
    expect(user?.id).toBe((await env.API.findPerson(email))?.id);
  });

  it('sends no link where no mail service is set, to a member or to a stranger', async () => {
    const email = newAddress();
    const { send, settle, mailed } = open([email], { CONSOLE: undefined as never });
    expect((await send('GET', '/auth/means')).body).toEqual({ mail: false });
    expect((await send('GET', '/auth/api')).body).toEqual({ url: 'https://api.test' });
    for (const asked of [email, newAddress()])
      expect(await send('POST', '/auth/link', { body: { email: asked } })).toMatchObject({ status: 404 });
    await settle();
    expect(mailed).toEqual([]);
  });
});

describe('registration', () => {
  it('is closed to who was not invited: no link, no person, and no address kept', async () => {
    const stranger = newAddress();
    const { askLink } = open();
    expect(await askLink(stranger)).toBeNull();
    expect(await database.db.select().from(authUser).where(eq(authUser.email, stranger))).toEqual([]);
    expect(JSON.stringify(await database.db.execute('select * from auth_verification'))).not.toContain(stranger);
  });

  it('is open to the domains of SIGNUP_DOMAINS, not to those that end like one', async () => {
    const { askLink } = open([], { SIGNUP_DOMAINS: 'people.test, other.test' });
    expect(await askLink(newAddress())).not.toBeNull();
    expect(await askLink(`x${Date.now()}@notpeople.test`)).toBeNull();
    expect(await askLink(`x${Date.now()}@sub.people.test`)).toBeNull();
  });

  it('ends with the invitation, though a link is already out', async () => {
    const email = newAddress();
    const { askLink, send, env } = open([email]);
    const token = await askLink(email);
    vi.spyOn(env.API, 'findPerson').mockResolvedValue({ id: newId('u', Date.now()), email, isExpected: false });
    expect((await send('POST', '/auth/link/use', { body: { token } })).status).toBe(400);
  });
});

describe('whether an address has an account', () => {
  it('shows in neither the answer nor the statements before it', async () => {
    const [known, unknown] = [newAddress(), newAddress()];
    const client = (database.db as unknown as { $client: { query: (...statement: unknown[]) => unknown } }).$client;
    const query = vi.spyOn(client, 'query');
    const seen = [];
    for (const email of [known, unknown]) {
      const { send, settle } = open([known]);
      query.mockClear();
      const { status, text, headers } = await send('POST', '/auth/link', { body: { email } });
      const statements = query.mock.calls.map(([statement]) =>
        typeof statement === 'string' ? statement : (statement as { text: string }).text,
      );
      seen.push({ status, text, headers: [...headers.keys()], statements });
      await settle();
    }
    query.mockRestore();
    expect(seen[0]?.statements).toHaveLength(1);
    expect(seen[1]).toEqual(seen[0]);
  });
});

describe('limits', () => {
  // The clock stands still: a window that ended within a test would let more in.
  beforeEach(() => void vi.useFakeTimers({ now: Date.now(), toFake: ['Date'] }));

  const ask = async (known: readonly string[], email: string, network: string, cookie = '') => {
    const { send, settle, links } = open(known);
    const headers = { 'cf-connecting-ip': network };
    const { status, text } = await send('POST', '/auth/link', { body: { email }, headers, cookie });
    await settle();
    return { status, text, isSent: links.length === 1 };
  };

  it('hold links to one mailbox, without revealing whether it has an account', async () => {
    const [known, unknown] = [newAddress(), newAddress()];
    const seen = [];
    for (const email of [known, unknown])
      for (let tries = 0; tries < LIMITS.asksForAddress.count + 5; tries += 1)
        seen.push(await ask([known], email, `203.0.113.${tries}`));
    expect(new Set(seen.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(seen.filter(({ isSent }) => isSent)).toHaveLength(LIMITS.asksForAddress.count);
  });

  it('let nobody else use up the links of a person in a browser where they signed in before', async () => {
    const email = newAddress();
    const { send, signIn } = open([email]);
    const session = await signIn(email);
    const me = await send('GET', '/auth/me', { cookie: session });
    const browser = me.headers.getSetCookie().find((cookie) => cookie.includes('browser=')) ?? '';
    expect(browser).toMatch(
      /^__Host-dashboard\.browser=[0-9a-f]{64}; Max-Age=\d+; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
    expect(browser).not.toContain(email);
    const [cookie = ''] = browser.split(';', 1);
    // It opens nothing, and is set once.
    expect((await send('GET', '/auth/me', { cookie })).status).toBe(401);
    expect((await send('GET', '/auth/me', { cookie: `${session}; ${cookie}` })).headers.getSetCookie()).toEqual([]);
    for (let tries = 0; tries < 40; tries += 1) await ask([email], email, `2001:db8:${tries}::1`);
    expect((await ask([email], email, '198.51.100.1')).isSent).toBe(false);
    expect((await ask([email], email, '198.51.100.1', cookie)).isSent).toBe(true);
    const stranger = newAddress();
    expect((await ask([stranger], stranger, '198.51.100.1', cookie)).isSent).toBe(true);
  });

  it('leave a link that works in the mailbox where no further one is sent', async () => {
    const email = newAddress();
    const { askLink, send } = open([email]);
    const token = await askLink(email);
    for (let tries = 0; tries < 40; tries += 1) await ask([email], email, `2001:db8:a${tries}::1`);
    expect((await send('POST', '/auth/link/use', { body: { token } })).status).toBe(200);
  });

  it('count a /64 of IPv6 as one network', async () => {
    const email = newAddress();
    const sent = [];
    for (const last of ['1', '2', 'ffff', 'a:b:c:d'])
      sent.push((await ask([email], email, `2001:db8:9:8::${last}`)).isSent);
    expect(sent).toEqual([true, true, true, false]);
    expect((await ask([email], email, '2001:db8:9:9::1')).isSent).toBe(true);
  });

  it('hold one network, at once too', async () => {
    const { send } = open();
    const asks = Array.from({ length: LIMITS.attempts.count + 5 }, () =>
      send('POST', '/auth/link/use', { body: { token: 'guess' } }),
    );
    const statuses = (await Promise.all(asks)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 400)).toHaveLength(LIMITS.attempts.count);
    expect(statuses.filter((status) => status === 429)).toHaveLength(5);
  });

  it('say when to come again, and keep no address', async () => {
    const email = newAddress();
    const { send } = open();
    for (let tries = 0; tries < LIMITS.asksOfNetwork.count; tries += 1)
      await send('POST', '/auth/link', { body: { email } });
    const refused = await send('POST', '/auth/link', { body: { email } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(JSON.stringify(await database.db.execute('select * from auth_rate'))).not.toContain(email);
  });
});

describe('organisations', () => {
  it('are made by one person three times a day, whatever the session', async () => {
    const email = newAddress();
    const made = async () => {
      const { send, signIn } = open([email], { SIGNUP_DOMAINS: 'people.test' });
      const cookie = await signIn(email);
      const statuses = [];
      for (let tries = 0; tries < 2; tries += 1)
        statuses.push((await send('POST', '/auth/organisations', { body: { name: 'Acme' }, cookie })).status);
      return statuses;
    };
    expect([await made(), await made()]).toEqual([
      [201, 201],
      [201, 429],
    ]);
  });
});

describe('a request of another site', () => {
  const FOREIGN: [string, Record<string, string>][] = [
    ['another origin', { origin: 'https://evil.test' }],
    ['an origin that begins alike', { origin: `${ORIGIN}.evil.test` }],
    ['no origin', { origin: '' }],
    ['a sandbox', { origin: 'null' }],
    ['a sister site', { 'sec-fetch-site': 'same-site' }],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['plain text', { 'content-type': 'text/plain' }],
  ];
  it.each(FOREIGN)('changes nothing: %s', async (_, headers) => {
    const email = newAddress();
    const { send, signIn, served } = open([email]);
    const cookie = await signIn(email);
    for (const path of [`/api/${ORGANISATION}/v1/verify`, '/auth/sessions/end', '/auth/sign-out', '/auth/link'])
      expect([400, 403]).toContain((await send('POST', path, { body: {}, cookie, headers })).status);
    expect(served).toEqual([]);
    expect((await send('GET', '/auth/me', { cookie })).status).toBe(200);
  });

  it('reads nothing, with the person’s cookie', async () => {
    const email = newAddress();
    const { send, signIn } = open([email]);
    const sent = { cookie: await signIn(email), headers: { 'sec-fetch-site': 'cross-site' } };
    expect((await send('GET', `/api/${ORGANISATION}/v1/me`, sent)).status).toBe(403);
    const followed = { ...sent.headers, 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
    for (const path of [`/api/${ORGANISATION}/v1/me`, '/auth/me'])
      expect((await send('GET', path, { ...sent, headers: followed })).status).toBe(403);
    expect((await send('POST', '/sign-in', { ...sent, body: {}, headers: followed })).status).toBe(403);
  });

  it.each(['/sign-in/link', `/${ORGANISATION}/log?trace=vf_x`])(
    'leads to a page, as a link in a webmail does, and into no frame: %s',
    async (path) => {
      const { send } = open();
      const follow = (dest: string) =>
        send('GET', path, {
          headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': dest },
        });
      expect((await follow('document')).status).toBe(200);
      expect((await follow('iframe')).status).toBe(403);
    },
  );
});

describe('a session', () => {
  it('is named to the API by the person’s id: no header and no cookie of the browser goes along', async () => {
    const email = newAddress();
    const { send, signIn, served, env } = open([email]);
    const cookie = await signIn(email);
    const headers = { authorization: 'Bearer evk_live_x', 'x-user-id': 'u_x', 'if-match': '"3"' };
    const answer = await send('POST', `/api/${ORGANISATION}/v1/policies?limit=1`, { body: { a: 1 }, cookie, headers });
    expect(answer).toMatchObject({ status: 200, body: { served: true } });
    expect(answer.headers.get('set-cookie')).toBeNull();
    const [{ person, request } = {} as Served] = served;
    const found = await env.API.findPerson(email);
    expect(person).toEqual({
      organisationId: ORGANISATION,
      userId: found?.id,
      signedInAt: expect.any(Number),
      hasSecondFactor: false,
    });
    expect(Math.abs(person.signedInAt - Date.now())).toBeLessThan(60_000);
    expect(request.url).toBe('https://api.internal/v1/policies?limit=1');
    expect([...request.headers]).toEqual([
      ['content-type', 'application/json'],
      ['if-match', '"3"'],
    ]);
    expect(await request.text()).toBe('{"a":1}');
  });

  it.each(['', 'x', 'abc.def', `${'a'.repeat(32)}.${'b'.repeat(44)}`])(
    'is not made of a forged cookie: %j',
    async (value) => {
      const { send, served } = open();
      for (const name of ['__Host-dashboard.session_token', 'dashboard.session_token'])
        expect((await send('GET', `/api/${ORGANISATION}/v1/me`, { cookie: `${name}=${value}` })).status).toBe(401);
      expect(served).toEqual([]);
    },
  );

  it('opens nothing when it was signed with another secret, has ended or has expired', async () => {
    const email = newAddress();
    const { send, signIn } = open([email]);
    const opens = async (cookie: string, at = open([email])) =>
      (await at.send('GET', `/api/${ORGANISATION}/v1/me`, { cookie })).status;
    const [stale, ended, kept] = [await signIn(email), await signIn(email), await signIn(email)];
    expect(await opens(kept, open([email], { AUTH_SECRET: 'b'.repeat(44) }))).toBe(401);
    expect((await send('POST', '/auth/sign-out', { body: {}, cookie: ended })).status).toBe(200);
    expect([await opens(ended), await opens(kept)]).toEqual([401, 200]);
    vi.useFakeTimers({ now: Date.now() + 8 * DAY_MS, toFake: ['Date'] });
    expect(await opens(stale)).toBe(401);
  });

  it('is listed without its token, and ended by its own person alone, from the next request on', async () => {
    const [ada, eve] = [newAddress(), newAddress()];
    const { send, signIn } = open([ada, eve]);
    const [here, elsewhere, other] = [await signIn(ada), await signIn(ada), await signIn(eve)];
    const listed = await send('GET', '/auth/sessions', { cookie: here });
    expect(listed.body.sessions).toHaveLength(2);
    const token = decodeURIComponent(elsewhere.split('=')[1] ?? '').split('.', 1)[0] ?? 'none';
    expect(listed.text).not.toContain(token);
    const id = listed.body.sessions.find((each: { id: string }) => each.id !== listed.body.current).id;
    expect((await send('POST', '/auth/sessions/end', { cookie: other, body: { id } })).status).toBe(404);
    expect((await send('GET', '/auth/me', { cookie: elsewhere })).status).toBe(200);
    expect((await send('POST', '/auth/sessions/end', { cookie: here, body: { id } })).status).toBe(200);
    expect((await send('GET', '/auth/me', { cookie: elsewhere })).status).toBe(401);
    expect((await send('GET', '/auth/me', { cookie: here })).status).toBe(200);
  });

  it('reaches no passkey of another person', async () => {
    const [ada, eve] = [newAddress(), newAddress()];
    const { send, signIn } = open([ada, eve]);
    const [own, other] = [await signIn(eve), await signIn(ada)];
    const [user] = await database.db.select().from(authUser).where(eq(authUser.email, eve));
    const id = crypto.randomUUID();
    const passkey = { id, name: 'Laptop', publicKey: 'x', credentialID: id, counter: 0, deviceType: 'singleDevice' };
    await database.db.insert(authPasskey).values({ ...passkey, userId: user?.id ?? '', backedUp: false });
    const told = async (cookie: string, passkeyId: string) => {
      const { status, body } = await send('POST', '/auth/passkey/delete-passkey', { cookie, body: { id: passkeyId } });
      return { status, code: body.error?.code, message: body.error?.message };
    };
    const remove = async (cookie: string) => (await told(cookie, id)).status;
    const list = async (cookie: string) => (await send('GET', '/auth/passkey/list-user-passkeys', { cookie })).text;
    expect(await list(other)).not.toContain(id);
    // Answered like a session that never existed.
    expect(await told(other, id)).toEqual(await told(other, crypto.randomUUID()));
    expect(await remove(other)).toBe(404);
    expect(await list(own)).toContain(id);
    // A mailbox alone is not enough to take a factor away.
    expect(await remove(own)).toBe(403);
    const mine = eq(authSession.userId, user?.id ?? '');
    await database.db.update(authSession).set({ secondFactorAt: new Date() }).where(mine);
    expect(await remove(own)).toBe(200);
    expect(await list(own)).not.toContain(id);
  });

  it('goes after 30 days with where it came from, and when it has expired', async () => {
    const email = newAddress();
    const { signIn, dashboard, env } = open([email]);
    await signIn(email);
    const [user] = await database.db.select().from(authUser).where(eq(authUser.email, email));
    const mine = eq(authSession.userId, user?.id ?? '');
    const rows = () => database.db.select().from(authSession).where(mine);
    const createdAt = (days: number) => new Date(Date.now() - days * DAY_MS);
    await database.db
      .update(authSession)
      .set({ createdAt: createdAt(29) })
      .where(mine);
    await dashboard.scheduled(null, env);
    expect((await rows())[0]?.ipAddress).toMatch(/^2001/);
    await database.db
      .update(authSession)
      .set({ createdAt: createdAt(31) })
      .where(mine);
    await dashboard.scheduled(null, env);
    expect(await rows()).toEqual([]);
    await signIn(email);
    await database.db
      .update(authSession)
      .set({ expiresAt: createdAt(1) })
      .where(mine);
    await dashboard.scheduled(null, env);
    expect(await rows()).toEqual([]);
  });
});

describe('paths', () => {
  it.each([
    ['GET', '/auth/magic-link/verify?token=x'],
    ['GET', '/auth/inner/get-session'],
    ['POST', '/auth/inner/sign-in/magic-link'],
    ['POST', '/auth/sign-in/magic-link'],
    ['POST', '/auth/update-user'],
    ['POST', '/auth/delete-user'],
    ['POST', '/auth/change-email'],
    ['GET', '/auth/list-sessions'],
    ['POST', '/auth/revoke-session'],
    ['POST', '/auth/passkey/update-passkey'],
    ['GET', '/auth/sign-out'],
    ['GET', `/api/${ORGANISATION}/operator/v1/organisations`],
    ['GET', `/api/${ORGANISATION}/v1/../operator/v1/organisations`],
    ['GET', '/api/org_x/v1/me'],
    ['GET', '/api/v1/me'],
  ])('%s %s is closed, to who is signed in too', async (method, path) => {
    const email = newAddress();
    const { send, signIn, served } = open([email]);
    const cookie = await signIn(email);
    expect((await send(method, path, { cookie, ...(method === 'POST' && { body: {} }) })).status).toBe(404);
    expect(served).toEqual([]);
  });

  it('a page has a policy of its own nonce, and runs no script of its text', async () => {
    const { send } = open();
    const pages = [await send('GET', '/'), await send('GET', '/sign-in')];
    const nonces = pages.map(
      ({ headers }) => /'nonce-([^']+)'/.exec(headers.get('content-security-policy') ?? '')?.[1] ?? '',
    );
    expect(new Set(nonces).size).toBe(2);
    for (const [at, { text, headers }] of pages.entries()) {
      expect(text).toContain(nonces[at]);
      expect(headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self';");
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
    }
  });

  it.each(['/', '/sign-in', '/health', '/auth/me', '/auth/nothing', '/api/nothing'])(
    'every answer says that it is framed nowhere, kept nowhere and reached by HTTPS alone: %s',
    async (path) => {
      const { headers } = await open().send('GET', path);
      expect(headers.get('content-security-policy')).toMatch(/default-src 'none';.*frame-ancestors 'none'/);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('strict-transport-security')).toBe('max-age=31536000; includeSubDomains');
    },
  );

  it('a wrong setting takes the dashboard away without naming it', async () => {
    for (const change of [{ AUTH_SECRET: 'short' }, { DASHBOARD_URL: 'http://dashboard.test' }, { DATABASE_URL: '' }]) {
      const answer = await open([], change).send('GET', '/');
      expect(answer).toMatchObject({ status: 500, body: { error: { code: 'internal_error' } } });
      expect(answer.text).not.toMatch(/SECRET|DATABASE/);
    }
  });
});
