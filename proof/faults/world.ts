import { AsyncLocalStorage } from 'node:async_hooks';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PROVIDER_IDS, type ProviderId } from '../../src/domain/belief/provider.ts';
import { createApp } from '../../src/entrypoints/http/app.ts';
import { DashboardEntrypoint } from '../../src/entrypoints/internal/dashboard.ts';
import { asPerson, personOf } from '../../src/entrypoints/internal/person-requests.ts';
import { openDeps } from '../../src/runtime/wiring.ts';
import { OPERATORS_ID } from '../../src/services/operators.ts';
import { startAmazon } from '../../test/support/amazon.ts';
import { startService } from '../../test/support/service.ts';
import { startVendorStage } from '../../test/support/vendor-stage.ts';
import {
  exchanged,
  faultyAi,
  faultyBucket,
  faultyEntrypoint,
  faultyKv,
  faultyObject,
  faultyQueue,
  faultyResponse,
  type Kind,
  type Mode,
} from './modes.ts';

/** The service's dependencies, and how it reaches them. */
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
  // One of several, which the settings of `VARIANTS` have asked first, or in place of another.
  zerobounce: 'http',
  neverbounce: 'http',
  kickbox: 'http',
  emailable: 'http',
  bouncer: 'http',
  hunter: 'http',
  reacher: 'http',
  'Workers AI': 'ai',
  'People Data Labs': 'http',
  'second list source': 'http',
  'the dashboard’s binding': 'entrypoint',
} as const satisfies Readonly<Record<string, Kind>>;
export type Dependency = keyof typeof DEPENDENCIES;
export const DEPENDENCY_NAMES = Object.keys(DEPENDENCIES) as Dependency[];

/** Settings under which a dependency stands in for another, or is asked before its likes. */
interface Variant {
  readonly of: Dependency;
  readonly settings: Readonly<Record<string, string>>;
  readonly without?: readonly string[];
}
/** The cheapest vendor, which is therefore asked first. */
const first = (id: ProviderId): Variant => ({
  of: 'providers',
  settings: Object.fromEntries(
    PROVIDER_IDS.map((each) => [`${each.toUpperCase()}_COST_USD`, each === id ? '0.000001' : '0.0005']),
  ),
});
export const VARIANTS: Readonly<Partial<Record<Dependency, Variant>>> = {
  zerobounce: first('zerobounce'),
  neverbounce: first('neverbounce'),
  kickbox: first('kickbox'),
  emailable: first('emailable'),
  bouncer: first('bouncer'),
  hunter: first('hunter'),
  reacher: first('reacher'),
  'Workers AI': {
    of: 'model',
    settings: { MODEL_BACKEND: 'workers-ai', MODEL_NAME: '@cf/a/tiny' },
    without: ['MODEL_BASE_URL'],
  },
  'People Data Labs': {
    of: 'enrichment',
    settings: { ENRICHMENT_PDL_API_KEY: 'k', ENRICHMENT_PDL_COST_USD: '0.01' },
    without: ['ENRICHMENT_HUNTER'],
  },
  'second list source': { of: 'list sources', settings: {} },
};

/** Addresses that may see the dashboard’s operator screen. */
export const OPERATORS: readonly string[] = Array.from({ length: 100 }, (_, at) => `operator${at}@people.test`);

/** One request or job with its fault, in an isolate with a cache of its own. */
export interface Scope {
  readonly env: Env;
  readonly facts: Map<string, string | Uint8Array>;
  /** Calls by dependency. */
  readonly used: Map<Dependency, number>;
  readonly deferred: Promise<unknown>[];
  fault: { readonly dependency: Dependency; readonly mode: Mode } | null;
}

type Methods = Record<string, (...given: unknown[]) => unknown>;

const company = (domain: string | null) => ({
  name: 'Acme',
  domain,
  geo: { countryCode: 'DE' },
  metrics: { employees: '51-200' },
});
const companyOfPdl = (website: string | null) => ({
  status: 200,
  name: 'acme',
  website,
  size: '51-200',
  location: { country: 'germany' },
});
const LABELS = { domain_check: 'ok', fake_name: 'unlikely' };

/**
 * A model, two enrichment vendors, a mail service and two lists on this machine, distinguished by the beginning of their paths.
 */
async function startOthers() {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://127.0.0.1');
    const [, name = '', list = ''] = pathname.split('/');
    const json = (body: object) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    request.resume();
    if (name === 'model') {
      return json({ choices: [{ message: { content: JSON.stringify(LABELS) } }] });
    }
    if (name === 'enrichment') return json({ data: company(searchParams.get('domain')) });
    if (name === 'pdl') return json(companyOfPdl(searchParams.get('website')));
    if (name === 'mail') return json({ id: 'sent' });
    return response.end(Array.from({ length: 200 }, (_, at) => `throwaway-${list}-${at}.example`).join('\n'));
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

/** Dependencies by path prefix. */
const BY_PATH: readonly (readonly [start: string, names: readonly Dependency[]])[] = [
  ['/model/', ['model']],
  ['/enrichment/', ['enrichment']],
  ['/pdl/', ['People Data Labs']],
  ['/mail/', ['mail']],
  ['/lists/two', ['second list source', 'list sources']],
  ['/lists/', ['list sources']],
];

/** The whole service, each of whose dependencies can be at fault for one request without touching another. */
export async function openWorld() {
  const [vendors, others, amazon] = await Promise.all([startVendorStage(), startOthers(), startAmazon()]);
  const listUrl = `${others.url}/lists/one`;
  const service = await startService(
    Object.assign(
      {
        LOCAL_STACK: '1',
        SNS_BASE_URL: amazon.url,
        DISPOSABLE_SOURCE_URLS: `${listUrl},${others.url}/lists/two`,
        OPERATOR_EMAILS: OPERATORS.join(','),
        ENRICHMENT_PDL_BASE_URL: `${others.url}/pdl`,
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
  // No route sets the operators' own limits, and a quick run asks more often than they allow.
  await service.objectOf(OPERATORS_ID).object.configure({ limits: { ratePerMinute: 1_000_000 } });
  const scopes = new AsyncLocalStorage<Scope>();
  const originOf = (url: string): string => new URL(url).origin;
  const origins = new Map<string, readonly Dependency[]>([
    [originOf(service.env.DATABASE_HTTP_URL), ['Postgres']],
    ...service.env.DOH_URLS.split(',').map((url) => [originOf(url), ['DNS']] as const),
    ...PROVIDER_IDS.map(
      (id) => [originOf(vendors.settings[`${id.toUpperCase()}_BASE_URL`] ?? ''), [id, 'providers']] as const,
    ),
    [originOf(amazon.url), ['Amazon']],
  ]);
  /** The names of the dependency behind a URL: its own, and its kind's. */
  const namesOf = (url: URL): readonly Dependency[] =>
    (url.origin === others.url
      ? BY_PATH.find(([start]) => url.pathname.startsWith(start))?.[1]
      : origins.get(url.origin)) ?? [];

  /** The dependency's mode for the current scope. */
  function reached(...names: readonly Dependency[]): Mode | null {
    const scope = scopes.getStore();
    if (scope === undefined) return null;
    for (const name of names) scope.used.set(name, (scope.used.get(name) ?? 0) + 1);
    return scope.fault !== null && names.includes(scope.fault.dependency) ? scope.fault.mode : null;
  }

  const plain = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    const url = new URL(typeof input === 'string' || input instanceof URL ? input : input.url);
    const names = namesOf(url);
    const [dependency] = names;
    if (dependency === undefined) return plain(input, init);
    const mode = reached(...names);
    // A resolver’s own path is no part of what it is asked.
    const question = `${dependency === 'DNS' ? '' : url.pathname}${url.search} ${typeof init?.body === 'string' ? init.body : ''}`;
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

  const objectCalls = new WeakMap<Scope, number>();
  const wrapObjects = (namespace: { getByName: unknown }, restart: (id: string) => void): void => {
    const stubOf = namespace.getByName as (id: string) => Methods;
    namespace.getByName = (id: string) =>
      new Proxy(stubOf(id), {
        get:
          (_, name) =>
          async (...input: unknown[]) => {
            const mode = reached('object');
            const call = async () => stubOf(id)[name as string]?.(...input);
            const scope = scopes.getStore();
            if (mode === null || scope === undefined) return call();
            const nth = (objectCalls.get(scope) ?? 0) + 1;
            objectCalls.set(scope, nth);
            return faultyObject(mode, nth, call, () => restart(id));
          },
      });
  };
  wrapObjects(env.ORGANISATION, (id) => service.restartObject(id));
  // It keeps nothing in memory.
  wrapObjects(env.OPERATORS, () => undefined);

  const app = createApp(openDeps, personOf);
  const context = {
    waitUntil: (work: Promise<unknown>) => void scopes.getStore()?.deferred.push(work),
    passThroughOnException: () => undefined,
  } as never;
  const envOf = () => (scopes.getStore()?.env ?? env) as never;

  const answer = { response: LABELS };
  Object.assign(env, {
    AI: {
      run: async (_: string, __: object, { signal }: { readonly signal: AbortSignal }) => {
        const mode = reached('Workers AI');
        return mode === null ? answer : faultyAi(mode, answer, signal);
      },
    },
  });
  /** As the dashboard reaches the service. */
  const entrypoint = new Proxy(
    {},
    {
      get:
        (_, name: string) =>
        async (...given: unknown[]) => {
          const real = new DashboardEntrypoint(context, envOf()) as unknown as Record<string, typeof call>;
          const call = async (...input: unknown[]): Promise<unknown> => real[name]?.(...input);
          const mode = reached('the dashboard’s binding');
          return mode === null ? call(...given) : faultyEntrypoint(mode, name, () => call(...given));
        },
    },
  );

  return {
    service: Object.assign({}, service, {
      request: (path: string, init?: RequestInit) => Promise.resolve(app.request(path, init, envOf(), context)),
      requestAs: (person: Parameters<typeof service.requestAs>[0], path: string, init?: RequestInit) =>
        Promise.resolve(app.fetch(asPerson(new Request(`http://localhost${path}`, init), person), envOf(), context)),
    }),
    amazon,
    listUrl,
    entrypoint,
    /** Deferred work of an answer. */
    defer: (work: Promise<unknown>) => void scopes.getStore()?.deferred.push(work),
    /** A scope in which all is well until its `fault` is set. `dependency`: one that its settings are to lead to. */
    scope(dependency?: Dependency): Scope {
      const { settings = {}, without = [] } = (dependency && VARIANTS[dependency]) ?? {};
      const kept = Object.entries(env).filter(([name]) => !without.some((start) => name.startsWith(start)));
      return {
        env: Object.assign(Object.fromEntries(kept), settings) as unknown as Env,
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
