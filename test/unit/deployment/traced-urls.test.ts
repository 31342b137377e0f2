import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ENRICHMENT_VENDOR_IDS } from '../../../src/domain/policy/enrichment.ts';
import { PROVIDER_IDS } from '../../../src/domain/belief/provider.ts';
import { createEnrichmentVendors } from '../../../src/integrations/enrichment/vendors.ts';
import { createProviders } from '../../../src/integrations/providers/providers.ts';

const EMAIL = 'ada.lovelace@example.com';
const LIMIT_MS = 1_000;

/** One setting for each vendor. */
const forAll = <Id extends string>(ids: readonly Id[]) => {
  const settings = { apiKey: 'key', baseUrl: 'https://vendor.test', costMicros: null };
  return Object.fromEntries(ids.map((id) => [id, settings])) as Record<Id, typeof settings>;
};

/** What a trace shows of a URL once its query is cut off. */
const shown = (url: string): string => decodeURIComponent(url.split('?', 1)[0] ?? '');

it('no vendor is asked at a URL that shows the address or the key in a trace, its query apart', async () => {
  const urls: string[] = [];
  const providers = createProviders(forAll(PROVIDER_IDS), async (url) => {
    urls.push(url);
    return new Response('{}');
  });
  for (const provider of providers) await provider.ask(EMAIL, LIMIT_MS, new AbortController().signal);
  const vendors = createEnrichmentVendors(forAll(ENRICHMENT_VENDOR_IDS), async ({ url }) => {
    urls.push(url);
    return { ok: true, status: 404, text: '{}' };
  });
  for (const vendor of vendors) await vendor.ask({ email: EMAIL, domain: 'example.com', wants: 'both' }, LIMIT_MS);
  expect(urls).toHaveLength(PROVIDER_IDS.length + ENRICHMENT_VENDOR_IDS.length);
  expect(urls.filter((url) => /lovelace|example|key$/.test(shown(url)))).toEqual([]);
  // Otherwise the test would search for nothing.
  expect(urls.some((url) => /lovelace/.test(url))).toBe(true);
});

it.each(['wrangler.toml', 'dashboard/wrangler.toml'])(
  '%s has queries cut off from the URLs of logs and traces',
  (file) => {
    const config = readFileSync(join(import.meta.dirname, '../../..', file), 'utf8');
    expect(config).toMatch(/^\[observability\]\n(?:[^[\n].*\n)*redact_query_string = true\n/m);
  },
);
