import { describe, expect, it, vi } from 'vitest';
import { CheckReason, EmailType } from '../../src/contract/vocabulary.ts';
import { isTerminal } from '../../src/domain/answer/precheck.ts';
import { createClient } from '../src/client.ts';
import { ANSWERS, CHECKED, DROP_INS, EMAIL } from './functions.ts';
import { bytes, json, scriptedServer } from './scripted-server.ts';

const apiKey = 'evk_test_key';

/** Two requests at once arrive in any order. */
const byPath = (a: { readonly path: string }, b: { readonly path: string }): number => a.path.localeCompare(b.path);

describe.each(DROP_INS)('$name', ({ call, requests, answer, result }) => {
  it('asks once, the address in the body alone, and tells what the answer means', async () => {
    await using server = await scriptedServer(json(answer));
    expect(await call(createClient({ apiKey, baseUrl: server.baseUrl }))).toEqual(result);
    const seen = server.seen.map(({ method, path, body }) => ({ method, path, body: JSON.parse(String(body)) }));
    const expected = requests.map((request) => ({ method: 'POST', ...request }));
    expect(seen.toSorted(byPath)).toEqual(expected.toSorted(byPath));
  });
});

describe.each(ANSWERS)('$name', ({ call, request, answer, result = answer, repeat }) => {
  it('sends what the contract says and returns the answer as it came', async () => {
    await using server = await scriptedServer(json(answer));
    expect(await call(createClient({ apiKey, baseUrl: server.baseUrl }))).toEqual(result);
    const [first] = server.seen;
    expect(first).toMatchObject({ method: request.method, path: request.path });
    expect(first?.headers.authorization).toBe(`Bearer ${apiKey}`);
    expect(first?.headers['content-type']).toBe(request.body === undefined ? undefined : 'application/json');
    expect(first?.headers['idempotency-key'] !== undefined).toBe(repeat === 'keyed');
    expect(first?.body.length === 0 ? undefined : JSON.parse(String(first?.body))).toEqual(request.body);
  });
});

it('no address gets into a URL, written out or escaped', async () => {
  await using server = await scriptedServer(json({ ...CHECKED, job: { id: 'bj_1', state: 'done' } }));
  const client = createClient({ apiKey, baseUrl: server.baseUrl, failOpen: false });
  await Promise.allSettled([...DROP_INS, ...ANSWERS].map(({ call }) => call(client)));
  const urls = server.seen.map(({ path }) => decodeURIComponent(path)).join('\n');
  expect(urls).not.toMatch(/o’neil|example/iu);
});

it('an optional argument that is left out is left out of the body', async () => {
  await using server = await scriptedServer(json({}));
  const { verifyEmail, screenEmail, blockDomains, listBlockedDomains } = createClient({
    apiKey,
    baseUrl: server.baseUrl,
  });
  await verifyEmail(EMAIL);
  await screenEmail(EMAIL);
  await blockDomains(['a.example']);
  await listBlockedDomains();
  expect(server.seen.map(({ path, body }) => [path, String(body)])).toEqual([
    ['/v1/verify', JSON.stringify({ email: EMAIL })],
    ['/v1/screen', JSON.stringify({ email: EMAIL })],
    ['/v1/domains/blocklist', '{"domains":["a.example"]}'],
    ['/v1/domains/blocklist', ''],
  ]);
});

describe('isValidEmail', () => {
  it.each([
    ['all is well', { passes: true, reasons: [] }, true],
    ['the domain lacks a mail host', { passes: false, reasons: ['no_mx'] }, false],
    ['the DNS look-up failed', { passes: false, reasons: ['mx_unresolved'] }, true],
    ['it failed for a suspected domain', { passes: false, reasons: ['mx_unresolved', 'disposable_suspected'] }, true],
    ['it failed for a disposable domain', { passes: false, reasons: ['mx_unresolved', 'disposable_domain'] }, false],
    ['it failed for a blocked domain', { passes: false, reasons: ['domain_blocklisted', 'mx_unresolved'] }, false],
    ['it failed for a blocked address', { passes: false, reasons: ['address_blocklisted', 'mx_unresolved'] }, false],
    ['the server finds the syntax broken', { passes: false, reasons: ['syntax_invalid'] }, false],
  ])('when %s', async (_, answer, valid) => {
    await using server = await scriptedServer(json({ ...CHECKED, ...answer }));
    const onError = vi.fn<() => void>();
    expect(await createClient({ apiKey, baseUrl: server.baseUrl, onError }).isValidEmail(EMAIL)).toBe(valid);
    expect(onError).not.toHaveBeenCalled();
  });
});

it.each(CheckReason.options)('isValidEmail sees past a failed DNS look-up unless %s ends the check', async (reason) => {
  const reasons = [...new Set<CheckReason>([reason, 'mx_unresolved'])];
  await using server = await scriptedServer(json({ ...CHECKED, passes: false, reason, reasons }));
  const client = createClient({ apiKey, baseUrl: server.baseUrl });
  expect(await client.isValidEmail(EMAIL)).toBe(!isTerminal(reason));
});

describe('isDisposableEmail and isDomainDisposable', () => {
  it.each([
    ['blocked', true],
    ['disposable', true],
    ['allowed', false],
    ['suspected', false],
    ['none', false],
  ])('of a domain that is %s', async (status, disposable) => {
    await using server = await scriptedServer(json({ status, disposable: status === 'disposable', org_rule: null }));
    const client = createClient({ apiKey, baseUrl: server.baseUrl });
    expect(await client.isDisposableEmail('ada@a.example')).toBe(disposable);
    expect(await client.isDomainDisposable(' a.example ')).toBe(disposable);
    const ofDomains = server.seen.filter(({ path }) => path === '/v1/domains/check');
    expect(ofDomains.map(({ body }) => String(body))).toEqual(Array(2).fill('{"domain":"a.example"}'));
  });

  it.each([
    ['block', 'none', true],
    ['block', 'allowed', true],
    ['allow', 'disposable', false],
    ['allow', 'blocked', false],
    [null, 'disposable', true],
    [null, 'none', false],
  ])('of an address with the rule %s at a domain that is %s', async (rule, status, disposable) => {
    await using server = await scriptedServer((response, request) =>
      json(request.url === '/v1/addresses/check' ? { org_rule: rule } : { status, org_rule: null })(response, request),
    );
    const client = createClient({ apiKey, baseUrl: server.baseUrl, failOpen: false });
    expect(await client.isDisposableEmail('ada@a.example')).toBe(disposable);
  });

  it.each(['a.example.', 'a.example。', ' A.example. '])('of the absolute name %j', async (name) => {
    await using server = await scriptedServer(json({ status: 'disposable' }));
    expect(await createClient({ apiKey, baseUrl: server.baseUrl }).isDomainDisposable(name)).toBe(true);
    expect(String(server.seen[0]?.body).toLowerCase()).toBe('{"domain":"a.example"}');
  });
});

describe('isBusinessEmail', () => {
  it.each(EmailType.options)('of the type %s', async (type) => {
    await using server = await scriptedServer(json({ ...CHECKED, email_type: type }));
    const client = createClient({ apiKey, baseUrl: server.baseUrl });
    expect(await client.isBusinessEmail(EMAIL)).toBe(type === 'business');
    expect(await client.emailType(EMAIL)).toBe(type);
  });
});

it.each(['google', 'unknown', null])('getEmailProvider hands on the label %s', async (provider) => {
  await using server = await scriptedServer(json({ ...CHECKED, mx_provider: provider }));
  expect(await createClient({ apiKey, baseUrl: server.baseUrl }).getEmailProvider(EMAIL)).toBe(provider);
});

it.each([
  '',
  'ada',
  '@example.com',
  'ada@',
  'ada@example',
  'ada@192.0.2.1',
  'a b@example.com',
  'ada@exa mple.com',
  `${'a'.repeat(65)}@example.com`,
  `ada@${'a.'.repeat(160)}com`,
  'ada@example.com\u0000',
  null as unknown as string,
  { email: 'ada@example.com' } as unknown as string,
])('broken syntax (%j) is answered on the spot, without a call', async (email) => {
  await using server = await scriptedServer(json({ ...CHECKED, status: 'disposable' }));
  const client = createClient({ apiKey, baseUrl: server.baseUrl, failOpen: false });
  expect({
    valid: await client.isValidEmail(email),
    disposable: await client.isDisposableEmail(email),
    provider: await client.getEmailProvider(email),
    business: await client.isBusinessEmail(email),
    type: await client.emailType(email),
    domain: await client.isDomainDisposable(email),
  }).toEqual({ valid: false, disposable: false, provider: null, business: false, type: 'unknown', domain: false });
  expect(server.seen).toEqual([]);
});

it('an answer far from ASCII comes through whole, a byte-order mark aside', async () => {
  const answer = { email: 'λ@例え.テスト', note: '💌'.repeat(50_000) };
  await using server = await scriptedServer(bytes(`\uFEFF${JSON.stringify(answer)}`));
  expect(await createClient({ apiKey, baseUrl: server.baseUrl }).checkEmail('λ@例え.テスト')).toEqual(answer);
});

it('a path in the base address is kept, with or without a slash behind it', async () => {
  await using server = await scriptedServer(json(CHECKED));
  await createClient({ apiKey, baseUrl: `${server.baseUrl}/mail//` }).checkEmail(EMAIL);
  await createClient({ apiKey, baseUrl: ` ${server.baseUrl}/mail\n` }).checkEmail(EMAIL);
  expect(server.seen.map(({ path }) => path)).toEqual(['/mail/v1/check', '/mail/v1/check']);
});
