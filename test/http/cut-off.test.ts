import { createServer } from 'node:http';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createApp } from '../../src/entrypoints/http/app.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/kernel/clock.ts';
import { openDeps } from '../../src/runtime/wiring.ts';
import { listening } from '../support/on-port.ts';
import { startService } from '../support/service.ts';

let hangs = true;
let asked = 0;
const vendor = createServer((_, response) => {
  asked += 1;
  if (hangs) return;
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ success: true, result: 'deliverable', reason: 'accepted_email', role: false }));
});
const origin = await listening(vendor);
const KICKBOX = {
  KICKBOX_API_KEY: 'live_key',
  KICKBOX_BASE_URL: origin,
  KICKBOX_COST_USD: '0.004',
};
const service = await startService(KICKBOX);

/** Mid-month, so that a charge reversed a day later belongs to the same month. */
const now = new Date();
const START_MS = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 12, 10);
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: START_MS });
  hangs = true;
  asked = 0;
});
const at = (afterMs: number): void => void vi.setSystemTime(START_MS + afterMs);

/** The most that a request may take, and how long it has then to hand over its answer. */
const CEILING_MS = 60 * SECOND_MS;
const HANDOVER_MS = 5 * SECOND_MS;

/**
 * A request that waits for a silent vendor while its caller hangs up. The platform ends it 30 s later; after that, none of
 * its calls reach the organisation's object.
 */
async function cutOff(path: string, headers: Record<string, string>) {
  const org = await service.createOrganisation();
  const body = { email: 'ada@google-workspace.test', context: { purpose: 'outbound', max_latency_ms: CEILING_MS } };
  let isCut = false;
  const getByName = (id: string) =>
    new Proxy(service.env.ORGANISATION.getByName(id), {
      get: (stub, name) => (isCut ? () => new Promise<never>(() => undefined) : stub[name as keyof typeof stub]),
    });
  const env = { ...service.env, ORGANISATION: { getByName } };
  const context = { waitUntil: () => undefined, passThroughOnException: () => undefined };
  const init = {
    method: 'POST',
    headers: { authorization: `Bearer ${org.keys.member}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  };
  void createApp(openDeps).request(path, init, env, context as never);
  await vi.waitFor(() => expect(asked).toBe(1));
  isCut = true;
  at(30 * SECOND_MS);
  const usage = async () => (await service.call('GET', '/v1/usage', org.keys.viewer)).body;
  const traces = async () => (await service.call('GET', '/v1/traces', org.keys.viewer)).body.traces;
  const repeat = () => service.call('POST', path, org.keys.member, body, headers);
  const passTimers = () => service.passTimers(org.id);
  return { usage, traces, repeat, passTimers };
}

describe.each([
  ['/v1/verify', 'verify'],
  ['/v1/decide', 'decide'],
])('%s with a ceiling of a minute, cut off 30 s after its caller hung up', (path, meter) => {
  const keyed = { 'idempotency-key': 'hung-up' };

  it('is answered and charged once, to the first repeat after its hold has ended', async () => {
    const { usage, traces, repeat } = await cutOff(path, keyed);
    hangs = false;
    for (const afterMs of [30 * SECOND_MS, CEILING_MS, CEILING_MS + HANDOVER_MS - SECOND_MS]) {
      at(afterMs);
      const refused = await repeat();
      expect([refused.status, refused.body.error.code]).toEqual([409, 'request_in_progress']);
    }
    at(CEILING_MS + HANDOVER_MS);
    const [answered, again] = [await repeat(), await repeat()];
    expect(answered).toMatchObject({ status: 200, body: { trace_id: expect.any(String) } });
    expect(again.body).toEqual(answered.body);
    expect(asked).toBe(2);
    expect(await usage()).toMatchObject({ calls: { [meter]: 1 }, quota: { used: 1 }, provider_spend_usd: 0.004 });
    expect((await traces()).map(({ trace_id: id }: { trace_id: string }) => id)).toEqual([answered.body.trace_id]);
  });

  it.each([
    ['24 hours under an Idempotency-Key', keyed, DAY_MS],
    ['an hour without one', {}, HOUR_MS],
  ])('is charged no more after %s, never repeated', async (_, headers, lifetimeMs) => {
    const { usage, traces, passTimers } = await cutOff(path, headers);
    at(lifetimeMs - SECOND_MS);
    await passTimers();
    expect(await usage()).toMatchObject({ calls: { [meter]: 1 }, quota: { used: 1 } });
    // Operations are swept at most once a minute.
    at(lifetimeMs + MINUTE_MS);
    await passTimers();
    expect(await usage()).toMatchObject({ calls: { [meter]: 0 }, quota: { used: 0 } });
    expect(await traces()).toEqual([]);
  });
});
