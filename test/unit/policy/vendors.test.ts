import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Company, Person } from '../../../src/contract/decision.ts';
import {
  ENRICHMENT_VENDOR_IDS,
  type EnrichmentVendor,
  type EnrichmentVendorId,
} from '../../../src/domain/policy/enrichment.ts';
import { createEnrichmentVendors } from '../../../src/integrations/enrichment/vendors.ts';
import { exchange, type VendorSettings } from '../../../src/integrations/exchange.ts';

type Wants = 'company' | 'person' | 'both';
interface Reply {
  readonly wants: Wants;
  readonly status: number;
  /** Text as it stands, anything else as JSON. */
  readonly body: unknown;
}

const EMAIL = 'ada+x@mail.acme.example';
const DOMAIN = 'mail.acme.example';
const KEY = 'key-3f1c';
const OFF: VendorSettings = { apiKey: null, baseUrl: null, costMicros: null };

const repliesOf = (id: EnrichmentVendorId): Readonly<Record<string, Reply>> =>
  JSON.parse(readFileSync(new URL(`../../fixtures/enrichment/${id}.json`, import.meta.url).pathname, 'utf8'));

/** One vendor over a scripted `fetch` that records its requests. */
function sourceOver(
  id: EnrichmentVendorId,
  respond: () => Response | Promise<Response>,
  settings: Partial<VendorSettings> = {},
): { source: EnrichmentVendor; requests: { url: URL; init: RequestInit }[] } {
  const requests: { url: URL; init: RequestInit }[] = [];
  const fetch = async (url: string, init: RequestInit) => {
    requests.push({ url: new URL(url), init });
    return respond();
  };
  const all = { hunter: OFF, pdl: OFF, [id]: { ...OFF, apiKey: KEY, ...settings } };
  const [source] = createEnrichmentVendors(all, (...rest) => exchange(fetch, ...rest));
  if (!source) throw new Error(`${id} is off`);
  return { source, requests };
}

const responseOf = ({ status, body }: Reply): Response =>
  new Response(typeof body === 'string' ? body : JSON.stringify(body), { status });

const ask = (source: EnrichmentVendor, wants: Wants) => source.ask({ wants, domain: DOMAIN, email: EMAIL }, 2_000);

const COMPANY: Company = { name: 'Acme', domain: 'acme.example', industry: null, employees_range: null, country: null };
const lead = (seniority: Person['seniority']): Person => ({ seniority });

const ANSWERS: Readonly<
  Record<EnrichmentVendorId, Readonly<Record<string, { company: Company | null; person: Person | null }>>>
> = {
  hunter: {
    company: {
      company: { ...COMPANY, industry: 'Internet Software & Services', employees_range: '11-50', country: 'DE' },
      person: null,
    },
    "company, Clearbit's form": {
      company: { ...COMPANY, industry: 'Industrials', employees_range: '501-1000', country: 'US' },
      person: null,
    },
    'company, a range of other words': {
      company: { ...COMPANY, domain: DOMAIN, industry: 'Retail', employees_range: '201-500', country: 'CI' },
      person: null,
    },
    'company, nothing but its domain': { company: null, person: null },
    'company, fields of other types': { company: { ...COMPANY, domain: DOMAIN }, person: null },
    person: { company: null, person: lead('senior') },
    'person, a founder': { company: null, person: lead('executive') },
    'person without a job': { company: null, person: null },
    both: {
      company: { ...COMPANY, industry: 'Internet Software & Services', employees_range: '51-200', country: 'DE' },
      person: lead('executive'),
    },
    'both, a company elsewhere': { company: null, person: lead('senior') },
    'company, texts of a stranger': {
      company: { ...COMPANY, name: 'Acme Ltd', domain: DOMAIN, country: 'DE' },
      person: null,
    },
    'both, the company alone': { company: { ...COMPANY, domain: DOMAIN, country: 'DE' }, person: null },
  },
  pdl: {
    company: {
      company: { ...COMPANY, industry: 'computer software', employees_range: '51-200', country: 'US' },
      person: null,
    },
    'company, a head count alone': {
      company: {
        ...COMPANY,
        name: 'acme',
        domain: DOMAIN,
        industry: 'software development',
        employees_range: '10001+',
        country: 'CI',
      },
      person: null,
    },
    'company, fields of other types': { company: { ...COMPANY, name: 'acme', domain: DOMAIN }, person: null },
    person: { company: null, person: lead('director') },
    'person, a level of tomorrow': { company: null, person: null },
    both: {
      company: { ...COMPANY, name: 'acme', industry: 'computer software', employees_range: '1001-5000', country: 'GM' },
      person: lead('executive'),
    },
    'both, a job elsewhere': { company: null, person: lead('executive') },
  },
};

/** Failure kind, and whether the call may have been billed: a complete reply without a 2xx status is not. */
const FAILURES: Readonly<Record<EnrichmentVendorId, Readonly<Record<string, readonly [string, boolean]>>>> = {
  hunter: {
    'no such page': ['unreachable', false],
    'data missing': ['malformed', true],
    'bad request': ['refused', false],
    'bad key': ['unauthorized', false],
    // 403 is the rate, 429 the plan: the other way round than everywhere else.
    'rate limit': ['rate_limited', false],
    'no credit': ['no_credit', false],
    'server error': ['server_error', false],
    'still working': ['pending', true],
  },
  pdl: {
    'no such page': ['unreachable', false],
    'data missing': ['malformed', true],
    'another status inside': ['malformed', true],
    'bad request': ['refused', false],
    'bad key': ['unauthorized', false],
    'no credit': ['no_credit', false],
    'rate limit': ['rate_limited', false],
    'server error': ['server_error', false],
  },
};

const NO_MATCH: Readonly<Record<EnrichmentVendorId, readonly string[]>> = {
  hunter: ['not known', 'asked to be left out'],
  pdl: ['not known'],
};

describe.each(ENRICHMENT_VENDOR_IDS)('%s', (id) => {
  const replies = repliesOf(id);
  const replyOf = (name: string): Reply => {
    const reply = replies[name];
    if (!reply) throw new Error(`no reply named ${name}`);
    return reply;
  };

  it.each(Object.entries(ANSWERS[id]))('reads: %s', async (name, found) => {
    const reply = replyOf(name);
    const { source, requests } = sourceOver(id, () => responseOf(reply));
    expect(await ask(source, reply.wants)).toEqual({
      ok: true,
      value: { ...found, costMicros: source.prices[reply.wants] },
    });
    expect(requests).toHaveLength(1);
  });

  it.each(NO_MATCH[id])('takes for no match, at no cost: %s', async (name) => {
    const reply = replyOf(name);
    const { source } = sourceOver(id, () => responseOf(reply));
    expect(await ask(source, reply.wants)).toEqual({ ok: true, value: { company: null, person: null, costMicros: 0 } });
  });

  it.each(Object.entries(FAILURES[id]))('fails: %s', async (name, [kind, billed]) => {
    const reply = replyOf(name);
    const { source } = sourceOver(id, () => responseOf(reply));
    const costMicros = billed ? source.prices[reply.wants] : 0;
    expect(await ask(source, reply.wants)).toEqual({ ok: false, error: { kind, costMicros } });
  });

  it('is tested on every reply of its fixture', () => {
    const named = [...Object.keys(ANSWERS[id]), ...Object.keys(FAILURES[id]), ...NO_MATCH[id]];
    expect(named.toSorted()).toEqual(Object.keys(replies).toSorted());
  });

  it('is asked by GET, the key in a header alone, the address only where a person is wanted', async () => {
    for (const wants of ['company', 'person', 'both'] as const) {
      const { source, requests } = sourceOver(id, () => new Response('', { status: 500 }));
      await ask(source, wants);
      const [request] = requests;
      expect(request?.init).toMatchObject({ redirect: 'manual', headers: { 'x-api-key': KEY } });
      expect(request?.init.method ?? 'GET').toBe('GET');
      expect(request?.url.href).not.toContain(KEY);
      expect([...(request?.url.searchParams.values() ?? [])]).toContain(wants === 'company' ? DOMAIN : EMAIL);
      expect(request?.url.href.includes('ada')).toBe(wants !== 'company');
    }
  });

  it('is asked elsewhere, and priced otherwise, where the settings say so', async () => {
    const settings = { baseUrl: 'https://proxy.example/vendor/', costMicros: 1_234 };
    const { source, requests } = sourceOver(id, () => responseOf(replyOf('company')), settings);
    expect(await ask(source, 'company')).toMatchObject({ value: { costMicros: 1_234 } });
    expect(requests[0]?.url.href).toMatch(/^https:\/\/proxy\.example\/vendor\/v\d\//);
  });

  it('is off without a key', () => {
    expect(createEnrichmentVendors({ hunter: OFF, pdl: OFF }, (...rest) => exchange(fetch, ...rest))).toEqual([]);
  });
});

it.each([
  ['hunter', 'company', 'https://api.hunter.io/v2/companies/find', { domain: DOMAIN }],
  ['hunter', 'person', 'https://api.hunter.io/v2/people/find', { email: EMAIL }],
  ['hunter', 'both', 'https://api.hunter.io/v2/combined/find', { email: EMAIL }],
  ['pdl', 'company', 'https://api.peopledatalabs.com/v5/company/enrich', { website: DOMAIN }],
  ['pdl', 'person', 'https://api.peopledatalabs.com/v5/person/enrich', { email: EMAIL, required: 'job_title_levels' }],
  ['pdl', 'both', 'https://api.peopledatalabs.com/v5/person/enrich', { email: EMAIL }],
] as const)('%s is asked for a %s at the documented place', async (id, wants, place, query) => {
  const { source, requests } = sourceOver(id, () => new Response('', { status: 500 }));
  await ask(source, wants);
  const url = requests[0]?.url;
  expect(url && url.origin + url.pathname).toBe(place);
  expect(Object.fromEntries(url?.searchParams ?? [])).toMatchObject(query);
});

describe.each(ENRICHMENT_VENDOR_IDS)('%s, whatever it gets', (id) => {
  beforeEach(() => void vi.useFakeTimers());

  it('gives up in time', async () => {
    const { source } = sourceOver(id, () => new Promise(() => undefined));
    const asked = ask(source, 'company');
    await vi.advanceTimersByTimeAsync(2_000);
    expect(await asked).toMatchObject({ ok: false, error: { kind: 'timeout', costMicros: source.prices.company } });
    expect(vi.getTimerCount()).toBe(0);
  });

  it('asks nothing and costs nothing without time', async () => {
    const { source, requests } = sourceOver(id, () => new Response());
    expect(await source.ask({ wants: 'both', domain: DOMAIN, email: EMAIL }, 0)).toMatchObject({
      error: { kind: 'timeout', costMicros: 0 },
    });
    expect(requests).toEqual([]);
  });

  it('refuses a reply of many megabytes', async () => {
    const { source } = sourceOver(id, () => new Response(' '.repeat(1_000_000)));
    expect(await ask(source, 'company')).toMatchObject({ error: { kind: 'too_large' } });
  });

  it('answers or fails at a price of nothing or its own, in our words alone', async () => {
    const bodies = Object.values(repliesOf(id)).flatMap(({ body }) =>
      typeof body === 'string' ? [] : [body as object],
    );
    const spoilt = fc.tuple(fc.constantFrom(...bodies), fc.jsonValue()).map(([body, value]) => {
      const data = (body as { data?: object }).data;
      return JSON.stringify(
        data === undefined
          ? { ...body, size: value, location: value }
          : { ...body, data: { ...data, metrics: value, company: value, job_title_levels: value } },
      );
    });
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(spoilt, fc.json(), fc.string({ unit: 'binary' })),
        fc.constantFrom(200, 200, 202, 302, 400, 404, 429, 500),
        fc.constantFrom<Wants[]>('company', 'person', 'both'),
        async (text, status, wants) => {
          const { source } = sourceOver(id, () => new Response(text, { status }));
          const result = await ask(source, wants);
          expect([0, source.prices[wants]]).toContain(result.ok ? result.value.costMicros : result.error.costMicros);
          if (!result.ok) {
            expect(JSON.stringify(result)).not.toContain('acme');
            return;
          }
          const { company, person } = result.value;
          expect(company?.country ?? 'XX').toMatch(/^[A-Z]{2}$/);
          expect(company?.name?.length ?? 0).toBeLessThanOrEqual(200);
          if (wants === 'company') expect(person).toBeNull();
          if (wants === 'person') expect(company).toBeNull();
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('what a call costs', () => {
  const priced = (costMicros: number | null) =>
    createEnrichmentVendors(
      { hunter: { ...OFF, apiKey: KEY, costMicros }, pdl: { ...OFF, apiKey: KEY, costMicros } },
      async () => ({ ok: true, status: 500, text: '' }),
    ).map(({ prices }) => prices);

  it('is what is configured, whatever it asks for', () => {
    for (const prices of priced(7)) expect(prices).toEqual({ company: 7, person: 7, both: 7 });
  });

  it('is else the list price: at Hunter one credit, whatever it asks for', () => {
    const [hunter, pdl] = priced(null);
    expect(hunter).toEqual({ company: 14_900, person: 14_900, both: 14_900 });
    expect(pdl?.both).toBe(pdl?.person);
  });
});
