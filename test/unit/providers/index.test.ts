import { describe, expect, it } from 'vitest';
import { PROVIDER_IDS, PROVIDER_REASONS } from '../../../src/domain/belief/provider.ts';
import { BILLS_UNKNOWN } from '../../../src/domain/router/provider-health.ts';
import { createProviders } from '../../../src/integrations/providers/providers.ts';
import { EMAIL, KEY, NEVER, REACHER, repliesOf, responseOf, settingsOf, vendor } from './vendor.ts';

const fetch = () => Promise.resolve(new Response('', { status: 500 }));

const allOn = settingsOf({
  ...Object.fromEntries(PROVIDER_IDS.map((id) => [id, { apiKey: KEY }])),
  reacher: { baseUrl: REACHER },
});

describe('createProviders', () => {
  it('turns on nothing without settings', () => {
    expect(createProviders(settingsOf({}), fetch)).toEqual([]);
  });

  it('turns on a vendor by its key and Reacher by its base URL', () => {
    expect(createProviders(allOn, fetch).map(({ id }) => id)).toEqual(PROVIDER_IDS);
    const wrongWay = settingsOf({ kickbox: { baseUrl: 'https://kickbox.example' }, reacher: { apiKey: KEY } });
    expect(createProviders(wrongWay, fetch)).toEqual([]);
  });

  it('prices an answer as set, 0 included, and by the price list otherwise', () => {
    const priced = settingsOf({ hunter: { apiKey: KEY, costMicros: 0 }, kickbox: { apiKey: KEY, costMicros: 3_999 } });
    expect(createProviders(priced, fetch).map(({ id, priceMicros }) => [id, priceMicros])).toEqual([
      ['kickbox', 3_999],
      ['hunter', 0],
    ]);
    expect(Object.fromEntries(createProviders(allOn, fetch).map(({ id, priceMicros }) => [id, priceMicros]))).toEqual({
      zerobounce: 12_900,
      neverbounce: 5_000,
      kickbox: 7_000,
      emailable: 6_000,
      bouncer: 4_500,
      hunter: 7_500,
      reacher: 0,
    });
  });

  it.each([
    ['http://127.0.0.1:9000', 'http://127.0.0.1:9000/v2/verify'],
    ['https://gate.example/', 'https://gate.example/v2/verify'],
    ['https://gate.example/vendors/kickbox/', 'https://gate.example/vendors/kickbox/v2/verify'],
  ])('puts the documented path after base URL %s', async (baseUrl, asked) => {
    const { provider, requests } = vendor('kickbox', () => responseOf({ status: 500, body: '' }), { baseUrl });
    await provider.ask(EMAIL, 1_000, NEVER);
    expect(requests.map(({ url }) => url.origin + url.pathname)).toEqual([asked]);
  });

  it('fails as unreachable, and does not throw, on an invalid base URL', async () => {
    const settings = settingsOf({ bouncer: { apiKey: KEY, baseUrl: 'bouncer.example' } });
    const [provider] = createProviders(settings, (url) => Promise.reject(new TypeError(`Invalid URL: ${url}`)));
    expect(await provider?.ask(EMAIL, 1_000, NEVER)).toMatchObject({ ok: false, error: { kind: 'unreachable' } });
  });
});

describe('an answer `unknown`', () => {
  it.each(PROVIDER_IDS)('of %s counts as free only where one of its replies is free', async (id) => {
    const costs: number[] = [];
    for (const reply of Object.values(repliesOf(id))) {
      const { provider } = vendor(id, () => responseOf(reply), { costMicros: 1_000 });
      const result = await provider.ask(EMAIL, 1_000, NEVER);
      if (result.ok && result.value.verdict === 'unknown') costs.push(result.value.costMicros);
    }
    expect(costs).not.toEqual([]);
    expect(BILLS_UNKNOWN[id] || costs.includes(0)).toBe(true);
  });
});

describe('an address in a request', () => {
  it.each(PROVIDER_IDS)('arrives at %s as it is: plus, quotes, spaces and letters of any script', async (id) => {
    const email = '"a b&c=%+"+x@bücher.example';
    const { provider, requests } = vendor(id, () => responseOf({ status: 500, body: '' }));
    await provider.ask(email, 1_000, NEVER);
    const [request] = requests;
    const { email: posted, to_email } = (request?.json ?? {}) as Record<string, unknown>;
    expect(request?.url.searchParams.get('email') ?? posted ?? to_email).toBe(email);
    expect(JSON.stringify(request?.init.headers)).not.toContain('example');
  });
});

describe('the reasons', () => {
  it('are those some vendor gives, each at least once', async () => {
    const given = new Set<string>();
    for (const id of PROVIDER_IDS) {
      for (const reply of Object.values(repliesOf(id))) {
        const result = await vendor(id, () => responseOf(reply)).provider.ask(EMAIL, 1_000, NEVER);
        if (result.ok && result.value.reason !== null) given.add(result.value.reason);
      }
    }
    expect(given).toEqual(new Set(PROVIDER_REASONS));
  });
});
