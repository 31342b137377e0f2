import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import worker from '../../src/index.ts';
import { captureLog } from '../support/capture-log.ts';
import { call, createOrganisation, operator, switchDatabase } from '../support/worker.ts';

const log = captureLog();
let mine: Awaited<ReturnType<typeof createOrganisation>>;
beforeAll(async () => {
  mine = await createOrganisation();
});
afterEach(() => switchDatabase({ down: false }));

describe('through the front door', () => {
  it('a check, a verification and its trace agree about an address', async () => {
    const email = 'Ada.Lovelace@google-workspace.test';
    const checked = await call('POST', '/v1/check', mine.key, { email });
    expect(checked.status).toBe(200);
    expect(checked.body).toMatchObject({ email, passes: true, esp: 'hosted_suite_a', mx_provider: 'google' });

    const verified = await call('POST', '/v1/verify', mine.key, { email, context: { purpose: 'signup' } });
    expect(verified.status).toBe(200);
    expect(verified.body).toMatchObject({ email, esp: 'hosted_suite_a', providers: {}, cost_usd: 0 });
    expect(verified.headers.get('x-trace-id')).toBe(verified.body.trace_id);

    const { status, body } = await call('GET', `/v1/traces/${verified.body.trace_id}`, mine.key);
    expect(status).toBe(200);
    expect(body.trace).toMatchObject({
      trace_id: verified.body.trace_id,
      domain: 'google-workspace.test',
      verdict: verified.body.verdict,
      bounce_probability: verified.body.bounce_probability,
      recommendation: verified.body.recommendation,
    });
    const usage = (await call('GET', '/v1/usage', mine.key)).body;
    expect(usage).toMatchObject({ calls: { check: 1, verify: 1 }, quota: { used: 1 } });
  });

  it('packed lists are read in the runtime as in Node', async () => {
    const { body } = await call('POST', '/v1/check', mine.key, { email: 'ada@mailinator.com' });
    expect(body).toMatchObject({ disposable: true, passes: false });
  });

  it('an address in another script reaches the domain it means', async () => {
    const { body } = await call('POST', '/v1/check', mine.key, { email: 'ada@BÜCHER.bulk.test' });
    expect(body).toMatchObject({ domain: 'xn--bcher-kva.bulk.test', passes: true });
  });
});

/** One request on an isolate that knows only what `bindings` says, and what it cost before and behind its answer. */
async function observe(bindings: Env, path: string, email: string) {
  const trips = { kvReads: 0, kvWrites: 0, dnsQuestions: 0 };
  const facts = {
    get: (key: string) => {
      trips.kvReads += 1;
      return env.FACTS.get(key);
    },
    put: (key: string, value: string, options: KVNamespacePutOptions) => {
      trips.kvWrites += 1;
      return env.FACTS.put(key, value, options);
    },
  };
  Object.assign(bindings, { FACTS: facts });
  const outward = vi.spyOn(globalThis, 'fetch');
  const context = createExecutionContext();
  const request = new Request(`https://service.test${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${mine.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ email }),
  });
  const response = await worker.fetch(request, bindings, context);
  const { passes } = await response.json<{ passes?: boolean }>();
  await waitOnExecutionContext(context);
  trips.dnsQuestions = outward.mock.calls.filter(([input]) => new Request(input).url.includes('dns-query')).length;
  outward.mockRestore();
  return { status: response.status, passes, ...trips };
}

describe('facts about a domain', () => {
  /** The mail host of `bulk.test` belongs to an unknown provider: the domain is asked for it, and it for both kinds of address. */
  const MX_AND_ADDRESSES = 3;

  // A new isolate reads the domain's facts, which back ends of mail hosts are suspected, and the lists of the night: there are none
  // of these two, whatever night another test has begun.
  const PUBLISHED = ['back-ends:v1:current', 'lists:v1:current'];
  const READS = 1 + PUBLISHED.length;
  beforeEach(() => Promise.all(PUBLISHED.map((key) => env.FACTS.delete(key))));

  it.each(['/v1/check', '/v1/verify'])('%s: cold from DNS, then from KV, then from the isolate alone', async (path) => {
    const email = `ada@facts${path.replaceAll('/', '-')}.bulk.test`;
    const isolate = { ...env };
    const cold = await observe(isolate, path, email);
    expect(cold).toMatchObject({ status: 200, kvReads: READS, kvWrites: 1 });
    // What is slow to answer is asked of the other resolver too.
    expect(cold.dnsQuestions).toBeGreaterThanOrEqual(MX_AND_ADDRESSES);
    const warm = await observe(isolate, path, email);
    expect(warm).toEqual({ ...cold, kvReads: 0, kvWrites: 0, dnsQuestions: 0 });
    const nextIsolate = await observe({ ...env }, path, email);
    expect(nextIsolate).toEqual({ ...cold, kvWrites: 0, dnsQuestions: 0 });
  });

  it('are kept in KV as long as DNS allows, and no longer', async () => {
    const before = Math.floor(Date.now() / 1_000);
    await observe({ ...env }, '/v1/check', 'ada@ttl.bulk.test');
    const { keys } = await env.FACTS.list({ prefix: 'domain:v2:ttl.bulk.test' });
    expect(keys).toHaveLength(1);
    // The zone's TTL is 300 s.
    expect(keys[0]?.expiration).toBeGreaterThanOrEqual(before + 300);
    expect(keys[0]?.expiration).toBeLessThanOrEqual(Math.ceil(Date.now() / 1_000) + 300);
  });
});

describe('the log', () => {
  it('names the cause of a failed request, and not the address in its statement', async () => {
    await switchDatabase({ down: true });
    const path = `/operator/v1/organisations/${mine.id}/users`;
    const { status, body } = await call('POST', path, await operator(), { email: 'grace@business.test' });
    expect((await call('POST', '/operator/v1/forget', await operator(), { email: 'grace@business.test' })).status).toBe(
      200,
    );
    await switchDatabase({ down: false });
    expect(status).toBe(503);
    const outages = log.filter((line) => line.includes('"event":"dependency_failed","dependency":"postgres"'));
    expect(log.filter((line) => line.includes('"event":"bug"'))).toEqual([]);
    expect(outages.some((line) => line.includes(body.error.trace_id))).toBe(true);
  });

  it('holds no address, whatever was asked above', () => {
    const withoutFilePaths = log.map((line) => line.replaceAll('node_modules/@', ''));
    expect(log.length).toBeGreaterThan(10);
    expect(withoutFilePaths.filter((line) => line.includes('@'))).toEqual([]);
    expect(log.filter((line) => /lovelace|grace/i.test(line))).toEqual([]);
  });
});
