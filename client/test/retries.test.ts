import { afterEach, describe, expect, it, vi } from 'vitest';
import { createClient } from '../src/client.ts';
import { CHECKED, EMAIL } from './functions.ts';
import { skipPauses } from './pauses.ts';
import { bytes, cutOff, hangUp, json, type Reply, refused, scriptedServer, silence } from './scripted-server.ts';

const apiKey = 'evk_test_key';
const ok = json(CHECKED);
const limited = (retryAfter: string, more: Readonly<Record<string, string>> = {}) =>
  refused(429, 'rate_limited', { 'retry-after': retryAfter, ...more });

afterEach(() => vi.restoreAllMocks());

describe('a call that may be sent again', () => {
  it.each<[string, Reply]>([
    ['a closed connection', hangUp],
    ['a body cut off', cutOff],
    ['a 429', refused(429, 'rate_limited')],
    ['a 500', refused(500, 'internal_error')],
    ['a page of a proxy', bytes('<html>', 502)],
  ])('succeeds after %s', async (_, fault) => {
    skipPauses(4_900);
    await using server = await scriptedServer(fault, fault, ok);
    const client = createClient({ apiKey, baseUrl: server.baseUrl });
    expect(await client.checkEmail(EMAIL)).toEqual(CHECKED);
    expect(server.seen).toHaveLength(3);
  });

  it('carries one Idempotency-Key on all its attempts, and every call its own', async () => {
    skipPauses(4_900);
    await using server = await scriptedServer(hangUp, hangUp, json({}));
    const client = createClient({ apiKey, baseUrl: server.baseUrl });
    await client.verifyEmail(EMAIL);
    await client.verifyEmail(EMAIL);
    await client.screenEmail(EMAIL);
    const keys = server.seen.map(({ headers }) => headers['idempotency-key']);
    expect(keys.slice(0, 3)).toEqual(Array(3).fill(keys[0]));
    expect(new Set(keys).size).toBe(3);
    for (const key of keys) expect(key).toMatch(/^[!-~]{16,128}$/);
  });

  it('sends the same body every time', async () => {
    skipPauses(4_900);
    await using server = await scriptedServer(hangUp, hangUp, json({}));
    await createClient({ apiKey, baseUrl: server.baseUrl }).verifyEmail(EMAIL, { purpose: 'signup' });
    expect(new Set(server.seen.map(({ body }) => String(body)))).toEqual(
      new Set([JSON.stringify({ email: EMAIL, context: { purpose: 'signup' } })]),
    );
  });

  it('waits between attempts, each time longer at most, never twice alike', async () => {
    const asked = skipPauses(4_900);
    await using server = await scriptedServer(refused(500, 'internal_error'));
    const client = createClient({ apiKey, baseUrl: server.baseUrl });
    for (let i = 0; i < 10; i += 1) await client.checkEmail(EMAIL).catch(() => undefined);
    const [first, second] = [0, 1].map((attempt) => asked.filter((_, i) => i % 2 === attempt));
    expect(Math.max(...(second ?? []))).toBeGreaterThan(Math.max(...(first ?? [])));
    expect(Math.min(...asked)).toBeGreaterThan(0);
    expect(new Set(asked).size).toBe(asked.length);
  });
});

describe('a call whose attempt before is still at work', () => {
  const inProgress = refused(409, 'request_in_progress', { 'retry-after': '1' });

  it('waits for its answer, however often it has to ask', async () => {
    const asked = skipPauses(4_900);
    await using server = await scriptedServer(hangUp, ...Array<Reply>(9).fill(inProgress), json({ verdict: 'valid' }));
    const client = createClient({ apiKey, baseUrl: server.baseUrl });
    expect(await client.verifyEmail(EMAIL)).toEqual({ verdict: 'valid' });
    expect(new Set(server.seen.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    for (const ms of asked.slice(1)) expect(ms).toBeGreaterThanOrEqual(1_000);
  });

  it('ends with it when its time is over', async () => {
    await using server = await scriptedServer(inProgress);
    const client = createClient({ apiKey, baseUrl: server.baseUrl, timeoutMs: 900 });
    await expect(client.verifyEmail(EMAIL)).rejects.toMatchObject({ status: 409, code: 'request_in_progress' });
    expect(server.seen).toHaveLength(1);
  });

  it('is not repeated where the key stands for another body', async () => {
    skipPauses(4_900);
    await using server = await scriptedServer(refused(409, 'invalid_request'));
    const client = createClient({ apiKey, baseUrl: server.baseUrl });
    await expect(client.verifyEmail(EMAIL)).rejects.toMatchObject({ status: 409, code: 'invalid_request' });
    expect(server.seen).toHaveLength(1);
  });
});

describe('Retry-After', () => {
  const now = 'Tue, 01 Jul 2025 10:00:00 GMT';
  it.each([
    ['seconds', limited('2'), 2_000],
    ['no time at all', limited('0'), 0],
    ['a date, by the clock of the answer', limited('Tue, 01 Jul 2025 10:00:03 GMT', { date: now }), 3_000],
    ['a date gone by', limited('Tue, 01 Jul 2025 09:00:00 GMT', { date: now }), 0],
    [
      'a date, on a 503',
      refused(503, 'internal_error', { 'retry-after': 'Tue, 01 Jul 2025 10:00:01 GMT', date: now }),
      1_000,
    ],
  ])('as %s is waited for, and a little longer', async (_, reply, ms) => {
    const asked = skipPauses(4_900);
    await using server = await scriptedServer(reply, ok);
    expect(await createClient({ apiKey, baseUrl: server.baseUrl }).checkEmail(EMAIL)).toEqual(CHECKED);
    expect(asked).toHaveLength(1);
    expect(asked[0]).toBeGreaterThanOrEqual(ms);
    expect(asked[0]).toBeLessThan(ms + 1_000);
  });

  it.each(['6', '3600', '999999999999999999999'])('of %s s does not fit into the call: it ends at once', async (s) => {
    const asked = skipPauses(4_900);
    await using server = await scriptedServer(limited(s), ok);
    const client = createClient({ apiKey, baseUrl: server.baseUrl, timeoutMs: 5_000 });
    await expect(client.checkEmail(EMAIL)).rejects.toMatchObject({ status: 429, code: 'rate_limited' });
    expect([asked, server.seen.length]).toEqual([[], 1]);
  });

  it.each(['soon', '', '-1 second', '1,5e', '1.5', '-1', 'Jul 2025'])(
    'that can’t be read (%j) counts as absent',
    async (text) => {
      const asked = skipPauses(4_900);
      await using server = await scriptedServer(limited(text), ok);
      expect(await createClient({ apiKey, baseUrl: server.baseUrl }).checkEmail(EMAIL)).toEqual(CHECKED);
      expect(asked[0]).toBeLessThan(1_000);
      expect(asked[0]).toBeGreaterThanOrEqual(100);
    },
  );
});

describe('timeoutMs', () => {
  it('bounds the call with all its attempts', async () => {
    await using server = await scriptedServer(refused(500, 'internal_error'), silence);
    const client = createClient({ apiKey, baseUrl: server.baseUrl, timeoutMs: 1_500 });
    await expect(client.checkEmail(EMAIL)).rejects.toMatchObject({ status: 0, code: 'timeout' });
    expect(server.seen).toHaveLength(2);
  });

  it('bounds a fetch that ignores its signal', async () => {
    vi.spyOn(globalThis, 'fetch').mockImplementation(() => new Promise(() => undefined));
    const client = createClient({ apiKey, baseUrl: 'http://127.0.0.1:9', timeoutMs: 20 });
    await expect(client.checkEmail(EMAIL)).rejects.toMatchObject({ code: 'timeout' });
  });

  it('hangs up on a service that is too slow', async () => {
    let closed: () => void = () => undefined;
    const hungUp = new Promise<void>((resolve) => {
      closed = resolve;
    });
    await using server = await scriptedServer((response) => void response.on('close', closed));
    const client = createClient({ apiKey, baseUrl: server.baseUrl, timeoutMs: 200 });
    await expect(client.checkEmail(EMAIL)).rejects.toMatchObject({ code: 'timeout' });
    await hungUp;
  });

  it.each([Number.POSITIVE_INFINITY, 2 ** 40])('may be as long as %d', async (timeoutMs) => {
    await using server = await scriptedServer(ok);
    expect(await createClient({ apiKey, baseUrl: server.baseUrl, timeoutMs }).checkEmail(EMAIL)).toEqual(CHECKED);
  });

  it.each([Number.NaN, -1, '5000' as unknown as number])('of %j is refused when the client is made', (timeoutMs) => {
    expect(() => createClient({ apiKey, timeoutMs })).toThrow(RangeError);
  });

  it('leaves no timer behind: the process may end', async () => {
    const set = vi.spyOn(globalThis, 'setTimeout');
    const cleared = vi.spyOn(globalThis, 'clearTimeout');
    await using server = await scriptedServer(ok);
    await createClient({ apiKey, baseUrl: server.baseUrl, timeoutMs: 77_777 }).checkEmail(EMAIL);
    const index = set.mock.calls.findIndex(([, ms]) => ms === 77_777);
    expect(cleared.mock.calls.flat()).toContain(set.mock.results[index]?.value);
  });
});
