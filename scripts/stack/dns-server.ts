import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, decode, encode, type Packet, type Question, RECURSION_DESIRED } from '@leichtgewicht/dns-packet';
import { isFromBrowser } from './caller.ts';
import { publicZone, testZone, type Zone, type ZoneName, type ZoneRecord } from './dns-zones.ts';

/** Less than the 1.5 s the Worker gives an endpoint: the local answer still arrives in time. */
const TIMEOUT_MS = 700;
const RETRY_AFTER_MS = 30_000;

/** A question every resolver answers from memory. */
const PROBE = encode({ type: 'query', id: 0, flags: RECURSION_DESIRED, questions: [{ type: 'NS', name: '.' }] });

interface Upstream {
  /** Forwards a DNS message; null when the resolver can't be reached. */
  forward(message: Uint8Array): Promise<Uint8Array | null>;
  isReachable(): Promise<boolean>;
}

/**
 * A public resolver (RFC 8484). After a failure only a background probe, every 30 seconds at most, asks it again, so
 * that no look-up waits for it while this machine is offline. The first probe starts now.
 */
function createUpstream(url: string): Upstream {
  let reachable: boolean | Promise<boolean>;
  let retryAtMs = 0;

  async function ask(message: Uint8Array): Promise<Uint8Array | null> {
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/dns-message', accept: 'application/dns-message' },
        body: message,
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      if (!response.ok) throw new Error(`HTTP ${response.status}`);
      return new Uint8Array(await response.arrayBuffer());
    } catch {
      return null;
    }
  }

  async function probe(): Promise<boolean> {
    retryAtMs = Date.now() + RETRY_AFTER_MS;
    reachable = (await ask(PROBE)) !== null;
    return reachable;
  }

  reachable = probe();
  return {
    isReachable: async () => reachable,
    async forward(message) {
      if (!(await reachable)) {
        if (Date.now() >= retryAtMs) void probe();
        return null;
      }
      const answer = await ask(message);
      if (!answer) {
        reachable = false;
        retryAtMs = Date.now() + RETRY_AFTER_MS;
      }
      return answer;
    },
  };
}

/** Header bits of RFC 1035 §4.1.1 that the packet library leaves to its caller. */
const RECURSION_AVAILABLE = 1 << 7;
const RCODE = { NOERROR: 0, SERVFAIL: 2, NXDOMAIN: 3, REFUSED: 5 } as const;
export type Rcode = keyof typeof RCODE;

/** How long a negative answer may be cached (RFC 2308: the SOA's minimum field). */
const NEGATIVE_TTL_S = 60;

/** A chain of aliases longer than this is a loop. */
const ALIASES_MAX = 8;

const toAnswer = (name: string, ttl: number, record: ZoneRecord): Answer => {
  if (record.type === 'MX') {
    const { preference, exchange } = record;
    return { type: 'MX', name, ttl, data: { preference, exchange } };
  }
  return { type: record.type, name, ttl, data: record.data };
};

const zoneApex = (name: string): string => name.split('.').slice(-2).join('.');

/** A response to `query` with these records; a negative one contains the SOA with its caching time. */
export function respond(query: Packet, rcode: Rcode, answers: Answer[] = []): Uint8Array {
  const name = query.questions?.[0]?.name ?? '.';
  const negative = answers.every(({ type }) => type === 'CNAME') && (rcode === 'NOERROR' || rcode === 'NXDOMAIN');
  const soa: Answer = {
    type: 'SOA',
    name: zoneApex(name),
    ttl: NEGATIVE_TTL_S,
    data: {
      mname: 'localhost',
      rname: 'hostmaster.localhost',
      serial: 1,
      refresh: 3600,
      retry: 600,
      expire: 86400,
      minimum: NEGATIVE_TTL_S,
    },
  };
  return encode({
    type: 'response',
    id: query.id ?? 0,
    flags: ((query.flags ?? 0) & RECURSION_DESIRED) | RECURSION_AVAILABLE | RCODE[rcode],
    questions: query.questions ?? [],
    answers,
    authorities: negative ? [soa] : [],
  });
}

/** A zone's answer: the records and code to send, or the name's own way to fail. */
export interface ZoneAnswer {
  readonly rcode: Rcode;
  readonly answers: Answer[];
  readonly fails?: 'silent' | 'malformed';
  readonly delayMs: number;
}

/** Looks a question up in a zone, following aliases inside it. Null if the zone does not contain the name. */
export function lookUp(zone: Zone, { name, type }: Question): ZoneAnswer | null {
  const answers: Answer[] = [];
  let owner = name.toLowerCase();
  let found: ZoneName | null = zone(owner);
  if (!found) return null;
  const { delayMs = 0 } = found;
  for (let aliases = 0; found && aliases < ALIASES_MAX; aliases += 1) {
    const { fails, records, ttlS } = found;
    if (fails === 'silent' || fails === 'malformed') return { rcode: 'NOERROR', answers, fails, delayMs };
    if (fails) return { rcode: fails, answers, delayMs };
    answers.push(...records.filter((record) => record.type === type).map((record) => toAnswer(owner, ttlS, record)));
    const alias = records.find((record) => record.type === 'CNAME');
    if (alias?.type !== 'CNAME' || type === 'CNAME') return { rcode: 'NOERROR', answers, delayMs };
    answers.push(toAnswer(owner, ttlS, alias));
    owner = alias.data;
    found = zone(owner);
  }
  // A loop of aliases, or an alias that leads out of the zone: a resolver gives up with SERVFAIL.
  return { rcode: 'SERVFAIL', answers: [], delayMs };
}

export interface DnsServer {
  /** One RFC 8484 endpoint for each upstream, in their order. */
  readonly urls: readonly string[];
  /** Whether a public resolver answers: otherwise names outside the bundled zones are unknown. */
  isReal(): Promise<boolean>;
  stop(): Promise<void>;
}

const PUBLIC_RESOLVERS = ['https://cloudflare-dns.com/dns-query', 'https://dns.google/dns-query'];

const MEDIA_TYPE = 'application/dns-message';
const MESSAGE_BYTES_MAX = 65_535;

/** Longer than workerd keeps a connection for the next request, since a closed one is a failed look-up. */
const IDLE_MS = 600_000;

async function readMessage(request: IncomingMessage): Promise<Buffer | null> {
  if (request.method === 'POST') {
    if (request.headers['content-type'] !== MEDIA_TYPE) return null;
    if (Number(request.headers['content-length'] ?? 0) > MESSAGE_BYTES_MAX) return null;
    return buffer(request);
  }
  const message = new URL(request.url ?? '/', 'http://localhost').searchParams.get('dns');
  return message === null ? null : Buffer.from(message, 'base64url');
}

function parse(message: Buffer): Packet | null {
  try {
    return decode(message);
  } catch {
    return null;
  }
}

/**
 * DNS over HTTPS (plain HTTP, on the loopback address) for the Worker: test names from the test zone, everything else
 * from the upstreams, each behind its own endpoint; while one is unreachable, from the bundled public zone, and
 * SERVFAIL (never "no such name") for anything else. A random path prefix keeps others out.
 */
export async function startDnsServer(upstreamUrls: readonly string[] = PUBLIC_RESOLVERS): Promise<DnsServer> {
  const secret = randomBytes(16).toString('base64url');
  const upstreams = new Map(upstreamUrls.map((url, i) => [`/${secret}/${i + 1}/dns-query`, createUpstream(url)]));

  async function sendZoneAnswer(response: ServerResponse, query: Packet, answer: ZoneAnswer): Promise<void> {
    await sleep(answer.delayMs);
    // The connection stays open until the caller gives up.
    if (answer.fails === 'silent') return;
    const message = respond(query, answer.rcode, answer.answers);
    sendMessage(response, answer.fails === 'malformed' ? message.subarray(0, -5) : message);
  }

  function sendMessage(response: ServerResponse, message: Uint8Array): void {
    response.writeHead(200, { 'content-type': MEDIA_TYPE, 'content-length': message.length });
    response.end(message);
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (isFromBrowser(request.headers)) return void response.writeHead(403).end();
    const upstream = upstreams.get(request.url?.split('?')[0] ?? '');
    if (!upstream) return void response.writeHead(404).end();
    const message = await readMessage(request);
    const query = message && parse(message);
    const question = query?.questions?.[0];
    if (!message || !query || !question) return void response.writeHead(400).end();
    const fromTestZone = lookUp(testZone, question);
    if (fromTestZone) return sendZoneAnswer(response, query, fromTestZone);
    const forwarded = await upstream.forward(message);
    if (forwarded) return sendMessage(response, forwarded);
    const offline = lookUp(publicZone, question);
    if (offline) return sendZoneAnswer(response, query, offline);
    return sendMessage(response, respond(query, 'SERVFAIL'));
  }

  const server = createServer({ keepAliveTimeout: IDLE_MS }, (request, response) => {
    handle(request, response).catch(() => request.socket.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    urls: [...upstreams.keys()].map((path) => `http://127.0.0.1:${port}${path}`),
    isReal: async () => (await Promise.all([...upstreams.values()].map((each) => each.isReachable()))).includes(true),
    async stop() {
      const closed = once(server, 'close');
      server.close();
      // After it: a connection that came between would stay open for minutes.
      server.closeAllConnections();
      await closed;
    },
  };
}
