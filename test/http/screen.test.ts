import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { ScreeningList, ScreeningResult } from '../../src/contract/screening.ts';
import { isolateOf } from '../../src/runtime/isolate.ts';
import { mailHostsEntry } from '../support/domain-entry.ts';
import { startService } from '../support/service.ts';

const service = await startService();
const mine = await service.createOrganisation();

async function screen(body: object, { key = mine.keys.member, headers = {} } = {}) {
  const answer = await service.call('POST', '/v1/screen', key, body, headers);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return ScreeningResult.strict().parse(answer.body);
}

type Labels = Partial<ScreeningResult['screening']>;
const ROWS: [title: string, body: object, labels: Labels][] = [
  [
    'nothing to say of an ordinary address',
    { email: 'ada.lovelace@gmail.com', name: 'Ada Lovelace' },
    {
      typo_suggestion: null,
      typo_source: null,
      name_match: 'match',
      placeholder: false,
      recommendation: 'allow',
      reasons: [],
    },
  ],
  [
    'a typo in the domain',
    { email: 'ada.lovelace@gmial.com' },
    {
      typo_suggestion: 'ada.lovelace@gmail.com',
      typo_source: 'domain',
      name_match: 'not_checked',
      recommendation: 'review',
      reasons: expect.not.arrayContaining(['disposable_domain']),
    },
  ],
  [
    'a look-alike of a brand: told by the code, and the model’s label stays its own',
    { email: 'ada.lovelace@rnicrosoft.com' },
    {
      typo_suggestion: null,
      domain_check: 'not_checked',
      recommendation: 'review',
      reasons: expect.arrayContaining(['domain_suspicious']),
    },
  ],
  [
    'a dot left out, so that the syntax is broken too',
    { email: 'ada@gmailcom' },
    { typo_suggestion: 'ada@gmail.com', typo_source: 'domain', reasons: ['syntax_invalid', 'typo_domain'] },
  ],
  [
    'a typo in the name',
    { email: 'ada.lovelcae@gmail.com', name: 'Ada Lovelace' },
    {
      typo_suggestion: 'ada.lovelace@gmail.com',
      typo_source: 'name_match',
      name_match: 'typo',
      reasons: ['typo_name'],
    },
  ],
  [
    'no typo in the name where the provider does not give out the other spelling',
    { email: 'jonlii@gmail.com', name: 'Jon Li' },
    { typo_suggestion: null, name_match: 'partial', recommendation: 'allow', reasons: [] },
  ],
  [
    'the same behind a typo in the domain',
    { email: 'jonlii@gmial.com', name: 'Jon Li' },
    { typo_suggestion: 'jonlii@gmail.com', typo_source: 'domain', name_match: 'partial' },
  ],
  [
    'a typo where it does',
    { email: 'jonlii@gmx.de', name: 'Jon Li' },
    { typo_suggestion: 'jonli@gmx.de', name_match: 'typo', reasons: ['typo_name'] },
  ],
  [
    'typos in both: put right together',
    { email: 'ada.lovelcae@gmial.com', name: 'Ada Lovelace' },
    { typo_suggestion: 'ada.lovelace@gmail.com', typo_source: 'domain', name_match: 'typo' },
  ],
  [
    'a name that does not fit: not a reason to stop a person',
    { email: 'marvin@gmail.com', name: 'Ada Lovelace' },
    { name_match: 'mismatch', recommendation: 'allow', reasons: ['name_mismatch'] },
  ],
  [
    'a desk with somebody’s name: still none',
    { email: 'sales@gmail.com', name: 'Ada Lovelace' },
    { recommendation: 'allow', reasons: ['name_mismatch', 'role_account'] },
  ],
  [
    'a placeholder',
    { email: 'asdf@gmail.com' },
    { placeholder: true, recommendation: 'review', reasons: ['placeholder'] },
  ],
  [
    'a domain without mail',
    { email: 'ada@null-mx.test' },
    { recommendation: 'review', reasons: expect.arrayContaining(['no_mx']) },
  ],
  ['an empty name', { email: 'ada@gmail.com', name: '   ' }, { name_match: 'not_checked' }],
  ['a name of emoji', { email: 'ada@gmail.com', name: '🦄✨' }, { name_match: 'not_checked', recommendation: 'allow' }],
  ['a name right to left', { email: 'ada@gmail.com', name: 'محمد بن سلمان' }, { recommendation: 'allow' }],
  [
    'a name that the address is made of, however odd its letters',
    { email: 'mhmdkhld@gmail.com', name: 'Mhmd Khld' },
    { name_match: 'match', placeholder: false, recommendation: 'allow' },
  ],
];

describe('a screening', () => {
  it.each(ROWS)('%s', async (_, body, labels) => {
    expect((await screen(body)).screening).toMatchObject(labels);
  });

  it.each([
    ['called as the person is, and has mail', 'webb.de', 'Jane Webb', null],
    ['called as the person is, and has none', 'wweb.de', 'Jane Wweb', 'jane@web.de'],
    ['called otherwise', 'webb.de', 'Jane Doe', 'jane@web.de'],
  ])('takes a domain for a provider’s typo unless it is the family’s own: %s', async (_, domain, name, suggestion) => {
    service.facts.set(...mailHostsEntry('webb.de', { kind: 'found', hosts: ['mx.webb.example'], implicit: false }));
    const { screening } = await screen({ email: `jane@${domain}`, name });
    expect([screening.typo_suggestion, screening.reasons.includes('typo_domain')]).toEqual([
      suggestion,
      suggestion !== null,
    ]);
  });

  it('without a model asks none: no label, no cost, not degraded', async () => {
    expect(await screen({ email: 'ada@google-workspace.test', name: 'Bob Marley' })).toMatchObject({
      screening: { fake_name: 'not_checked', domain_check: 'not_checked', degraded: false },
      cost_usd: 0,
      domain: { syntax: 'pass', mx: 'pass', disposable: 'pass' },
    });
  });

  // The names under `.test` are reserved, so they belong to no organisation.
  it.each([
    [
      'a blocked domain',
      { domains: ['business.test'] },
      '/v1/domains/blocklist',
      ['domain_blocklisted', 'placeholder'],
    ],
    [
      'a blocked address',
      { emails: ['ada@business.test'] },
      '/v1/addresses/blocklist',
      ['address_blocklisted', 'placeholder'],
    ],
  ])('%s is in force at once', async (_, body, path, reasons) => {
    const org = await service.createOrganisation();
    await service.call('POST', path, org.keys.member, body);
    const { screening } = await screen({ email: 'ada@business.test' }, { key: org.keys.member });
    expect(screening).toMatchObject({ recommendation: 'review', reasons });
  });

  it.each([
    ['its domain', { domains: ['gmai1.com'] }, '/v1/domains/allowlist'],
    ['the address', { emails: ['ada@gmai1.com'] }, '/v1/addresses/allowlist'],
  ])('corrects and suspects nothing where the account allows %s', async (_, body, path) => {
    const org = await service.createOrganisation();
    await service.call('POST', path, org.keys.member, body);
    const { screening } = await screen({ email: 'ada@gmai1.com' }, { key: org.keys.member });
    expect(screening).toMatchObject({ typo_suggestion: null, typo_source: null });
    expect(screening.reasons).not.toContain('typo_domain');
    expect(screening.reasons).not.toContain('domain_suspicious');
  });

  it.each([
    ['no address', { name: 'Ada' }, '`email`'],
    ['an address of another type', { email: 7 }, '`email`'],
    ['a name of 201 characters', { email: 'a@b.test', name: 'x'.repeat(201) }, '`name`'],
    ['a name of 201 characters of two code units', { email: 'a@b.test', name: '𐐀'.repeat(201) }, '`name`'],
    ['a name of another type', { email: 'a@b.test', name: ['Ada'] }, '`name`'],
  ])('refuses %s and names the field', async (_, body, field) => {
    const answer = await service.call('POST', '/v1/screen', mine.keys.member, body);
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'invalid_request' } } });
    expect(answer.body.error.message).toContain(field);
  });

  it.each([
    ['x', 'mismatch'],
    ['𐐀', 'not_checked'],
  ])('takes a name of 200 characters between blanks: %s', async (character, match) => {
    const { screening } = await screen({ email: 'ada@gmail.com', name: ` ${character.repeat(200)} ` });
    expect(screening.name_match).toBe(match);
  });

  it('has an allowance of its own; verification goes on when it is spent', async () => {
    const org = await service.createOrganisation({ screening_allowance: 1 });
    await screen({ email: 'ada@gmail.com' }, { key: org.keys.member });
    const refused = await service.call('POST', '/v1/screen', org.keys.member, { email: 'ada@gmail.com' });
    expect(refused).toMatchObject({ status: 402, body: { error: { code: 'screening_quota_exceeded' } } });
    expect((await service.call('POST', '/v1/verify', org.keys.member, { email: 'ada@gmail.com' })).status).toBe(200);
    const { body } = await service.call('GET', '/v1/usage', org.keys.viewer);
    expect(body.screening).toEqual({ used: 1, quota: 1, unmetered: false, period: 'utc_month' });
    expect(body.calls).toMatchObject({ screen: 1, verify: 1 });
  });

  it('repeated under an Idempotency-Key is charged once and answered alike, correction and all', async () => {
    const org = await service.createOrganisation();
    const body = { email: 'ada.lovelcae@gmial.com', name: 'Ada Lovelace' };
    const options = { key: org.keys.member, headers: { 'Idempotency-Key': 'one' } };
    const first = await screen(body, options);
    expect(await screen(body, options)).toEqual(first);
    expect((await service.call('GET', '/v1/usage', org.keys.viewer)).body.screening.used).toBe(1);
    const stored = JSON.stringify(service.objectOf(org.id).storage.sql.exec('select * from operation').toArray());
    expect(stored).toContain(first.trace_id);
    expect(stored).not.toMatch(/lovel/i);
  });
});

describe('a screening that fails', () => {
  it('is not charged when the fault is ours', async () => {
    const org = await service.createOrganisation();
    await screen({ email: 'ada@gmail.com' }, { key: org.keys.member });
    const bug = vi.spyOn(isolateOf(service.env as never).current.lists, 'isRoleName').mockImplementationOnce(() => {
      throw new TypeError('a bug');
    });
    const failed = await service.call('POST', '/v1/screen', org.keys.member, { email: 'ada@gmail.com' });
    expect(bug).toHaveBeenCalled();
    bug.mockRestore();
    expect(failed).toMatchObject({ status: 500, body: { error: { code: 'internal_error' } } });
    const { body } = await service.call('GET', '/v1/usage', org.keys.viewer);
    expect(body).toMatchObject({ calls: { screen: 1 }, screening: { used: 1 } });
  });
});

describe('the sandbox', () => {
  it.each([
    ['typo', { typo_suggestion: 'typo@gmail.com', typo_source: 'domain', reasons: ['typo_domain'] }],
    ['placeholder', { placeholder: true, reasons: ['placeholder'] }],
    ['deliverable', { placeholder: false, recommendation: 'allow', reasons: [] }],
    ['disposable', { reasons: ['disposable_domain'] }],
    ['degraded', { degraded: true, fake_name: 'not_checked', domain_check: 'not_checked' }],
    ['role', { reasons: ['role_account'], recommendation: 'allow' }],
  ])('%s', async (name, labels) => {
    const { screening } = await screen({ email: `${name}@example.com` }, { key: mine.keys.test });
    expect(screening).toMatchObject(labels);
  });
});

describe('the history of screenings', () => {
  const list = async (key: string, query = '') =>
    ScreeningList.parse((await service.call('GET', `/v1/screenings${query}`, key)).body);

  it('shows newest first, masked, as soon as the answer has arrived; no name and no address is kept', async () => {
    const org = await service.createOrganisation();
    await screen({ email: 'grace.hopper@gmial.com', name: 'Grace Hopper' }, { key: org.keys.member });
    // Two screenings of one millisecond may be listed in either order.
    await sleep(2);
    const { trace_id } = await screen({ email: 'ada@gmail.com' }, { key: org.keys.member });
    const { screenings, cursor } = await list(org.keys.viewer);
    expect(screenings).toMatchObject([
      { trace_id, display: 'a•••@gmail.com', cost_usd: 0 },
      { display: 'g•••@gmial.com', screening: { typo_suggestion: 'g•••@gmail.com', typo_source: 'domain' } },
    ]);
    expect(cursor).toBeNull();
    expect(JSON.stringify(screenings)).not.toMatch(/grace|hopper/i);
    expect((await service.call('GET', `/v1/traces/${trace_id}`, org.keys.admin)).status).toBe(404);
  });

  it('shows one by its id, as soon as the answer has arrived, to whom its list shows it', async () => {
    const org = await service.createOrganisation();
    const manual = await org.createKey({ role: 'member', origin: 'manual' });
    const { trace_id: id } = await screen({ email: 'grace@gmial.com', name: 'Grace Hopper' }, { key: org.keys.member });
    const one = (key: string, of = id) => service.call('GET', `/v1/screenings/${of}`, key);
    const { status, body } = await one(org.keys.viewer);
    expect([status, body.screening]).toEqual([200, (await list(org.keys.viewer)).screenings[0]]);
    const other = await service.createOrganisation();
    const { trace_id: verified } = (await service.call('POST', '/v1/verify', org.keys.member, { email: 'a@gmail.com' }))
      .body;
    const hidden = await Promise.all([
      one(manual.key),
      one(org.keys.test),
      one(other.keys.admin),
      ...['sc_01000000000000000000000000', 'nonsense', verified].map((of) => one(org.keys.admin, of)),
    ]);
    expect(hidden.map((answer) => answer.status)).toEqual([404, 404, 404, 404, 404, 404]);
  });

  it('is paged by cursor, without gaps', async () => {
    const org = await service.createOrganisation();
    const ids: string[] = [];
    for (let i = 0; i < 5; i += 1)
      ids.unshift((await screen({ email: `a${i}@gmail.com` }, { key: org.keys.member })).trace_id);
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: ScreeningList = await list(org.keys.viewer, `?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`);
      seen.push(...page.screenings.map(({ trace_id }) => trace_id));
      cursor = page.cursor;
    }
    // Screenings of one millisecond are ordered by id.
    expect(seen).toEqual(ids.toSorted().toReversed());
    expect((await service.call('GET', '/v1/screenings?cursor=nonsense', org.keys.viewer)).status).toBe(400);
  });

  it('a manual key below admin sees its own rows only; an unknown key’s page is empty', async () => {
    const org = await service.createOrganisation();
    const manual = await org.createKey({ role: 'member', origin: 'manual' });
    await screen({ email: 'a@gmail.com' }, { key: org.keys.member });
    const own = await screen({ email: 'b@gmail.com' }, { key: manual.key });
    const ids = async (key: string, query = '') => (await list(key, query)).screenings.map(({ trace_id }) => trace_id);
    expect(await ids(manual.key)).toEqual([own.trace_id]);
    expect(await ids(org.keys.viewer)).toHaveLength(2);
    expect(await ids(org.keys.viewer, `?key_id=${manual.id}`)).toEqual([own.trace_id]);
    expect(await ids(manual.key, '?key_id=key_01000000000000000000000000')).toEqual([]);
    expect(await ids(org.keys.test)).toEqual([]);
  });

  it('is forgotten with the address', async () => {
    const org = await service.createOrganisation();
    await screen({ email: 'edsger@gmial.com' }, { key: org.keys.member });
    await service.call('POST', '/operator/v1/forget', service.operatorKey, { email: 'edsger@gmial.com' });
    expect((await list(org.keys.viewer)).screenings).toMatchObject([
      { display: '•••', screening: { typo_suggestion: null } },
    ]);
  });
});
