import type {
  EnrichmentFailure,
  EnrichmentQuestion,
  EnrichmentVendor,
  EnrichmentVendorId,
  Found,
  Prices,
} from '../../domain/policy/enrichment.ts';
import { kindOfStatus } from '../../domain/router/provider-health.ts';
import { err, ok } from '../../kernel/result.ts';

type FailureKind = EnrichmentFailure['kind'];

/** One vendor as its documentation describes it. How it is asked is the same for all and stands below. */
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
  /** Statuses with another meaning at this vendor than at others. */
  readonly statusOverrides: Readonly<Record<number, FailureKind>>;
  /** Reads a reply of status 200; null when it does not have the documented shape. */
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
        /** The vendor may have received the question all the same. */
        readonly sent: boolean;
      };
    }
>;

export interface EnrichmentVendorSettings {
  readonly apiKey: string | null;
  /** Replaces the vendor's scheme and host. It may end in a path, which the documented path follows. */
  readonly baseUrl: string | null;
  /** The price of one billed call in micros, whatever it asks for; null: the vendor's list prices. */
  readonly costMicros: number | null;
}

/** The vendor ready to be asked; null without a key. */
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
      const notFound = ok({ company: null, person: null, costMicros: 0 });
      /**
       * Both vendors bill data they found, never a refusal. An answer that broke off or can't be read may have been data.
       */
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
      // Both vendors answer 404 in JSON, free of charge, when they don't find anything; any other 404 comes from something in between.
      if (reply.status === 404 && parseObject(reply.text)) return notFound;
      // Unavailable for legal reasons: the person asked the vendor not to give out their data.
      if (reply.status === 451) return notFound;
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
