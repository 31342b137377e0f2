import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { FRESH_MS, type InvitationRecord, type MemberRecord } from '../../../src/domain/access/member-records.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/kernel/clock.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { createTestOrganisation, type TestOrganisation } from '../../support/organisation.ts';
import { keyRecord, START_MS } from '../../support/records.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: START_MS }));

const member = (change: Partial<MemberRecord> = {}): MemberRecord => ({
  userId: newId('u', START_MS),
  email: 'ada@acme.example',
  name: 'Ada',
  role: 'admin',
  createdAt: START_MS,
  createdBy: 'operator',
  ...change,
});

const invitation = (change: Partial<InvitationRecord> = {}): InvitationRecord => ({
  id: newId('inv', Date.now()),
  email: 'bob@acme.example',
  role: 'member',
  createdAt: Date.now(),
  expiresAt: Date.now() + DAY_MS,
  createdBy: 'operator',
  ...change,
});

async function withMembers(...members: MemberRecord[]): Promise<TestOrganisation> {
  const organisation = await createTestOrganisation();
  for (const each of members) await organisation.object.putMember({ member: each, actor: 'operator' });
  return organisation;
}

const asPerson = ({ userId }: MemberRecord, signedInAt = Date.now()) => ({
  keyHash: '',
  person: { userId, signedInAt, hasSecondFactor: false },
});

const audited = async ({ object }: TestOrganisation) =>
  (await object.listAudit({ limit: 200, before: null })).map(({ actor, action, target, summary }) => [
    action,
    target,
    summary,
    actor,
  ]);

const newSecret = () => ({ hash: randomBytes(32).toString('hex'), last4: 'nEw1', secretVersion: 'Q' });

describe('a person', () => {
  it.each(['viewer', 'member', 'admin'] as const)('who is a %s may do what a key of that role may', async (role) => {
    const [boss, ada] = [member(), member({ role })];
    const organisation = await withMembers(boss, ada);
    for (const needed of ['viewer', 'member', 'admin'] as const) {
      const [person, key] = [
        await organisation.authorize({ ...asPerson(ada), role: needed }),
        await organisation.authorize({ keyHash: organisation.keys[role].hash, role: needed }),
      ];
      expect(person.ok).toBe(key.ok);
      if (person.ok) expect(person.key).toMatchObject({ role, mode: 'live', origin: 'auto', userId: ada.userId });
      else expect(person.refusal).toBe('forbidden');
    }
  });

  it('who is no member is refused, with or without a member’s key', async () => {
    const organisation = await withMembers(member());
    const stranger = asPerson(member());
    expect(await organisation.authorize(stranger)).toMatchObject({ refusal: 'unauthorized' });
    expect(await organisation.authorize({ ...stranger, keyHash: organisation.keys.admin.hash })).toMatchObject({
      refusal: 'unauthorized',
    });
  });

  it('has no operator’s rights, whatever the role', async () => {
    const ada = member();
    const organisation = await withMembers(ada);
    expect(await organisation.authorize({ ...asPerson(ada), role: 'admin', operator: true })).toMatchObject({
      refusal: 'forbidden',
    });
  });

  it('alone may do what needs a fresh session, for ten minutes', async () => {
    const ada = member();
    const organisation = await withMembers(ada);
    const needed = { role: 'admin', fresh: true } as const;
    expect(await organisation.authorize({ ...needed, keyHash: organisation.keys.admin.hash })).toMatchObject({
      refusal: 'not_fresh',
    });
    expect(await organisation.authorize({ ...needed, ...asPerson(ada, Date.now() - FRESH_MS - 1) })).toMatchObject({
      refusal: 'not_fresh',
    });
    expect(await organisation.authorize({ ...needed, ...asPerson(ada, Date.now() - FRESH_MS) })).toMatchObject({
      ok: true,
    });
  });
});

describe('taking a membership away', () => {
  it('ends the person, and every key of theirs, for the next request, while Postgres is away', async () => {
    const [boss, ada] = [member(), member({ role: 'member' })];
    const organisation = await withMembers(boss, ada);
    const { object, keys } = organisation;
    const made = keyRecord({ userId: ada.userId, createdBy: ada.userId });
    const others = keyRecord({ userId: boss.userId });
    for (const key of [made, others])
      expect(await object.createKey({ key, by: keys.admin.id })).toMatchObject({ ok: true });
    expect(await organisation.authorize({ keyHash: made.hash })).toMatchObject({ ok: true });

    expect(await object.removeMember({ isFresh: true, userId: ada.userId, actor: boss.userId })).toMatchObject({
      ok: true,
    });
    expect(await organisation.authorize({ keyHash: made.hash })).toMatchObject({ refusal: 'unauthorized' });
    expect(await organisation.authorize({ ...asPerson(ada), role: 'viewer' })).toMatchObject({
      refusal: 'unauthorized',
    });
    expect(await organisation.authorize({ keyHash: others.hash })).toMatchObject({ ok: true });
    expect(await object.memberOf({ userId: ada.userId })).toBeNull();
    expect((await audited(organisation))[0]).toEqual([
      'member.removed',
      ada.userId,
      'role member, 1 key revoked',
      boss.userId,
    ]);
  });

  it('lets no key of theirs be made by a request that was authorized before', async () => {
    const [boss, ada] = [member(), member()];
    const { object } = await withMembers(boss, ada);
    const by = (await object.memberOf({ userId: ada.userId }))?.keyId;
    await object.removeMember({ isFresh: true, userId: ada.userId, actor: boss.userId });
    const key = keyRecord({ userId: ada.userId });
    expect(await object.createKey({ key, by: by ?? key.id })).toEqual({ ok: false, refusal: 'revoked_maker' });
    expect(await object.findKey({ id: key.id })).toBeNull();
  });

  it('leaves the last admin, who keeps the role too', async () => {
    const [boss, ada] = [member(), member({ role: 'member' })];
    const { object } = await withMembers(boss, ada);
    const { userId } = boss;
    expect(await object.removeMember({ isFresh: true, userId, actor: userId })).toEqual({
      ok: false,
      refusal: 'last_admin',
    });
    expect(await object.changeMember({ isFresh: true, userId, role: 'viewer', actor: userId })).toEqual({
      ok: false,
      refusal: 'last_admin',
    });
    await object.changeMember({ isFresh: true, userId: ada.userId, role: 'admin', actor: userId });
    expect(await object.removeMember({ isFresh: true, userId, actor: ada.userId })).toMatchObject({ ok: true });
  });

  it('and giving it back makes a new dashboard key; earlier keys stay revoked', async () => {
    const [boss, ada] = [member(), member({ role: 'member' })];
    const organisation = await withMembers(boss, ada);
    const { object, keys } = organisation;
    const made = keyRecord({ userId: ada.userId });
    await object.createKey({ key: made, by: keys.admin.id });
    await object.removeMember({ isFresh: true, userId: ada.userId, actor: boss.userId });
    await object.putMember({ member: ada, actor: boss.userId });
    expect(await organisation.authorize({ ...asPerson(ada), role: 'member' })).toMatchObject({ ok: true });
    expect(await organisation.authorize({ keyHash: made.hash })).toMatchObject({ refusal: 'unauthorized' });
  });
});

describe('a lower role', () => {
  it('binds at once, and revokes the keys above it alone', async () => {
    const [boss, ada] = [member(), member()];
    const organisation = await withMembers(boss, ada);
    const { object, keys } = organisation;
    const of = (role: 'viewer' | 'admin') => keyRecord({ userId: ada.userId, role });
    const [low, high] = [of('viewer'), of('admin')];
    for (const key of [low, high]) await object.createKey({ key, by: keys.admin.id });
    await object.changeMember({ isFresh: true, userId: ada.userId, role: 'viewer', actor: boss.userId });
    expect(await organisation.authorize({ ...asPerson(ada), role: 'member' })).toMatchObject({ refusal: 'forbidden' });
    expect(await organisation.authorize({ ...asPerson(ada), role: 'viewer' })).toMatchObject({ ok: true });
    expect(await organisation.authorize({ keyHash: low.hash, role: 'viewer' })).toMatchObject({ ok: true });
    expect(await organisation.authorize({ keyHash: high.hash, role: 'viewer' })).toMatchObject({
      refusal: 'unauthorized',
    });
  });
});

describe('a key', () => {
  it('is refused from the moment it expires', async () => {
    const organisation = await withMembers(member());
    const key = keyRecord({ expiresAt: START_MS + HOUR_MS });
    await organisation.object.createKey({ key, by: organisation.keys.admin.id });
    vi.setSystemTime(START_MS + HOUR_MS - 1);
    expect(await organisation.authorize({ keyHash: key.hash })).toMatchObject({ ok: true });
    vi.setSystemTime(START_MS + HOUR_MS);
    expect(await organisation.authorize({ keyHash: key.hash })).toMatchObject({ refusal: 'unauthorized' });
    await organisation.object.changeKey({ id: key.id, actor: 'operator', expiresAt: null });
    expect(await organisation.authorize({ keyHash: key.hash })).toMatchObject({ ok: true });
  });

  it('works by both secrets until the overlap ends, and has one id', async () => {
    const organisation = await createTestOrganisation();
    const { object, keys } = organisation;
    const { id, hash } = keys.member;
    const secret = newSecret();
    const rotation = { id, actor: 'operator', overlapMs: HOUR_MS, ...secret } as const;
    expect(await object.rotateKey(rotation)).toMatchObject({ ok: true, key: { id, last4: 'nEw1' } });
    // Our own transport sends it again.
    await object.rotateKey(rotation);
    for (const keyHash of [hash, secret.hash])
      expect(await organisation.authorize({ keyHash })).toMatchObject({ ok: true, key: { id } });
    vi.setSystemTime(START_MS + HOUR_MS);
    expect(await organisation.authorize({ keyHash: hash })).toMatchObject({ refusal: 'unauthorized' });
    expect(await organisation.authorize({ keyHash: secret.hash })).toMatchObject({ ok: true });
    expect((await audited(organisation)).filter(([action]) => action === 'key.rotated')).toHaveLength(1);
  });

  it('loses both secrets when it is revoked', async () => {
    const organisation = await createTestOrganisation();
    const { object, keys } = organisation;
    const secret = newSecret();
    await object.rotateKey({ id: keys.member.id, actor: 'operator', overlapMs: DAY_MS, ...secret });
    await object.endKey({ id: keys.member.id, actor: 'operator' });
    for (const keyHash of [keys.member.hash, secret.hash])
      expect(await organisation.authorize({ keyHash })).toMatchObject({ refusal: 'unauthorized' });
    const again = { id: keys.member.id, actor: 'operator', overlapMs: 0, ...newSecret() } as const;
    expect(await object.rotateKey(again)).toEqual({ ok: false, refusal: 'ended' });
  });

  it('notes the hour of its last use, in one row an hour', async () => {
    const organisation = await createTestOrganisation();
    const used = async () =>
      (await organisation.object.findKey({ id: organisation.keys.member.id }))?.lastUsedAt ?? null;
    expect(await used()).toBeNull();
    const hour = START_MS - (START_MS % HOUR_MS);
    const written = vi.spyOn(organisation.storage.sql, 'exec');
    for (const minutes of [0, 10, 40, 59, 61]) {
      vi.setSystemTime(hour + minutes * 60_000);
      await organisation.authorize();
    }
    expect(await used()).toBe(hour + HOUR_MS);
    const updates = written.mock.calls.filter(([query]) => query.includes('last_used_at = ?'));
    expect(updates).toHaveLength(2);
  });

  it('notes the hour in which the secret before was used, in one row an hour, until the next rotation', async () => {
    const organisation = await createTestOrganisation();
    const { object, keys } = organisation;
    const { id } = keys.member;
    const rotate = (secret: ReturnType<typeof newSecret>) =>
      object.rotateKey({ id, actor: 'operator', overlapMs: DAY_MS, ...secret });
    const used = async () => (await object.findKey({ id }))?.previousUsedAt ?? null;
    const next = newSecret();
    await rotate(next);
    await organisation.authorize({ keyHash: next.hash });
    expect(await used()).toBeNull();
    const hour = START_MS - (START_MS % HOUR_MS);
    const written = vi.spyOn(organisation.storage.sql, 'exec');
    for (const minutes of [70, 110, 130]) {
      vi.setSystemTime(hour + minutes * 60_000);
      await organisation.authorize({ keyHash: keys.member.hash });
    }
    expect(await used()).toBe(hour + 2 * HOUR_MS);
    const updates = written.mock.calls.filter(([query]) => query.includes('previous_used_at = ?'));
    expect(updates).toHaveLength(2);
    await rotate(newSecret());
    expect(await used()).toBeNull();
  });

  it('can’t be changed here when it is an operator’s, or a person’s dashboard key', async () => {
    const ada = member();
    const { object, keys } = await withMembers(ada);
    const own = (await object.memberOf({ userId: ada.userId }))?.keyId ?? keys.admin.id;
    const actor = ada.userId;
    expect(await object.endKey({ id: keys.operator.id, actor })).toEqual({ ok: false, refusal: 'unknown' });
    expect(await object.endKey({ id: own, actor })).toEqual({ ok: false, refusal: 'dashboard' });
    expect(await object.rotateKey({ id: own, actor, overlapMs: 0, ...newSecret() })).toEqual({
      ok: false,
      refusal: 'dashboard',
    });
    const listed = await object.pageKeys({ limit: 10, before: null });
    expect(listed.map(({ id }) => id)).not.toContain(keys.operator.id);
  });
});

describe('an invitation', () => {
  it('makes who owns the address a member, once', async () => {
    const organisation = await withMembers(member());
    const { object } = organisation;
    const sent = invitation();
    expect(await object.invite({ invitation: sent })).toMatchObject({ ok: true });
    const eve = { userId: newId('u', START_MS), email: 'eve@acme.example', name: null };
    expect(await object.acceptInvitation({ id: sent.id, person: eve })).toEqual({
      ok: false,
      refusal: 'other_address',
    });
    const bob = { ...eve, userId: newId('u', START_MS + 1), email: sent.email };
    for (let i = 0; i < 2; i += 1)
      expect(await object.acceptInvitation({ id: sent.id, person: bob })).toMatchObject({
        ok: true,
        member: { userId: bob.userId, role: 'member' },
      });
    expect(await object.acceptInvitation({ id: sent.id, person: eve })).toEqual({ ok: false, refusal: 'unknown' });
    expect(await object.listInvitations()).toEqual([]);
  });

  it('ends with its time, or when it is withdrawn', async () => {
    const { object } = await withMembers(member());
    const [late, withdrawn] = [invitation(), invitation({ email: 'cyd@acme.example' })];
    for (const each of [late, withdrawn]) await object.invite({ invitation: each });
    expect(await object.withdrawInvitation({ id: withdrawn.id, actor: 'operator' })).toBe(true);
    vi.setSystemTime(START_MS + DAY_MS);
    for (const { id, email } of [late, withdrawn]) {
      const person = { userId: newId('u', START_MS), email, name: null };
      expect(await object.acceptInvitation({ id, person })).toEqual({ ok: false, refusal: 'unknown' });
    }
  });

  it('replaces the one before to the same address; a member is not invited', async () => {
    const { object } = await withMembers(member());
    const [first, second] = [invitation(), invitation({ role: 'viewer' })];
    for (const each of [first, second]) await object.invite({ invitation: each });
    expect((await object.listInvitations()).map(({ id }) => id)).toEqual([second.id]);
    expect(await object.invite({ invitation: invitation({ email: 'ada@acme.example' }) })).toEqual({
      ok: false,
      refusal: 'member',
    });
  });

  it('is refused when a day’s mails are spent', async () => {
    const { object } = await withMembers(member());
    const answers: boolean[] = [];
    for (let i = 0; i < 101; i += 1) {
      const made = invitation({ email: `p${i}@acme.example` });
      answers.push((await object.invite({ invitation: made })).ok);
      await object.withdrawInvitation({ id: made.id, actor: 'operator' });
    }
    expect(answers.lastIndexOf(true)).toBe(99);
    vi.setSystemTime(START_MS + DAY_MS + 1_000);
    expect(await object.invite({ invitation: invitation() })).toMatchObject({ ok: true });
  });
});

describe('every admin', () => {
  it('is mailed when one comes or goes, that one too, and again where a mail has failed', async () => {
    const [boss, ada, bob] = [
      member({ email: 'boss@acme.example' }),
      member({ email: 'ada@acme.example', role: 'member' }),
      member({ email: 'bob@acme.example', role: 'member' }),
    ];
    const sent: { to: string; subject: string }[] = [];
    let isDown = true;
    vi.spyOn(globalThis, 'fetch').mockImplementation(async (_url, init) => {
      if (isDown) return new Response('', { status: 500 });
      const { to, subject } = JSON.parse(init?.body as string) as { to?: string[]; subject: string };
      if (to !== undefined) sent.push({ to: to.join(), subject });
      return Response.json({ id: 'm' });
    });
    const mail = { MAIL_BACKEND: 'resend', RESEND_API_KEY: 'k', MAIL_FROM: 'Service <no-reply@service.example>' };
    const { object } = await createTestOrganisation({}, mail);
    for (const each of [boss, ada, bob]) await object.putMember({ member: each, actor: 'operator' });
    const change = { actor: boss.userId, isFresh: true };
    await object.changeMember({ ...change, userId: ada.userId, role: 'admin' });
    await object.tick();
    expect(sent).toEqual([]);
    isDown = false;
    vi.setSystemTime(Date.now() + 2 * MINUTE_MS);
    await object.tick();
    const added = { subject: 'A new admin of Acme' };
    expect(sent).toHaveLength(2);
    expect(sent.splice(0)).toEqual(
      expect.arrayContaining([
        { to: ada.email, ...added },
        { to: boss.email, ...added },
      ]),
    );
    await object.removeMember({ ...change, userId: ada.userId });
    await object.tick();
    expect(sent.map(({ to }) => to).toSorted()).toEqual([ada.email, boss.email]);
    await object.removeMember({ ...change, userId: bob.userId });
    await object.tick();
    expect(sent).toHaveLength(2);
  });
});

describe('the audit log', () => {
  it('has a line for each change, newest first, with the one who made it', async () => {
    const ada = member();
    const organisation = await withMembers(ada);
    const { object, keys, settings } = organisation;
    const key = keyRecord({ createdBy: ada.userId, expiresAt: Date.UTC(2027, 0, 1) });
    await object.createKey({ key, by: keys.admin.id });
    await object.changeOrganisation({ actor: ada.userId, name: 'Acme Ltd' });
    await object.putPolicy({
      operationId: 'rq_1',
      slug: 'signup',
      document: '{}',
      expected: null,
      author: { actor: ada.userId },
    });
    const rules = { kind: 'domain', rule: 'block', note: null, author: { actor: keys.admin.id } } as const;
    const subject = (domain: string) => ({ key: domain, display: domain });
    await object.addRules({ ...rules, operationId: 'rq_2', subjects: [subject('a.example'), subject('b.example')] });
    await object.addRules({ ...rules, operationId: 'rq_3', subjects: [subject('c.example')] });
    await object.addRules({ ...rules, operationId: 'rq_3', subjects: [subject('c.example')] });
    expect((await audited(organisation)).slice(0, 4)).toEqual([
      ['rules.added', 'domain blocklist', '3 entries', keys.admin.id],
      ['policy.saved', 'signup', 'version 1', ada.userId],
      ['organisation.changed', settings.id, 'renamed', ada.userId],
      ['key.created', key.id, 'role member, live, expires 2027-01-01', ada.userId],
    ]);
  });

  it('keeps rule lists in one line an hour, and begins the next with the hour', async () => {
    const organisation = await createTestOrganisation();
    const rules = { kind: 'domain', rule: 'allow', note: null, author: { actor: organisation.keys.admin.id } } as const;
    for (const [minutes, domain] of [
      [0, 'a.example'],
      [10, 'b.example'],
      [60, 'c.example'],
    ] as const) {
      vi.setSystemTime(START_MS + minutes * 60_000);
      const subjects = [{ key: domain, display: domain }];
      await organisation.object.addRules({ ...rules, operationId: `rq_${minutes}`, subjects });
    }
    expect((await audited(organisation)).slice(0, 2).map(([, , summary]) => summary)).toEqual(['1 entry', '2 entries']);
  });

  it.each([
    ['a person', 'u_01m16s733ke9errjv3jkyex7e1', ['4 entries', '1 entry', '2 entries']],
    ['a program', null, ['1 entry', '6 entries']],
  ] as const)('of %s counts entries of a rule list behind a removal', async (_, person, lines) => {
    const organisation = await createTestOrganisation();
    const { object, keys } = organisation;
    const actor = person ?? keys.admin.id;
    const list = { kind: 'domain', rule: 'block' } as const;
    const add = (operationId: string, ...domains: string[]) =>
      object.addRules({
        ...list,
        operationId,
        note: null,
        author: { actor },
        subjects: domains.map((domain) => ({ key: domain, display: domain })),
      });
    await add('rq_1', 'a.example');
    await add('rq_2', 'b.example');
    await object.removeRules({
      ...list,
      operationId: 'rq_3',
      author: { actor },
      by: 'key',
      values: ['a.example'],
    });
    await add('rq_4', 'c.example', 'd.example', 'e.example');
    await add('rq_5', 'f.example');
    const rules = (await audited(organisation)).filter(([action]) => action?.startsWith('rules.'));
    expect(rules.map(([, , summary]) => summary)).toEqual(lines);
  });

  it('forgets after 400 days, and pages through the rest', async () => {
    const organisation = await withMembers(member());
    const { object } = organisation;
    vi.setSystemTime(START_MS + 10 * DAY_MS);
    for (const name of ['B', 'C', 'D']) await object.changeOrganisation({ actor: 'operator', name });
    const first = await object.listAudit({ limit: 2, before: null });
    const rest = await object.listAudit({ limit: 200, before: first.at(-1)?.id ?? null });
    expect(new Set([...first, ...rest].map(({ id }) => id)).size).toBe(first.length + rest.length);
    await organisation.authorize();
    vi.setSystemTime(START_MS + 401 * DAY_MS);
    await object.tick();
    const left = await object.listAudit({ limit: 200, before: null });
    expect(left.map(({ action }) => action)).toEqual(Array(3).fill('organisation.changed'));
  });
});
