import type { DnsAnswer, DnsFailure, DnsQuery, DnsResult, RecordType } from '../../domain/dns/resolve.ts';
import type { Clock } from '../../kernel/clock.ts';
import { decodeAnswer, encodeQuestion } from './wire.ts';

/**
 * Resolvers on UDP get by with 1,232 bytes (DNS flag day 2020); an honest answer about mail hosts never takes ten times
 * that.
 */
const RESPONSE_BYTES_MAX = 16_384;

const MEDIA_TYPE = 'application/dns-message';

export interface DohClientOptions {
  /** RFC 8484 endpoints, first choice first. */
  readonly urls: readonly string[];
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly now: Clock;
  /** How long one endpoint has for one question. */
  readonly timeoutMs?: number;
  /** How long the next endpoint waits while the ones before it are silent. */
  readonly hedgeAfterMs?: number;
  /** Called once for each question, with its result and duration. */
  readonly onQuery?: (result: DnsResult, ms: number) => void;
  /** Called for each endpoint that did not answer a question, also where another did. */
  readonly onFailure?: (failure: EndpointFailure) => void;
}

export interface EndpointFailure {
  readonly url: string;
  readonly why: DnsFailure;
  readonly ms: number;
}

const failed = (why: DnsFailure) => ({ kind: 'failed', why }) as const;

/** Message in the URL, base64url without padding (RFC 8484 §4.1). */
function getUrl(endpoint: string, message: Uint8Array): string {
  const base64 = btoa(String.fromCharCode(...message));
  const url = new URL(endpoint);
  url.searchParams.set('dns', base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', ''));
  return url.href;
}

/**
 * The body, or null past the limit, counted as it arrives: Content-Length may lie. Leaving the loop cancels the stream.
 */
async function readBody(body: AsyncIterable<Uint8Array>): Promise<Uint8Array | null> {
  const bytes = new Uint8Array(RESPONSE_BYTES_MAX);
  let size = 0;
  for await (const chunk of body) {
    if (size + chunk.length > RESPONSE_BYTES_MAX) return null;
    bytes.set(chunk, size);
    size += chunk.length;
  }
  return bytes.subarray(0, size);
}

/** RFC 8484 §5.1: an answer from an HTTP cache has used up `Age` seconds of its TTL. */
function aged<T extends RecordType>(answer: DnsAnswer<T>, age: string | null): DnsAnswer<T> {
  if (answer.kind === 'failed' || age === null || !/^[0-9]+$/.test(age)) return answer;
  return { ...answer, ttlS: Math.max(0, answer.ttlS - Number(age)) };
}

/**
 * A DNS-over-HTTPS client. A question goes to the first endpoint; the next is asked too when it has failed or stayed
 * silent for `hedgeAfterMs`. The first answer wins and the other requests are aborted. It never rejects: failures are
 * values.
 *
 * Uses GET with id 0, so that equal questions have equal URLs and caches on the way can answer them.
 */
export function createDohClient(options: DohClientOptions): DnsQuery {
  const { urls, fetch, now, timeoutMs = 1_500, hedgeAfterMs = 250, onQuery, onFailure } = options;

  async function ask<T extends RecordType>(
    url: string,
    name: string,
    type: T,
    stopped: AbortSignal,
  ): Promise<DnsAnswer<T>> {
    const startedMs = now();
    const answer = await fetchAnswer(url, name, type, stopped);
    // A stopped endpoint has not failed: another was faster.
    if (answer.kind === 'failed' && !stopped.aborted) onFailure?.({ url, why: answer.why, ms: now() - startedMs });
    return answer;
  }

  async function fetchAnswer<T extends RecordType>(
    url: string,
    name: string,
    type: T,
    stopped: AbortSignal,
  ): Promise<DnsAnswer<T>> {
    // `AbortSignal.timeout` would keep all of this in memory until its time is over.
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), timeoutMs);
    try {
      const response = await fetch(getUrl(url, encodeQuestion(name, type)), {
        headers: { accept: MEDIA_TYPE },
        // Redirects are not followed. Workers don't support 'error', so the 3xx itself comes back.
        redirect: 'manual',
        signal: AbortSignal.any([stopped, late.signal]),
      });
      const mediaType = response.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
      if (response.status !== 200 || mediaType !== MEDIA_TYPE || !response.body) {
        await response.body?.cancel();
        // RFC 8484 §4.2.1: a DNS answer, whatever its code, comes with 200.
        return failed(response.status === 200 ? 'malformed' : 'unreachable');
      }
      const bytes = await readBody(response.body);
      return bytes ? aged(decodeAnswer(bytes, name, type), response.headers.get('age')) : failed('malformed');
    } catch {
      return failed(late.signal.aborted ? 'timeout' : 'unreachable');
    } finally {
      clearTimeout(timer);
    }
  }

  async function hedged<T extends RecordType>(name: string, type: T): Promise<DnsAnswer<T>> {
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const silence = () =>
      new Promise<null>((resolve) => {
        clearTimeout(timer);
        timer = setTimeout(resolve, hedgeAfterMs, null);
      });
    const waiting = [...urls];
    const asked = new Map<string, Promise<DnsAnswer<T>>>();
    let why: DnsFailure = 'unreachable';
    try {
      while (waiting.length + asked.size > 0) {
        const url = waiting.shift();
        if (url) asked.set(url, ask(url, name, type, stop.signal));
        const answers = [...asked].map(async ([from, answer]) => ({ from, answer: await answer }));
        const first = await Promise.race([...answers, ...(waiting.length > 0 ? [silence()] : [])]);
        if (!first) continue;
        asked.delete(first.from);
        if (first.answer.kind !== 'failed') return first.answer;
        // SERVFAIL is about the name, so it says more than another resolver's silence.
        if (why !== 'servfail') why = first.answer.why;
      }
      return failed(why);
    } finally {
      clearTimeout(timer);
      stop.abort();
    }
  }

  return async (name, type) => {
    const startedMs = now();
    const answer = await hedged(name, type);
    onQuery?.(answer.kind === 'failed' ? answer.why : answer.kind, now() - startedMs);
    return answer;
  };
}
