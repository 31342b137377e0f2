import { AsyncLocalStorage } from 'node:async_hooks';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PROVIDER_IDS } from '../../src/domain/verification/provider.ts';
import { createApp } from '../../src/entrypoints/http/app.ts';
import { asPerson, personOf } from '../../src/entrypoints/internal/person-requests.ts';
import { openDeps } from '../../src/runtime/wiring.ts';
import { startAmazon } from '../../test/support/amazon.ts';
import { startService } from '../../test/support/service.ts';
import { startVendorStage } from '../../test/support/vendor-stage.ts';
import {
  exchanged,
  faultyBucket,
  faultyKv,
  faultyObject,
  faultyQueue,
  faultyResponse,
  type Kind,
  type Mode,
} from './modes.ts';

/** What the service needs beside itself, and how it reaches it. */
export const DEPENDENCIES = {
  Postgres: 'http',
  object: 'object',
  KV: 'kv',
  R2: 'r2',
  'queue of timers': 'queue',
  'queue of jobs': 'queue',
  'queue of nights': 'queue',
  DNS: 'http',
  providers: 'http',
  model: 'http',
  enrichment: 'http',
  mail: 'http',
  Amazon: 'http',
  'list sources': 'http',
} as const satisfies Readonly<Record<string, Kind>>;
export type Dependency = keyof typeof DEPENDENCIES;
export const DEPENDENCY_NAMES = Object.keys(DEPENDENCIES) as Dependency[];

/** One request or job with what is wrong meanwhile. Each has an isolate and a cache of its own. */
export interface Scope {
  readonly env: Env;
  readonly facts: Map<string, string | Uint8Array>;
  /** Calls by dependency. */
  readonly used: Map<Dependency, number>;
  readonly deferred: Promise<unknown>[];
  fault: { readonly dependency: Dependency; readonly mode: Mode } | null;
}

type Methods = Record<string, (...given: unknown[]) => unknown>;

const COMPANY = { name: 'Acme', domain: 'zoho.test', geo: { countryCode: 'DE' }, metrics: { employees: '51-200' } };

/** A model, an enrichment vendor, a mail service and a list on this machine, told apart by how their paths begin. */
async function startOthers() {
  const server = createServer((request, response) => {
    const [, name = ''] = (request.url ?? '').split('/');
    const json = (body: object) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    request.resume();
    if (name === 'model') {
      const content = '{"domain_check":"ok","fake_name":"unlikely"}';
      return json({ choices: [{ message: { content } }] });
    }
    if (name === 'enrichment') return json({ data: COMPANY });
    if (name === 'mail') return json({ id: 'sent' });
    return response.end(Array.from({ length: 200 }, (_, at) => `throwaway${at}.example`).join('\n'));
  });
  server.keepAliveTimeout = 600_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop(): void {
      server.closeAllConnections();
      server.close();
    },
  };
}

const BY_PATH: Readonly<Record<string, Dependency>> = {
  model: 'model',
  enrichment: 'enrichment',
  mail: 'mail',
  lists: 'list sources',
};

/** The whole service, each of whose dependencies can be at fault for one request without touching another. */
export async function openWorld() {
  const [vendors, others, amazon] = await Promise.all([startVendorStage(), startOthers(), startAmazon()]);
  const listUrl = `${others.url}/lists/one`;
  const service = await startService(
    Object.assign(
      {
        LOCAL_STACK: '1',
        SNS_BASE_URL: amazon.url,
        DISPOSABLE_SOURCE_URLS: listUrl,
        MODEL_BACKEND: 'openai',
        MODEL_BASE_URL: `${others.url}/model/v1`,
        MODEL_NAME: 'tiny',
        MODEL_COST_USD: '0.0001',
        ENRICHMENT_HUNTER_API_KEY: 'k',
        ENRICHMENT_HUNTER_BASE_URL: `${others.url}/enrichment`,
        ENRICHMENT_HUNTER_COST_USD: '0.01',
        MAIL_BACKEND: 'resend',
        MAIL_FROM: 'service@example.com',
        RESEND_API_KEY: 'k',
        RESEND_BASE_URL: `${others.url}/mail`,
        PUBLIC_URL: 'https://api.example.com',
        DASHBOARD_URL: 'https://dashboard.example.com',
      },
      vendors.settings,
    ),
  );
  service.faults.delayMs = 0;
  const scopes = new AsyncLocalStorage<Scope>();
  const originOf = (url: string): string => new URL(url).origin;
  const origins = new Map<string, Dependency>([
    [originOf(service.env.DATABASE_HTTP_URL), 'Postgres'],
    ...service.env.DOH_URLS.split(',').map((url) => [originOf(url), 'DNS'] as const),
    ...PROVIDER_IDS.map(
      (id) => [originOf(vendors.settings[`${id.toUpperCase()}_BASE_URL`] ?? ''), 'providers'] as const,
    ),
    [originOf(amazon.url), 'Amazon'],
  ]);
  const dependencyOf = (url: URL): Dependency | undefined =>
    url.origin === others.url ? BY_PATH[url.pathname.split('/')[1] ?? ''] : origins.get(url.origin);

  /** The mode in which a dependency is for who asks now. */
  function reached(dependency: Dependency): Mode | null {
    const scope = scopes.getStore();
    if (scope === undefined) return null;
    scope.used.set(dependency, (scope.used.get(dependency) ?? 0) + 1);
    return scope.fault?.dependency === dependency ? scope.fault.mode : null;
  }

  const plain = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    const url = new URL(typeof input === 'string' || input instanceof URL ? input : input.url);
    const dependency = dependencyOf(url);
    if (dependency === undefined) return plain(input, init);
    const mode = reached(dependency);
    const question = `${url.pathname}${url.search} ${typeof init?.body === 'string' ? init.body : ''}`;
    const ask = () => plain(input, init);
    return mode === null
      ? exchanged(dependency, question, ask)
      : faultyResponse(mode, dependency, question, ask, init?.signal);
  };

  /** In place, because the service has wrapped the bindings already. */
  function wrap(
    binding: object,
    dependency: Dependency,
    faulty: (
      mode: Mode,
      name: string,
      given: unknown[],
      call: (...all: unknown[]) => Promise<unknown>,
    ) => Promise<unknown>,
  ) {
    const methods = binding as Methods;
    for (const [name, method] of Object.entries(methods)) {
      const call = async (...given: unknown[]) => method.apply(binding, given);
      methods[name] = async (...given: unknown[]) => {
        const mode = reached(dependency);
        return mode === null ? call(...given) : faulty(mode, name, given, call);
      };
    }
  }
  const { env } = service;
  const factsOf = () => scopes.getStore()?.facts ?? service.facts;
  Object.assign(env.FACTS, {
    get: async (key: string | string[]) =>
      typeof key === 'string'
        ? (factsOf().get(key) ?? null)
        : new Map(key.map((each) => [each, factsOf().get(each) ?? null])),
    put: async (key: string, value: string | Uint8Array) => void factsOf().set(key, value),
    delete: async (key: string) => void factsOf().delete(key),
  });
  wrap(env.FACTS, 'KV', (mode, name, given, call) => {
    const another = () => [...factsOf()].find(([key]) => key !== given[0])?.[1];
    return faultyKv(mode, name, given, call, another);
  });
  wrap(env.BULK_FILES, 'R2', faultyBucket);
  for (const [name, dependency] of [
    ['WAKE_QUEUE', 'queue of timers'],
    ['BULK_QUEUE', 'queue of jobs'],
    ['NIGHTLY_QUEUE', 'queue of nights'],
  ] as const)
    wrap(env[name], dependency, (mode, _, given, call) => faultyQueue(mode, given, call));

  const { getByName } = env.ORGANISATION;
  const stubOf = getByName as unknown as (id: string) => Methods;
  const evicted = new WeakSet<Scope>();
  env.ORGANISATION.getByName = ((id: string) =>
    new Proxy(stubOf(id), {
      get:
        (_, name) =>
        async (...input: unknown[]) => {
          const mode = reached('object');
          const call = async () => stubOf(id)[name as string]?.(...input);
          const scope = scopes.getStore();
          if (mode === null || scope === undefined) return call();
          const isFirst = !evicted.has(scope);
          evicted.add(scope);
          return faultyObject(mode, isFirst, call, () => service.restartObject(id));
        },
    })) as never;

  const app = createApp(openDeps, personOf);
  const context = {
    waitUntil: (work: Promise<unknown>) => void scopes.getStore()?.deferred.push(work),
    passThroughOnException: () => undefined,
  } as never;
  const envOf = () => (scopes.getStore()?.env ?? env) as never;

  return {
    service: Object.assign({}, service, {
      request: (path: string, init?: RequestInit) => Promise.resolve(app.request(path, init, envOf(), context)),
      requestAs: (person: Parameters<typeof service.requestAs>[0], path: string, init?: RequestInit) =>
        Promise.resolve(app.fetch(asPerson(new Request(`http://localhost${path}`, init), person), envOf(), context)),
    }),
    amazon,
    listUrl,
    context,
    /** A scope in which all is well until its `fault` is set. `without`: settings that it lacks. */
    scope(without: readonly string[] = []): Scope {
      const settings = Object.entries(env).filter(([name]) => !without.some((start) => name.startsWith(start)));
      return {
        env: Object.fromEntries(settings) as unknown as Env,
        facts: new Map(),
        used: new Map(),
        deferred: [],
        fault: null,
      };
    },
    within: <T>(scope: Scope, work: () => Promise<T>): Promise<T> => scopes.run(scope, work),
    async stop(): Promise<void> {
      globalThis.fetch = plain;
      others.stop();
      amazon.stop();
      await vendors.stop();
    },
  };
}
export type World = Awaited<ReturnType<typeof openWorld>>;
