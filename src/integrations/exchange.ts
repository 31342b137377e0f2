import * as z from 'zod';
import { type BodyFault, readText } from '../kernel/read-body.ts';

/** The global `fetch`, replaceable by tests. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** One request to a vendor. A `body` is sent as JSON by POST; without one it is a GET. */
export interface Message {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** The longest reply; the default suits every vendor. */
  readonly replyBytesMax?: number;
}

/**
 * Why there is no readable reply. `sent`: the other side may have received the question all the same. A refused
 * connection counts as sent too: on Workers `fetch` fails in the same way before and after it has written.
 */
export interface ExchangeFault {
  readonly kind: 'timeout' | 'unreachable' | 'malformed' | 'too_large';
  readonly sent: boolean;
}

export type Exchanged =
  | { readonly ok: true; readonly status: number; readonly text: string }
  | { readonly ok: false; readonly fault: ExchangeFault };

/** Vendors' fullest documented replies have a few KB, and a model's label has less. */
const BODY_BYTES_MAX = 65_536;

/** The longest delay of a timer; a longer one would fire at once. */
const TIMER_MS_MAX = 2 ** 31 - 1;

const KIND_BY_BODY_FAULT = {
  too_large: 'too_large',
  not_utf8: 'malformed',
  interrupted: 'unreachable',
} as const satisfies Record<BodyFault, ExchangeFault['kind']>;

const JSON_BODY = { 'content-type': 'application/json' };

const failed = (kind: ExchangeFault['kind'], sent: boolean) => ({ ok: false, fault: { kind, sent } }) as const;

/**
 * Asks once and reads the reply as text within `timeoutMs`; `signal` ends it earlier, also as `timeout`. `text` is
 * empty unless `wantsBody(status)`. Never rejects, and never waits for a `fetch` that ignores its signal.
 */
export async function exchange(
  fetch: Fetch,
  message: Message,
  wantsBody: (status: number) => boolean,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<Exchanged> {
  if (!(timeoutMs > 0) || signal?.aborted === true) return failed('timeout', false);
  const stop = new AbortController();
  const stopped = new Promise<Exchanged>((resolve) => {
    stop.signal.addEventListener('abort', () => resolve(failed('timeout', true)), { once: true });
  });
  const abandon = () => stop.abort();
  const timer = setTimeout(abandon, Math.min(timeoutMs, TIMER_MS_MAX));
  signal?.addEventListener('abort', abandon, { once: true });
  try {
    return await Promise.race([converse(fetch, message, wantsBody, stop.signal), stopped]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abandon);
  }
}

async function converse(
  fetch: Fetch,
  { url, headers, body, replyBytesMax = BODY_BYTES_MAX }: Message,
  wantsBody: (status: number) => boolean,
  stop: AbortSignal,
): Promise<Exchanged> {
  try {
    const response = await fetch(url, {
      headers: { accept: 'application/json', ...(body === undefined ? {} : JSON_BODY), ...headers },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
      // A redirect could send our key to another host. Workers don't support 'error', so the 3xx itself is returned.
      redirect: 'manual',
      signal: stop,
    });
    const { status } = response;
    if (stop.aborted || !wantsBody(status)) {
      void response.body?.cancel().catch(() => undefined);
      return { ok: true, status, text: '' };
    }
    const read = await readText(response.body, replyBytesMax);
    if (read.ok) return { ok: true, status, text: read.text };
    void response.body?.cancel().catch(() => undefined);
    // An error status counts even if its explanation can't be read.
    return status === 200 ? failed(KIND_BY_BODY_FAULT[read.fault], true) : { ok: true, status, text: '' };
  } catch {
    return failed('unreachable', true);
  }
}

/** Undefined: not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export interface VendorSettings {
  readonly apiKey: string | null;
  /** Replaces the vendor's scheme and host. It may end in a path, which the documented path follows. */
  readonly baseUrl: string | null;
  /** The price of one billed answer in micros; null means the vendor's list price. */
  readonly costMicros: number | null;
}

export const withoutSlash = (url: string): string => (url.endsWith('/') ? url.slice(0, -1) : url);

/** Fields of replies: a missing or mistyped one is null, so that a vendor's small change costs one value. */
export const flag = z.boolean().nullable().catch(null);
export const block = <T extends z.ZodRawShape>(shape: T) => z.object(shape).nullable().catch(null);

/** The table's row for a vendor's word, or undefined: vendors add words without a new version. */
export const rowOf = <T>(table: Readonly<Record<string, T>>, key: string | null): T | undefined =>
  key !== null && Object.hasOwn(table, key) ? table[key] : undefined;
