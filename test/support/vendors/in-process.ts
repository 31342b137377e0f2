import { PROVIDER_IDS, type Provider, type ProviderId } from '../../../src/domain/belief/provider.ts';
import type { VendorSettings } from '../../../src/integrations/exchange.ts';
import { createProviders } from '../../../src/integrations/providers/providers.ts';
import { type Delivery, SILENCE_MS } from './faults.ts';
import type { VendorAccounts, VendorSimulator } from './simulator.ts';
import type { Incoming } from './wire/form.ts';

const DRIP_MS = 50;
const CHUNK = new Uint8Array(16_384).fill(0x20);
const SPACE = new Uint8Array([0x20]);

const hostOf = (provider: ProviderId): string => `${provider}.vendor.test`;

/**
 * The service's adapters over a simulator, without a network between them, in whatever time `setTimeout` counts. `now`:
 * milliseconds since the simulator started.
 */
export function inProcessProviders(
  simulator: VendorSimulator,
  accounts: VendorAccounts,
  now: () => number,
): Provider[] {
  const settings = Object.fromEntries(
    PROVIDER_IDS.map((id): [ProviderId, VendorSettings] => {
      const { apiKey, priceMicros } = accounts[id];
      return [id, { apiKey, baseUrl: `http://${hostOf(id)}`, costMicros: priceMicros }];
    }),
  ) as Record<ProviderId, VendorSettings>;
  return createProviders(settings, async (text, init) => {
    const url = new URL(text);
    const provider = PROVIDER_IDS.find((id) => hostOf(id) === url.host);
    if (provider === undefined || !init.signal) throw new Error(`no vendor is at ${url.host}`);
    const { afterMs, delivery } = simulator.handle(provider, incoming(url, init), url.href, now());
    await wait(afterMs, init.signal);
    return respond(delivery, init.signal);
  });
}

function incoming(url: URL, { method = 'GET', headers, body }: RequestInit): Incoming {
  const sent = new Headers(headers);
  return {
    method,
    path: url.pathname,
    query: url.searchParams,
    header: (name) => sent.get(name),
    json: typeof body === 'string' ? JSON.parse(body) : undefined,
  };
}

/** Rejects with the signal, as a `fetch` does. */
const wait = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        reject(signal.reason as Error);
      },
      { once: true },
    );
  });

async function respond(delivery: Delivery, signal: AbortSignal): Promise<Response> {
  switch (delivery.kind) {
    case 'reset':
      throw new TypeError('fetch failed');
    case 'silence':
      await wait(SILENCE_MS, signal);
      throw new TypeError('fetch failed');
    case 'reply': {
      const { status, headers, body } = delivery;
      return new Response(body === '' ? null : body, { status, headers });
    }
    case 'drip':
      return new Response(
        pieces(signal, async (sent) => {
          await wait(DRIP_MS, signal);
          if (sent * DRIP_MS >= SILENCE_MS) throw new Error('the connection is lost');
          return SPACE;
        }),
      );
    case 'flood':
      return new Response(pieces(signal, async (sent) => (sent < delivery.bytes ? CHUNK : null)));
  }
}

/** A body that comes piece by piece; it breaks with the signal, as a real one does. */
function pieces(signal: AbortSignal, next: (sent: number) => Promise<Uint8Array | null>): ReadableStream<Uint8Array> {
  let sent = 0;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const piece = await next(sent);
      if (signal.aborted) return;
      if (piece === null) return controller.close();
      sent += piece.byteLength;
      controller.enqueue(piece);
    },
  });
}
