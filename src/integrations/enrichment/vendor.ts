import type {
  EnrichmentFailure,
  EnrichmentQuestion,
  EnrichmentVendor,
  EnrichmentVendorId,
  Found,
  Prices,
} from '../../domain/policy/enrichment/vendor.ts';
import { kindOfStatus } from '../../domain/verification/vendor-failure.ts';
import { err, ok } from '../../kernel/result.ts';

type FailureKind = EnrichmentFailure['kind'];

/** One vendor: what its documentation says, and nothing of how it is asked. */
export interface EnrichmentAdapter {
  readonly id: EnrichmentVendorId;
  /** Scheme and host, which a base URL replaces. */
  readonly origin: string;
  readonly prices: Prices;
  request(
    question: EnrichmentQuestion,
    apiKey: string,
  ): {
    readonly path: string;
    readonly query: Readonly<Record<string, string>>;
    readonly headers: Readonly<Record<string, string>>;
  };
  /** Statuses that mean another thing here than elsewhere. */
  readonly statusOverrides: Readonly<Record<number, FailureKind>>;
  /** What a reply of status 200 says; null when it is not of the documented shape. */
  read(reply: unknown, question: EnrichmentQuestion): Omit<Found, 'costMicros'> | null;
}

/** Asks once over HTTP, bounded in time and size; never rejects. `text` is empty unless `wantsBody` names the status. */
export type Exchange = (
  message: { readonly url: string; readonly headers: Readonly<Record<string, string>>; readonly body: undefined },
  wantsBody: (status: number) => boolean,
  timeoutMs: number,
) => Promise<
  | { readonly ok: true; readonly status: number; readonly text: string }
  | {
      readonly ok: false;
      readonly fault: {
        readonly kind: 'timeout' | 'unreachable' | 'malformed' | 'too_large';
        /** The vendor may have got the question all the same. */
        readonly sent: boolean;
      };
    }
>;

export interface EnrichmentVendorSettings {
  readonly apiKey: string | null;
  /** Stands in place of the vendor's scheme and host; may end in a path, which the documented path follows. */
  readonly baseUrl: string | null;
  /** What one billed call costs, whatever it asks for, in micros; null: the vendor's list prices. */
  readonly costMicros: number | null;
}

/** The vendor as a `Source`; null without a key. */
export function createEnrichmentVendor(
  vendor: EnrichmentAdapter,
  { apiKey, baseUrl, costMicros }: EnrichmentVendorSettings,
  exchange: Exchange,
): EnrichmentVendor | null {
  if (apiKey === null) return null;
  const origin = baseUrl ?? vendor.origin;
  const base = origin.endsWith('/') ? origin.slice(0, -1) : origin;
  const prices = costMicros === null ? vendor.prices : { company: costMicros, person: costMicros, both: costMicros };
  return {
    id: vendor.id,
    prices,
    async ask(question, timeoutMs) {
      const nobody = ok({ company: null, person: null, costMicros: 0 });
      /** Both vendors bill data they found, and no refusal: what was broken off, or can't be read, may have been that. */
      const failure = (kind: FailureKind, mayBeBilled: boolean) =>
        err({ kind, costMicros: mayBeBilled ? prices[question.wants] : 0 });
      const { path, query, headers } = vendor.request(question, apiKey);
      const url = `${base}${path}?${new URLSearchParams(query).toString()}`;
      const reply = await exchange(
        { url, headers, body: undefined },
        (status) => status === 200 || status === 404,
        timeoutMs,
      );
      if (!reply.ok) return failure(reply.fault.kind, reply.fault.sent);
      // Both vendors say so of whom they do not know, in JSON and for nothing; any other 404 is not theirs.
      if (reply.status === 404 && parseObject(reply.text)) return nobody;
      // Unavailable for legal reasons: the person asked to be left out, and so they are.
      if (reply.status === 451) return nobody;
      if (reply.status !== 200)
        return failure(vendor.statusOverrides[reply.status] ?? kindOfStatus(reply.status), reply.status < 300);
      const found = vendor.read(parseObject(reply.text), question);
      return found === null ? failure('malformed', true) : ok({ ...found, costMicros: prices[question.wants] });
    },
  };
}

/** Null when the text is not a JSON object. */
function parseObject(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}
