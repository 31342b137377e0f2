import { beforeEach, describe, expect, it, vi } from 'vitest';
import { emptyUsage } from '../../../src/domain/metering/usage.ts';
import { SECOND_MS } from '../../../src/kernel/clock.ts';
import { newId } from '../../../src/kernel/ids.ts';
import type { OrganisationSnapshot } from '../../../src/organisation/settings.ts';
import { OBJECT_MIGRATIONS } from '../../../src/organisation/schema.ts';
import { stubNeon } from '../../support/fake-neon.ts';
import { createObjectStorage } from '../../support/object-storage.ts';
import { createTestOrganisation, dumpTables, startObject } from '../../support/organisation.ts';
import { keyRecord, START_MS, settingsRecord } from '../../support/records.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: START_MS });
  stubNeon();
});

const usageOf = (verify: number, month = '2026-11') => {
  const empty = emptyUsage(month);
  return { ...empty, calls: { ...empty.calls, verify }, spendMicros: 900 };
};
/** As Postgres answers without rules. */
const NO_RULES = { domain: { version: 0, records: [] }, address: { version: 0, records: [] } };
const snapshotOf = (change: Partial<OrganisationSnapshot> = {}): OrganisationSnapshot => ({
  settings: settingsRecord({ version: 4 }),
  keys: [keyRecord(), keyRecord({ revokedAt: START_MS - 1 }), keyRecord({ role: 'admin', operator: true })],
  usage: usageOf(17),
  rules: NO_RULES,
  members: [],
  invitations: [],
  ...change,
});
const byId = (keys: readonly { id: string }[]) => keys.toSorted((a, b) => (a.id < b.id ? -1 : 1));

describe('create', () => {
  it('fills an empty object once; a repeat, with whatever settings, changes nothing', async () => {
    const { object, settings, dump } = await createTestOrganisation();
    const before = dump();
    await object.create(settings);
    await object.create(settingsRecord({ name: 'Other', version: 9 }));
    expect(await object.settings()).toEqual(settings);
    expect(dump()).toEqual(before);
  });

  it('has the person who makes it as its admin, also after a repeat', async () => {
    const object = startObject(createObjectStorage());
    const settings = settingsRecord();
    const userId = newId('u', START_MS);
    const admin = {
      userId,
      email: 'ada@acme.test',
      name: null,
      role: 'admin',
      createdAt: START_MS,
      createdBy: userId,
    } as const;
    const stranger = { ...admin, userId: newId('u', START_MS), email: 'eve@acme.test' };
    for (const each of [admin, admin, stranger]) await object.create(settings, each);
    expect(await object.listMembers()).toEqual([admin]);
    const audit = await object.listAudit({ limit: 10, before: null });
    expect(audit).toContainEqual(expect.objectContaining({ action: 'organisation.created', actor: userId }));
    expect(audit.map(({ actor }) => actor)).not.toContain('operator');
  });

  it('does not bring back what was deleted', async () => {
    const { object, settings } = await createTestOrganisation();
    await object.destroy();
    await object.create(settings);
    expect(await object.settings()).toBe('deleted');
  });
});

describe('configure', () => {
  it('counts the version up with every change', async () => {
    const { object } = await createTestOrganisation();
    for (let version = 2; version <= 4; version += 1)
      expect(await object.configure({ name: 'x' })).toMatchObject({ version });
  });

  it('gives null for no organisation, and writes nothing', async () => {
    const storage = createObjectStorage();
    const object = startObject(storage);
    const before = dumpTables(storage);
    expect(await object.configure({ name: 'x' })).toBeNull();
    expect(dumpTables(storage)).toEqual(before);
  });
});

describe('rebuild', () => {
  it('fills an empty object with the same settings, keys and counts', async () => {
    const object = startObject(createObjectStorage());
    const snapshot = snapshotOf();
    await object.rebuild(snapshot);
    expect(await object.settings()).toEqual(snapshot.settings);
    const unused = snapshot.keys.map((key) => ({ ...key, lastUsedAt: null, previousUsedAt: null }));
    expect(byId(await object.listKeys())).toEqual(byId(unused));
    expect((await object.usage()).usage).toEqual(snapshot.usage);
  });

  it('run twice is run once', async () => {
    const storage = createObjectStorage();
    const object = startObject(storage);
    const snapshot = snapshotOf();
    await object.rebuild(snapshot);
    const once = dumpTables(storage);
    await object.rebuild(snapshot);
    expect(dumpTables(storage)).toEqual(once);
  });

  it('leaves live keys working and revoked ones refused', async () => {
    const storage = createObjectStorage();
    const first = await createTestOrganisation();
    await first.object.revokeKey(first.keys.viewer.id);
    const settings = { ...first.settings, version: 2 };
    const rebuilt = startObject(storage);
    await rebuilt.rebuild(snapshotOf({ settings, keys: await first.object.listKeys(), usage: null }));
    const ask = (keyHash: string) => rebuilt.authorize({ ...REQUEST, keyHash });
    expect(await ask(first.keys.member.hash)).toMatchObject({ ok: true });
    expect(await ask(first.keys.viewer.hash)).toMatchObject({ refusal: 'unauthorized' });
  });

  it('keeps counts that are here already: they are newer', async () => {
    const { object, authorize, usage, settings } = await createTestOrganisation();
    await authorize();
    await object.rebuild(snapshotOf({ settings, keys: [] }));
    expect((await usage()).calls.verify).toBe(1);
  });

  it('does not take last month’s counts for this month’s', async () => {
    const object = startObject(createObjectStorage());
    await object.rebuild(snapshotOf({ usage: usageOf(17, '2026-10') }));
    expect((await object.usage()).usage).toEqual(emptyUsage('2026-11'));
  });

  it.each([
    ['an older version', 4, 5],
    ['the same version', 5, 5],
    ['a newer version', 6, 6],
  ])('from %s never goes back: %i over 5 gives %i', async (_, version, expected) => {
    const object = startObject(createObjectStorage());
    await object.rebuild(snapshotOf({ settings: settingsRecord({ version: 5 }) }));
    await object.rebuild(snapshotOf({ settings: settingsRecord({ version }), keys: [] }));
    expect(await object.settings()).toMatchObject({ version: expected });
  });

  it('never undoes a revocation, and enters one it did not know', async () => {
    const { object, keys, settings } = await createTestOrganisation();
    await object.revokeKey(keys.viewer.id);
    await object.rebuild(snapshotOf({ settings, keys: [keys.viewer, { ...keys.admin, revokedAt: START_MS - 5 }] }));
    const revoked = Object.fromEntries((await object.listKeys()).map(({ id, revokedAt }) => [id, revokedAt]));
    expect(revoked).toMatchObject({
      [keys.viewer.id]: START_MS,
      [keys.admin.id]: START_MS - 5,
      [keys.member.id]: null,
    });
  });

  it('is refused for a deleted organisation', async () => {
    const { object, dump } = await createTestOrganisation();
    await object.destroy();
    const before = dump();
    await expect(object.rebuild(snapshotOf())).rejects.toThrow('a deleted organisation stays deleted');
    expect(dump()).toEqual(before);
  });
});

describe('destroy', () => {
  async function createFull() {
    const organisation = await createTestOrganisation();
    const { authorize, commit, object, storage } = organisation;
    await authorize({ operationId: 'vr_1' });
    await commit('vr_1', { spendMicros: 5 });
    await object.configure({ name: 'Acme Ltd' });
    const { sql } = storage;
    sql.exec("insert into domain_rule values ('acme.example', 'dr_1', 'block', null, 1, 'u_1')");
    sql.exec("insert into rule_version values ('domain', 1)");
    sql.exec("insert into address_rule values ('hash', 'ar_1', 'block', 'j•••@acme.example', null, 1, 'u_1')");
    sql.exec("insert into reservation values ('enrichment', 'dc_1', 5, '2026-11', 1)");
    sql.exec("insert into bulk_job values ('bj_1', 'live', 'ready', null, null, 0, 1, '{}', '[]')");
    sql.exec("insert into bulk_chunk values ('bj_1', 0, '{}')");
    await organisation.object.eraseLater('h1');
    sql.exec("insert into bulk_result values ('bj_1', 0, 100, 'rq_1')");
    await authorize({ operationId: 'ik_1', bodyHash: 'body' });
    sql.exec("insert into flushed values (1, 1, '[]')");
    sql.exec("insert into losses values (1, '{}', 1, 'u_1')");
    sql.exec("insert into reservation values ('providers', 'vr_1', 5, '2026-11', 1)");
    sql.exec(
      `insert into address_facts (name, first_seen_at, host, purpose, domain, facts, newest)
       values (x'01', 1, 'gmail', 'signup', x'02', '{}', 1)`,
    );
    sql.exec("insert into group_effect values (0, 'account', x'', '{}')");
    sql.exec("insert into history_state values (0, 0, 1, '{}')");
    sql.exec("insert into report_tally values ('ffff', 'google_business', 1, 1, 0)");
    sql.exec("insert into member values ('u_1', 'ada@acme.example', 'Ada', 'admin', 'key_1', 1, 1, 'operator')");
    sql.exec("insert into invitation values ('inv_1', 'bob@acme.example', 'viewer', 1, 2, 'u_1', 0)");
    sql.exec("insert into admin_notice values ('an_1', 'added', 'eve@acme.example', 'ada@acme.example', 1)");
    sql.exec("insert into alert values ('2026-11', 'verifications', 80, 0)");
    sql.exec("insert into erased_mark values ('aa', 1)");
    sql.exec("insert into rehash values (x'aa', x'bb', 1)");
    for (const [table, rows] of Object.entries(organisation.dump())) expect(rows.length, table).toBeGreaterThan(0);
    return organisation;
  }

  it('leaves nothing but the tombstone and the record of the schema, and no alarm', async () => {
    const { object, dump, storage } = await createFull();
    await object.destroy();
    const { organisation, migration, ...others } = dump();
    expect(organisation).toEqual([{ id: 1, settings: null }]);
    expect(migration).toHaveLength(OBJECT_MIGRATIONS.length);
    expect(Object.values(others).flat()).toEqual([]);
    expect(storage.alarmAt()).toBeNull();
  });

  it('is for good: no call brings anything back, now or after a restart', async () => {
    const organisation = await createFull();
    await organisation.object.destroy();
    const tombstone = organisation.dump();
    for (let i = 0; i < 2; i += 1) {
      const { object } = organisation;
      expect(await organisation.authorize()).toMatchObject({ refusal: 'unauthorized' });
      expect(await organisation.commit('vr_2', { answer: 'late' })).toEqual({ answer: 'late' });
      await object.reverse('vr_1', 'vr_1');
      await object.flush(null);
      await object.destroy();
      await object.tick();
      expect(await object.configure({ name: 'x' })).toBeNull();
      expect(await object.settings()).toBe('deleted');
      expect(await object.status()).toBeNull();
      expect(await object.listKeys()).toEqual([]);
      await expect(object.usage()).rejects.toThrow('no organisation');
      await expect(object.insertKey(keyRecord())).rejects.toThrow('no organisation');
      await expect(object.revokeKey(organisation.keys.member.id)).rejects.toThrow('no organisation');
      expect(organisation.dump()).toEqual(tombstone);
      organisation.evict();
    }
    expect(organisation.storage.alarmAt()).toBeNull();
  });

  it('while the outbox is being written leaves nothing either', async () => {
    const { object, dump, storage } = await createFull();
    const slow = Promise.withResolvers<'written'>();
    stubNeon().answer = () => slow.promise;
    vi.setSystemTime(START_MS + 2 * 3_600 * SECOND_MS);
    const running = object.tick();
    const destroyed = object.destroy();
    slow.resolve('written');
    await Promise.all([running, destroyed]);
    expect(dump().timer).toEqual([]);
    expect(storage.alarmAt()).toBeNull();
  });

  it('lets no statement of a drain at work reach Postgres any more once it returns', async () => {
    const { object } = await createFull();
    const slow = Promise.withResolvers<'written'>();
    const neon = stubNeon();
    neon.answer = () => slow.promise;
    // Settings, keys and a trace: three statements, of which the first is under way.
    const flushed = object.flush(null);
    const settled = vi.fn();
    const destroyed = object.destroy().finally(settled);
    await vi.advanceTimersByTimeAsync(SECOND_MS);
    expect(settled).not.toHaveBeenCalled();
    slow.resolve('written');
    await Promise.all([flushed, destroyed]);
    expect(neon.statements).toHaveLength(1);
  });

  it('leaves an object that never held an organisation refusing for good', async () => {
    const storage = createObjectStorage();
    const object = startObject(storage);
    await object.destroy();
    await object.create(settingsRecord());
    expect(await startObject(storage).settings()).toBe('deleted');
  });
});

describe('the service clock', () => {
  it('runs ahead by its offset, and alarms are set on the machine’s', async () => {
    const storage = createObjectStorage();
    const object = startObject(storage, { LOCAL_STACK: '1', CLOCK_OFFSET_S: '86400' });
    await object.create(settingsRecord());
    expect(await object.status()).toMatchObject({ outboxOldestAt: START_MS + 86_400_000 });
    expect(storage.alarmAt()).toBe(START_MS);
  });
});

const REQUEST = {
  operationId: 'vr_ask',
  traceId: 'vr_ask',
  role: 'viewer',
  operator: false,
  rate: 'read',
  meter: null,
  lookup: null,
  bodyHash: null,
  holdMs: 10_000,
  faulty: false,
} as const;
