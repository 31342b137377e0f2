import { describe, expect, it } from 'vitest';
import { DomainList, DomainStanding } from '../../src/contract/rules.ts';
import { type ListName, openRuleLists } from '../support/rule-lists.ts';
import { startService } from '../support/service.ts';

const service = await startService();

async function setUp() {
  const lists = await openRuleLists(service, 'domains');
  const { call } = lists;
  const { viewer } = lists.keys;
  return {
    ...lists,
    add: (list: ListName, domains: readonly string[], note?: string) => lists.add(list, { domains, note }),
    list: async (list: ListName, query = '') => DomainList.strict().parse(await call('GET', `${list}${query}`, viewer)),
    check: async (domain: string) => DomainStanding.strict().parse(await call('POST', 'check', viewer, { domain })),
  };
}
type Rules = Awaited<ReturnType<typeof setUp>>;
const domainsOf = async ({ list }: Rules, name: ListName) => (await list(name)).entries.map(({ domain }) => domain);

describe('domain rules', () => {
  it('are added, moved, found unchanged, listed and removed, every count exact', async () => {
    const rules = await setUp();
    expect(await rules.add('blocklist', ['A.example', 'b.example'], ' spam ')).toEqual({
      rule: 'block',
      added: 2,
      moved: 0,
      unchanged: 0,
      total: 2,
      rejected: [],
    });
    expect(await rules.add('allowlist', ['b.example', 'c.example'])).toEqual({
      rule: 'allow',
      added: 1,
      moved: 1,
      unchanged: 0,
      total: 2,
      rejected: [],
    });
    expect(await rules.add('blocklist', ['a.example.'])).toMatchObject({ added: 0, unchanged: 1, total: 1 });
    const { entries, ...page } = await rules.list('blocklist');
    expect(page).toEqual({ rule: 'block', count: 1, cursor: null });
    expect(entries).toEqual([
      {
        id: expect.stringMatching(/^dr_/),
        domain: 'a.example',
        note: 'spam',
        created_at: expect.closeTo(Date.now() / 1_000, -2),
        created_by: expect.stringMatching(/^key_/),
      },
    ]);
    expect(await domainsOf(rules, 'allowlist')).toEqual(['c.example', 'b.example']);
    expect(await rules.remove('allowlist', { domains: ['B.example', 'a.example', 'com'] })).toEqual({
      rule: 'allow',
      removed: 1,
      not_found: 1,
      total: 1,
      rejected: [{ index: 2, reason: 'public_suffix' }],
    });
    expect(await rules.remove('blocklist', { ids: [entries[0]?.id ?? ''] })).toMatchObject({ removed: 1, total: 0 });
    expect([await domainsOf(rules, 'blocklist'), await domainsOf(rules, 'allowlist')]).toEqual([[], ['c.example']]);
  });

  it('name who made them: the key’s user, or the key itself without one', async () => {
    const rules = await setUp();
    const path = `/operator/v1/organisations/${rules.id}/users`;
    const { user } = (await service.call('POST', path, service.operatorKey, { email: 'ada@business.test' })).body;
    const own = await rules.createKey({ role: 'member', user_id: user.id });
    const machine = await rules.createKey({ role: 'member', origin: 'service' });
    await service.call('POST', '/v1/domains/blocklist', own.key, { domains: ['a.example'] });
    await service.call('POST', '/v1/domains/blocklist', machine.key, { domains: ['b.example'] });
    const makers = (await rules.list('blocklist')).entries.map(({ created_by }) => created_by);
    expect(makers).toEqual([machine.id, user.id]);
  });

  it('name a bad entry by its place and reason, never its text, and apply the others', async () => {
    const rules = await setUp();
    const bad = ['com', '', 'Good.example', 'https://evil.example', '*.evil.example', '192.0.2.1', 'ada@evil.example'];
    const added = await rules.add('blocklist', [...bad, 'good.example.', 'good.example']);
    expect(added).toMatchObject({ added: 1, unchanged: 0, total: 1 });
    expect(added.rejected).toEqual([
      { index: 0, reason: 'public_suffix' },
      ...[1, 3, 4, 5, 6].map((index) => ({ index, reason: 'invalid_domain' })),
    ]);
    expect(JSON.stringify(added)).not.toContain('evil');
    expect(await rules.add('blocklist', ['com'])).toMatchObject({ added: 0, total: 1, rejected: [{ index: 0 }] });
  });

  it('take ids of another kind, of another account and made-up ones for unknown', async () => {
    const [rules, other] = [await setUp(), await setUp()];
    await rules.add('blocklist', ['a.example']);
    await rules.add('allowlist', ['b.example']);
    await other.add('blocklist', ['a.example']);
    const idIn = async ({ list }: Rules, name: ListName) => (await list(name)).entries[0]?.id ?? '';
    const ids = [
      'dr_',
      'dr_nothing',
      'ar_01jd0000000000000000000000',
      'vr_01jd0000000000000000000000',
      'a.example',
      await idIn(other, 'blocklist'),
      await idIn(rules, 'allowlist'),
      await idIn(rules, 'blocklist'),
    ];
    expect(await rules.remove('blocklist', { ids: [...ids, ids.at(-1) ?? ''] })).toEqual({
      rule: 'block',
      removed: 1,
      not_found: 1,
      total: 0,
      rejected: [0, 1, 2, 3, 4, 5].map((index) => ({ index, reason: 'unknown_id' })),
    });
    expect((await other.list('blocklist')).count).toBe(1);
  });

  it('are found by a part of the domain or the note, in any case, page by page', async () => {
    const rules = await setUp();
    const { member } = rules.keys;
    const add = (domains: readonly string[], note: string) =>
      service.call('POST', '/v1/domains/blocklist', member, { domains, note });
    await add(['spam.example', 'more-spam.example'], 'Complaints_in May');
    await add(['other.example'], 'Bought list');
    const found = async (query: string) => {
      const { entries, count } = await rules.list('blocklist', query);
      return [entries.map(({ domain }) => domain), count];
    };
    expect(await found('?search=SPAM')).toEqual([['more-spam.example', 'spam.example'], 2]);
    expect(await found('?search=complaints_IN')).toEqual([['more-spam.example', 'spam.example'], 2]);
    expect(await found('?search=list&limit=1')).toEqual([['other.example'], 1]);
    for (const text of ['%25', 'ples%25', 'complaints%20in', 'a'.repeat(60)])
      expect(await found(`?search=${text}`)).toEqual([[], 0]);
    const first = await rules.list('blocklist', '?search=spam&limit=1');
    const second = await rules.list('blocklist', `?search=spam&limit=1&cursor=${first.cursor}`);
    expect([first, second].map(({ entries }) => entries[0]?.domain)).toEqual(['more-spam.example', 'spam.example']);
    const refused = await service.call('GET', '/v1/domains/blocklist?search=ada%40business.test', member);
    expect(refused.status).toBe(400);
  });

  it.each(['limit=0', 'limit=201', 'limit=x', 'cursor=x', 'cursor=ar_01jd0000000000000000000000'])(
    'refuse ?%s with 400',
    async (query) => {
      const { keys } = await setUp();
      const { status, body } = await service.call('GET', `/v1/domains/blocklist?${query}`, keys.viewer);
      expect({ status, code: body.error.code }).toEqual({ status: 400, code: 'invalid_request' });
    },
  );

  it('are refused whole beyond the cap: 400, and nothing is applied', async () => {
    const { keys, add, list } = await setUp();
    const batch = (from: number) => Array.from({ length: 1_000 }, (_, i) => `d${from + i}.example`);
    for (let from = 0; from < 9_000; from += 1_000) await add('blocklist', batch(from));
    await add('allowlist', batch(9_000).slice(1));
    const refused = await service.call('POST', '/v1/domains/blocklist', keys.member, { domains: ['x.test', 'y.test'] });
    expect(refused).toMatchObject({ status: 400, body: { error: { code: 'invalid_request' } } });
    expect(refused.body.error.message).toContain('up to 10000 domain rules');
    expect([(await list('blocklist')).count, (await list('allowlist')).count]).toEqual([9_000, 999]);
  });
});

describe('POST /v1/domains/check', () => {
  it('says what decides for a domain, and by which rule', async () => {
    const rules = await setUp();
    await rules.add('blocklist', ['acme.example'], 'spam');
    await rules.add('allowlist', ['mail.acme.example', 'mailinator.com']);
    const none = {
      status: 'none',
      org_rule: null,
      note: null,
      matched_domain: null,
      disposable: false,
      suspected: false,
    };
    const blocked = { ...none, status: 'blocked', org_rule: 'block', note: 'spam', matched_domain: 'acme.example' };
    const allowed = { ...none, status: 'allowed', org_rule: 'allow' };
    expect(await rules.check('Acme.EXAMPLE.')).toEqual({ ...blocked, domain: 'acme.example' });
    expect(await rules.check('shop.acme.example')).toEqual({ ...blocked, domain: 'shop.acme.example' });
    expect(await rules.check('x.mail.acme.example')).toEqual({
      ...allowed,
      domain: 'x.mail.acme.example',
      matched_domain: 'mail.acme.example',
    });
    expect(await rules.check('mailinator.com')).toEqual({
      ...allowed,
      domain: 'mailinator.com',
      matched_domain: 'mailinator.com',
    });
    expect(await rules.check('notacme.example')).toEqual({ ...none, domain: 'notacme.example' });
    await rules.remove('allowlist', { domains: ['mailinator.com'] });
    expect(await rules.check('mailinator.com')).toMatchObject({ status: 'disposable', disposable: true });
  });

  it('charges a bad value neither rate nor quota', async () => {
    const org = await service.createOrganisation({ rate_per_minute: 1 });
    const check = (domain: string) => service.call('POST', '/v1/domains/check', org.keys.viewer, { domain });
    expect((await check('no domain')).status).toBe(400);
    expect((await check('acme.example')).status).toBe(200);
    expect((await check('acme.example')).status).toBe(429);
  });
});

describe('a domain rule is in force on the next request', () => {
  const ask = async ({ keys }: Rules, email: string) => {
    const [checked, verified] = [
      (await service.call('POST', '/v1/check', keys.viewer, { email })).body,
      (await service.call('POST', '/v1/verify', keys.member, { email })).body,
    ];
    expect(verified.reasons).toEqual(checked.reasons);
    expect([verified.reason, verified.email_type]).toEqual([checked.reason, checked.email_type]);
    return { checked, verified };
  };

  it('blocked: both answers end there, for nothing', async () => {
    const rules = await setUp();
    expect((await ask(rules, 'ada@business.test')).checked).toMatchObject({ passes: true, reasons: [] });
    await rules.add('blocklist', ['business.test']);
    const { checked, verified } = await ask(rules, 'ada@business.test');
    expect(checked).toMatchObject({ passes: false, reason: 'domain_blocklisted' });
    expect(verified).toMatchObject({
      verdict: 'invalid',
      bounce_probability: 1,
      confidence_interval: [1, 1],
      recommendation: 'drop',
      providers: {},
      cost_usd: 0,
      reasons: ['domain_blocklisted'],
    });
    await rules.remove('blocklist', { domains: ['business.test'] });
    expect((await ask(rules, 'ada@business.test')).checked).toMatchObject({ passes: true, reasons: [] });
  });

  it('allowed: the disposable lists are set aside, in email_type too', async () => {
    const rules = await setUp();
    const before = await ask(rules, 'ada@mailinator.com');
    expect(before.checked).toMatchObject({ passes: false, disposable: true, email_type: 'disposable' });
    await rules.add('allowlist', ['mailinator.com']);
    const { checked, verified } = await ask(rules, 'ada@mailinator.com');
    expect(checked).toMatchObject({ disposable: false, email_type: 'business' });
    expect(checked.checks.disposable).toBe('pass');
    expect(verified.signals.disposable).toBe(false);
    expect(checked.reasons).toContain('domain_allowlisted');
  });

  it('for its own account alone', async () => {
    const [rules, other] = [await setUp(), await setUp()];
    await rules.add('blocklist', ['business.test']);
    expect((await ask(other, 'ada@business.test')).checked.passes).toBe(true);
    expect(await other.check('business.test')).toMatchObject({ status: 'none' });
  });

  it('for its test keys too, which may read the lists', async () => {
    const rules = await setUp();
    await rules.add('blocklist', ['business.test']);
    const { body } = await service.call('POST', '/v1/check', rules.keys.test, { email: 'ada@business.test' });
    expect(body.reasons).toEqual(['domain_blocklisted']);
    expect((await service.call('GET', '/v1/domains/blocklist', rules.keys.test)).body.count).toBe(1);
  });
});
