import { type BodyFault, readText } from '../kernel/read-body.ts';

/** The global `fetch`, as an input. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** One question as it goes out. A `body` is sent as JSON by POST; without one it is a GET. */
export interface Message {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** The longest reply that is read; what a vendor's needs without it. */
  readonly replyBytesMax?: number;
}

/**
 * Why nothing readable came back. `sent`: the other side may have got the question all the same. A connection that was
 * refused counts as sent too: on Workers `fetch` fails alike before and after it has written, and names no cause.
 */
export interface ExchangeFault {
  readonly kind: 'timeout' | 'unreachable' | 'malformed' | 'too_large';
  readonly sent: boolean;
}

export type Exchanged =
  | { readonly ok: true; readonly status: number; readonly text: string }
  | { readonly ok: false; readonly fault: ExchangeFault };

/** Vendors' fullest documented replies, a company's record among them, have a few KB; a model's label has less. */
const BODY_BYTES_MAX = 65_536;

/** What a timer can hold; a longer delay would fire at once. */
const TIMER_MS_MAX = 2 ** 31 - 1;

const KIND_BY_BODY_FAULT = {
  too_large: 'too_large',
  not_utf8: 'malformed',
  interrupted: 'unreachable',
} as const satisfies Record<BodyFault, ExchangeFault['kind']>;

const JSON_BODY = { 'content-type': 'application/json' };

const failed = (kind: ExchangeFault['kind'], sent: boolean) => ({ ok: false, fault: { kind, sent } }) as const;

/**
 * Asks once and reads the reply as text, all within `timeoutMs`; `signal` ends it earlier, also as `timeout`. `text` is
 * empty unless `wantsBody` names the status. Never rejects and never waits for a `fetch` that ignores its signal.
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
      // No vendor has a reason to send our key to another host. Workers know no 'error': the 3xx itself comes back.
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
    // An unreadable explanation changes nothing about an error status.
    return status === 200 ? failed(KIND_BY_BODY_FAULT[read.fault], true) : { ok: true, status, text: '' };
  } catch {
    return failed('unreachable', true);
  }
}
