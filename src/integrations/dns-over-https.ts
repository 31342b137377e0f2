import { type Answer, decode, encode, type Packet, RECURSION_DESIRED } from '@leichtgewicht/dns-packet';
import type { DnsAnswer, DnsFailure, DnsQuery, DnsResult, RecordData, RecordType } from '../domain/dns/resolve.ts';
import type { Clock } from '../kernel/clock.ts';

/** RFC 2308 §5 recommends one to three hours for "no such name" and "no such record"; we take the shortest. */
const NEGATIVE_TTL_MAX_S = 3_600;

/** Resolvers commonly cap positive answers at a day. */
const TTL_MAX_S = 86_400;

const MALFORMED = { kind: 'failed', why: 'malformed' } as const;

type MxData = Extract<Answer, { type: 'MX' }>['data'];

const READ: { readonly [T in RecordType]: (data: unknown) => RecordData[T] } = {
  MX: (data) => {
    const { preference = 0, exchange } = data as MxData;
    return { preference, exchange: exchange.toLowerCase() };
  },
  A: (data) => data as string,
  AAAA: (data) => data as string,
};

/** A recursive query for one name and type. Id 0 makes equal questions equal bytes, for HTTP caches (RFC 8484 §4.1). */
export function encodeQuestion(name: string, type: RecordType): Uint8Array {
  return encode({ type: 'query', id: 0, flags: RECURSION_DESIRED, questions: [{ type, name }] });
}

/** RFC 2181 §8: a TTL with the top bit set is read as zero. */
const validTtl = (ttl: number): number => (ttl <= 0x7fffffff ? ttl : 0);

/** RFC 2308 §5: the lesser of the SOA record's TTL and its minimum. Without an SOA nothing is cached. */
function negativeTtlS(packet: Packet): number {
  for (const record of packet.authorities ?? []) {
    if (record.type !== 'SOA') continue;
    const { minimum = 0 } = record.data as { minimum?: number };
    return Math.min(validTtl(record.ttl ?? 0), validTtl(minimum), NEGATIVE_TTL_MAX_S);
  }
  return 0;
}

function decodeWhole(bytes: Uint8Array): Packet | null {
  try {
    const packet = decode(bytes);
    // The decoder reads past the end of a truncated message, and stores the bytes it took on the function.
    return (decode as { bytes?: number }).bytes === bytes.length ? packet : null;
  } catch {
    return null;
  }
}

/** The end of the answer's CNAME chain, and the lowest TTL on the way. Each link is used once, so a loop ends. */
function followAliases(answers: readonly Answer[], name: string): { owner: string; ttlS: number } {
  const aliases = new Map(
    answers.filter(({ type }) => type === 'CNAME').map((alias) => [alias.name.toLowerCase(), alias]),
  );
  let owner = name;
  let ttlS = TTL_MAX_S;
  for (let alias = aliases.get(owner); alias; alias = aliases.get(owner)) {
    aliases.delete(owner);
    ttlS = Math.min(ttlS, validTtl(alias.ttl ?? 0));
    owner = (alias.data as string).toLowerCase();
  }
  return { owner, ttlS };
}

/**
 * Reads a DNS response to the question for `name` (lower case) and `type`. Anything but a whole answer to exactly that
 * question is `malformed`. TTLs are in seconds, capped.
 */
export function decodeAnswer<T extends RecordType>(bytes: Uint8Array, name: string, type: T): DnsAnswer<T> {
  const packet = decodeWhole(bytes);
  if (!packet || packet.type !== 'response' || packet.id !== 0) return MALFORMED;
  // Checked before the question, which a resolver may omit from an error.
  if (packet.rcode !== 'NOERROR' && packet.rcode !== 'NXDOMAIN') return { kind: 'failed', why: 'servfail' };
  const [question, ...more] = packet.questions ?? [];
  if (question?.name.toLowerCase() !== name || question.type !== type || more.length > 0) return MALFORMED;
  // HTTP needs no truncation, and a part of an RRset must not pass for the whole.
  if (packet.flag_tc) return MALFORMED;

  const answers = packet.answers ?? [];
  const { owner, ttlS } = followAliases(answers, name);
  if (packet.rcode === 'NXDOMAIN') return { kind: 'nxdomain', ttlS: Math.min(ttlS, negativeTtlS(packet)) };
  const found = answers.filter((record) => record.type === type && record.name.toLowerCase() === owner);
  if (found.length === 0) return { kind: 'nodata', ttlS: Math.min(ttlS, negativeTtlS(packet)) };
  return {
    kind: 'records',
    records: found.map((record) => READ[type](record.data)),
    ttlS: Math.min(ttlS, ...found.map((record) => validTtl(record.ttl ?? 0))),
  };
}

/** UDP resolvers need 1,232 bytes (DNS flag day 2020); an honest answer never takes ten times that. */
const RESPONSE_BYTES_MAX = 16_384;

const MEDIA_TYPE = 'application/dns-message';

export interface DohClientOptions {
  /** RFC 8484 endpoints, first choice first. */
  readonly urls: readonly string[];
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly now: Clock;
  readonly timeoutMs?: number;
  /** How long the next endpoint waits while the previous ones are silent. */
  readonly hedgeAfterMs?: number;
  /** Called once for each question, with its result and duration. */
  readonly onQuery?: (result: DnsResult, ms: number) => void;
  /** Called for each endpoint that did not answer a question, even if another did. */
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

/** The body, or null past the limit, counted as it arrives. Leaving the loop cancels the stream. */
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
 * A DNS-over-HTTPS client. The next endpoint is asked too when the first has failed or stayed silent for
 * `hedgeAfterMs`; the first answer wins, and other requests are aborted. Never rejects: failures are values. Uses GET
 * with id 0, so that equal questions have equal, cacheable URLs.
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
        // Redirects are not followed. Workers don't support 'error', so the 3xx itself is returned.
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
