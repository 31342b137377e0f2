import { afterEach, describe, expect, it, vi } from 'vitest';
import type { PersonClaims } from '../../src/domain/access/member-records.ts';
import { DAY_MS } from '../../src/kernel/clock.ts';
import { connectDatabase } from '../../src/storage/postgres/client.ts';
import { listPeople } from '../../src/storage/postgres/members.ts';
import { captureLog } from '../support/capture-log.ts';
import { startService } from '../support/service.ts';

const service = await startService({ DASHBOARD_URL: 'https://dashboard.example' });
const db = connectDatabase({ url: service.env.DATABASE_URL, httpUrl: service.env.DATABASE_HTTP_URL });

afterEach(() => {
  service.faults.down = false;
});

const as = (caller: string | PersonClaims) => ({
  get: (path: string) => service.call('GET', `/v1/${path}`, caller),
  post: (path: string, body: object) => service.call('POST', `/v1/${path}`, caller, body),
  patch: (path: string, body: object) => service.call('PATCH', `/v1/${path}`, caller, body),
  remove: (path: string) => service.call('DELETE', `/v1/${path}`, caller),
});

/** An organisation with an admin and a member. */
async function peopled() {
  const organisation = await service.createOrganisation();
  const boss = await service.addMember(organisation.id, 'admin');
  const worker = await service.addMember(organisation.id, 'member');
  return { ...organisation, boss, worker };
}

const verifies = async (key: string) =>
  (await service.call('POST', '/v1/verify', key, { email: 'ada@business.test' })).status;

/** When the previous secret was last used. */
const usedBefore = async (caller: PersonClaims, id: string) =>
  (await as(caller).get('keys')).body.keys.find((key: { id: string }) => key.id === id).previous_secret.last_used_at;

describe('keys, while Postgres is away', () => {
  it('are made, used, rotated and revoked; the secret is shown once', async () => {
    const { boss } = await peopled();
    service.faults.down = true;
    const made = (await as(boss).post('keys', { name: 'Signup form', role: 'member' })).body.key;
    expect(made).toMatchObject({
      origin: 'manual',
      mode: 'live',
      last4: made.secret.slice(-4),
      created_by: boss.userId,
    });
    expect(await verifies(made.secret)).toBe(200);
    const rotated = (await as(boss).post(`keys/${made.id}/rotate`, { overlap_s: 60 })).body.key;
    expect(rotated).toMatchObject({ id: made.id, previous_secret: { last4: made.last4 } });
    expect(rotated.previous_secret.last_used_at).toBeNull();
    expect([await verifies(rotated.secret), await usedBefore(boss, made.id)]).toEqual([200, null]);
    expect(await verifies(made.secret)).toBe(200);
    expect((await usedBefore(boss, made.id)) % 3_600).toBe(0);
    const listed = (await as(boss).get('keys')).body.keys.find(({ id }: { id: string }) => id === made.id);
    expect(listed.last_used_at % 3_600).toBe(0);
    expect(JSON.stringify(listed)).not.toContain(rotated.secret);
    expect((await as(boss).remove(`keys/${made.id}`)).body.key.revoked_at).not.toBeNull();
    expect([await verifies(made.secret), await verifies(rotated.secret)]).toEqual([401, 401]);
  });

  it('end with their person’s membership, and so does a key that such a key has made', async () => {
    const { boss, worker } = await peopled();
    await as(boss).patch(`members/${worker.userId}`, { role: 'admin' });
    service.faults.down = true;
    const first = (await as(worker).post('keys', { name: 'one', role: 'admin' })).body.key.secret;
    const second = (await as(first).post('keys', { name: 'two', role: 'member' })).body.key.secret;
    expect([await verifies(first), await verifies(second)]).toEqual([200, 200]);
    expect((await as(boss).remove(`members/${worker.userId}`)).status).toBe(200);
    expect([await verifies(first), await verifies(second)]).toEqual([401, 401]);
    expect((await as(worker).get('me')).status).toBe(404);
  });
});

/** Every row of a list, page by page. */
async function readAll(caller: string | PersonClaims, path: string, rows: string): Promise<readonly Row[]> {
  const found: Row[] = [];
  for (let cursor = ''; ;) {
    const { body } = await as(caller).get(`${path}${cursor}`);
    found.push(...body[rows]);
    if (body.cursor === null) return found;
    cursor = `&cursor=${body.cursor}`;
  }
}
type Row = Readonly<Record<string, string>>;

describe('a filter of keys', () => {
  it.each<[filter: string, names: string[]]>([
    ['state=active&role=viewer', ['good', 'trial']],
    ['state=ended', ['revoked']],
    ['state=ended&role=admin', []],
    ['mode=test&role=viewer', ['trial']],
    ['state=active&role=member&mode=live', ['later', 'also good']],
  ])('%s: the keys that fit, each once, on pages of one', async (filter, names) => {
    const { boss } = await peopled();
    const make = async (body: object) => (await as(boss).post('keys', body)).body.key.id;
    const revoked = await make({ name: 'revoked', role: 'viewer' });
    await make({ name: 'trial', role: 'viewer', mode: 'test' });
    await make({ name: 'also good', role: 'member' });
    await make({ name: 'good', role: 'viewer' });
    await make({ name: 'later', role: 'member', expires_at: Math.floor(Date.now() / 1000) + 3_600 });
    await as(boss).remove(`keys/${revoked}`);
    const made = ['revoked', 'trial', 'also good', 'good', 'later'];
    const found = await readAll(boss, `keys?limit=1&${filter}`, 'keys');
    // Every test organisation starts with keys of its own.
    expect(found.map(({ name }) => name).filter((name) => made.includes(name ?? ''))).toEqual(names);
  });

  it('counts a key as ended once its time is over', async () => {
    const { boss } = await peopled();
    const at = Math.floor(Date.now() / 1000) + 60;
    await as(boss).post('keys', { name: 'short', role: 'viewer', expires_at: at });
    const ended = async () => (await as(boss).get('keys?state=ended')).body.keys.map(({ name }: Row) => name);
    expect(await ended()).toEqual([]);
    vi.useFakeTimers({ now: at * 1000, toFake: ['Date'] });
    expect(await ended()).toEqual(['short']);
  });
});

describe('a filter', () => {
  it.each([
    ['keys?state=gone', 'state'],
    ['keys?role=owner', 'role'],
    ['keys?mode=', 'mode'],
    ['audit?action=key', 'action'],
    ['audit?actor=ada', 'actor'],
    ['audit?from=yesterday', 'from'],
    ['audit?to=-1', 'to'],
    ['bulk/jobs?state=lost', 'state'],
  ])('that means nothing is refused by its name: %s', async (path, field) => {
    const { boss } = await peopled();
    const answer = await as(boss).get(path);
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'invalid_request' } } });
    expect(answer.body.error.message).toContain(`\`${field}\``);
  });
});

describe('a key is refused', () => {
  it.each([
    [{ role: 'member' }, 400],
    [{ name: 'x', role: 'owner' }, 400],
    [{ name: 'x', role: 'member', expires_at: 1_000 }, 400],
    [{ name: 'x\u0007', role: 'member' }, 400],
  ])('%j', async (body, expected) => {
    const { keys } = await service.createOrganisation();
    expect((await as(keys.admin).post('keys', body)).status).toBe(expected);
  });

  it('when it belongs to another organisation, like a missing one', async () => {
    const [mine, other] = [await peopled(), await peopled()];
    const made = (await as(other.boss).post('keys', { name: 'x', role: 'viewer' })).body.key;
    for (const id of [made.id, 'key_x', mine.boss.userId]) {
      expect((await as(mine.boss).remove(`keys/${id}`)).status).toBe(404);
      expect((await as(mine.boss).patch(`keys/${id}`, { name: 'y' })).status).toBe(404);
      expect((await as(mine.boss).post(`keys/${id}/rotate`, {})).status).toBe(404);
    }
    expect(await as(made.secret).get('me')).toMatchObject({ status: 200 });
  });

  it('when it is a person’s dashboard key: that ends with the membership', async () => {
    const { boss } = await peopled();
    const { id, role } = (await as(boss).get('me')).body.key;
    expect(role).toBe('admin');
    expect((await as(boss).remove(`keys/${id}`)).status).toBe(409);
    expect((await as(boss).post(`keys/${id}/rotate`, {})).status).toBe(409);
  });
});

describe('members', () => {
  it('are listed with their roles, and the last admin can’t leave', async () => {
    const { boss, worker } = await peopled();
    const { members } = (await as(boss).get('members')).body;
    expect(members.map(({ id, role }: { id: string; role: string }) => [id, role])).toEqual([
      [boss.userId, 'admin'],
      [worker.userId, 'member'],
    ]);
    expect((await as(boss).remove(`members/${boss.userId}`)).status).toBe(409);
    expect((await as(boss).patch(`members/${boss.userId}`, { role: 'viewer' })).status).toBe(409);
  });

  it('are not found in another organisation', async () => {
    const [mine, other] = [await peopled(), await peopled()];
    expect((await as(mine.boss).remove(`members/${other.worker.userId}`)).status).toBe(404);
    expect((await as(other.worker).get('me')).status).toBe(200);
  });
});

describe('an invitation', () => {
  it('is mailed with a link to the dashboard, to an address that no log shows', async () => {
    const { id, boss } = await peopled();
    const log = captureLog();
    const made = (await as(boss).post('invitations', { email: 'Grace@Business.test', role: 'viewer' })).body.invitation;
    await service.passTimers(id);
    const mails = log.filter((line) => line.includes('"mail"'));
    expect(mails).toHaveLength(1);
    expect(mails[0]).toContain(`https://dashboard.example/invitations/${made.id}`);
    expect(log.join('\n').toLowerCase()).not.toContain('grace@business.test');
    expect((await as(boss).get('invitations')).body.invitations).toEqual([made]);
    expect((await listPeople(db, id as never)).invitations.map((each) => each.id)).toEqual([made.id]);
  });

  it('is gone from the object and from Postgres once its 7 days are over, without another request', async () => {
    const { id, boss } = await peopled();
    const days = (count: number) => vi.useFakeTimers({ now: startedAt + count * DAY_MS, toFake: ['Date'] });
    const startedAt = Date.now();
    await as(boss).post('invitations', { email: 'late@business.test', role: 'viewer' });
    const held = async () => (await listPeople(db, id as never)).invitations.length;
    for (const [day, left] of [
      [0, 1],
      [6.9, 1],
      [7.1, 0],
    ] as const) {
      days(day);
      await service.passTimers(id);
      expect(await held(), `day ${day}`).toBe(left);
    }
  });

  it('is refused for a member’s address and for what is no address, and withdrawn once', async () => {
    const { boss } = await peopled();
    const { email } = (await as(boss).get('members')).body.members[0];
    expect((await as(boss).post('invitations', { email, role: 'viewer' })).status).toBe(409);
    expect((await as(boss).post('invitations', { email: 'nobody', role: 'viewer' })).status).toBe(400);
    const { id } = (await as(boss).post('invitations', { email: 'a@business.test', role: 'viewer' })).body.invitation;
    expect((await as(boss).remove(`invitations/${id}`)).status).toBe(200);
    expect((await as(boss).remove(`invitations/${id}`)).status).toBe(404);
  });
});

describe('a member', () => {
  it.each(['viewer', 'member', 'admin'] as const)(
    'who is a %s leaves by themselves, and every key of theirs dies',
    async (role) => {
      const { id, boss } = await peopled();
      const one = await service.addMember(id, 'admin');
      const made = role === 'viewer' ? null : (await as(one).post('keys', { name: 'mine', role })).body.key;
      await as(boss).patch(`members/${one.userId}`, { role });
      service.faults.down = true;
      expect(await as(one).remove('membership')).toMatchObject({ status: 200, body: { done: true } });
      expect((await as(one).get('me')).status).toBe(404);
      if (made !== null) expect(await verifies(made.secret)).toBe(401);
      const [line] = (await as(boss).get('audit?limit=1')).body.entries;
      expect(line).toMatchObject({ action: 'member.removed', actor: one.userId, target: one.userId });
    },
  );

  it('leaves with a key of theirs too, which is then dead', async () => {
    const { boss, worker } = await peopled();
    await as(boss).patch(`members/${worker.userId}`, { role: 'admin' });
    const { secret } = (await as(worker).post('keys', { name: 'mine', role: 'member' })).body.key;
    expect((await as(secret).remove('membership')).status).toBe(403);
    await as(boss).patch(`members/${worker.userId}`, { role: 'member' });
    expect((await as(secret).remove('membership')).status).toBe(200);
    expect((await as(secret).remove('membership')).status).toBe(401);
  });

  it('stays where they are the last admin, and a key that is no person’s has none to leave', async () => {
    const { boss, keys } = await peopled();
    expect((await as(boss).remove('membership')).status).toBe(409);
    expect((await as(boss).get('members')).body.members).toHaveLength(2);
    expect((await as(keys.admin).remove('membership')).status).toBe(409);
    expect((await as(keys.test).remove('membership')).status).toBe(403);
  });
});

describe('an admin key', () => {
  it('makes no person of itself: it invites no admin, makes and unmakes none, and deletes nothing', async () => {
    const { boss, worker, keys } = await peopled();
    const mine = (await as(boss).post('keys', { name: 'mine', role: 'admin' })).body.key.secret;
    for (const key of [keys.admin, mine]) {
      const refusals = [
        await as(key).post('invitations', { email: 'eve@example.com', role: 'admin' }),
        await as(key).patch(`members/${worker.userId}`, { role: 'admin' }),
        await as(key).patch(`members/${boss.userId}`, { role: 'viewer' }),
        await as(key).remove(`members/${boss.userId}`),
        await as(key).remove('organisation'),
      ];
      // The last admin keeps the role in any case.
      expect(refusals.map(({ status }) => status)).toEqual([403, 403, 409, 409, 403]);
    }
    expect((await as(keys.admin).post('invitations', { email: 'bob@example.com', role: 'member' })).status).toBe(201);
    await as(boss).patch(`members/${worker.userId}`, { role: 'admin' });
    for (const key of [keys.admin, mine]) {
      expect((await as(key).patch(`members/${boss.userId}`, { role: 'viewer' })).status).toBe(403);
      expect((await as(key).remove(`members/${boss.userId}`)).status).toBe(403);
    }
  });

  it('and a person whose session is older than ten minutes may do no more', async () => {
    const { boss, worker } = await peopled();
    const old = { ...boss, signedInAt: boss.signedInAt - 10 * 60_000 - 1 };
    const invitation = { email: 'eve@example.com', role: 'admin' };
    const answer = await as(old).post('invitations', invitation);
    expect(answer).toMatchObject({ status: 403, body: { error: { code: 'forbidden' } } });
    expect(answer.body.error.message).toContain('signed in to the dashboard within the last 10 minutes');
    expect((await as(old).patch(`members/${worker.userId}`, { role: 'admin' })).status).toBe(403);
    expect((await as(boss).post('invitations', invitation)).status).toBe(201);
  });

  it('gets no secret of a colleague’s key, which acts as the colleague', async () => {
    const { boss, worker, keys } = await peopled();
    await as(boss).patch(`members/${worker.userId}`, { role: 'admin' });
    const { key } = (await as(boss).post('keys', { name: 'mine', role: 'admin' })).body;
    for (const other of [worker, keys.admin]) {
      const answer = await as(other).post(`keys/${key.id}/rotate`, {});
      expect(answer).toMatchObject({
        status: 409,
        body: { error: { message: expect.stringContaining('another person’s') } },
      });
      expect(JSON.stringify(answer.body)).not.toContain('evk_');
    }
    expect(await verifies(key.secret)).toBe(200);
    expect((await as(worker).remove(`keys/${key.id}`)).status).toBe(200);
    expect(await verifies(key.secret)).toBe(401);
    expect((await as(boss).post('keys', { name: 'own', role: 'member' })).status).toBe(201);
  });
});

describe('a second factor', () => {
  it('may be required by an organisation: then it opens for sessions that have proved one, and for keys', async () => {
    const { boss, worker, keys } = await peopled();
    const proved = { ...boss, hasSecondFactor: true };
    const require = (caller: string | PersonClaims, second_factor: boolean) =>
      as(caller).patch('organisation', { second_factor });
    expect((await require(keys.admin, true)).status).toBe(403);
    expect((await require({ ...proved, signedInAt: boss.signedInAt - 11 * 60_000 }, true)).status).toBe(403);
    // Nobody locks themselves out.
    expect((await require(boss, true)).status).toBe(403);
    expect((await require(proved, true)).body.organisation).toMatchObject({ second_factor: true });
    const refused = await as(worker).get('me');
    expect(refused).toMatchObject({
      status: 403,
      body: { error: { message: expect.stringContaining('second factor') } },
    });
    expect((await require(boss, false)).status).toBe(403);
    expect((await as({ ...worker, hasSecondFactor: true }).get('me')).status).toBe(200);
    expect((await as(keys.viewer).get('me')).status).toBe(200);
    expect((await require(proved, false)).status).toBe(200);
    expect((await as(worker).get('me')).status).toBe(200);
    const [last] = (await as(boss).get('audit?action=organisation.changed&limit=1')).body.entries;
    expect(last.summary).toBe('second factor no longer required');
  });
});

describe('a new admin', () => {
  it('removes and unmakes no older one for 24 hours, and deletes nothing of theirs', async () => {
    const { boss, worker } = await peopled();
    const start = Date.now() + 1_000;
    vi.useFakeTimers({ now: start, toFake: ['Date'] });
    await as(boss).patch(`members/${worker.userId}`, { role: 'admin' });
    const at = (ms: number): PersonClaims => {
      vi.setSystemTime(start + ms);
      return { ...worker, signedInAt: start + ms };
    };
    const tries = async (person: PersonClaims) => [
      (await as(person).patch(`members/${boss.userId}`, { role: 'viewer' })).status,
      (await as(person).remove(`members/${boss.userId}`)).status,
      (await as(person).remove('organisation')).status,
    ];
    expect(await tries(at(0))).toEqual([403, 403, 403]);
    expect(await tries(at(86_400_000 - 1))).toEqual([403, 403, 403]);
    expect((await as(at(86_400_000)).remove(`members/${boss.userId}`)).status).toBe(200);
    expect((await as(at(86_400_000)).remove('organisation')).status).toBe(200);
  });

  it('is removed by an older one at once', async () => {
    const { boss, worker } = await peopled();
    await as(boss).patch(`members/${worker.userId}`, { role: 'admin' });
    expect((await as(boss).remove(`members/${worker.userId}`)).status).toBe(200);
  });
});

describe('the audit log', () => {
  it('names the person and the key of each change', async () => {
    const { boss, worker, keys } = await peopled();
    await as(boss).patch(`members/${worker.userId}`, { role: 'admin' });
    const { key } = (await as(worker).post('keys', { name: 'mine', role: 'admin' })).body;
    await as(key.secret).patch('organisation', { name: 'By the key' });
    await as(worker).patch('organisation', { name: 'In the dashboard' });
    await as(keys.admin).patch('organisation', { name: 'By a program' });
    const entries = (await as(boss).get('audit?action=organisation.changed')).body.entries;
    const [program, dashboard, own] = entries;
    expect(own).toMatchObject({ actor: worker.userId, key_id: key.id });
    expect(dashboard).toMatchObject({ actor: worker.userId, key_id: expect.stringMatching(/^key_/) });
    expect(dashboard.key_id).not.toBe(key.id);
    expect(program.actor).toBe(program.key_id);
  });

  it('has every administrative change, and neither secrets nor addresses', async () => {
    const { boss, worker } = await peopled();
    const { post, patch, remove, get } = as(boss);
    const key = (await post('keys', { name: 'ada@example.com', role: 'member' })).body.key;
    await patch(`keys/${key.id}`, { name: 'other' });
    await post(`keys/${key.id}/rotate`, {});
    await remove(`keys/${key.id}`);
    await patch(`members/${worker.userId}`, { role: 'viewer' });
    await remove(`members/${worker.userId}`);
    const { id } = (await post('invitations', { email: 'grace@example.com', role: 'viewer' })).body.invitation;
    await remove(`invitations/${id}`);
    await patch('organisation', { name: 'ada@example.com' });
    await post('domains/blocklist', { domains: ['a.example', 'b.example'] });
    await service.call('DELETE', '/v1/domains/blocklist', boss, { domains: ['a.example'] });
    await post('addresses/blocklist', { emails: ['bob@example.com'] });
    await service.call('PUT', '/v1/policies/signup', boss, { name: 'x', rules: [], default: 'allow' });
    await service.call('PUT', '/v1/losses', boss, {
      signup: { bounce: 1, contact_lost: 1, held_good: 0.1, held_bad: 0.1 },
    });
    const secret = 'whsec_ExampleOfASecret';
    const { connection } = (await post('connections', { kind: 'resend', secret })).body;
    await patch(`connections/${connection.id}`, { secret: `${secret}2` });
    await remove(`connections/${connection.id}`);
    const { entries } = (await get('audit?limit=200')).body;
    expect(new Set(entries.map(({ action }: { action: string }) => action))).toEqual(
      new Set([
        'organisation.created',
        'organisation.changed',
        'member.added',
        'member.changed',
        'member.removed',
        'key.created',
        'key.changed',
        'key.rotated',
        'key.revoked',
        'invitation.made',
        'invitation.withdrawn',
        'rules.added',
        'rules.removed',
        'policy.saved',
        'losses.changed',
        'connection.created',
        'connection.changed',
        'connection.deleted',
      ]),
    );
    expect(JSON.stringify(entries)).not.toMatch(/@|whsec|evk_/);
    expect(entries.filter(({ target }: { target: string }) => target === 'domain blocklist')).toMatchObject([
      { action: 'rules.removed', summary: '1 entry', actor: boss.userId },
      { action: 'rules.added', summary: '2 entries', actor: boss.userId },
    ]);
  });
});

describe('a filter of the audit log', () => {
  it('is by what was done, by whom, and when; pages go on within it', async () => {
    const { boss, worker, keys } = await peopled();
    await as(boss).patch(`members/${worker.userId}`, { role: 'admin' });
    const start = Math.floor(Date.now() / 1000) + 10;
    for (const [at, who] of [boss, worker, boss, boss].entries()) {
      vi.useFakeTimers({ now: (start + 10 * at) * 1000, toFake: ['Date'] });
      await as(who).patch('organisation', { name: `Name ${at}` });
      await as(who).post('keys', { name: `Key ${at}`, role: 'viewer' });
    }
    const found = async (filter: string) =>
      (await readAll(keys.admin, `audit?limit=1&${filter}`, 'entries')).map(({ at }) => (Number(at) - start) / 10);
    expect(await found(`action=organisation.changed&from=${start}`)).toEqual([3, 2, 1, 0]);
    expect(await found(`action=organisation.changed&actor=${worker.userId}`)).toEqual([1]);
    expect(await found(`action=key.created&actor=${boss.userId}&to=${start + 30}`)).toEqual([2, 0]);
    expect(await found(`from=${start + 10}&to=${start + 30}`)).toEqual([2, 2, 1, 1]);
    expect(await found('action=key.revoked')).toEqual([]);
  });

  it('shows nothing of another organisation, whose ids it takes', async () => {
    const [mine, other] = [await peopled(), await peopled()];
    await as(other.boss).patch('organisation', { name: 'Other' });
    for (const actor of [other.boss.userId, other.worker.userId])
      expect((await as(mine.boss).get(`audit?actor=${actor}`)).body).toEqual({ entries: [], cursor: null });
  });
});

describe('an organisation', () => {
  it('is deleted by a person who has just signed in alone', async () => {
    const { id, keys, boss } = await peopled();
    const stale = { ...boss, signedInAt: boss.signedInAt - 11 * 60_000 };
    for (const caller of [keys.admin, keys.test, stale])
      expect((await as(caller).remove('organisation')).status).toBe(403);
    expect((await as(keys.admin).get('organisation')).body.organisation.id).toBe(id);
    expect((await as(boss).remove('organisation')).status).toBe(200);
    expect((await as(keys.admin).get('organisation')).status).toBe(401);
    expect((await as(boss).get('organisation')).status).toBe(404);
    const { rows } = await service.database.query('select 1 from membership where organisation_id = $1', [id]);
    expect(rows).toEqual([]);
  });

  it('is lost with its object, and its people and its audit log are back after a rebuild', async () => {
    const { id, boss, worker } = await peopled();
    const { object } = service.objectOf(id);
    await as(boss).post('domains/blocklist', { domains: ['a.example'] });
    await as(boss).post('domains/blocklist', { domains: ['b.example'] });
    await object.flush(null);
    vi.useFakeTimers({ now: Date.now() + 5_000, toFake: ['Date'] });
    await object.tick();
    const before = (await as(boss).get('audit?limit=200')).body.entries;
    expect(before.length).toBeGreaterThanOrEqual(4);
    service.loseObject(id);
    expect((await as(boss).get('me')).status).toBe(404);
    await service.call('POST', `/operator/v1/organisations/${id}/rebuild`, service.operatorKey);
    const { members } = (await as(boss).get('members')).body;
    expect(members.map((member: { id: string }) => member.id).toSorted()).toEqual(
      [boss.userId, worker.userId].toSorted(),
    );
    expect((await as(boss).get('audit?limit=200')).body.entries).toEqual(before);
    await as(boss).patch('organisation', { name: 'Acme once more' });
    expect((await as(boss).get('audit?limit=1')).body.entries).toMatchObject([{ action: 'organisation.changed' }]);
  });
});
