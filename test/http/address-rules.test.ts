import { afterEach, describe, expect, it } from 'vitest';
import { AddressList, AddressStanding } from '../../src/contract/rules.ts';
import { newId } from '../../src/kernel/ids.ts';
import { captureLog } from '../support/capture-log.ts';
import { dumpTables } from '../support/organisation.ts';
import { type ListName, openRuleLists } from '../support/rule-lists.ts';
import { startService } from '../support/service.ts';

const service = await startService();
afterEach(() => {
  service.faults.down = false;
});

async function setUp() {
  const lists = await openRuleLists(service, 'addresses');
  const { call } = lists;
  const { member, viewer } = lists.keys;
  return {
    ...lists,
    list: async (list: ListName, query = '') =>
      AddressList.strict().parse(await call('GET', `${list}${query}`, viewer)),
    check: async (email: string) => AddressStanding.strict().parse(await call('POST', 'check', viewer, { email })),
    block: (domains: readonly string[]) => service.call('POST', '/v1/domains/blocklist', member, { domains }),
    verify: async (email: string, key = member) => (await service.call('POST', '/v1/verify', key, { email })).body,
  };
}

describe('address rules', () => {
  it('are added, moved, listed masked and removed, in every spelling of the address', async () => {
    const rules = await setUp();
    const emails = ['Ada@Business.test', ' ada@business.test', '"ada"@business.test', 'Bob@business.test'];
    expect(await rules.add('blocklist', { emails, note: 'asked' })).toEqual({
      rule: 'block',
      added: 2,
      moved: 0,
      unchanged: 0,
      total: 2,
      rejected: [],
    });
    const { entries } = await rules.list('blocklist');
    expect(entries).toEqual(
      ['b•••@business.test', 'a•••@business.test'].map((display) => ({
        id: expect.stringMatching(/^ar_/),
        display,
        note: 'asked',
        created_at: expect.any(Number),
        created_by: expect.stringMatching(/^key_/),
      })),
    );
    expect(await rules.add('allowlist', { emails: ['ADA@business.test'] })).toMatchObject({ moved: 1, total: 1 });
    expect(await rules.remove('blocklist', { emails })).toMatchObject({ removed: 1, not_found: 1, total: 0 });
    const [ada] = (await rules.list('allowlist')).entries;
    await rules.add('allowlist', { emails: ['ada@business.test'], note: 'asked' });
    expect((await rules.check('ada@business.test')).note).toBe('asked');
    await rules.add('allowlist', { emails: ['ada@business.test'], note: ' ' });
    expect((await rules.check('ada@business.test')).note).toBeNull();
    expect(await rules.remove('allowlist', { ids: [ada?.id, 'dr_x'] })).toMatchObject({
      removed: 1,
      total: 0,
      rejected: [{ index: 1, reason: 'unknown_id' }],
    });
  });

  it('keep dots and plus tags apart', async () => {
    const rules = await setUp();
    await rules.add('blocklist', { emails: ['ada.l@gmail.com'] });
    expect((await rules.check('ada.l@gmail.com')).effective).toBe('block');
    for (const email of ['adal@gmail.com', 'ada.l+x@gmail.com'])
      expect((await rules.check(email)).effective).toBe('none');
  });

  it('name a bad entry by its place and reason, and apply the others', async () => {
    const rules = await setUp();
    const emails = ['nobody', '', 'a@b', 'ada@business.test', '@business.test', `${'x'.repeat(400)}@business.test`];
    const added = await rules.add('blocklist', { emails });
    expect(added).toMatchObject({ added: 1, total: 1 });
    expect(added.rejected).toEqual([0, 1, 2, 4, 5].map((index) => ({ index, reason: 'invalid_address' })));
  });

  it('leave no address anywhere: not in the object, Postgres, KV, the log or the answers', async () => {
    const rules = await setUp();
    const logged = captureLog();
    const { object, storage } = service.objectOf(rules.id);
    // While Postgres is away, the rule stays in the outbox and a line about it is logged.
    service.faults.down = true;
    const answers = [
      await rules.add('blocklist', { emails: ['secret.name@business.test', 'secret.name@'], note: 'x' }),
      await rules.list('blocklist'),
      await rules.check('secret.name@business.test'),
    ];
    await service.passTimers(rules.id);
    service.objectFault.error = new Error('gone');
    await service.call('POST', '/v1/addresses/check', rules.keys.viewer, { email: 'secret.name@business.test' });
    service.objectFault.error = null;
    const held = dumpTables(storage);
    expect(held.outbox).toContainEqual(expect.objectContaining({ kind: 'address_rules' }));
    expect(logged).not.toEqual([]);
    service.faults.down = false;
    expect(await object.flush(null)).toMatchObject({ drained: true });
    const projected = await service.database.query('select * from address_rule where organisation_id = $1', [rules.id]);
    expect(projected.rows).toHaveLength(1);
    const all = JSON.stringify([answers, held, dumpTables(storage), projected.rows, [...service.facts], logged]);
    expect(all).toContain('s•••@business.test');
    expect(all).not.toContain('secret.name');
  });

  it('take no note with an address in it: 400, for those without a member key 403, and nothing is applied', async () => {
    const rules = await setUp();
    const note = 'mail ada@forgetme。example';
    const bodies = [
      ['/v1/addresses/blocklist', { emails: ['ada@business.test'], note }],
      ['/v1/domains/allowlist', { domains: ['business.test'], note }],
    ] as const;
    for (const [path, body] of bodies) {
      const refused = await service.call('POST', path, rules.keys.member, body);
      expect(refused).toMatchObject({ status: 400, body: { error: { code: 'invalid_request' } } });
      expect(refused.body.error.message).toBe('`note` must not contain an email address.');
      expect((await service.call('POST', path, rules.keys.viewer, body)).status).toBe(403);
      expect((await service.call('POST', path, rules.keys.member, { ...body, note: '3@4.50 each' })).body.added).toBe(
        1,
      );
    }
  });
});

describe('an address rule beats any domain rule', () => {
  it.each([
    ['allowlist', { reasons: ['address_allowlisted'], passes: true }, 'allow'],
    ['blocklist', { reasons: ['address_blocklisted', 'domain_blocklisted'], passes: false }, 'block'],
  ] as const)('%s', async (list, expected, effective) => {
    const rules = await setUp();
    await rules.block(['business.test']);
    await rules.add(list, { emails: ['ada@business.test'], note: 'asked' });
    const { body } = await service.call('POST', '/v1/check', rules.keys.viewer, { email: 'ada@business.test' });
    expect(body).toMatchObject(expected);
    expect((await rules.verify('ada@business.test')).reasons).toEqual(expected.reasons);
    expect(await rules.check('ada@business.test')).toEqual({
      org_rule: effective,
      note: 'asked',
      display: 'a•••@business.test',
      domain_rule: 'block',
      effective,
    });
    expect(await rules.check('bob@business.test')).toEqual({
      org_rule: null,
      note: null,
      display: 'b•••@business.test',
      domain_rule: 'block',
      effective: 'block',
    });
  });

  it('and sets the disposable lists aside where it allows', async () => {
    const rules = await setUp();
    await rules.add('allowlist', { emails: ['ada@mailinator.com'] });
    expect(await rules.verify('ada@mailinator.com')).toMatchObject({
      email_type: 'business',
      reasons: expect.arrayContaining(['address_allowlisted']),
    });
    expect(await rules.verify('bob@mailinator.com')).toMatchObject({ email_type: 'disposable' });
  });

  it('and ends a verification where it blocks: invalid, for nothing', async () => {
    const rules = await setUp();
    await rules.add('blocklist', { emails: ['ada@business.test'] });
    expect(await rules.verify('Ada@business.test')).toMatchObject({
      verdict: 'invalid',
      bounce_probability: 1,
      recommendation: 'drop',
      reason: 'address_blocklisted',
      providers: {},
      cost_usd: 0,
      email_type: 'business',
    });
  });
});

describe('trace ids', () => {
  it('give the address of their trace as soon as the answer that named it has arrived', async () => {
    const rules = await setUp();
    const ids = [
      (await rules.verify('ada@business.test')).trace_id,
      (await rules.verify('ADA@business.test')).trace_id,
      (await rules.verify('bob@business.test')).trace_id,
    ];
    expect(await rules.add('blocklist', { trace_ids: ids })).toMatchObject({ added: 2, total: 2, rejected: [] });
    expect((await rules.list('blocklist')).entries.map(({ display }) => display)).toEqual([
      'b•••@business.test',
      'a•••@business.test',
    ]);
    expect((await rules.check('ada@business.test')).effective).toBe('block');
    expect(await rules.remove('blocklist', { trace_ids: [ids[1], ids[0]] })).toMatchObject({ removed: 1, total: 1 });
    expect((await rules.check('ada@business.test')).effective).toBe('none');
  });

  it('are rejected when they belong to nothing, another account or another mode, or have broken syntax', async () => {
    const [rules, other] = [await setUp(), await setUp()];
    const ids = [
      'vr_',
      'x',
      newId('vr', Date.now()),
      newId('dc', Date.now()),
      newId('ck', Date.now()),
      (await other.verify('ada@business.test')).trace_id,
      (await rules.verify('ada@business.test', rules.keys.test)).trace_id,
      (await rules.verify('broken')).trace_id,
      (await rules.verify('ada@business.test')).trace_id,
    ];
    const added = await rules.add('blocklist', { trace_ids: ids });
    expect(added).toMatchObject({ added: 1, total: 1 });
    expect(added.rejected).toEqual([0, 1, 2, 3, 4, 5, 6, 7].map((index) => ({ index, reason: 'unknown_trace' })));
  });

  it('are known to a key as far as it may read traces', async () => {
    const rules = await setUp();
    const manual = await rules.createKey({ role: 'member', origin: 'manual' });
    const theirs = (await rules.verify('ada@business.test')).trace_id;
    const own = (await rules.verify('bob@business.test', manual.key)).trace_id;
    expect(await rules.add('blocklist', { trace_ids: [theirs, own] }, manual.key)).toMatchObject({
      added: 1,
      rejected: [{ index: 0, reason: 'unknown_trace' }],
    });
    expect(await rules.add('blocklist', { trace_ids: [theirs, own] })).toMatchObject({ added: 1, unchanged: 1 });
  });

  it('are rejected once their address is forgotten, and its rule is gone everywhere', async () => {
    const rules = await setUp();
    const traceId = (await rules.verify('forgotten@business.test')).trace_id;
    await rules.add('blocklist', { trace_ids: [traceId] });
    await rules.add('blocklist', { emails: ['kept@business.test'] });
    const { body } = await service.call('POST', '/operator/v1/forget', service.operatorKey, {
      email: 'Forgotten@business.test',
    });
    expect(body.forgotten).toMatchObject({ traces: 1, rules: 1 });
    expect((await rules.list('blocklist')).entries.map(({ display }) => display)).toEqual(['k•••@business.test']);
    const projected = () =>
      service.database.query('select display from address_rule where organisation_id = $1', [rules.id]);
    expect((await projected()).rows).toEqual([['k•••@business.test']]);
    await service.passTimers(rules.id);
    expect((await projected()).rows).toEqual([['k•••@business.test']]);
    expect(await rules.add('blocklist', { trace_ids: [traceId] })).toMatchObject({
      added: 0,
      rejected: [{ index: 0, reason: 'unknown_trace' }],
    });
  });
});

describe('while Postgres is away', () => {
  it('the projection catches up when it is back, and a lost object comes back with its rules', async () => {
    const rules = await setUp();
    service.faults.down = true;
    await rules.block(['spam.test', 'ham.test']);
    await rules.add('allowlist', { emails: ['ada@business.test'], note: 'a customer' });
    await service.call('DELETE', '/v1/domains/blocklist', rules.keys.member, { domains: ['ham.test'] });
    await service.passTimers(rules.id);
    service.faults.down = false;
    expect(await service.objectOf(rules.id).object.flush(null)).toMatchObject({ drained: true });
    const before = [
      (await service.call('GET', '/v1/domains/blocklist', rules.keys.viewer)).body,
      await rules.list('allowlist'),
    ];
    service.loseObject(rules.id);
    const path = `/operator/v1/organisations/${rules.id}/rebuild`;
    expect((await service.call('POST', path, service.operatorKey)).status).toBe(200);
    expect([
      (await service.call('GET', '/v1/domains/blocklist', rules.keys.viewer)).body,
      await rules.list('allowlist'),
    ]).toEqual(before);
    expect((await rules.check('ada@business.test')).effective).toBe('allow');
    // Versions continue from the projection's, so later changes reach it.
    await rules.block(['more.test']);
    expect(await service.objectOf(rules.id).object.flush(null)).toMatchObject({ drained: true });
    const { rows } = await service.database.query('select domain from domain_rule where organisation_id = $1', [
      rules.id,
    ]);
    expect(new Set(rows.flat())).toEqual(new Set(['more.test', 'spam.test']));
  });
});

describe('without the organisation’s object', () => {
  it('rules are neither read nor changed: 503, and 429 while it is overloaded', async () => {
    const rules = await setUp();
    const calls = [
      ['GET', '/v1/addresses/blocklist', undefined],
      ['POST', '/v1/addresses/blocklist', { emails: ['ada@business.test'] }],
      ['POST', '/v1/domains/check', { domain: 'business.test' }],
    ] as const;
    for (const [method, path, body] of calls) {
      service.objectFault.error = Object.assign(new Error('too many'), { overloaded: true });
      const overloaded = await service.call(method, path, rules.keys.member, body);
      service.objectFault.error = new Error('gone');
      const gone = await service.call(method, path, rules.keys.member, body);
      service.objectFault.error = null;
      expect([overloaded.status, gone.status]).toEqual([429, 503]);
    }
  });
});
