import { afterEach, describe, expect, it, vi } from 'vitest';
import type { PersonClaims } from '../../src/domain/access/member-records.ts';
import { connectDatabase } from '../../src/storage/postgres/client.ts';
import { listPeople } from '../../src/storage/postgres/members.ts';
import { startService } from '../support/service.ts';

const service = await startService({ DASHBOARD_URL: 'https://dashboard.example' });
const db = connectDatabase({ url: service.env.DATABASE_URL, httpUrl: service.env.DATABASE_HTTP_URL });

afterEach(() => {
  service.faults.down = false;
  vi.useRealTimers();
  vi.restoreAllMocks();
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
    expect([await verifies(made.secret), await verifies(rotated.secret)]).toEqual([200, 200]);
    const listed = (await as(boss).get('keys')).body.keys.find(({ id }: { id: string }) => id === made.id);
    expect(listed.last_used_at % 3_600).toBe(0);
    expect(JSON.stringify(listed)).not.toContain(rotated.secret);
    expect((await as(boss).remove(`keys/${made.id}`)).body.key.revoked_at).not.toBeNull();
    expect([await verifies(made.secret), await verifies(rotated.secret)]).toEqual([401, 401]);
  });

  it('of a person die with the membership, and so does a key that such a key has made', async () => {
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

  it('are listed page by page, newest first, each once', async () => {
    const { boss, keys } = await peopled();
    for (const name of ['a', 'b', 'c']) await as(boss).post('keys', { name, role: 'viewer' });
    const ids: string[] = [];
    for (let cursor = ''; ; ) {
      const { body } = await as(keys.admin).get(`keys?limit=2${cursor}`);
      ids.push(...body.keys.map(({ id }: { id: string }) => id));
      if (body.cursor === null) break;
      cursor = `&cursor=${body.cursor}`;
    }
    expect(ids).toEqual(ids.toSorted().toReversed());
    expect(new Set(ids).size).toBe(9);
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

  it('of another organisation, like one that is not there', async () => {
    const [mine, other] = [await peopled(), await peopled()];
    const made = (await as(other.boss).post('keys', { name: 'x', role: 'viewer' })).body.key;
    for (const id of [made.id, 'key_x', mine.boss.userId]) {
      expect((await as(mine.boss).remove(`keys/${id}`)).status).toBe(404);
      expect((await as(mine.boss).patch(`keys/${id}`, { name: 'y' })).status).toBe(404);
      expect((await as(mine.boss).post(`keys/${id}/rotate`, {})).status).toBe(404);
    }
    expect(await as(made.secret).get('me')).toMatchObject({ status: 200 });
  });

  it('where it is a person’s dashboard key: that ends with the membership', async () => {
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

  it('of another organisation are not there', async () => {
    const [mine, other] = [await peopled(), await peopled()];
    expect((await as(mine.boss).remove(`members/${other.worker.userId}`)).status).toBe(404);
    expect((await as(other.worker).get('me')).status).toBe(200);
  });
});

describe('an invitation', () => {
  it('is mailed with a link to the dashboard, to an address that no log shows', async () => {
    const { id, boss } = await peopled();
    const log: string[] = [];
    for (const level of ['info', 'warn', 'error'] as const)
      vi.spyOn(console, level).mockImplementation((line: string) => void log.push(line));
    const made = (await as(boss).post('invitations', { email: 'Grace@Business.test', role: 'viewer' })).body.invitation;
    await service.passTimers(id);
    const mails = log.filter((line) => line.includes('"mail"'));
    expect(mails).toHaveLength(1);
    expect(mails[0]).toContain(`https://dashboard.example/invitations/${made.id}`);
    expect(log.join('\n').toLowerCase()).not.toContain('grace@business.test');
    expect((await as(boss).get('invitations')).body.invitations).toEqual([made]);
    expect((await listPeople(db, id as never)).invitations.map((each) => each.id)).toEqual([made.id]);
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

describe('the audit log', () => {
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
