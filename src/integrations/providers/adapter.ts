import { parseDomain } from '../../domain/address/parse.ts';
import type { Provider, ProviderAnswer, ProviderFailure, ProviderId } from '../../domain/belief/provider.ts';
import { kindOfStatus, RETRYABLE } from '../../domain/router/provider-health.ts';
import { err, ok, type Result } from '../../kernel/result.ts';
import { exchange, type Fetch } from '../exchange.ts';
import { normaliseReport, type VendorReport } from './normalise.ts';

export type FailureKind = ProviderFailure['kind'];

/** What a reply of status 200 says; null when it does not have the documented shape. */
export type ParsedReply =
  | {
      readonly report: VendorReport;
      /** The vendor's correction: an address or a domain. */
      readonly suggestion: string | null;
      readonly billed: boolean;
    }
  | { readonly failure: FailureKind }
  | null;

/** One vendor as its documentation describes it. How it is asked is the same for all and stands below. */
export interface Adapter {
  readonly id: ProviderId;
  /** Scheme and host, which a base URL replaces; null for a self-hosted vendor. */
  readonly origin: string | null;
  /** The list price of one check, in micros. */
  readonly priceMicros: number;
  request(question: { readonly email: string; readonly apiKey: string; readonly timeoutMs: number }): {
    readonly path: string;
    readonly query?: Readonly<Record<string, string>>;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: unknown;
  };
  /**
   * Statuses with another meaning than in the rule below; with `says` only when the body holds this text (lower case).
   */
  readonly statusOverrides?: readonly { readonly status: number; readonly says?: string; readonly kind: FailureKind }[];
  read(reply: unknown): ParsedReply;
}

/** The vendor as a `Provider`: `origin` is where it is asked, `priceMicros` what a billed answer costs. */
export function createProvider(
  adapter: Adapter,
  { origin, apiKey, priceMicros }: { readonly origin: string; readonly apiKey: string; readonly priceMicros: number },
  fetch: Fetch,
): Provider {
  const base = origin.endsWith('/') ? origin.slice(0, -1) : origin;
  const refusals = adapter.statusOverrides ?? [];
  const wantsBody = (status: number) =>
    status === 200 || refusals.some((row) => row.status === status && row.says !== undefined);

  /**
   * `atWork`: the vendor may have done the check, so it may bill it although we learnt nothing. A vendor that refuses a
   * question does not bill it.
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

/** Undefined when the text is not JSON; adapters don't accept undefined as a reply. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const domainOf = (address: string): string | null => {
  const parsed = parseDomain(address.slice(address.lastIndexOf('@') + 1));
  return parsed.ok ? parsed.domain : null;
};

/**
 * The suggested domain, if it differs from the one asked about. A corrected local part is personal, so it is not kept.
 */
function suggestedDomain(suggestion: string | null, email: string): string | null {
  const domain = suggestion === null ? null : domainOf(suggestion);
  return domain === domainOf(email) ? null : domain;
}
