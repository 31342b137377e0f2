import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { InvitationRecord, MemberRecord } from '../../../src/domain/access/member-records.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../../src/kernel/clock.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { type FakeNeon, stubNeon } from '../../support/fake-neon.ts';
import { createTestOrganisation } from '../../support/organisation.ts';
import { START_MS } from '../../support/records.ts';

let neon: FakeNeon;
beforeEach(() => {
  vi.useFakeTimers({ now: START_MS, toFake: ['Date'] });
  neon = stubNeon();
});

const TARGET = 'org_1';

/** An organisation with an empty outbox. */
async function createWritten() {
  const organisation = await createTestOrganisation();
  const pass = async (ms: number) => {
    vi.setSystemTime(Date.now() + ms);
    await organisation.object.tick();
  };
  const note = (summary: string) =>
    organisation.object.noteAudit({
      note: { actor: 'operator', action: 'connection.created', target: TARGET, summary },
    });
  /** Outbox records of a kind, oldest first. */
  const waiting = (kind: 'audit' | 'member' | 'invitation') =>
    organisation.storage.sql
      .exec<{ record: string }>('select record from outbox where kind = ? order by seq', kind)
      .toArray()
      .map(({ record }) => JSON.parse(record));
  /** Statements sent for a table. */
  const sent = (table: string) => neon.statements.filter((statement) => statement.table === table);
  await pass(10 * SECOND_MS);
  expect(await organisation.object.status()).toMatchObject({ outboxRows: 0 });
  neon.statements.length = 0;
  return Object.assign(organisation, { pass, note, waiting, sent });
}

describe('the audit log on its way to Postgres', () => {
  it('is written a moment after a change, each line once', async () => {
    const { note, pass, sent } = await createWritten();
    await note('one');
    await note('two');
    await pass(10 * SECOND_MS);
    await pass(10 * SECOND_MS);
    expect(sent('audit_line')).toHaveLength(1);
    expect(sent('audit_line')[0]?.values).toMatch(/one.*two/);
  });

  it('has one row for a line that kept counting, with its final count', async () => {
    const { object, pass, sent, waiting } = await createWritten();
    const add = (operationId: string, domain: string) =>
      object.addRules({
        operationId,
        kind: 'domain',
        rule: 'block',
        subjects: [{ key: domain, display: domain }],
        note: null,
        author: { actor: 'key_1' },
      } as never);
    await add('rq_1', 'a.example');
    await add('rq_2', 'b.example');
    expect(waiting('audit')).toMatchObject([{ action: 'rules.added', entries: 2 }]);
    await pass(10 * SECOND_MS);
    await add('rq_3', 'c.example');
    expect(waiting('audit')).toMatchObject([{ entries: 3 }]);
    await pass(10 * SECOND_MS);
    expect(sent('audit_line')).toHaveLength(2);
  });

  it('waits while Postgres is away, and a restarted object continues with it', async () => {
    const { note, pass, waiting, evict } = await createWritten();
    neon.answer = () => 'down';
    await note('one');
    await pass(10 * SECOND_MS);
    expect(waiting('audit')).toHaveLength(1);
    neon.answer = () => 'written';
    evict();
    await pass(2 * MINUTE_MS);
    expect(waiting('audit')).toEqual([]);
  });

  it('gets back what a lost object had, once, and writes nothing of it again', async () => {
    const { object } = await createWritten();
    const lines = await object.listAudit({ limit: 10, before: null });
    const lost = await createWritten();
    const page = { lines: lines.map((line) => ({ ...line, entries: null })) } as const;
    for (let i = 0; i < 2; i += 1) await lost.object.restoreAudit(page);
    const restored = await lost.object.listAudit({ limit: 50, before: null });
    expect(restored).toHaveLength(2 * lines.length);
    expect(lost.waiting('audit')).toEqual([]);
  });
});

describe('an organisation’s people on their way to Postgres', () => {
  const ada: MemberRecord = {
    userId: newId('u', START_MS),
    email: 'ada@acme.example',
    name: 'Ada',
    role: 'admin',
    createdAt: START_MS,
    createdBy: 'operator',
  };
  const invitation = (change: Partial<InvitationRecord> = {}): InvitationRecord => ({
    id: newId('inv', Date.now()),
    email: 'bob@acme.example',
    role: 'member',
    createdAt: Date.now(),
    expiresAt: Date.now() + DAY_MS,
    createdBy: 'operator',
    ...change,
  });
  const gone = <T extends object>(key: T) => [{ ...key, isGone: true, organisationId: expect.stringMatching(/^org_/) }];

  it('are written with each change, the newest state of each alone', async () => {
    const { object, waiting, pass, sent } = await createWritten();
    const boss = { ...ada, userId: newId('u', START_MS), email: 'boss@acme.example' };
    for (const member of [boss, ada]) await object.putMember({ member, actor: 'operator' });
    expect(waiting('member')).toMatchObject([boss, ada]);
    await object.changeMember({ userId: ada.userId, role: 'viewer', actor: 'operator' });
    expect(waiting('member')).toMatchObject([boss, { ...ada, role: 'viewer' }]);
    await object.removeMember({ userId: ada.userId, actor: 'operator' });
    expect(waiting('member').slice(1)).toEqual(gone({ userId: ada.userId }));
    await pass(10 * SECOND_MS);
    expect(sent('membership')).toHaveLength(1);
    expect(waiting('member')).toEqual([]);
  });

  it('are written when an invitation is made, withdrawn, replaced or accepted', async () => {
    const { object, waiting, pass } = await createWritten();
    const open: InvitationRecord[] = [];
    const invite = async (change: Partial<InvitationRecord> = {}) => {
      const made = invitation(change);
      open.push(made);
      await object.invite({ invitation: made });
      return made;
    };
    const first = await invite();
    expect(waiting('invitation')).toMatchObject([first]);
    const second = await invite();
    expect(waiting('invitation')).toMatchObject([...gone({ id: first.id }), second]);
    await object.withdrawInvitation({ id: second.id, actor: 'operator' });
    expect(waiting('invitation')).toMatchObject([...gone({ id: first.id }), ...gone({ id: second.id })]);
    await pass(10 * SECOND_MS);
    const accepted = await invite({ email: ada.email });
    expect(waiting('invitation')).toMatchObject([accepted]);
    await object.acceptInvitation({ id: accepted.id, person: ada });
    expect(waiting('invitation')).toEqual(gone({ id: accepted.id }));
    expect(waiting('member')).toMatchObject([{ userId: ada.userId, role: 'member' }]);
  });

  it('are mailed when invited, also beside an open invitation in an object that was restarted', async () => {
    const organisation = await createWritten();
    const unmailed = () =>
      organisation.storage.sql.exec('select id from invitation where mail_try > 0').toArray().length;
    for (const email of ['bob@acme.example', 'eve@acme.example']) {
      await organisation.object.invite({ invitation: invitation({ email }) });
      expect(unmailed()).toBe(1);
      await organisation.pass(SECOND_MS);
      expect(unmailed()).toBe(0);
      organisation.evict();
    }
  });

  it('leave no address in the outbox once a person is erased, set aside or not', async () => {
    const { object, pass, storage, waiting } = await createWritten();
    neon.answer = () => ({ sqlState: '23502' });
    await object.putMember({ member: ada, actor: 'operator' });
    await object.invite({ invitation: invitation({ email: 'eve@acme.example' }) });
    await pass(10 * SECOND_MS);
    expect(await object.status()).toMatchObject({ outboxDead: 5 });
    for (const email of [ada.email, 'eve@acme.example']) await object.dropPerson({ email });
    const rows = storage.sql.exec<{ record: string }>('select record from outbox').toArray();
    expect(JSON.stringify(rows)).not.toMatch(/ada@|eve@/);
    expect(waiting('member')).toEqual(gone({ userId: ada.userId }));
  });

  it('are no longer written once the organisation is deleted', async () => {
    const { object, sent, pass } = await createWritten();
    await object.putMember({ member: ada, actor: 'operator' });
    await object.destroy();
    await pass(MINUTE_MS);
    expect(sent('membership')).toEqual([]);
  });
});
