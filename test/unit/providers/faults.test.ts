import fc from 'fast-check';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { PROVIDER_IDS, type ProviderFailure, type ProviderId } from '../../../src/domain/belief/provider.ts';
import { EMAIL, KEY, NEVER, repliesOf, responseOf, vendor } from './vendor.ts';

const TIMEOUT_MS = 2_000;
const TEN_MB = 10 * 1_024 * 1_024;
const CHUNK = 16_384;

beforeEach(() => {
  vi.useFakeTimers();
});

/** A body in pieces; it ends with the signal, as a real one does, and knows what became of it. */
function pieces(signal: AbortSignal, next: (sent: number) => Promise<Uint8Array | null>) {
  const seen = { bytes: 0, cancelled: false };
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => signal.addEventListener('abort', () => controller.error(signal.reason), { once: true }),
    async pull(controller) {
      const piece = await next(seen.bytes);
      if (signal.aborted) return;
      if (piece === null) return controller.close();
      seen.bytes += piece.byteLength;
      controller.enqueue(piece);
    },
    cancel: () => {
      seen.cancelled = true;
    },
  });
  return { body, seen };
}

const tenMegabytes = (signal: AbortSignal) =>
  pieces(signal, async (sent) => (sent < TEN_MB ? new Uint8Array(CHUNK).fill(0x20) : null));
const drip = (signal: AbortSignal) =>
  pieces(signal, () => new Promise((resolve) => setTimeout(resolve, 100, new Uint8Array([0x20]))));
const broken = (signal: AbortSignal) =>
  pieces(signal, async (sent) => {
    if (sent > 0) throw new Error('Network connection lost.');
    return new TextEncoder().encode('{"sta');
  });

/** A `fetch` that never answers; it ends with its signal. */
const hang = (signal: AbortSignal) =>
  new Promise<Response>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });

interface Fault {
  readonly fault: string;
  readonly respond: (signal: AbortSignal) => Response | Promise<Response>;
  readonly kind: ProviderFailure['kind'];
  /** The call may still have been billed. */
  readonly billed: boolean;
  /** Vendors that say it otherwise. */
  readonly except?: Partial<Record<ProviderId, ProviderFailure['kind']>>;
}

const page =
  (status: number, body: string | Uint8Array<ArrayBuffer> | null, headers: Record<string, string> = {}) =>
  () =>
    new Response(body, { status, headers });

const FAULTS: readonly Fault[] = [
  {
    fault: 'a refused connection',
    respond: () => Promise.reject(new TypeError('fetch failed')),
    kind: 'unreachable',
    billed: true,
  },
  { fault: 'a hang', respond: hang, kind: 'timeout', billed: true },
  {
    fault: 'a hang that ignores its signal',
    respond: () => new Promise(() => undefined),
    kind: 'timeout',
    billed: true,
  },
  { fault: 'a slow drip', respond: (signal) => new Response(drip(signal).body), kind: 'timeout', billed: true },
  {
    fault: 'a body of 10 MB',
    respond: (signal) => new Response(tenMegabytes(signal).body),
    kind: 'too_large',
    billed: true,
  },
  {
    fault: 'a connection lost midway',
    respond: (signal) => new Response(broken(signal).body),
    kind: 'unreachable',
    billed: true,
  },
  { fault: '500', respond: page(500, 'oops'), kind: 'server_error', billed: true },
  {
    fault: '500 with a dripping body',
    respond: (signal) => new Response(drip(signal).body, { status: 500 }),
    kind: 'server_error',
    billed: true,
  },
  { fault: '502 from a gateway', respond: page(502, '<html>'), kind: 'server_error', billed: true },
  {
    fault: '429 with Retry-After',
    respond: page(429, '{}', { 'retry-after': '30' }),
    kind: 'rate_limited',
    billed: false,
    except: { hunter: 'no_credit' },
  },
  { fault: '402', respond: page(402, '{}'), kind: 'no_credit', billed: false },
  { fault: '401', respond: page(401, '{}'), kind: 'unauthorized', billed: false },
  {
    fault: '403',
    respond: page(403, '{}'),
    kind: 'unauthorized',
    billed: false,
    except: { zerobounce: 'rate_limited', hunter: 'rate_limited' },
  },
  {
    fault: '403 of 10 MB',
    respond: (signal) => new Response(tenMegabytes(signal).body, { status: 403 }),
    kind: 'unauthorized',
    billed: false,
    except: { zerobounce: 'rate_limited', hunter: 'rate_limited' },
  },
  { fault: '400', respond: page(400, '{}'), kind: 'refused', billed: false },
  { fault: '404', respond: page(404, 'not here'), kind: 'unreachable', billed: false },
  { fault: 'a redirect', respond: page(302, null, { location: '/again' }), kind: 'unreachable', billed: false },
  { fault: 'an empty 204', respond: page(204, null), kind: 'pending', billed: true },
  { fault: 'garbage', respond: page(200, '<html>Welcome</html>'), kind: 'malformed', billed: true },
  { fault: 'no body', respond: page(200, null), kind: 'malformed', billed: true },
  {
    fault: 'bytes that are not UTF-8',
    respond: page(200, new Uint8Array([0xff, 0xfe, 0x7b])),
    kind: 'malformed',
    billed: true,
  },
  { fault: 'truncated JSON', respond: page(200, '{"status":"valid","sub_st'), kind: 'malformed', billed: true },
  { fault: 'another schema', respond: page(200, '{"ok":true}'), kind: 'malformed', billed: true },
  {
    fault: 'a JSON array',
    respond: page(200, '[{"status":"valid","result":"valid"}]'),
    kind: 'malformed',
    billed: true,
  },
  { fault: 'a JSON word', respond: page(200, '"valid"'), kind: 'malformed', billed: true },
  { fault: 'JSON nested to the cap', respond: page(200, '['.repeat(65_000)), kind: 'malformed', billed: true },
];

const RETRYABLE = ['timeout', 'unreachable', 'rate_limited', 'pending', 'server_error'];

describe.each(PROVIDER_IDS)('%s', (id) => {
  it.each(FAULTS)('meets $fault within its time', async ({ respond, kind: usual, billed, except }) => {
    const logs = (['log', 'info', 'warn', 'error', 'debug'] as const).map((name) => vi.spyOn(console, name));
    const { provider, requests } = vendor(id, respond);
    const asked = provider.ask(EMAIL, TIMEOUT_MS, NEVER);
    await vi.advanceTimersByTimeAsync(TIMEOUT_MS);
    const kind = except?.[id] ?? usual;
    const result = await asked;
    expect(result).toEqual({
      ok: false,
      error: { kind, retryable: RETRYABLE.includes(kind), costMicros: billed ? provider.priceMicros : 0 },
    });
    expect(JSON.stringify(result)).not.toMatch(new RegExp(`${KEY}|ada|example`));
    for (const log of logs) expect(log).not.toHaveBeenCalled();
    expect(requests).toHaveLength(1);
    expect(requests[0]?.init.redirect).toBe('manual');
    expect(vi.getTimerCount()).toBeLessThanOrEqual(1);
  });

  it('stops reading at the cap and lets the connection go', async () => {
    let seen = { bytes: 0, cancelled: false };
    const { provider } = vendor(id, (signal) => {
      const big = tenMegabytes(signal);
      seen = big.seen;
      return new Response(big.body);
    });
    await provider.ask(EMAIL, TIMEOUT_MS, NEVER);
    expect(seen.cancelled).toBe(true);
    expect(seen.bytes).toBeLessThanOrEqual(65_536 + 2 * CHUNK);
  });

  it('lets an unread body go', async () => {
    let seen = { bytes: 0, cancelled: false };
    const { provider } = vendor(id, (signal) => {
      const dripping = drip(signal);
      seen = dripping.seen;
      return new Response(dripping.body, { status: 500 });
    });
    await provider.ask(EMAIL, TIMEOUT_MS, NEVER);
    expect(seen.cancelled).toBe(true);
  });

  it('is abandoned by its signal, and ends the request', async () => {
    const { provider, requests } = vendor(id, hang);
    const given = new AbortController();
    const asked = provider.ask(EMAIL, TIMEOUT_MS, given.signal);
    given.abort();
    expect(await asked).toMatchObject({ ok: false, error: { kind: 'timeout', costMicros: provider.priceMicros } });
    expect(requests[0]?.init.signal?.aborted).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('lets go of an answer that comes after its time', async () => {
    let seen = { bytes: 0, cancelled: false };
    const { provider } = vendor(id, async (signal) => {
      await new Promise((resolve) => setTimeout(resolve, TIMEOUT_MS + 500));
      const late = drip(new AbortController().signal);
      seen = late.seen;
      expect(signal.aborted).toBe(true);
      return new Response(late.body);
    });
    const asked = provider.ask(EMAIL, TIMEOUT_MS, NEVER);
    await vi.advanceTimersByTimeAsync(TIMEOUT_MS);
    expect(await asked).toMatchObject({ ok: false, error: { kind: 'timeout' } });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(seen.cancelled).toBe(true);
  });

  it.each([0, -1, Number.NaN])('asks nothing and costs nothing with %d ms left', async (timeoutMs) => {
    const { provider, requests } = vendor(id, hang);
    expect(await provider.ask(EMAIL, timeoutMs, NEVER)).toEqual({
      ok: false,
      error: { kind: 'timeout', retryable: true, costMicros: 0 },
    });
    expect(requests).toEqual([]);
  });

  it('asks nothing when it is abandoned already', async () => {
    const { provider, requests } = vendor(id, hang);
    expect(await provider.ask(EMAIL, TIMEOUT_MS, AbortSignal.abort())).toMatchObject({ error: { costMicros: 0 } });
    expect(requests).toEqual([]);
  });
});

const VERDICTS = ['deliverable', 'undeliverable', 'catch_all', 'risky', 'unknown'];

/** Any body at all, and real replies with any one field changed to anything. */
const anyBody = (id: ProviderId) => {
  const whole = Object.values(repliesOf(id)).filter(({ body }) => typeof body === 'object' && body !== null);
  const spoilt = fc.tuple(fc.constantFrom(...whole), fc.nat(), fc.jsonValue()).map(([{ body }, at, value]) => {
    const fields = Object.entries(body as Record<string, unknown>);
    return JSON.stringify(
      Object.fromEntries(fields.map(([name, old], i) => [name, i === at % fields.length ? value : old])),
    );
  });
  return fc.oneof(spoilt, fc.json(), fc.string({ unit: 'binary' }), fc.constantFrom('{"__proto__":{}}', 'null'));
};

describe.each(PROVIDER_IDS)('%s, whatever it is given and gets', (id) => {
  it('resolves to an answer or a failure with a cost of nothing or its price, and no address', async () => {
    const property = fc.asyncProperty(
      fc.oneof(fc.emailAddress(), fc.string({ unit: 'binary' })),
      fc.oneof(fc.double(), fc.constantFrom(1, 1_000, 1e12, Number.POSITIVE_INFINITY)),
      fc.constantFrom(200, 200, 200, 202, 249, 302, 400, 403, 429, 451, 500, 599),
      anyBody(id),
      fc.boolean(),
      async (email, timeoutMs, status, body, throws) => {
        const { provider } = vendor(id, () => {
          if (throws) throw new Error(`${KEY} ${email}`);
          return responseOf({ status, body });
        });
        const result = await provider.ask(email, timeoutMs, NEVER);
        expect([0, provider.priceMicros]).toContain(result.ok ? result.value.costMicros : result.error.costMicros);
        if (!result.ok) return;
        expect(VERDICTS).toContain(result.value.verdict);
        expect(result.value.suggestedDomain ?? '').not.toContain('@');
        for (const name of ['catchAll', 'role', 'disposable', 'mailboxFull'] as const)
          expect([true, false, null]).toContain(result.value[name]);
      },
    );
    await fc.assert(property, { numRuns: 300 });
  });
});
