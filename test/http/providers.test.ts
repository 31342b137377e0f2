import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { TraceResponse } from '../../src/contract/traces.ts';
import { Verification } from '../../src/contract/verification.ts';
import { createApp } from '../../src/entrypoints/http/app.ts';
import { openDeps } from '../../src/runtime/wiring.ts';
import { startService } from '../support/service.ts';
import { replay } from '../unit/answer/replay.ts';

type Vendor = 'kickbox' | 'bouncer';
type Script = 'deliverable' | 'undeliverable' | 'unknown' | 'down' | 'hangs' | 'garbage' | 'waits';
const script: Record<Vendor, Script> = { kickbox: 'deliverable', bouncer: 'deliverable' };
let asked: Vendor[] = [];
/** A vendor that `waits` answers once this settles. */
let released: Promise<unknown> = Promise.resolve();

/** Both vendors on this machine, each in its own wire form, doing what the script says. */
const vendors = createServer((request, response) => {
  const vendor: Vendor = request.url?.startsWith('/v1.1/') ? 'bouncer' : 'kickbox';
  asked.push(vendor);
  const says = script[vendor];
  if (says === 'hangs') return;
  if (says === 'down') return void request.socket.destroy();
  if (says === 'garbage') return void response.end('<html>');
  response.setHeader('content-type', 'application/json');
  const result = says === 'waits' ? 'deliverable' : says;
  const reason = { deliverable: 'accepted_email', undeliverable: 'rejected_email', unknown: 'timeout' }[result];
  const reply = vendor === 'kickbox' ? { success: true, result, reason, role: false } : { status: result, reason };
  void released.then(() => response.end(JSON.stringify(reply)));
});
vendors.listen(0, '127.0.0.1');
await once(vendors, 'listening');
const origin = `http://127.0.0.1:${(vendors.address() as AddressInfo).port}`;
const KICKBOX = { KICKBOX_API_KEY: 'live_key', KICKBOX_BASE_URL: origin, KICKBOX_COST_USD: '0.004' };
const BOUNCER = { BOUNCER_API_KEY: 'live_key', BOUNCER_BASE_URL: origin, BOUNCER_COST_USD: '0.002' };
const service = await startService(KICKBOX);
const mine = await service.createOrganisation();
afterAll(() => {
  vendors.closeAllConnections();
  vendors.close();
});
beforeEach(() => {
  script.kickbox = 'deliverable';
  script.bouncer = 'deliverable';
  asked = [];
});

type Request = typeof service.request;

/** Verifies with a key, and reads traces. */
function client(request: Request, key: string) {
  const authorization = `Bearer ${key}`;
  return {
    async verify(email: string, context: object = {}): Promise<Verification> {
      const headers = { authorization, 'content-type': 'application/json' };
      const body = JSON.stringify({ email, context });
      const response = await request('/v1/verify', { method: 'POST', headers, body });
      expect(response.status).toBe(200);
      await service.settle();
      return Verification.strict().parse(await response.json());
    },
    async traceOf({ trace_id }: Verification) {
      const response = await request(`/v1/traces/${trace_id}`, { headers: { authorization } });
      return TraceResponse.parse(await response.json()).trace;
    },
  };
}
const { verify, traceOf } = client(service.request, mine.keys.member);

describe('a verification with a provider', () => {
  it('asks when the answer is worth the price, shows the receipt, and counts the spend', async () => {
    const before = (await service.call('GET', '/v1/usage', mine.keys.viewer)).body.provider_spend_usd;
    const prior = await verify('a@google-workspace.test', { max_cost_usd: 0 });
    const answer = await verify('a@google-workspace.test');
    expect(answer.providers).toMatchObject({ kickbox: { verdict: 'deliverable', cost: 0.004, reason: 'accepted' } });
    expect(answer).toMatchObject({ cost_usd: 0.004, disagreement: 0, cache: { hit: false }, recommendation: 'send' });
    expect(answer.bounce_probability).toBeLessThan(prior.bounce_probability);
    const after = (await service.call('GET', '/v1/usage', mine.keys.viewer)).body.provider_spend_usd;
    expect(after - before).toBeCloseTo(0.004, 9);
  });

  it('keeps what was learnt, for this organisation alone, and asks no second time', async () => {
    await verify('b@google-workspace.test');
    asked = [];
    const again = await verify('B@google-workspace.test');
    expect(again).toMatchObject({ providers: {}, cost_usd: 0, cache: { hit: true } });
    expect(again.cache.ttl_s).toBeGreaterThan(0);
    expect(asked).toEqual([]);
    const other = await service.createOrganisation();
    await client(service.request, other.keys.member).verify('b@google-workspace.test');
    expect(asked).toEqual(['kickbox']);
  });

  it('does not show that another organisation asked about his address or its domain', async () => {
    const [theirs, other] = [await service.createOrganisation(), await service.createOrganisation()];
    const { verify: look } = client(service.request, other.keys.member);
    const seen = async () => {
      const { trace_id, latency_ms, ...rest } = await look('vanity@zoho.test', { max_cost_usd: 0 });
      const { features } = await client(service.request, other.keys.member).traceOf({ trace_id } as Verification);
      // The two requests may fall into different seconds.
      return { ...rest, features: { ...features, t0: 0 } };
    };
    const before = await seen();
    script.kickbox = 'undeliverable';
    await client(service.request, theirs.keys.member).verify('vanity@zoho.test');
    await client(service.request, theirs.keys.member).verify('other@zoho.test');
    expect(asked).toEqual(['kickbox', 'kickbox']);
    expect(await seen()).toEqual(before);
    expect(before.cache).toEqual({ hit: false, ttl_s: 0 });
  });

  it('does not outweigh the account’s own rules: they are in force on a cache hit too, without a call', async () => {
    const org = await service.createOrganisation();
    const theirs = client(service.request, org.keys.member);
    const email = 'rules@google-workspace.test';
    const change = (method: string, body: object) =>
      service.call(method, '/v1/addresses/blocklist', org.keys.member, body);
    await theirs.verify(email);
    asked = [];
    await change('POST', { emails: [email] });
    expect(await theirs.verify(email)).toMatchObject({
      verdict: 'invalid',
      bounce_probability: 1,
      recommendation: 'drop',
      reasons: ['address_blocklisted'],
      providers: {},
      cost_usd: 0,
    });
    await change('DELETE', { emails: [email] });
    await service.call('POST', '/v1/domains/allowlist', org.keys.member, { domains: ['google-workspace.test'] });
    expect(await theirs.verify(email)).toMatchObject({
      cache: { hit: true },
      reason: 'domain_allowlisted',
      reasons: ['domain_allowlisted'],
    });
    expect(asked).toEqual([]);
  });

  it.each([
    ['signup', 'challenge'],
    ['outbound', 'drop'],
  ] as const)('a refusal is believed: for %s it says %s', async (purpose, recommendation) => {
    script.kickbox = 'undeliverable';
    const answer = await verify(`c-${purpose}@google-workspace.test`, { purpose });
    expect(answer.bounce_probability).toBeGreaterThan(0.5);
    expect(answer).toMatchObject({ recommendation, verdict: expect.stringContaining('invalid') });
  });

  it.each([
    ['down', ['unreachable']],
    // The vendor's time limit and the request's ceiling end at the same moment.
    ['hangs', ['timeout', 'abandoned']],
    ['garbage', ['malformed']],
  ] as const)('a provider that is %s: 200, the prior, degraded', async (says, kinds) => {
    script.kickbox = says;
    const org = await service.createOrganisation();
    const email = `${says}@microsoft-365.test`;
    const theirs = client(service.request, org.keys.member);
    const answer = await theirs.verify(email, { max_latency_ms: 1_000 });
    expect(answer).toMatchObject({
      verdict: 'unknown',
      calibration: 'prior',
      degraded: true,
      providers: {},
      cost_usd: 0,
    });
    const trace = await theirs.traceOf(answer);
    expect(trace.degraded).toBe(true);
    expect(trace.provider_failures).toEqual([
      { provider: 'kickbox', kind: expect.toBeOneOf([...kinds]), ms: expect.any(Number), may_cost_usd: 0.004 },
    ]);
    expect(JSON.stringify(trace)).not.toContain(email);
  });

  it('replays the route: every candidate, its value, and the choice', async () => {
    const answer = await verify('d@zoho.test');
    const trace = await traceOf(answer);
    expect(trace.route?.[0]).toMatchObject({
      choice: 'kickbox',
      candidates: [{ provider: 'kickbox', price_usd: 0.004 }],
    });
    expect(trace.route?.at(-1)).toMatchObject({ choice: 'stop', excluded: [{ provider: 'kickbox', why: 'asked' }] });
  });

  it.each([
    ['a provider', 'h@google-workspace.test', {}],
    ['stored evidence about it', 'h@google-workspace.test', {}],
    ['stored evidence about its domain', 'i@google-workspace.test', { max_cost_usd: 0 }],
    ['its host alone', 'j@mimecast.test', { max_cost_usd: 0 }],
    ['a finding', 'j@null-mx.test', {}],
  ])('the trace gives the number again, from %s', async (_, email, context) => {
    const answer = await verify(email, context);
    const trace = await traceOf(answer);
    expect(replay(trace)).toEqual({
      belief: { probability: answer.bounce_probability, interval: answer.confidence_interval },
      disagreement: answer.disagreement,
    });
  });

  it.each([
    ['a terminal finding', 'e@nxdomain.test', {}],
    ['a cost ceiling of 0', 'e@zoho.test', { max_cost_usd: 0 }],
    ['a ceiling below the price', 'e@zoho.test', { max_cost_usd: 0.0039 }],
    ['a latency ceiling of 0', 'e@zoho.test', { max_latency_ms: 0 }],
  ])('asks no provider for %s, and is not degraded', async (_, email, context) => {
    const answer = await verify(email, context);
    expect(asked).toEqual([]);
    expect(answer).toMatchObject({ providers: {}, cost_usd: 0 });
    expect(answer).not.toHaveProperty('degraded');
  });

  it('a test key pays no provider and learns nothing', async () => {
    const writes = service.calls.kvWrites;
    expect(await client(service.request, mine.keys.test).verify('f@business.test')).toMatchObject({
      providers: {},
      cost_usd: 0,
    });
    expect(asked).toEqual([]);
    expect(service.calls.kvWrites - writes).toBeLessThanOrEqual(1);
  });

  it('stores no address anywhere in the cache', async () => {
    await verify('grace.hopper@google-workspace.test');
    const stored = JSON.stringify([...service.facts]);
    expect(stored).toContain('mail_hosts');
    expect(stored).not.toContain('evidence');
    expect(stored.toLowerCase()).not.toContain('grace');
  });
});

describe('a hundred requests with one Idempotency-Key, side by side', () => {
  it.each([
    ['/v1/verify', 'verify'],
    ['/v1/decide', 'decide'],
  ])('%s: one is charged and pays a provider, the others wait for its answer', async (path, meter) => {
    const org = await service.createOrganisation({ verification_quota: 1 });
    const email = `one-of-a-hundred-${meter}@google-workspace.test`;
    const context = { purpose: 'outbound', max_latency_ms: 30_000 };
    const send = () => service.call('POST', path, org.keys.member, { email, context }, { 'idempotency-key': 'k' });
    let release: (value?: unknown) => void = () => undefined;
    released = new Promise((resolve) => {
      release = resolve;
    });
    script.kickbox = 'waits';
    let refused = 0;
    const sendAndTell = async () => {
      const answer = await send();
      if (answer.status === 200) return answer;
      const told = [answer.status, answer.body.error.code, answer.headers.get('retry-after')];
      expect(told).toEqual([409, 'request_in_progress', '1']);
      refused += 1;
      // The first is answered when all the others are.
      if (refused === 99) release();
      return answer;
    };
    const answers = await Promise.all(Array.from({ length: 100 }, sendAndTell));
    const [answered, ...more] = answers.filter(({ status }) => status === 200);
    expect([more.length, refused, asked]).toEqual([0, 99, ['kickbox']]);
    expect((await send()).body).toEqual(answered?.body);
    expect(asked).toEqual(['kickbox']);
    expect((await service.call('GET', '/v1/usage', org.keys.viewer)).body).toMatchObject({
      calls: { [meter]: 1 },
      provider_spend_usd: 0.004,
      quota: { used: 1 },
    });
  });
});

describe('a verification with two providers', () => {
  /** Another isolate of the same service, with both vendors on. */
  const app = createApp(openDeps);
  const env = { ...service.env, ...BOUNCER };
  const deferred: Promise<unknown>[] = [];
  const context = { waitUntil: (work: Promise<unknown>) => void deferred.push(work) };
  const request: Request = async (path, init) => {
    const response = await app.request(path, init, env, context as never);
    await Promise.allSettled(deferred);
    return response;
  };
  const { verify: ask, traceOf: traceFor } = client(request, mine.keys.member);
  const counters = async () =>
    (await service.call('GET', '/operator/v1/status', service.operatorKey)).body.last_24h.counters;
  const spend = async () => (await service.call('GET', '/v1/usage', mine.keys.viewer)).body.provider_spend_usd;

  it('asks the better buy first, and stops once it has answered', async () => {
    const answer = await ask('a@two-a.bulk.test');
    expect(asked).toEqual(['bouncer']);
    expect(answer).toMatchObject({ providers: { bouncer: { verdict: 'deliverable', cost: 0.002 } }, cost_usd: 0.002 });
  });

  it('routes around one that is down: the other’s answer counts, and nothing is degraded', async () => {
    script.bouncer = 'down';
    const [prior, before] = [await ask('b@two-b.bulk.test', { max_cost_usd: 0 }), await spend()];
    const answer = await ask('b@two-b.bulk.test');
    expect(asked).toEqual(['bouncer', 'kickbox']);
    expect(answer).toMatchObject({ providers: { kickbox: { verdict: 'deliverable' } }, cost_usd: 0.004 });
    expect(answer).not.toHaveProperty('degraded');
    expect(answer.bounce_probability).toBeLessThan(prior.bounce_probability);
    expect((await traceFor(answer)).provider_failures).toMatchObject([
      { provider: 'bouncer', kind: 'unreachable', may_cost_usd: 0.002 },
    ]);
    // The month counts every call that may be billed; `cost_usd` counts answers alone.
    expect((await spend()) - before).toBeCloseTo(0.006, 9);
  });

  it('shows both receipts where they differ, how far apart they are, and the sum they cost', async () => {
    script.bouncer = 'undeliverable';
    const answer = await ask('c@two-c.bulk.test');
    expect(answer).toMatchObject({
      providers: {
        bouncer: { verdict: 'undeliverable', cost: 0.002, reason: 'mailbox_not_found' },
        kickbox: { verdict: 'deliverable', cost: 0.004, reason: 'accepted' },
      },
      cost_usd: 0.006,
    });
    expect(answer.disagreement).toBeGreaterThan(0.5);
    const trace = await traceFor(answer);
    expect(trace).toMatchObject({ cost_usd: 0.006, cache_hit: false, degraded: false });
    expect(replay(trace).disagreement).toBe(answer.disagreement);
  });

  it('an answer that one leaves open is degraded while the other is down, at once and from the cache', async () => {
    Object.assign(script, { bouncer: 'unknown', kickbox: 'down' } satisfies typeof script);
    for (const providers of [{ bouncer: { verdict: 'unknown' } }, {}]) {
      const answer = await ask('d@google-workspace-single.test');
      expect(answer).toMatchObject({ verdict: 'unknown', degraded: true });
      expect(answer.providers).toMatchObject(providers);
    }
  });

  it('counts what each did, for the operator', async () => {
    const before = await counters();
    script.bouncer = 'down';
    await ask('e@two-e.bulk.test');
    const after = await counters();
    const grown = (name: string) => after[name].sum - (before[name]?.sum ?? 0);
    expect(grown('provider_failed:bouncer:unreachable')).toBe(1);
    expect(grown('provider_owed_micros:bouncer')).toBe(2_000);
    expect(grown('provider_spend_micros:kickbox')).toBe(4_000);
    expect(after['provider_ms:kickbox'].count - before['provider_ms:kickbox'].count).toBe(1);
  });

  it('no longer asks one that has failed often, says so, and is degraded when both have', async () => {
    Object.assign(script, { bouncer: 'down', kickbox: 'down' } satisfies typeof script);
    for (let i = 0; i < 5; i += 1) await ask(`f${i}@two-f.bulk.test`);
    asked = [];
    const answer = await ask('g@two-f.bulk.test');
    expect(asked).toEqual([]);
    expect(answer).toMatchObject({ verdict: 'unknown', degraded: true, providers: {}, cost_usd: 0 });
    const trace = await traceFor(answer);
    expect(trace.provider_failures).toEqual([]);
    expect(trace.route).toMatchObject([
      {
        choice: 'stop',
        missed: true,
        excluded: [
          { provider: 'kickbox', why: 'circuit_open' },
          { provider: 'bouncer', why: 'circuit_open' },
        ],
      },
    ]);
    expect(await ask('h@two-f.bulk.test', { max_cost_usd: 0 })).not.toHaveProperty('degraded');
  });
});
