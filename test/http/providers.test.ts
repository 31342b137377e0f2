import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { type Trace, TraceResponse } from '../../src/contract/traces.ts';
import { Verification } from '../../src/contract/verification.ts';
import { conclude } from '../../src/domain/verification/conclusion.ts';
import type { HostClass } from '../../src/domain/verification/host-class.ts';
import { SEEDED_MODEL } from '../../src/domain/verification/model.ts';
import type { ProviderId } from '../../src/domain/verification/provider.ts';
import { startService } from '../support/service.ts';

/** A vendor on this machine, in Kickbox's wire form, that does what its script says. */
type Script = 'deliverable' | 'undeliverable' | 'down' | 'hangs' | 'garbage';
const script: { kickbox: Script } = { kickbox: 'deliverable' };
let asked: string[] = [];

const vendors = createServer((request, response) => {
  asked.push('kickbox');
  const says = script.kickbox;
  if (says === 'hangs') return;
  if (says === 'down') return void request.socket.destroy();
  if (says === 'garbage') return void response.end('<html>');
  response.setHeader('content-type', 'application/json');
  const reason = says === 'deliverable' ? 'accepted_email' : 'rejected_email';
  response.end(JSON.stringify({ success: true, result: says, reason, role: false }));
});
vendors.listen(0, '127.0.0.1');
await once(vendors, 'listening');
const origin = `http://127.0.0.1:${(vendors.address() as AddressInfo).port}`;
const service = await startService({
  KICKBOX_API_KEY: 'live_key',
  KICKBOX_BASE_URL: origin,
  KICKBOX_COST_USD: '0.004',
});
const mine = await service.createOrganisation();
afterAll(() => {
  vendors.closeAllConnections();
  vendors.close();
});
beforeEach(() => {
  script.kickbox = 'deliverable';
  asked = [];
});

const verify = async (email: string, context: object = {}, key = mine.keys.member) => {
  const { status, body } = await service.call('POST', '/v1/verify', key, { email, context });
  expect(status).toBe(200);
  await service.settle();
  return Verification.strict().parse(body);
};

/** The judgement from what the trace alone holds. */
function replay({ features, providers, reasons }: Trace) {
  if (features === null || providers === null) throw new Error('the trace has lost its detail');
  expect(features.model_version).toBe(SEEDED_MODEL.version);
  const known = features.known_answers.map(({ provider, verdict }) => ({ provider: provider as ProviderId, verdict }));
  const ages = features.known_answers.filter(({ verdict }) => verdict !== 'unknown').map(({ age_s }) => age_s);
  return conclude({
    model: SEEDED_MODEL,
    host: features.host_class as HostClass,
    certain: reasons?.includes('no_mx') === true,
    known,
    knownAgeMs: ages.length === 0 ? 0 : Math.min(...ages) * 1_000,
    fresh: Object.entries(providers).map(([id, { verdict }]) => ({ provider: id as ProviderId, verdict })),
    acceptsAllOdds: features.accepts_all_odds,
  });
}

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
    await verify('b@google-workspace.test', {}, other.keys.member);
    expect(asked).toEqual(['kickbox']);
  });

  it('does not outweigh the account’s own rules: they are in force on a cache hit too, and ask nobody', async () => {
    const org = await service.createOrganisation();
    const email = 'rules@google-workspace.test';
    const change = (method: string, body: object) =>
      service.call(method, '/v1/addresses/blocklist', org.keys.member, body);
    await verify(email, {}, org.keys.member);
    asked = [];
    await change('POST', { emails: [email] });
    expect(await verify(email, {}, org.keys.member)).toMatchObject({
      ...{ verdict: 'invalid', bounce_probability: 1, recommendation: 'drop', reasons: ['address_blocklisted'] },
      ...{ providers: {}, cost_usd: 0 },
    });
    await change('DELETE', { emails: [email] });
    await service.call('POST', '/v1/domains/allowlist', org.keys.member, { domains: ['google-workspace.test'] });
    expect(await verify(email, {}, org.keys.member)).toMatchObject({
      ...{ cache: { hit: true }, reason: 'domain_allowlisted', reasons: ['domain_allowlisted'] },
    });
    expect(asked).toEqual([]);
  });

  it('a refusal is believed, and an address of it dropped', async () => {
    script.kickbox = 'undeliverable';
    const answer = await verify('c@google-workspace.test');
    expect(answer.bounce_probability).toBeGreaterThan(0.5);
    expect(answer.recommendation).toBe('drop');
  });

  it.each(['down', 'hangs', 'garbage'] as const)('a provider that is %s: 200, the prior, degraded', async (says) => {
    script.kickbox = says;
    const org = await service.createOrganisation();
    const email = `${says}@microsoft-365.test`;
    const answer = await verify(email, { max_latency_ms: 2_500 }, org.keys.member);
    expect(answer).toMatchObject({
      verdict: 'unknown',
      calibration: 'prior',
      degraded: true,
      providers: {},
      cost_usd: 0,
    });
    expect(answer.latency_ms).toBeLessThanOrEqual(2_600);
    const { trace } = TraceResponse.parse(
      (await service.call('GET', `/v1/traces/${answer.trace_id}`, org.keys.viewer)).body,
    );
    expect(trace.provider_failures).toMatchObject([{ provider: 'kickbox' }]);
    expect(JSON.stringify(trace)).not.toContain(email);
  });

  it('replays the route: every candidate, its value, and the choice', async () => {
    const answer = await verify('d@zoho.test');
    const { trace } = TraceResponse.parse(
      (await service.call('GET', `/v1/traces/${answer.trace_id}`, mine.keys.viewer)).body,
    );
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
    ['its host alone', 'j@fastmail.test', { max_cost_usd: 0 }],
    ['a finding', 'j@null-mx.test', {}],
  ])('the trace gives the number again, from %s', async (_, email, context) => {
    const answer = await verify(email, context);
    const { trace } = TraceResponse.parse(
      (await service.call('GET', `/v1/traces/${answer.trace_id}`, mine.keys.viewer)).body,
    );
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
  ])('asks nobody for %s, and is not degraded', async (_, email, context) => {
    const answer = await verify(email, context);
    expect(asked).toEqual([]);
    expect(answer).toMatchObject({ providers: {}, cost_usd: 0 });
    expect(answer).not.toHaveProperty('degraded');
  });

  it('a test key pays nobody and learns nothing', async () => {
    const writes = service.calls.kvWrites;
    expect(await verify('f@business.test', {}, mine.keys.test)).toMatchObject({ providers: {}, cost_usd: 0 });
    expect(asked).toEqual([]);
    expect(service.calls.kvWrites - writes).toBeLessThanOrEqual(1);
  });

  it('forgets with the address what was said of it', async () => {
    await verify('mary@google-workspace.test');
    const kept = () => [...service.facts.keys()].filter((key) => key.startsWith('evidence:'));
    const before = kept().length;
    await service.call('POST', '/operator/v1/forget', service.operatorKey, { email: 'mary@google-workspace.test' });
    expect(kept()).toHaveLength(before - 1);
  });

  it('stores no address anywhere in the cache', async () => {
    await verify('grace.hopper@google-workspace.test');
    const stored = JSON.stringify([...service.facts]);
    expect(stored).toContain('evidence:v1:');
    expect(stored.toLowerCase()).not.toContain('grace');
  });
});
