import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ErrorEnvelope } from '../../src/contract/error.ts';
import { takesNoBody } from '../../src/contract/route.ts';
import { MCP } from '../../src/contract/mcp.ts';
import { BODY_CASES } from '../support/http-table.ts';
import { startService } from '../support/service.ts';

const service = await startService();
const mine = await service.createOrganisation();

const usage = async () => (await service.call('GET', '/v1/usage', mine.keys.viewer)).body;
let before: unknown;
beforeEach(async () => {
  before = await usage();
});
afterEach(async () => expect(await usage()).toEqual(before));

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const JSON_TYPE = { 'content-type': 'application/json' };

interface BadBody {
  readonly name: string;
  readonly body: BodyInit;
  readonly headers: Record<string, string>;
  readonly status: number;
}

const EMPTY: BadBody = { name: 'an empty body', body: '', headers: JSON_TYPE, status: 400 };
const badBodies = (limitBytes: number): BadBody[] => [
  { name: 'no JSON', body: 'email=a@b.c', headers: JSON_TYPE, status: 400 },
  { name: 'truncated JSON', body: '{"email":', headers: JSON_TYPE, status: 400 },
  { name: 'a JSON string', body: '"a@example.com"', headers: JSON_TYPE, status: 400 },
  { name: 'a JSON array', body: '[]', headers: JSON_TYPE, status: 400 },
  { name: 'null', body: 'null', headers: JSON_TYPE, status: 400 },
  { name: 'no content type', body: utf8('{}') as BodyInit, headers: {}, status: 400 },
  { name: 'a form', body: 'a=b', headers: { 'content-type': 'application/x-www-form-urlencoded' }, status: 400 },
  { name: 'a text type', body: '{}', headers: { 'content-type': 'text/plain' }, status: 400 },
  {
    name: 'invalid UTF-8',
    body: new Uint8Array([0x22, 0xff, 0xfe, 0x22]) as BodyInit,
    headers: JSON_TYPE,
    status: 400,
  },
  {
    name: 'a truncated UTF-8 sequence',
    body: new Uint8Array([0x22, 0xe2, 0x82]) as BodyInit,
    headers: JSON_TYPE,
    status: 400,
  },
  { name: 'deep nesting', body: '['.repeat(8_000) + ']'.repeat(8_000), headers: JSON_TYPE, status: 400 },
  { name: 'one byte over the limit', body: `{"x":"${'a'.repeat(limitBytes - 7)}"}`, headers: JSON_TYPE, status: 413 },
  { name: '10 MB', body: 'a'.repeat(10 * 2 ** 20), headers: JSON_TYPE, status: 413 },
  {
    name: '10 MB behind a Content-Length of 2',
    body: 'a'.repeat(10 * 2 ** 20),
    headers: { ...JSON_TYPE, 'content-length': '2' },
    status: 413,
  },
];

describe.each(BODY_CASES)('$method $route.path', async ({ method, path, route }) => {
  // An organisation of its own for the few routes with a low rate.
  const { keys } = route.rate === 'analysis' ? await service.createOrganisation() : mine;
  const key = route.access === 'operator' ? service.operatorKey : keys.admin;

  it.each([...(takesNoBody(route) ? [] : [EMPTY]), ...badBodies(route.body?.limitBytes ?? 0)])(
    'refuses $name with $status, charging nothing',
    async ({ body, headers, status }) => {
      const response = await service.request(path, {
        method,
        body,
        headers: { ...headers, authorization: `Bearer ${key}` },
      });
      const answer = (await response.json()) as { error: { data?: unknown } };
      // JSON-RPC carries the envelope as its error's data.
      const { error } = ErrorEnvelope.parse(path === MCP.path ? answer.error.data : answer);
      expect({ status: response.status, code: error.code }).toEqual({ status, code: 'invalid_request' });
    },
  );

  it('stops reading an endless body', async () => {
    let sent = 0;
    const chunk = new Uint8Array(2 ** 16);
    const endless = new ReadableStream({
      pull(controller) {
        sent += chunk.byteLength;
        controller.enqueue(chunk);
      },
    });
    const init = { method, body: endless, duplex: 'half', headers: { ...JSON_TYPE, authorization: `Bearer ${key}` } };
    const response = await service.request(path, init);
    expect(response.status).toBe(413);
    expect(sent).toBeLessThan(65 * 2 ** 20);
  });
});

const FAULTS: [path: string, body: unknown, message: RegExp][] = [
  ['/v1/check', {}, /`email` is required/],
  ['/v1/check', { email: '' }, /`email` must not be empty/],
  ['/v1/check', { email: 7 }, /`email` must be of type string/],
  ['/v1/check', { email: null }, /`email` must be of type string/],
  ['/v1/check', { email: ['a@example.com'] }, /`email` must be of type string/],
  ['/v1/check', { email: `${'a'.repeat(400)}@example.com` }, /`email` must be at most 320/],
  ['/v1/verify', { email: 'a@example.com', context: 'signup' }, /`context` must be of type object/],
  [
    '/v1/verify',
    { email: 'a@example.com', context: { purpose: 'spam' } },
    /`context.purpose` must be one of outbound, signup, list_hygiene/,
  ],
  [
    '/v1/verify',
    { email: 'a@example.com', context: { max_cost_usd: -1 } },
    /`context.max_cost_usd` must be at least 0/,
  ],
  [
    '/v1/verify',
    { email: 'a@example.com', context: { max_cost_usd: '1' } },
    /`context.max_cost_usd` must be of type number/,
  ],
  [
    '/v1/verify',
    { email: 'a@example.com', context: { max_latency_ms: -0.5 } },
    /`context.max_latency_ms` must be at least 0/,
  ],
  [
    '/v1/verify',
    { email: 'a@example.com', context: { sender_domain: 'not a domain' } },
    /`context.sender_domain` must be a domain name/,
  ],
  ['/v1/verify', { email: 'a@example.com', purpose: 'signup' }, /^`purpose` belongs in `context.purpose`\.$/],
  [
    '/v1/decide',
    { email: 'a@example.com', context: { attributes: {} } },
    /^`context.attributes` belongs in `attributes`\.$/,
  ],
  ['/v1/domains/blocklist', {}, /`domains` is required/],
  ['/v1/domains/blocklist', { domains: 'spam.example.com' }, /`domains` must be of type array/],
  ['/v1/domains/blocklist', { domains: [] }, /`domains` must not be empty/],
  ['/v1/domains/blocklist', { domains: ['example.com', 7] }, /`domains\[1\]` must be of type string/],
  ['/v1/domains/allowlist', { domains: Array(1_001).fill('example.com') }, /`domains` must be at most 1000 entries/],
  ['/v1/domains/blocklist', { domains: ['example.com'], note: 7 }, /`note` must be of type string/],
  ['/v1/domains/blocklist', { domains: ['example.com'], note: 'x'.repeat(501) }, /`note` must be at most 500/],
  [
    '/v1/domains/blocklist',
    { domains: ['example.com'], note: 'a\u0000' },
    /`note` must not contain control characters/,
  ],
  ['/v1/domains/blocklist', { domains: ['example.com'], note: '\ud800' }, /`note` must not contain control characters/],
  [
    '/v1/domains/blocklist',
    { domains: ['example.com'], note: 'see a@example.com' },
    /`note` must not contain an email/,
  ],
  ['/v1/addresses/blocklist', {}, /The body must have either `emails` or `trace_ids`/],
  ['/v1/addresses/blocklist', { emails: ['a@example.com'], trace_ids: ['vr_1'] }, /either `emails` or `trace_ids`/],
  ['/v1/addresses/allowlist', { trace_ids: Array(1_001).fill('vr_1') }, /`trace_ids` must be at most 1000 entries/],
  ['/v1/domains/check', {}, /`domain` is required/],
  ['/v1/domains/check', { domain: 'https://example.com' }, /`domain` is not a domain name/],
  ['/v1/domains/check', { domain: 'com' }, /`domain` is not a domain name/],
  ['/v1/addresses/check', { email: 'example.com' }, /`email` is not an address/],
];

describe('a wrong field', () => {
  it.each(FAULTS)('%s %j is named by its path, without its value', async (path, body, message) => {
    const { status, body: answer } = await service.call('POST', path, mine.keys.member, body);
    expect({ status, code: answer.error.code }).toEqual({ status: 400, code: 'invalid_request' });
    expect(answer.error.message).toMatch(message);
    expect(answer.error.message).not.toContain('example.com');
  });

  it('a number JSON cannot hold is refused', async () => {
    for (const number of ['1e999', '-1e999', 'NaN']) {
      const body = `{"email":"a@example.com","context":{"max_cost_usd":${number}}}`;
      expect((await service.call('POST', '/v1/verify', mine.keys.member, body)).status).toBe(400);
    }
  });
});

describe('a change by the operator', () => {
  const changes = BODY_CASES.filter(({ route, method }) => route.access === 'operator' && method === 'PATCH');

  it.each(changes)(
    'with a field that is not known is refused, and names it: $route.path',
    async ({ method, body, route }) => {
      const change = (field: string) =>
        service.call(method, route.path.replace(':id', mine.id), service.operatorKey, {
          ...(body as object),
          [field]: 1,
        });
      const { status, body: answer } = await change('verification_qouta');
      expect([status, answer.error.message]).toEqual([
        400,
        'The body has a field that is not known here: `verification_qouta`.',
      ]);
      expect((await change('ada@example.com')).body.error.message).toBe('The body has a field that is not known here.');
    },
  );
});

describe('odd but legal requests', () => {
  it.each([
    ['no body', {}],
    ['an empty one', { body: '' }],
    ['an empty one that is called JSON', { body: '', headers: JSON_TYPE }],
  ])('a POST whose fields are all optional takes %s as `{}`', async (_, init: RequestInit) => {
    const { keys } = await service.createOrganisation();
    const post = (path: string, key: string, sent: RequestInit) =>
      service.request(path, { method: 'POST', ...sent, headers: { ...sent.headers, authorization: `Bearer ${key}` } });
    const created = await post('/v1/bulk/jobs', keys.member, init);
    const { job } = await created.json<{ job: { id: string } }>();
    await service.call('POST', `/v1/bulk/jobs/${job.id}/paste`, keys.member, { emails: ['a@example.com'] });
    const started = await post(`/v1/bulk/jobs/${job.id}/start`, keys.member, init);
    const organisation = await post('/operator/v1/organisations', service.operatorKey, init);
    expect([created.status, started.status, organisation.status]).toEqual([201, 202, 201]);
  });

  it('a path that cannot be decoded is 404 or 400, never 500', async () => {
    expect([400, 404]).toContain((await service.call('GET', '/v1/traces/%ff', mine.keys.viewer)).status);
  });

  it('an Idempotency-Key of the wrong form is 400', async () => {
    for (const key of ['', 'two words', 'x'.repeat(129)]) {
      const headers = { 'idempotency-key': key };
      const { status } = await service.call(
        'POST',
        '/v1/verify',
        mine.keys.member,
        { email: 'a@example.com' },
        headers,
      );
      expect(status).toBe(400);
    }
  });
});
