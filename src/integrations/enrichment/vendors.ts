import {
  ENRICHMENT_VENDOR_IDS,
  type EnrichmentVendor,
  type EnrichmentVendorId,
} from '../../domain/policy/enrichment.ts';
import { kindOfStatus } from '../../domain/router/provider-health.ts';
import { err, ok } from '../../kernel/errors.ts';
import { type Exchanged, type Message, parseJson, type VendorSettings, withoutSlash } from '../exchange.ts';
import type { EnrichmentAdapter, FailureKind } from './adapter.ts';
import { hunter } from './hunter.ts';
import { peopleDataLabs } from './people-data-labs.ts';

const ADAPTERS: Readonly<Record<EnrichmentVendorId, EnrichmentAdapter>> = { hunter, pdl: peopleDataLabs };

/** The vendors with a key. */
export const createEnrichmentVendors = (
  settings: Readonly<Record<EnrichmentVendorId, VendorSettings>>,
  exchange: Exchange,
): readonly EnrichmentVendor[] =>
  ENRICHMENT_VENDOR_IDS.map((id) => createEnrichmentVendor(ADAPTERS[id], settings[id], exchange)).filter(
    (vendor) => vendor !== null,
  );

export type Exchange = (
  message: Message,
  wantsBody: (status: number) => boolean,
  timeoutMs: number,
) => Promise<Exchanged>;

/** Null without a key. */
function createEnrichmentVendor(
  vendor: EnrichmentAdapter,
  { apiKey, baseUrl, costMicros }: VendorSettings,
  ask: Exchange,
): EnrichmentVendor | null {
  if (apiKey === null) return null;
  const base = withoutSlash(baseUrl ?? vendor.origin);
  const prices = costMicros === null ? vendor.prices : { company: costMicros, person: costMicros, both: costMicros };
  return {
    id: vendor.id,
    prices,
    async ask(question, timeoutMs) {
      const notFound = ok({ company: null, person: null, costMicros: 0 });
      /** Both vendors bill returned data, never a refusal. An interrupted or unreadable answer may have been data. */
      const failure = (kind: FailureKind, mayBeBilled: boolean) =>
        err({ kind, costMicros: mayBeBilled ? prices[question.wants] : 0 });
      const { path, query, headers } = vendor.request(question, apiKey);
      const url = `${base}${path}?${new URLSearchParams(query).toString()}`;
      const reply = await ask(
        { url, headers, body: undefined },
        (status) => status === 200 || status === 404,
        timeoutMs,
      );
      if (!reply.ok) return failure(reply.fault.kind, reply.fault.sent);
      // Both vendors answer 404 in JSON, free, if they find nothing; any other 404 comes from something in between.
      if (reply.status === 404 && parseObject(reply.text)) return notFound;
      // Unavailable for legal reasons: the person objected to sharing.
      if (reply.status === 451) return notFound;
      if (reply.status !== 200)
        return failure(vendor.statusOverrides[reply.status] ?? kindOfStatus(reply.status), reply.status < 300);
      const found = vendor.read(parseObject(reply.text), question);
      return found === null ? failure('malformed', true) : ok({ ...found, costMicros: prices[question.wants] });
    },
  };
}

function parseObject(text: string): object | null {
  const value = parseJson(text);
  return typeof value === 'object' && !Array.isArray(value) ? value : null;
}
