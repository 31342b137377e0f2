import { describe, expect, it } from 'vitest';
import { onPort } from '../support/on-port.ts';
import { startService } from '../support/service.ts';

let asked = 0;
const vendor = await onPort(async () => {
  asked += 1;
  return Response.json({ success: true, result: 'undeliverable', reason: 'rejected_email', role: false });
});
const service = await startService();
const withVendor = await startService({ KICKBOX_API_KEY: 'k', KICKBOX_BASE_URL: vendor, KICKBOX_COST_USD: '0.004' });

type Service = typeof service;
type Organisation = Awaited<ReturnType<Service['createOrganisation']>>;

async function verify(on: Service, { keys }: Organisation, email: string, headers: Record<string, string> = {}) {
  const before = on.calls.object;
  const { status, body } = await on.call('POST', '/v1/verify', keys.member, { email }, headers);
  const trips = on.calls.object - before;
  await on.settle();
  return { status, body, trips };
}
const traceOf = async (on: Service, { keys }: Organisation, id: string) =>
  (await on.call('GET', `/v1/traces/${id}`, keys.viewer)).body.trace;

const EMAILS = [
  'ada.lovelace@d11.bulk.test',
  'info@d11.bulk.test',
  'ada+tag@google-workspace.test',
  'grace@gmail.com',
  'x7k2q9w@mailinator.com',
  'ada@no-mx.test',
  'ada@gmial.com',
];

describe('a verification in one trip to the organisation’s object', () => {
  it.each(EMAILS)('answers %s in one, and its trace says the same', async (email) => {
    const mine = await service.createOrganisation();
    const { status, body, trips } = await verify(service, mine, email);
    expect([status, trips]).toEqual([200, 1]);
    const trace = await traceOf(service, mine, body.trace_id);
    for (const field of ['verdict', 'bounce_probability', 'recommendation', 'reasons', 'latency_ms', 'signals'])
      expect(trace[field], field).toEqual(body[field]);
  });

  it('takes one also with a history, a rule, an Idempotency-Key and a test key', async () => {
    const mine = await service.createOrganisation();
    const trips = async (email: string, headers = {}) => (await verify(service, mine, email, headers)).trips;
    const outcomes = [{ email: 'ada@d14.bulk.test', outcome: 'hard_bounce', at: Math.floor(Date.now() / 1_000) }];
    await service.call('POST', '/v1/outcomes/import', mine.keys.member, { outcomes });
    await service.call('POST', '/v1/domains/allowlist', mine.keys.admin, { domains: ['d15.bulk.test'] });
    const test = { ...mine, keys: { ...mine.keys, member: mine.keys.test } };
    expect([
      await trips('ada@d14.bulk.test'),
      await trips('ada@d15.bulk.test'),
      await trips('bob@d14.bulk.test', { 'idempotency-key': 'k' }),
      await trips('bob@d14.bulk.test', { 'idempotency-key': 'k' }),
      (await verify(service, test, 'ada@d14.bulk.test')).trips,
    ]).toEqual([1, 1, 1, 1, 1]);
  });

  it('is charged once, and its trace is there at once', async () => {
    const mine = await service.createOrganisation();
    for (let i = 0; i < 5; i += 1) {
      const { body } = await verify(service, mine, `person${i}@d12.bulk.test`);
      expect(await traceOf(service, mine, body.trace_id)).toMatchObject({ display: `p•••@d12.bulk.test` });
    }
    expect((await service.call('GET', '/v1/usage', mine.keys.viewer)).body.calls.verify).toBe(5);
  });

  it.each<[string, (mine: Organisation) => Promise<unknown>, object]>([
    [
      'a rule on the address',
      ({ keys }) => service.call('POST', '/v1/addresses/blocklist', keys.admin, { emails: ['ada@d13.bulk.test'] }),
      { status: 200, body: { recommendation: 'drop' } },
    ],
    [
      'a rule on the domain',
      ({ keys }) => service.call('POST', '/v1/domains/blocklist', keys.admin, { domains: ['d13.bulk.test'] }),
      { status: 200, body: { recommendation: 'drop' } },
    ],
    [
      'other losses',
      ({ keys }) => {
        const careless = { bounce: 0.01, contact_lost: 9, held_good: 5, held_bad: 5 };
        return service.call('PUT', '/v1/losses', keys.admin, { signup: careless });
      },
      { status: 200, trips: 1, body: { recommendation: 'send' } },
    ],
    [
      'a revoked key',
      async ({ id, keys }) => {
        const { body } = await service.call('GET', '/v1/keys', keys.admin);
        for (const key of body.keys as { id: string; role: string }[])
          if (key.role === 'member') await service.objectOf(id).object.revokeKey(key.id as `key_${string}`);
      },
      { status: 401, trips: 1 },
    ],
    [
      'a spent quota',
      ({ id }) => service.objectOf(id).object.configure({ limits: { verificationQuota: 1 } }),
      { status: 402, trips: 1 },
    ],
  ])('knows at once of %s', async (_, change, answer) => {
    const mine = await service.createOrganisation();
    await verify(service, mine, 'someone@d13.bulk.test');
    await change(mine);
    expect(await verify(service, mine, 'ada@d13.bulk.test')).toMatchObject(answer);
  });

  it('continues without the object when that gives no answer: degraded, with its trace', async () => {
    const mine = await service.createOrganisation();
    await verify(service, mine, 'someone@d16.bulk.test');
    // The stub looks twice: whether there is one, and which.
    let failures = 2;
    Object.defineProperty(service.objectFault, 'error', {
      get: () => (failures-- > 0 ? new Error('out of reach') : null),
    });
    const { body } = await verify(service, mine, 'ada@d16.bulk.test');
    expect(body).toMatchObject({ degraded: true, verdict: 'unknown' });
    await verify(service, mine, 'grace@d16.bulk.test');
    const { calls } = (await service.call('GET', '/v1/usage', mine.keys.viewer)).body;
    expect(calls.verify).toBe(3);
    expect(await traceOf(service, mine, body.trace_id)).toMatchObject({
      degraded: true,
      display: 'a•••@d16.bulk.test',
    });
  });
});

describe('a verification that is worth a provider’s price', () => {
  it('asks it once, and only when the request is authorized', async () => {
    const mine = await withVendor.createOrganisation();
    await verify(withVendor, mine, 'someone@google-workspace.test', {});
    const before = asked;
    const { body } = await verify(withVendor, mine, 'ada@google-workspace.test');
    expect(body.providers).toHaveProperty('kickbox');
    expect(asked).toBe(before + 1);
  });

  it('lets repeats under an Idempotency-Key wait while the first is at work: 409, and the same answer afterwards', async () => {
    const mine = await withVendor.createOrganisation();
    const [before, headers] = [asked, { 'idempotency-key': 'order-2' }];
    const send = () =>
      withVendor.call('POST', '/v1/verify', mine.keys.member, { email: 'ada@google-workspace.test' }, headers);
    const answers = await Promise.all(Array.from({ length: 8 }, send));
    const [first, ...others] = answers.filter(({ status }) => status === 200);
    expect(others).toEqual([]);
    for (const { status, headers: sent, body } of answers.filter((answer) => answer !== first)) {
      expect({ status, code: body.error.code }).toEqual({ status: 409, code: 'request_in_progress' });
      expect(sent.get('retry-after')).toBe('1');
    }
    expect((await send()).body).toEqual(first?.body);
    expect(asked).toBe(before + 1);
    expect((await withVendor.call('GET', '/v1/usage', mine.keys.viewer)).body.quota.used).toBe(1);
  });

  it('asks none where the key was revoked meanwhile', async () => {
    const mine = await withVendor.createOrganisation();
    const { body: cheap } = await withVendor.call('POST', '/v1/verify', mine.keys.member, {
      email: 'someone@google-workspace.test',
      context: { max_cost_usd: 0 },
    });
    expect(cheap.providers).toEqual({});
    const { body } = await withVendor.call('GET', '/v1/keys', mine.keys.admin);
    for (const { id, role } of body.keys as { id: `key_${string}`; role: string }[])
      if (role === 'member') await withVendor.objectOf(mine.id).object.revokeKey(id);
    const before = asked;
    expect(await verify(withVendor, mine, 'ada@google-workspace.test')).toMatchObject({ status: 401, trips: 1 });
    expect(asked).toBe(before);
  });
});
