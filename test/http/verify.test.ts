import { describe, expect, it } from 'vitest';
import { TraceResponse } from '../../src/contract/traces.ts';
import { Verification } from '../../src/contract/verification.ts';
import { startService } from '../support/service.ts';

const service = await startService();
const mine = await service.createOrganisation();

const verify = async (email: string, context?: object, headers: Record<string, string> = {}) => {
  const answer = await service.call('POST', '/v1/verify', mine.keys.member, { email, context }, headers);
  if (answer.status === 200) Verification.strict().parse(answer.body);
  return answer;
};

type Row = [email: string, expected: Partial<Verification>];
const CERTAIN: Partial<Verification> = {
  verdict: 'invalid',
  bounce_probability: 1,
  confidence_interval: [1, 1],
  recommendation: 'drop',
};

const ROWS: Row[] = [
  ['not an address', { ...CERTAIN, reason: 'syntax_invalid', actor_class: 'unknown', mailbox_type: 'unknown' }],
  ['ada@nxdomain.test', { ...CERTAIN, reason: 'no_mx' }],
  ['ada@null-mx.test', { ...CERTAIN, reason: 'no_mx' }],
  [
    'ada@business.test',
    { reasons: [], actor_class: 'human_mailbox', mailbox_type: 'corporate', email_type: 'business' },
  ],
  [
    'ada@gmail.com',
    { actor_class: 'human_mailbox', mailbox_type: 'consumer', email_type: 'free', esp: 'consumer_esp' },
  ],
  ['info@business.test', { actor_class: 'role_account', mailbox_type: 'role', email_type: 'role' }],
  ['x1@privaterelay.appleid.com', { actor_class: 'relay_alias', email_type: 'relay' }],
  ['ada@mailinator.com', { recommendation: 'drop', reason: 'disposable_domain', email_type: 'disposable' }],
  ['ada@servfail.test', { reason: 'mx_unresolved', signals: expect.objectContaining({ mx: null }) }],
];

describe('POST /v1/verify', () => {
  it.each(ROWS)('%j', async (email, expected) => {
    const { status, body } = await verify(email);
    expect(status).toBe(200);
    expect(body).toMatchObject({ email, calibration: 'prior', providers: {}, cost_usd: 0, ...expected });
    expect(body).not.toHaveProperty('degraded');
  });

  it.each([
    'ada@business.test',
    'ada.lovelace@gmail.com',
    'ada@google-workspace.test',
    'ada@microsoft-365.test',
    'ada@servfail.test',
  ])('sends to %s at signup while no provider is configured', async (email) => {
    const { body } = await verify(email, { purpose: 'signup' });
    expect(body.recommendation).toBe('send');
    // The verdict is `unknown` where the mail hosts could not be looked up.
    expect(body.verdict === 'unknown').toBe(email === 'ada@servfail.test');
    const [low, high] = body.confidence_interval;
    expect(low).toBeLessThanOrEqual(body.bounce_probability);
    expect(high).toBeGreaterThanOrEqual(body.bounce_probability);
  });

  // Gmail never gave out an underscore.
  it('drops a signup whose provider gives out no such local part', async () => {
    const { body } = await verify('ada_king@gmail.com', { purpose: 'signup' });
    expect(body.bounce_probability).toBeGreaterThanOrEqual(0.8);
    expect(body.recommendation).toBe('drop');
  });

  it('gives one identity to the spellings of one mailbox, and none to broken syntax', async () => {
    const spellings = ['ada.lovelace@gmail.com', 'AdaLovelace+news@googlemail.com'];
    const [one, two] = await Promise.all(spellings.map(async (email) => (await verify(email)).body.identity_hash));
    expect(one).toBe(two);
    expect((await verify('broken@')).body).not.toHaveProperty('identity_hash');
  });

  it('identities and traces tell nothing across organisations', async () => {
    const other = await service.createOrganisation();
    const theirs = await service.call('POST', '/v1/verify', other.keys.member, { email: 'ada@business.test' });
    const { body } = await verify('ada@business.test');
    expect(body.identity_hash).not.toBe(theirs.body.identity_hash);
    expect((await service.call('GET', `/v1/traces/${body.trace_id}`, other.keys.admin)).status).toBe(404);
  });

  it('answers without mail hosts when DNS hangs', async () => {
    const { body } = await verify('ada@timeout.test', { max_latency_ms: 200 });
    expect(body).toMatchObject({ reason: 'mx_unresolved', signals: { mx: null } });
  });

  it('is refused with 402 once the quota is spent, and the free check still answers', async () => {
    const org = await service.createOrganisation({ verification_quota: 2 });
    const send = () => service.call('POST', '/v1/verify', org.keys.member, { email: 'ada@business.test' });
    expect([(await send()).status, (await send()).status, (await send()).status]).toEqual([200, 200, 402]);
    expect((await send()).body.error.code).toBe('quota_exceeded');
    expect((await service.call('POST', '/v1/check', org.keys.member, { email: 'a@b.test' })).status).toBe(200);
    expect((await service.call('GET', '/v1/usage', org.keys.viewer)).body.quota).toMatchObject({
      used: 2,
      remaining: 0,
    });
  });

  it('a test key is not metered', async () => {
    const org = await service.createOrganisation({ verification_quota: 1 });
    const send = () => service.call('POST', '/v1/verify', org.keys.test, { email: 'ada@business.test' });
    expect([(await send()).status, (await send()).status]).toEqual([200, 200]);
    expect((await service.call('GET', '/v1/usage', org.keys.viewer)).body.quota.used).toBe(0);
  });
});

describe('the minute’s rate', () => {
  const GOOD = { email: 'ada@business.test' };

  it.each([
    ['bodies that are faulty', 400, {}],
    ['bodies that are too large', 413, { ...GOOD, rest: 'x'.repeat(17 * 1024) }],
    ['calls above the key’s role', 403, GOOD],
  ])('%s have one of their own: a flood is 429, and takes nothing from good calls', async (_, status, body) => {
    const org = await service.createOrganisation({ rate_per_minute: 5 });
    const send = () => service.call('POST', '/v1/verify', org.keys[status === 403 ? 'viewer' : 'member'], body);
    for (let i = 0; i < 5; i += 1) expect((await send()).status).toBe(status);
    const over = await send();
    expect([over.status, over.body.error.code]).toEqual([429, 'rate_limited']);
    expect(Number(over.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await service.call('POST', '/v1/verify', org.keys.member, GOOD)).status).toBe(200);
    const usage = await service.call('GET', '/v1/usage', org.keys.viewer);
    expect(usage.body.calls).toMatchObject({ verify: 1, check: 0 });
  });
});

describe('Idempotency-Key', () => {
  const used = async () => (await service.call('GET', '/v1/usage', mine.keys.viewer)).body.quota.used;

  it('charges a repeat once and answers it the same', async () => {
    const before = await used();
    const headers = { 'idempotency-key': 'order-1' };
    const first = await verify('ada@business.test', undefined, headers);
    const second = await verify('ada@business.test', undefined, headers);
    expect(second.body).toEqual(first.body);
    expect(await used()).toBe(before + 1);
  });

  it('is free again at once when the first was answered with an error', async () => {
    const headers = { 'idempotency-key': 'order-4' };
    const send = () =>
      service.call('POST', '/v1/verify', mine.keys.test, { email: 'internal-error@example.com' }, headers);
    expect([(await send()).status, (await send()).status]).toEqual([500, 500]);
  });

  it('refuses another body under the same key with 409', async () => {
    const headers = { 'idempotency-key': 'order-3' };
    await verify('ada@business.test', undefined, headers);
    const { status, body } = await verify('bob@business.test', undefined, headers);
    expect({ status, code: body.error.code }).toEqual({ status: 409, code: 'invalid_request' });
  });
});

describe('GET /v1/traces/:trace_id', () => {
  const read = (id: string, key = mine.keys.viewer) => service.call('GET', `/v1/traces/${id}`, key);

  it('finds a trace as soon as the answer that named it has arrived', async () => {
    const { body } = await verify('Ada.Lovelace@business.test');
    const { trace } = TraceResponse.parse((await read(body.trace_id)).body);
    expect(trace).toMatchObject({
      trace_id: body.trace_id,
      kind: 'verify',
      display: 'a•••@business.test',
      verdict: body.verdict,
    });
    expect(JSON.stringify(trace).toLowerCase()).not.toContain('lovelace');
  });

  it('finds it while the database is down, and after it is back', async () => {
    service.faults.down = true;
    const { body } = await verify('ada@business.test');
    expect(body.trace_id).toMatch(/^vr_/);
    expect((await read(body.trace_id)).status).toBe(200);
    service.faults.down = false;
    expect((await read(body.trace_id)).status).toBe(200);
  });

  it('finds it while the database takes longer than the object waits', async () => {
    service.faults.delayMs = 2_500;
    const { body } = await verify('ada@business.test');
    expect((await read(body.trace_id)).status).toBe(200);
    service.faults.delayMs = 10;
  });

  it('hides it from a manual key below admin that did not write it', async () => {
    const { body } = await verify('ada@business.test');
    const manual = await mine.createKey({ role: 'member', origin: 'manual' });
    const admin = await mine.createKey({ role: 'admin', origin: 'manual' });
    expect((await read(body.trace_id, manual.key)).status).toBe(404);
    expect((await read(body.trace_id, admin.key)).status).toBe(200);
    const own = await service.call('POST', '/v1/verify', manual.key, { email: 'ada@business.test' });
    expect((await read(own.body.trace_id, manual.key)).status).toBe(200);
  });

  it('hides live traces from test keys and test traces from live keys', async () => {
    const live = await verify('ada@business.test');
    expect((await read(live.body.trace_id, mine.keys.test)).status).toBe(404);
    const test = await service.call('POST', '/v1/verify', mine.keys.test, { email: 'ada@business.test' });
    expect((await read(test.body.trace_id, mine.keys.test)).status).toBe(200);
    expect((await read(test.body.trace_id)).status).toBe(404);
  });
});

describe('when the organisation’s object fails', () => {
  const failing = async (error: object, work: () => Promise<void>) => {
    service.objectFault.error = Object.assign(new Error('object'), error);
    try {
      await work();
    } finally {
      service.objectFault.error = null;
    }
  };

  it('overloaded: 429 with Retry-After', () =>
    failing({ overloaded: true }, async () => {
      const { status, headers } = await verify('ada@business.test');
      expect({ status, retryAfter: headers.get('retry-after') }).toEqual({ status: 429, retryAfter: '1' });
    }));

  it('unreachable: a terminal finding needs no provider and is not degraded', () =>
    failing({}, async () => {
      const { body } = await verify('ada@nxdomain.test');
      expect(body).toMatchObject({ verdict: 'invalid', reason: 'no_mx' });
      expect(body).not.toHaveProperty('degraded');
    }));

  it('unreachable: check answers, and every other route is 503 without a word of the cause', () =>
    failing({}, async () => {
      expect((await service.call('POST', '/v1/check', mine.keys.viewer, { email: 'ada@business.test' })).status).toBe(
        200,
      );
      const { status, headers, body } = await service.call('GET', '/v1/me', mine.keys.viewer);
      expect({ status, code: body.error.code }).toEqual({ status: 503, code: 'dependency_unavailable' });
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
      expect(JSON.stringify(body)).not.toContain('object');
    }));
});
