import { decode } from '@leichtgewicht/dns-packet';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createDohClient, type DohClientOptions } from '../../../src/integrations/dns-over-https.ts';
import { httpAnswer, mx, RCODE, response, soa } from './messages.ts';

const D = 'acme.example';
const ONE = 'https://one.example/dns-query';
const TWO = 'https://two.example/dns-query';

const FOUND = { kind: 'records', records: [{ preference: 1, exchange: 'a.example' }], ttlS: 300 };
const found = () => httpAnswer(response(D, 'MX', { answers: [mx(D, 1, 'a.example')] }));
const rcode = (flags: number) => httpAnswer(response(D, 'MX', { flags, authorities: [soa('example', 60, 60)] }));

/** A request that is never answered; it ends with its signal, as fetch does. */
const silent = (signal: AbortSignal) =>
  new Promise<Response>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });

type Endpoint = (signal: AbortSignal) => Response | Promise<Response>;

function client(endpoints: Record<string, Endpoint>, options: Partial<DohClientOptions> = {}) {
  const asked: { origin: string; url: URL; init: RequestInit }[] = [];
  const fetch: DohClientOptions['fetch'] = async (href, init) => {
    const url = new URL(href);
    asked.push({ origin: `${url.origin}${url.pathname}`, url, init });
    const endpoint = endpoints[`${url.origin}${url.pathname}`];
    if (!endpoint || !init.signal) throw new Error('unforeseen request');
    return endpoint(init.signal);
  };
  const query = createDohClient({ urls: Object.keys(endpoints), fetch, now: () => 0, ...options });
  return { query, asked, origins: () => asked.map(({ origin }) => origin) };
}

/** A body that would go on for ever; counts what was read and knows whether it was cancelled. */
function endlessBody() {
  const seen = { chunks: 0, cancelled: false };
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      seen.chunks += 1;
      controller.enqueue(new Uint8Array(4_096));
    },
    cancel: () => {
      seen.cancelled = true;
    },
  });
  return { body, seen };
}

describe('createDohClient', () => {
  it('asks by GET with the message as unpadded base64url, keeping a query the endpoint has', async () => {
    const { query, asked } = client({ [ONE]: found }, { urls: [`${ONE}?token=t`] });
    expect(await query(D, 'MX')).toEqual(FOUND);
    const [request] = asked;
    expect(request?.init).toMatchObject({ headers: { accept: 'application/dns-message' }, redirect: 'manual' });
    expect(request?.init.method ?? 'GET').toBe('GET');
    expect(request?.url.searchParams.get('token')).toBe('t');
    const dns = request?.url.searchParams.get('dns') ?? '';
    expect(dns).toMatch(/^[A-Za-z0-9_-]+$/);
    expect(decode(new Uint8Array(Buffer.from(dns, 'base64url')))).toMatchObject({
      id: 0,
      questions: [{ name: D, type: 'MX' }],
    });
  });

  it('takes the age of a cached HTTP answer off its TTL (RFC 8484 §5.1)', async () => {
    const old = (age: string) => () => httpAnswer(response(D, 'MX', { answers: [mx(D, 1, 'a.example')] }), { age });
    expect(await client({ [ONE]: old('100') }).query(D, 'MX')).toMatchObject({ ttlS: 200 });
    expect(await client({ [ONE]: old('400') }).query(D, 'MX')).toMatchObject({ ttlS: 0 });
    expect(await client({ [ONE]: old('soon') }).query(D, 'MX')).toMatchObject({ ttlS: 300 });
  });

  it('accepts a media type with parameters and in any case', async () => {
    const one = () =>
      httpAnswer(response(D, 'MX', { answers: [mx(D, 1, 'a.example')] }), {
        'content-type': 'Application/DNS-Message; x=1',
      });
    expect(await client({ [ONE]: one }).query(D, 'MX')).toEqual(FOUND);
  });

  describe('one endpoint that fails', () => {
    const page =
      (status: number, headers: Record<string, string> = {}) =>
      () =>
        new Response('no', { status, headers });
    const rows: { title: string; endpoint: Endpoint; why: string }[] = [
      { title: 'SERVFAIL', endpoint: () => rcode(RCODE.servfail), why: 'servfail' },
      { title: 'REFUSED', endpoint: () => rcode(RCODE.refused), why: 'servfail' },
      { title: 'silence', endpoint: silent, why: 'timeout' },
      {
        title: 'silence after the headers',
        endpoint: (signal) => {
          const body = new ReadableStream({
            start: (controller) =>
              signal.addEventListener('abort', () => controller.error(signal.reason), { once: true }),
          });
          return new Response(body, { headers: { 'content-type': 'application/dns-message' } });
        },
        why: 'timeout',
      },
      { title: 'a network error', endpoint: () => Promise.reject(new TypeError('fetch failed')), why: 'unreachable' },
      { title: 'a server error', endpoint: page(503), why: 'unreachable' },
      { title: 'a rate limit', endpoint: page(429), why: 'unreachable' },
      { title: 'a redirect', endpoint: page(302, { location: 'https://elsewhere.example/' }), why: 'unreachable' },
      { title: 'a page instead of an answer', endpoint: page(200, { 'content-type': 'text/html' }), why: 'malformed' },
      {
        title: 'JSON instead of wire form',
        endpoint: page(200, { 'content-type': 'application/dns-json' }),
        why: 'malformed',
      },
      {
        title: 'an answer without a body',
        endpoint: () => new Response(null, { headers: { 'content-type': 'application/dns-message' } }),
        why: 'malformed',
      },
      {
        title: 'bytes that are not a message',
        endpoint: () => httpAnswer(new Uint8Array(40).fill(255)),
        why: 'malformed',
      },
      {
        title: 'an answer to another name',
        endpoint: () => httpAnswer(response('other.example', 'MX')),
        why: 'malformed',
      },
    ];
    it.each(rows)('gives way to the next: $title', async ({ endpoint }) => {
      const { query, origins } = client({ [ONE]: endpoint, [TWO]: found }, { timeoutMs: 20, hedgeAfterMs: 60_000 });
      expect(await query(D, 'MX')).toEqual(FOUND);
      expect(origins()).toEqual([ONE, TWO]);
    });
    it.each(rows)('is a value when it is the only one: $title', async ({ endpoint, why }) => {
      expect(await client({ [ONE]: endpoint }, { timeoutMs: 20 }).query(D, 'MX')).toEqual({ kind: 'failed', why });
    });
  });

  it('stops reading an answer past 16 KB, whatever Content-Length says, and cancels the rest', async () => {
    const { body, seen } = endlessBody();
    const headers = { 'content-type': 'application/dns-message', 'content-length': '60' };
    const { query } = client({ [ONE]: () => new Response(body, { headers }) });
    expect(await query(D, 'MX')).toEqual({ kind: 'failed', why: 'malformed' });
    expect(seen.cancelled).toBe(true);
    expect(seen.chunks).toBeLessThan(8);
  });

  it('cancels the body of an answer it does not read', async () => {
    const { body, seen } = endlessBody();
    await client({ [ONE]: () => new Response(body, { status: 500 }) }).query(D, 'MX');
    expect(seen.cancelled).toBe(true);
  });

  it('takes NXDOMAIN and "no data" for answers and does not ask the next', async () => {
    for (const [answer, kind] of [
      [rcode(RCODE.nxdomain), 'nxdomain'],
      [rcode(0), 'nodata'],
    ] as const) {
      const { query, origins } = client({ [ONE]: () => answer, [TWO]: found });
      expect(await query(D, 'MX')).toEqual({ kind, ttlS: 60 });
      expect(origins()).toEqual([ONE]);
    }
  });

  it('reports SERVFAIL rather than what kept the others from answering', async () => {
    const down = () => Promise.reject(new TypeError('fetch failed'));
    const servfail = () => rcode(RCODE.servfail);
    expect(await client({ [ONE]: servfail, [TWO]: down }).query(D, 'MX')).toEqual({ kind: 'failed', why: 'servfail' });
    expect(await client({ [ONE]: down, [TWO]: servfail }).query(D, 'MX')).toEqual({ kind: 'failed', why: 'servfail' });
  });

  it('is unreachable without endpoints', async () => {
    expect(await client({}).query(D, 'MX')).toEqual({ kind: 'failed', why: 'unreachable' });
  });

  it('reports how each question ended and how long it took, once', async () => {
    const seen: unknown[] = [];
    let nowMs = 1_000;
    const slow = () => {
      nowMs += 40;
      return rcode(RCODE.servfail);
    };
    const onQuery: DohClientOptions['onQuery'] = (...args) => seen.push(args);
    await client({ [ONE]: slow, [TWO]: found }, { now: () => nowMs, onQuery }).query(D, 'MX');
    await client({ [ONE]: slow }, { now: () => nowMs, onQuery }).query(D, 'MX');
    expect(seen).toEqual([
      ['records', 40],
      ['servfail', 40],
    ]);
  });

  it('reports each endpoint that failed, also where another answered', async () => {
    const seen: unknown[] = [];
    const onFailure: DohClientOptions['onFailure'] = (failure) => seen.push(failure);
    let nowMs = 1_000;
    const down = () => {
      nowMs += 30;
      throw new TypeError('fetch failed');
    };
    await client({ [ONE]: down, [TWO]: found }, { now: () => nowMs, onFailure }).query(D, 'MX');
    await client({ [ONE]: silent }, { now: () => nowMs, onFailure, timeoutMs: 5 }).query(D, 'MX');
    expect(seen).toEqual([
      { url: ONE, why: 'unreachable', ms: 30 },
      { url: ONE, why: 'timeout', ms: 0 },
    ]);
  });

  it('does not report an endpoint that was stopped because another had answered', async () => {
    const seen: unknown[] = [];
    const onFailure: DohClientOptions['onFailure'] = (failure) => seen.push(failure);
    await client({ [ONE]: silent, [TWO]: found }, { onFailure, hedgeAfterMs: 1 }).query(D, 'MX');
    await new Promise((resolve) => setTimeout(resolve));
    expect(seen).toEqual([]);
  });

  describe('hedging', () => {
    beforeEach(() => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    });

    it('leaves the second alone while the first answers in time', async () => {
      const first = Promise.withResolvers<Response>();
      const { query, origins } = client({ [ONE]: () => first.promise, [TWO]: found });
      const answer = query(D, 'MX');
      await vi.advanceTimersByTimeAsync(249);
      expect(origins()).toEqual([ONE]);
      first.resolve(found());
      expect(await answer).toEqual(FOUND);
      expect(vi.getTimerCount()).toBe(0);
      expect(origins()).toEqual([ONE]);
    });

    it('asks the second when the first is silent for hedgeAfterMs, and aborts the loser', async () => {
      const { query, asked, origins } = client({ [ONE]: silent, [TWO]: found });
      const answer = query(D, 'MX');
      await vi.advanceTimersByTimeAsync(250);
      expect(await answer).toEqual(FOUND);
      expect(origins()).toEqual([ONE, TWO]);
      expect(asked[0]?.init.signal?.aborted).toBe(true);
      await vi.advanceTimersByTimeAsync(0);
      expect(vi.getTimerCount()).toBe(0);
    });

    it('takes the first after all when it answers before the second', async () => {
      const first = Promise.withResolvers<Response>();
      const { query, asked } = client({ [ONE]: () => first.promise, [TWO]: silent });
      const answer = query(D, 'MX');
      await vi.advanceTimersByTimeAsync(250);
      first.resolve(found());
      expect(await answer).toEqual(FOUND);
      expect(asked[1]?.init.signal?.aborted).toBe(true);
    });

    it('waits for the silent first when the second fails', async () => {
      const first = Promise.withResolvers<Response>();
      const { query } = client({ [ONE]: () => first.promise, [TWO]: () => rcode(RCODE.servfail) });
      const answer = query(D, 'MX');
      await vi.advanceTimersByTimeAsync(300);
      first.resolve(found());
      expect(await answer).toEqual(FOUND);
    });

    it('asks a third when the first two fail or stay silent', async () => {
      const three = 'https://three.example/dns-query';
      const { query, origins } = client({ [ONE]: silent, [TWO]: () => rcode(RCODE.servfail), [three]: found });
      const answer = query(D, 'MX');
      await vi.advanceTimersByTimeAsync(250);
      expect(await answer).toEqual(FOUND);
      expect(origins()).toEqual([ONE, TWO, three]);
      expect(vi.getTimerCount()).toBe(0);
    });
  });
});
