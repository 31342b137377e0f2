import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { decode, type Packet } from '@leichtgewicht/dns-packet';
import { isFromBrowser } from './caller.ts';
import { lookUp, respond, type ZoneAnswer } from './dns-answer.ts';
import { createUpstream, type Forward } from './dns-upstream.ts';
import { publicZone } from './public-zone.ts';
import { testZone } from './test-zone.ts';

export interface DnsServer {
  /** One RFC 8484 endpoint for each upstream, in their order. */
  readonly urls: readonly string[];
  stop(): Promise<void>;
}

const PUBLIC_RESOLVERS = ['https://cloudflare-dns.com/dns-query', 'https://dns.google/dns-query'];

const MEDIA_TYPE = 'application/dns-message';
const MESSAGE_BYTES_MAX = 65_535;

/** Longer than workerd keeps a connection for the next request: one closed under its hands is a failed look-up. */
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
 * DNS over HTTPS (plain HTTP, on the loopback address) for the Worker: test names from the test zone, everything else from
 * the upstreams, each behind an endpoint of its own; while one can't be reached, from the bundled public zone, and SERVFAIL
 * ("not known", never "no such name") for what that does not hold. A random first part of its paths keeps others out: an
 * RFC 8484 endpoint is known by its address alone.
 */
export async function startDnsServer(upstreamUrls: readonly string[] = PUBLIC_RESOLVERS): Promise<DnsServer> {
  const secret = randomBytes(16).toString('base64url');
  const upstreams = new Map<string, Forward>(
    upstreamUrls.map((url, i) => [`/${secret}/${i + 1}/dns-query`, createUpstream(url)]),
  );

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
    const forward = upstreams.get(request.url?.split('?')[0] ?? '');
    if (!forward) return void response.writeHead(404).end();
    const message = await readMessage(request);
    const query = message && parse(message);
    const question = query?.questions?.[0];
    if (!message || !query || !question) return void response.writeHead(400).end();
    const fromTestZone = lookUp(testZone, question);
    if (fromTestZone) return sendZoneAnswer(response, query, fromTestZone);
    const forwarded = await forward(message);
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
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
