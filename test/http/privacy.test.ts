import { createHash } from 'node:crypto';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { AddressExport, ErasureReceipt } from '../../src/contract/privacy.ts';
import { MINUTE_MS } from '../../src/kernel/clock.ts';
import { newId } from '../../src/kernel/ids.ts';
import { captureLog } from '../support/capture-log.ts';
import { startService } from '../support/service.ts';
import { findInStores } from '../support/stores.ts';

const service = await startService();
service.faults.delayMs = 0;
// Every byte of every store is looked at.
vi.setConfig({ testTimeout: 120_000 });
afterEach(() => {
  service.faults.down = false;
  service.objectFault.error = null;
});

const keyOf = (path: string, body: object) =>
  createHash('sha256')
    .update(`${path} ${JSON.stringify(body)}`)
    .digest('hex');
type Organisation = Awaited<ReturnType<typeof service.createOrganisation>>;
const post = async (of: Organisation, path: string, body: object, key: keyof Organisation['keys'] = 'member') => {
  const answer = await service.call('POST', path, of.keys[key], body, { 'idempotency-key': keyOf(path, body) });
  expect(answer.status, `${path} ${JSON.stringify(answer.body)}`).toBeLessThan(300);
  return answer.body;
};
const exported = async (of: Organisation, email: string) =>
  AddressExport.parse((await service.call('POST', '/v1/addresses/export', of.keys.admin, { email })).body);
const forgetting = (of: Organisation, email: string, body: object = {}) =>
  service.call('POST', '/v1/addresses/forget', of.keys.admin, { email, ...body });
const forget = async (of: Organisation, email: string, body: object = {}) => {
  const answer = await forgetting(of, email, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(202);
  return ErasureReceipt.parse(answer.body);
};
const nowS = () => Math.floor(Date.now() / 1_000);
const removed = ({ stores }: ErasureReceipt) => Object.fromEntries(stores.map((each) => [each.store, each.removed]));

/** A person whom every store of the account knows. */
async function meet(of: Organisation, email: string) {
  const name = 'Ada Person';
  const verified = await post(of, '/v1/verify', { email });
  const decided = await post(of, '/v1/decide', { email, attributes: { plan: `plan-of-${email.split('@')[0]}` } });
  await post(of, '/v1/screen', { email, name });
  await post(of, '/v1/addresses/blocklist', { emails: [email], note: `${name} asked for it` });
  for (const { trace_id } of [verified, decided])
    await post(of, '/v1/events', {
      trace_id,
      event: 'subscribed',
      at: nowS(),
      properties: { machine: 'difference-engine' },
    });
  await post(of, '/v1/outcome', { trace_id: verified.trace_id, outcome: 'delivered' });
  const outcomes = [{ email, outcome: 'soft_bounce', at: nowS() - 86_400, smtp_code: '451 4.3.0' }];
  await post(of, '/v1/outcomes/import', { outcomes });
  await service.objectOf(of.id).object.flush(null);
  await service.settle();
  await service.runNight();
  return { verified, decided };
}
const hashOf = async (of: Organisation): Promise<string> => {
  const query = 'select address_hash from mail_report where organisation_id = $1 limit 1';
  return (await service.database.query(query, [of.id])).rows[0]?.[0] ?? '';
};

describe('an export of an address', () => {
  it('has what every store holds under its hash, and nothing of another account or address', async () => {
    const [mine, other] = [await service.createOrganisation(), await service.createOrganisation()];
    const email = 'ada@person.bulk.test';
    const { verified, decided } = await meet(mine, email);
    await post(mine, '/v1/verify', { email: 'bob@person.bulk.test' });
    await post(other, '/v1/verify', { email });
    const held = await exported(mine, 'Ada@Person.bulk.test');
    expect(held).toMatchObject({
      display: 'a•••@person.bulk.test',
      suppressed: false,
      rules: [{ rule: 'block', note: 'Ada Person asked for it', display: 'a•••@person.bulk.test' }],
      history: {
        host_class: 'unknown_business',
        reports: [{ class: 'soft', source: 'import' }, { class: 'delivered' }],
        proofs: [{ class: 'paid' }],
      },
      screenings: [{ display: 'a•••@person.bulk.test' }],
      reports: [{ source: 'import', outcome: 'soft_bounce', smtp: { code: '451', enhanced: '4.3.0' }, means: 'sent' }],
      exposures: [{ at: expect.any(Number) }],
      truncated: [],
    });
    expect(new Set(held.traces.map(({ trace_id }) => trace_id))).toEqual(
      new Set([verified.trace_id, decided.trace_id]),
    );
    expect(held.traces.find(({ trace_id }) => trace_id === verified.trace_id)?.outcome).toMatchObject({
      outcome: 'delivered',
    });
    expect(held.events.map(({ event, properties }) => [event, properties])).toEqual(
      Array.from({ length: 2 }, () => ['subscribed', { machine: 'difference-engine' }]),
    );
    expect(held.kept_answers.length).toBeGreaterThanOrEqual(3);
    expect(JSON.stringify(held)).not.toContain('ada@person');
  });

  it('is empty for an unseen address', async () => {
    const held = await exported(await service.createOrganisation(), 'nobody@business.test');
    expect(held).toMatchObject({ rules: [], history: null, traces: [], screenings: [], reports: [], events: [] });
  });

  it('is answered 503 while the object holds what it can’t show', async () => {
    const of = await service.createOrganisation();
    service.faults.down = true;
    await post(of, '/v1/verify', { email: 'ada@business.test' });
    const { status } = await service.call('POST', '/v1/addresses/export', of.keys.admin, {
      email: 'ada@business.test',
    });
    expect(status).toBe(503);
  });
});

describe('an erasure by the account', () => {
  it('leaves no byte of the person in any store, tells what went, and changes nothing of others', async () => {
    const [mine, other] = [await service.createOrganisation(), await service.createOrganisation()];
    const email = 'ada.once@once-lovelace.bulk.test';
    await meet(mine, email);
    await meet(other, email);
    const [hash, others] = [await hashOf(mine), await exported(other, email)];
    const receipt = await forget(mine, email);
    expect(receipt).toMatchObject({ status: 'done', suppressed: false });
    expect(removed(receipt)).toMatchObject({
      object: { rules: 1, histories: 1, reports: 2 },
      postgres: { traces: 2, screenings: 1, reports: 2, exposures: 1 },
    });
    const needles = [hash, hash.slice(0, 32), hash.slice(0, 16)];
    expect(await findInStores(service, needles)).toEqual([]);
    const mineAlone = (
      await findInStores(service, ['once-lovelace', 'ada.once', 'ada person', 'plan-of-ada.once'])
    ).filter((line) => line.includes(mine.id));
    expect(mineAlone).toEqual([]);
    expect({ ...(await exported(other, email)), exported_at: 0 }).toEqual({ ...others, exported_at: 0 });
    const again = await forget(mine, email);
    const counts = Object.values(removed(again)).flatMap((store) => Object.values(store ?? {}));
    expect(counts.every((count) => count === 0)).toBe(true);
    expect(await exported(mine, email)).toMatchObject({ traces: [], rules: [], history: null, kept_answers: [] });
  });

  it('after an export leaves no byte in any store or log once retention has run, with a crash in the middle too', async () => {
    const logged = captureLog();
    const of = await service.createOrganisation();
    const email = 'eve.crash@crash-lovelace.bulk.test';
    await meet(of, email);
    const hash = await hashOf(of);
    await exported(of, email);
    // The Worker dies once the object has forgotten, and the object is restarted.
    await service.objectOf(of.id).object.forget(hash, true);
    service.restartObject(of.id);
    vi.useFakeTimers({ now: Date.now() + 2 * MINUTE_MS, toFake: ['Date'] });
    await service.objectOf(of.id).object.tick();
    await service.call('PUT', '/v1/retention', of.keys.admin, { traces: 30, history: 30, details: 30 });
    await service.runNight();
    expect(logged.length).toBeGreaterThan(10);
    const person = ['eve.crash', hash, hash.slice(0, 32), hash.slice(0, 16)];
    expect(await findInStores(service, person, logged)).toEqual([]);
  });

  it('is in the audit log, without the address', async () => {
    const of = await service.createOrganisation();
    await exported(of, 'ada@business.test');
    await forget(of, 'ada@business.test');
    const { sql } = service.objectOf(of.id).storage;
    const lines = sql.exec("select * from audit where action like 'address.%' order by id").toArray();
    expect(lines).toMatchObject([{ action: 'address.exported' }, { action: 'address.forgotten' }]);
    expect(JSON.stringify(lines)).not.toContain('business');
  });

  it('says from when on each store is free of it', async () => {
    const receipt = await forget(await service.createOrganisation(), 'ada@business.test');
    expect(receipt.stores.map(({ store, free_by }) => [store, (free_by ?? 0) - receipt.at])).toEqual([
      ['object', 0],
      ['postgres', 0],
      ['caches', 60],
      ['bulk_files', 7 * 86_400],
      ['restore_points', 30 * 86_400],
    ]);
  });

  it('is finished by the object where Postgres is away, and where the Worker dies midway', async () => {
    const of = await service.createOrganisation();
    await meet(of, 'mid@midway.bulk.test');
    const hash = await hashOf(of);
    service.faults.down = true;
    const receipt = await forget(of, 'mid@midway.bulk.test');
    expect(receipt).toMatchObject({
      status: 'pending',
      stores: [{}, { store: 'postgres', free_by: null }, {}, {}, {}],
    });
    service.faults.down = false;
    await service.passFailures(of.id);
    expect(await findInStores(service, [hash])).toEqual([]);

    const died = await service.createOrganisation();
    await meet(died, 'died@midway.bulk.test');
    const diedHash = await hashOf(died);
    await service.objectOf(died.id).object.forget(diedHash, true);
    expect(await findInStores(service, [diedHash])).not.toEqual([]);
    vi.useFakeTimers({ now: Date.now() + 2 * MINUTE_MS, toFake: ['Date'] });
    await service.passTimers(died.id);
    expect(await findInStores(service, [diedHash])).toEqual([]);
  });

  it('is answered 503 while the object is out of reach', async () => {
    const of = await service.createOrganisation();
    await post(of, '/v1/verify', { email: 'ada@business.test' });
    service.objectFault.error = new Error('object');
    expect((await forgetting(of, 'ada@business.test')).status).toBe(503);
  });

  it('leaves the account’s own users alone, whether it is done at once or later', async () => {
    const of = await service.createOrganisation();
    const email = 'member@business.test';
    await service.call('POST', `/operator/v1/organisations/${of.id}/users`, service.operatorKey, { email, name: 'M' });
    const users = async () =>
      (await service.database.query('select 1 from app_user where organisation_id = $1', [of.id])).rows.length;
    const before = await users();
    await forget(of, email);
    service.faults.down = true;
    await forget(of, email);
    service.faults.down = false;
    await service.passFailures(of.id);
    expect(await users()).toBe(before);
    await service.call('POST', '/operator/v1/forget', service.operatorKey, { email });
    expect(await users()).toBe(before - 1);
  });
});

describe('the sign-in account of an erased address', () => {
  const signUp = async (email: string, session: 'lasting' | 'none' = 'none'): Promise<void> => {
    const id = newId('u', Date.now());
    await service.database.query(
      "insert into auth_user (id, name, email, email_verified, created_at, updated_at) values ($1, '', $2, true, now(), now())",
      [id, email],
    );
    if (session === 'lasting')
      await service.database.query(
        "insert into auth_session (id, token, user_id, expires_at, created_at, updated_at) values ($1, $1, $1, now() + interval '1 hour', now(), now())",
        [id],
      );
  };
  const accounts = async (email: string) =>
    (await service.database.query('select 1 from auth_user where email = $1', [email])).rows.length;
  let serial = 0;
  const newEmail = (): string => `person${(serial += 1)}@people.test`;
  const join = async (of: Organisation, email: string) => {
    const member = {
      userId: newId('u', Date.now()),
      email,
      name: null,
      role: 'viewer',
      createdAt: 0,
      createdBy: 'operator',
    };
    const { object } = service.objectOf(of.id);
    await object.putMember({ member, actor: 'operator' } as never);
    await service.passTimers(of.id);
  };

  it.each<[string, { member?: 'here' | 'elsewhere'; session?: 'lasting' }, number, string[]]>([
    ['goes where they belong to no organisation', {}, 0, []],
    ['stays where they are a member here, and the receipt says so', { member: 'here' }, 1, ['member']],
    ['stays where they are a member elsewhere, and the receipt is silent', { member: 'elsewhere' }, 1, []],
    ['stays where they are signed in: they have just registered', { session: 'lasting' }, 1, []],
  ])('%s', async (_, { member, session }, left, kept) => {
    const [of, email] = [await service.createOrganisation(), newEmail()];
    await signUp(email, session);
    if (member !== undefined) await join(member === 'here' ? of : await service.createOrganisation(), email);
    expect(await forget(of, email)).toMatchObject({ kept });
    expect(await accounts(email)).toBe(left);
  });

  it('goes with every membership when the operator forgets the person, with its sessions and links', async () => {
    const [of, email] = [await service.createOrganisation(), newEmail()];
    await join(of, email);
    await signUp(email, 'lasting');
    await service.database.query(
      "insert into auth_verification values ('v1', 'hash', $1, now() + interval '1 hour', now(), now())",
      [JSON.stringify({ email })],
    );
    for (let cursor: string | null | undefined; cursor !== null;)
      ({ cursor } = (await service.call('POST', '/operator/v1/forget', service.operatorKey, { email, cursor })).body);
    await service.passTimers(of.id);
    expect(await findInStores(service, [email])).toEqual([]);
  });
});

describe('a suppressed address', () => {
  const rows = async (of: Organisation) =>
    (await service.database.query('select 1 from mail_report where organisation_id = $1', [of.id])).rows.length;
  const importOne = (of: Organisation, email: string) =>
    post(of, '/v1/outcomes/import', { outcomes: [{ email, outcome: 'delivered', at: nowS() - 60 }] });

  it('is kept out of imports by its hash alone, until the account lets it in again', async () => {
    const [of, other] = [await service.createOrganisation(), await service.createOrganisation()];
    const email = 'ada@business.test';
    expect(await importOne(of, email)).toMatchObject({ accepted: 1 });
    expect(await forget(of, email, { suppress: true })).toMatchObject({ suppressed: true });
    const outcomes = ['bob@business.test', 'Ada@business.test'].map((each) => ({
      email: each,
      outcome: 'delivered',
      at: nowS() - 30,
    }));
    expect((await service.call('POST', '/v1/outcomes/import', of.keys.member, { outcomes })).body).toEqual({
      accepted: 1,
      duplicates: 0,
      rejected: [{ index: 1, reason: 'suppressed' }],
      read_as: { delivered: 1 },
    });
    expect(await rows(of)).toBe(1);
    expect(await importOne(other, email)).toMatchObject({ accepted: 1 });
    // An erasure without `suppress` keeps the suppression.
    expect(await forget(of, email)).toMatchObject({ suppressed: true });
    expect(await exported(of, email)).toMatchObject({ suppressed: true });
    expect(await forget(of, email, { suppress: false })).toMatchObject({ suppressed: false });
    expect((await service.call('POST', '/v1/outcomes/import', of.keys.member, { outcomes })).body).toMatchObject({
      accepted: 1,
      duplicates: 1,
    });
  });

  it('is not erased while Postgres can’t take the note that keeps it out', async () => {
    const of = await service.createOrganisation();
    service.faults.down = true;
    expect((await forgetting(of, 'ada@business.test', { suppress: true })).status).toBe(503);
  });
});
