import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startAmazon } from '../../test/support/amazon.ts';
import { startTestStack } from '../../test/support/stack.ts';
import { says, startVendorStage } from '../../test/support/vendor-stage.ts';

/** Clients run in parallel; each sends one request after the other. */
export const CLIENTS = 64;
export const ENRICHMENT_USD = 0.01;
/** The only provider that is set up, so that each question has one price. */
const PROVIDER = 'KICKBOX';

const COMPANY = { name: 'Acme', domain: 'zoho.test', geo: { countryCode: 'DE' }, metrics: { employees: '51-200' } };

export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly key?: string | null;
  readonly body?: object | string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A vendor of enrichment on this machine, and how often it was asked. */
async function startEnrichment() {
  let asked = 0;
  const server = createServer((request, response) => {
    asked += 1;
    request.resume();
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ data: COMPANY }));
  });
  server.keepAliveTimeout = 600_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: () => asked,
    stop(): void {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** The whole local stack, its object in the real runtime; a provider, a vendor of enrichment and Amazon on this machine. */
export async function openWorld() {
  const [vendors, enrichment, amazon] = await Promise.all([startVendorStage(), startEnrichment(), startAmazon()]);
  vendors.play((_, email) => says(email));
  const priceUsd = Number(vendors.settings[`${PROVIDER}_COST_USD`]);
  const ownSettings = Object.entries(vendors.settings).filter(([name]) => name.startsWith(PROVIDER));
  const stack = await startTestStack({
    databaseDelayMs: 0,
    env: {
      ...Object.fromEntries(ownSettings),
      ENRICHMENT_HUNTER_API_KEY: 'k',
      ENRICHMENT_HUNTER_BASE_URL: enrichment.url,
      ENRICHMENT_HUNTER_COST_USD: String(ENRICHMENT_USD),
      SNS_BASE_URL: amazon.url,
    },
  });

  async function ask({ method, path, key = null, body, headers = {} }: Sent) {
    const response = await fetch(`${stack.base_url}${path}`, {
      method,
      headers: {
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') === true;
    return {
      status: response.status,
      text,
      body: isJson && text !== '' ? JSON.parse(text) : null,
      retryAfter: response.headers.get('retry-after'),
    };
  }

  /** A request that must succeed. */
  async function must(sent: Sent) {
    const { status, text, body } = await ask(sent);
    if (status >= 300) throw new Error(`${sent.method} ${sent.path}: ${status} ${text.slice(0, 300)}`);
    return body;
  }

  /** A new organisation with a key of each role. Its rate exceeds all requests unless `limits` sets it. */
  async function organisation(limits: object = {}) {
    const { operator } = stack.keys;
    const body = { rate_per_minute: 1_000_000, verification_quota: 0, screening_allowance: 0, ...limits };
    const { organisation: made } = await must({
      method: 'POST',
      path: '/operator/v1/organisations',
      key: operator,
      body,
    });
    const path = `/operator/v1/organisations/${made.id}/keys`;
    const keyOf = async (role: string): Promise<string> =>
      (await must({ method: 'POST', path, key: operator, body: { name: role, role, origin: 'auto' } })).key.key;
    const [member, admin] = [await keyOf('member'), await keyOf('admin')];
    return { id: made.id as string, member, admin };
  }

  return {
    ask,
    must,
    organisation,
    priceUsd,
    /** The provider's questions about addresses with this prefix. */
    providerCalls: (start: string): string[] =>
      vendors.simulator.ledger.filter(({ email }) => email.startsWith(start)).map(({ email }) => email),
    enrichmentCalls: enrichment.asked,
    amazon,
    async stop(): Promise<void> {
      await stack.remove();
      await vendors.stop();
      enrichment.stop();
      amazon.stop();
    },
  };
}
export type World = Awaited<ReturnType<typeof openWorld>>;
export type Organisation = Awaited<ReturnType<World['organisation']>>;
export type Answer = Awaited<ReturnType<World['ask']>>;
