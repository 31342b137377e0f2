import { parseDomain } from '../../domain/address/parse.ts';
import {
  PROVIDER_IDS,
  type Provider,
  type ProviderAnswer,
  type ProviderFailure,
  type ProviderId,
} from '../../domain/belief/provider.ts';
import { kindOfStatus, RETRYABLE } from '../../domain/router/provider-health.ts';
import { err, ok, type Result } from '../../kernel/errors.ts';
import { exchange, type Fetch, parseJson, type VendorSettings, withoutSlash } from '../exchange.ts';
import { type Adapter, type FailureKind, normaliseReport, type ParsedReply, type VendorReport } from './adapter.ts';
import { bouncer } from './bouncer.ts';
import { emailable } from './emailable.ts';
import { hunter } from './hunter.ts';
import { kickbox } from './kickbox.ts';
import { neverbounce } from './neverbounce.ts';
import { reacher } from './reacher.ts';
import { zerobounce } from './zerobounce.ts';

const ADAPTERS: Readonly<Record<ProviderId, Adapter>> = {
  zerobounce,
  neverbounce,
  kickbox,
  emailable,
  bouncer,
  hunter,
  reacher,
};

/** The vendors with a key, and Reacher with a base URL. */
export const createProviders = (settings: Readonly<Record<ProviderId, VendorSettings>>, fetch: Fetch): Provider[] =>
  PROVIDER_IDS.flatMap((id) => {
    const adapter = ADAPTERS[id];
    const { apiKey, baseUrl, costMicros } = settings[id];
    const origin = baseUrl ?? adapter.origin;
    if (origin === null || (apiKey === null && adapter.origin !== null)) return [];
    return [
      createProvider(adapter, { origin, apiKey: apiKey ?? '', priceMicros: costMicros ?? adapter.priceMicros }, fetch),
    ];
  });

/** `origin`: where the vendor is asked; `priceMicros`: what a billed answer costs. */
export function createProvider(
  adapter: Adapter,
  { origin, apiKey, priceMicros }: { readonly origin: string; readonly apiKey: string; readonly priceMicros: number },
  fetch: Fetch,
): Provider {
  const base = withoutSlash(origin);
  const refusals = adapter.statusOverrides ?? [];
  const wantsBody = (status: number) =>
    status === 200 || refusals.some((row) => row.status === status && row.says !== undefined);

  /**
   * `atWork`: the vendor may have done the check, and may bill it without an answer. A vendor that refuses a question
   * does not bill it.
   */
  const failure = (kind: FailureKind, atWork: boolean) =>
    err({ kind, retryable: RETRYABLE.has(kind), costMicros: atWork ? priceMicros : 0 });

  function failureOfStatus(status: number, text: string): Result<never, ProviderFailure> {
    const row = refusals.find(({ status: at, says = '' }) => at === status && text.toLowerCase().includes(says));
    return failure(row?.kind ?? kindOfStatus(status), status < 300 || status >= 500);
  }

  const askOnce: Provider['ask'] = async (email, timeoutMs, signal) => {
    const { path, query, headers = {}, body } = adapter.request({ email, apiKey, timeoutMs });
    const url = query === undefined ? base + path : `${base}${path}?${new URLSearchParams(query).toString()}`;
    const reply = await exchange(fetch, { url, headers, body }, wantsBody, timeoutMs, signal);
    if (!reply.ok) return failure(reply.fault.kind, reply.fault.sent);
    if (reply.status !== 200) return failureOfStatus(reply.status, reply.text);
    const parsed = adapter.read(parseJson(reply.text));
    if (parsed === null) return failure('malformed', true);
    if ('failure' in parsed) return failure(parsed.failure, parsed.failure === 'server_error');
    return ok(answer(parsed, email, priceMicros));
  };

  return {
    id: adapter.id,
    priceMicros,
    async ask(email, timeoutMs, signal) {
      try {
        return await askOnce(email, timeoutMs, signal);
      } catch {
        // An unforeseen reply is the vendor's fault or the adapter's, never the request's.
        return failure('malformed', true);
      }
    },
  };
}

const answer = (
  { report, suggestion, billed }: Extract<ParsedReply, { report: VendorReport }>,
  email: string,
  priceMicros: number,
): ProviderAnswer => ({
  ...normaliseReport(report),
  suggestedDomain: suggestedDomain(suggestion, email),
  costMicros: billed ? priceMicros : 0,
});

const domainOf = (address: string): string | null => {
  const parsed = parseDomain(address.slice(address.lastIndexOf('@') + 1));
  return parsed.ok ? parsed.domain : null;
};

/** The suggested domain, if another. A corrected local part is personal, so it is not stored. */
function suggestedDomain(suggestion: string | null, email: string): string | null {
  const domain = suggestion === null ? null : domainOf(suggestion);
  return domain === domainOf(email) ? null : domain;
}
