import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { PROVIDER_IDS, type ProviderId } from '../../../src/domain/belief/provider.ts';
import { type Delivery, SILENCE_MS } from './faults.ts';
import { type BehaviourOf, type VendorAccounts, VendorSimulator } from './simulator.ts';
import type { Incoming } from './wire/form.ts';

export interface VendorServer {
  readonly simulator: VendorSimulator;
  /** The settings that lead the service here. */
  readonly settings: Readonly<Record<string, string>>;
  /** Connections to this vendor are refused from now on, those open end. */
  refuse(provider: ProviderId): Promise<void>;
  accept(provider: ProviderId): Promise<void>;
  stop(): Promise<void>;
}

/** Longer than workerd reuses a connection, since a closed one would fail a call. */
const IDLE_MS = 600_000;

const DRIP_MS = 50;
const CHUNK = Buffer.alloc(16_384, ' ');

/**
 * All vendors on the loopback address, each on a port of its own, so that each can refuse connections. `silenceMs`: how long
 * a call that hangs or drips goes on.
 */
export async function startVendorServer(
  accounts: VendorAccounts,
  behaviourOf: BehaviourOf,
  silenceMs = SILENCE_MS,
): Promise<VendorServer> {
  const simulator = new VendorSimulator(accounts, behaviourOf);
  const startedMs = performance.now();

  async function handle(provider: ProviderId, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', `http://${request.headers.host}`);
    const incoming = await read(request, url);
    const { afterMs, delivery } = simulator.handle(provider, incoming, url.href, performance.now() - startedMs);
    await sleep(afterMs);
    if (!response.destroyed) await deliver(delivery, response, silenceMs);
  }

  const servers = new Map<ProviderId, Server>();
  const settings: Record<string, string> = {};
  for (const provider of PROVIDER_IDS) {
    const server = createServer({ keepAliveTimeout: IDLE_MS }, (request, response) => {
      handle(provider, request, response).catch(() => request.socket.destroy());
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    servers.set(provider, server);
    const { apiKey, priceMicros } = accounts[provider];
    const prefix = provider.toUpperCase();
    settings[`${prefix}_API_KEY`] = apiKey;
    settings[`${prefix}_BASE_URL`] = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    settings[`${prefix}_COST_USD`] = String(priceMicros / 1e6);
  }
  const serverOf = (provider: ProviderId): Server => {
    const server = servers.get(provider);
    if (server === undefined) throw new Error(`${provider} is without a server`);
    return server;
  };

  return {
    simulator,
    settings,
    refuse: (provider) => close(serverOf(provider)),
    async accept(provider) {
      const server = serverOf(provider);
      server.listen(Number(new URL(settings[`${provider.toUpperCase()}_BASE_URL`] ?? '').port), '127.0.0.1');
      await once(server, 'listening');
    },
    async stop() {
      await Promise.all([...servers.values()].map(close));
    },
  };
}

async function close(server: Server): Promise<void> {
  if (!server.listening) return;
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
}

async function read(request: IncomingMessage, url: URL): Promise<Incoming> {
  const body = await text(request);
  return {
    method: request.method ?? '',
    path: url.pathname,
    query: url.searchParams,
    header: (name) => {
      const value = request.headers[name];
      return typeof value === 'string' ? value : null;
    },
    json: body === '' ? undefined : JSON.parse(body),
  };
}

async function deliver(delivery: Delivery, response: ServerResponse, silenceMs: number): Promise<void> {
  switch (delivery.kind) {
    case 'silence': {
      const end = setTimeout(() => response.destroy(), silenceMs);
      response.once('close', () => clearTimeout(end));
      return;
    }
    case 'reset':
      response.socket?.destroy();
      return;
    case 'reply':
      response.writeHead(delivery.status, delivery.headers).end(delivery.body);
      return;
    case 'drip':
      response.writeHead(200, { 'content-type': 'application/json' });
      for (let sent = 0; !response.destroyed && sent * DRIP_MS < silenceMs; sent += 1) {
        response.write(' ');
        await sleep(DRIP_MS);
      }
      response.destroy();
      return;
    case 'flood':
      response.writeHead(200, { 'content-type': 'application/json' });
      // The caller hangs up long before the end.
      await pipeline(Readable.from(chunks(delivery.bytes)), response).catch(() => undefined);
  }
}

function* chunks(bytes: number): Generator<Buffer> {
  for (let sent = 0; sent < bytes; sent += CHUNK.length) yield CHUNK;
}
