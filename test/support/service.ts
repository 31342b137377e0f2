import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, vi } from 'vitest';
import { startDnsServer } from '../../scripts/stack/dns-server.ts';
import { createNeonServer } from '../../scripts/stack/neon-protocol.ts';
import { mintBootstrapToken } from '../../src/domain/access/keys.ts';
import type { MemberRecord, PersonClaims } from '../../src/domain/access/member-records.ts';
import { runCron } from '../../src/entrypoints/cron/scheduled.ts';
import { createApp } from '../../src/entrypoints/http/app.ts';
import { createFirstApp } from '../../src/entrypoints/http/first-app.ts';
import { DashboardEntrypoint } from '../../src/entrypoints/internal/dashboard.ts';
import { asPerson, personOf } from '../../src/entrypoints/internal/person-requests.ts';
import { consumeWakes } from '../../src/entrypoints/queue/wake.ts';
import { MINUTE_MS } from '../../src/kernel/clock.ts';
import { type Id, newId } from '../../src/kernel/ids.ts';
import { OperatorsObject, OrganisationObject } from '../../src/runtime/objects.ts';
import { openBackground, openDeps } from '../../src/runtime/wiring.ts';
import { serveAsset } from './assets.ts';
import { createBucket } from './bucket.ts';
import { createObjectStorage, type ObjectStorage } from './object-storage.ts';
import { connected, copied, counted, invocation, keyValues, queue, use } from './platform.ts';
import { recorded } from './recorded-exchanges.ts';
import { openServiceDatabase } from './service-database.ts';

const { fetch: fetchAtOnce } = globalThis;
/** Postgres, resolvers and vendors. */
globalThis.fetch = (...request) => connected(() => fetchAtOnce(...request));

/** A delay that reveals any database call on an answer's path. */
const DATABASE_DELAY_MS = 10;

const DATABASE_PASSWORD = 'password';

const secret = (fill: number): string => Buffer.alloc(32, fill).toString('base64');

export interface TestObject {
  readonly object: OrganisationObject;
  readonly storage: ObjectStorage;
}

/** The whole service in Node: the real app, objects on Node's SQLite, PGlite behind Neon's HTTP form, DNS from the zones. */
export async function startService(settings: Readonly<Record<string, string>> = {}) {
  const database = await openServiceDatabase();
  const faults = { delayMs: DATABASE_DELAY_MS, down: false };
  const neon = createNeonServer(database, faults, DATABASE_PASSWORD);
  // Longer than any test idles, so that no request meets a connection just closed.
  neon.keepAliveTimeout = 60_000;
  neon.listen(0, '127.0.0.1');
  await once(neon, 'listening');
  const dns = await startDnsServer();

  const calls = { object: 0, kvReads: 0, kvWrites: 0 };
  /** The error that object calls throw while it is set. */
  const objectFault: { error: (Error & { overloaded?: boolean; retryable?: boolean }) | null } = { error: null };
  const objects = new Map<string, TestObject>();
  const unreachable = new Set<string>();
  const facts = new Map<string, string | Uint8Array>();
  const wakes: unknown[] = [];
  const jobs: unknown[] = [];
  const nights: unknown[] = [];
  const files = createBucket();

  const first = {
    SERVICE_SECRET: secret(1),
    HASH_SECRET: secret(2),
    DATABASE_URL: `postgresql://user:${DATABASE_PASSWORD}@db.localhost/main`,
    DATABASE_HTTP_URL: `http://127.0.0.1:${(neon.address() as AddressInfo).port}/sql`,
    DOH_URLS: dns.urls.join(','),
    PRIMARY_REGION: 'enam',
    ...settings,
    ASSETS: { fetch: serveAsset },
    COUNTERS: { writeDataPoint: () => use('points') },
    BULK_FILES: counted(files.bucket),
    BULK_QUEUE: queue({
      send: async (body: unknown) => void jobs.push(body),
      sendBatch: async (batch: { body: unknown }[]) => void jobs.push(...batch.map(({ body }) => body)),
    }),
    NIGHTLY_QUEUE: queue({
      sendBatch: async (batch: { body: unknown }[]) => void nights.push(...batch.map(({ body }) => body)),
    }),
    WAKE_QUEUE: queue({ sendBatch: async (messages: unknown[]) => void wakes.push(...messages) }),
    FACTS: keyValues({
      get: async (key: string | string[]) => {
        calls.kvReads += 1;
        if (typeof key === 'string') return facts.get(key) ?? null;
        return new Map(key.map((each) => [each, facts.get(each) ?? null]));
      },
      put: async (key: string, value: string | Uint8Array) => {
        calls.kvWrites += 1;
        facts.set(key, value);
      },
      delete: async (key: string) => void facts.delete(key),
    }),
    ORGANISATION: { getByName: (id: string) => stubOf(objectOf(id).object, id) },
    OPERATORS: { getByName: (id: string) => stubOf(operatorsObject(), id) },
  };
  let env = first;

  function objectOf(id: string): TestObject {
    const known = objects.get(id);
    if (known) return known;
    const storage = createObjectStorage();
    const object = new OrganisationObject({ storage } as never, env as never);
    objects.set(id, { object, storage });
    return { object, storage };
  }

  let operatorsKept: OperatorsObject | null = null;
  const operatorsObject = (): OperatorsObject =>
    (operatorsKept ??= new OperatorsObject({ storage: createObjectStorage() } as never, env as never));

  /** Calls the object as RPC does: arguments and answers are copies. */
  const stubOf = <T extends object>(of: T, id: string): T =>
    new Proxy(of, {
      get:
        (object, name) =>
        async (...input: unknown[]) => {
          calls.object += 1;
          if (objectFault.error) throw objectFault.error;
          if (unreachable.has(id)) throw new Error('object');
          use('subrequests');
          const method = object[name as keyof T] as (this: T, ...input: unknown[]) => Promise<unknown>;
          const given = copied(input);
          return copied(await invocation(() => method.call(object, ...given)));
        },
    });

  const app = createApp(openDeps, personOf);
  const open = createFirstApp(openDeps, async () => app);
  const deferred = new Set<Promise<unknown>>();
  const context = {
    waitUntil: (work: Promise<unknown>) => void deferred.add(work),
    passThroughOnException: () => undefined,
  };

  const consume = (messages: readonly object[]): Promise<void> =>
    invocation(() => consumeWakes({ messages } as never, openBackground(env as never, context.waitUntil)));
  const cronOf = (cron: string): Promise<void> =>
    invocation(() => runCron(cron, openBackground(env as never, context.waitUntil)));

  /** The dashboard's entrypoint. */
  const entrypoint = () => new DashboardEntrypoint(context as never, env as never);

  const request = recorded((path, init) =>
    invocation(() => Promise.resolve(open.request(path, init, env as never, context as never))),
  );

  /** A request of a signed-in member through the dashboard's entrypoint. */
  const requestAs = (person: PersonClaims, path: string, init?: RequestInit): Promise<Response> =>
    invocation(() =>
      Promise.resolve(
        app.fetch(asPerson(new Request(`http://localhost${path}`, init), person), env as never, context as never),
      ),
    );

  let memberMadeAt = 0;

  /** Adds a member, each later than the one before, since lists are ordered by time. */
  async function addMember(organisationId: string, role: MemberRecord['role']): Promise<PersonClaims> {
    memberMadeAt = Math.max(Date.now(), memberMadeAt + 1);
    const userId = newId('u', memberMadeAt);
    const email = `${userId}@example.com`;
    const member = { userId, email, name: null, role, createdAt: memberMadeAt, createdBy: 'operator' as const };
    await objectOf(organisationId).object.putMember({ member, actor: 'operator' });
    return { organisationId: organisationId as Id<'org'>, userId, signedInAt: Date.now(), hasSecondFactor: false };
  }

  /** One JSON call, by a key, a person or, with null, nobody. */
  async function call(
    method: string,
    path: string,
    key: string | PersonClaims | null,
    body?: unknown,
    headers: Record<string, string> = {},
  ) {
    const response = await (typeof key === 'object' && key !== null ? requestAs.bind(null, key) : request)(path, {
      method,
      headers: {
        ...(typeof key === 'string' ? { authorization: `Bearer ${key}` } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) };
  }

  /** Delivers the nightly run's own steps. Returns those that would be redelivered. */
  async function deliverSteps(): Promise<string[]> {
    const again: string[] = [];
    const all = nights.splice(0) as { step?: string }[];
    nights.push(...all.filter(({ step }) => step === undefined));
    for (const body of all.filter(({ step }) => step !== undefined)) {
      const message = {
        id: 'm',
        body,
        attempts: 1,
        ack: () => undefined,
        retry: () => void again.push(body.step ?? ''),
      };
      await consume([message]);
    }
    return again;
  }

  /** Delivers the nightly messages of all or one organisation. Returns those that would be redelivered. */
  async function deliverNights(only?: string): Promise<string[]> {
    const again: string[] = [];
    for (const body of nights.splice(0) as { organisationId: string }[]) {
      if (only !== undefined && body.organisationId !== only) continue;
      const retry = () => void again.push(body.organisationId);
      const message = { id: 'm', body, attempts: 1, ack: () => undefined, retry };
      await consume([message]);
    }
    return again;
  }

  const bootstrapped = await call('POST', '/operator/v1/bootstrap', mintBootstrapToken(env.SERVICE_SECRET, Date.now()));
  const operatorKey: string = bootstrapped.body.key.key;

  /** An organisation of the test's own, with a key of each role. */
  async function createOrganisation(limits: object = {}) {
    const { organisation } = (await call('POST', '/operator/v1/organisations', operatorKey, limits)).body;
    const createKey = async (body: object): Promise<{ id: string; key: string }> => {
      // Keys are listed by time, so no two may share a millisecond.
      await new Promise((resolve) => setTimeout(resolve, 2));
      const path = `/operator/v1/organisations/${organisation.id}/keys`;
      return (await call('POST', path, operatorKey, { name: 'test', ...body })).body.key;
    };
    const keys = {
      viewer: (await createKey({ role: 'viewer', origin: 'auto' })).key,
      member: (await createKey({ role: 'member', origin: 'auto' })).key,
      admin: (await createKey({ role: 'admin', origin: 'auto' })).key,
      test: (await createKey({ role: 'member', origin: 'auto', test: true })).key,
    };
    return { id: organisation.id as string, accountId: organisation.account_id as string, keys, createKey };
  }

  afterAll(async () => {
    await Promise.allSettled(deferred);
    neon.closeAllConnections();
    neon.close();
    await dns.stop();
    await database.close();
  });

  return {
    request,
    requestAs,
    addMember,
    call,
    entrypoint,
    operatorKey,
    createOrganisation,
    objectOf,
    operatorsObject,
    objects,
    /** The object forgets everything, as if its storage were gone. */
    loseObject: (id: string) => void objects.delete(id),
    /** The object's memory ends, and it starts again on its storage. */
    restartObject(id: string): void {
      const { storage } = objectOf(id);
      objects.set(id, { storage, object: new OrganisationObject({ storage } as never, env as never) });
    },
    /** From now on this organisation's object gives no answer. */
    breakObject: (id: string) => void unreachable.add(id),
    /** Restarts isolates and objects with these settings, as a deployment does. */
    redeploy(changed: Readonly<Record<string, string>>): void {
      env = { ...first, ...changed };
      for (const [id, { storage }] of objects)
        objects.set(id, { storage, object: new OrganisationObject({ storage } as never, env as never) });
    },
    database,
    calls,
    faults,
    objectFault,
    wakes,
    facts,
    env: first,
    files,
    jobs,
    nights,
    /** Runs the object's timers, after a pause in which those of the next millisecond become due. */
    async passTimers(id: string): Promise<void> {
      await new Promise((resolve) => setTimeout(resolve, 5));
      await invocation(() => objectOf(id).object.tick());
    },
    /** Runs the object's timers minutes later, including those that wait after a failure. */
    async passFailures(id: string): Promise<void> {
      const startedAt = Date.now();
      // Work that began before may fail in the first pass and wait again.
      for (const minutes of [5, 11]) {
        vi.useFakeTimers({ now: startedAt + minutes * MINUTE_MS, toFake: ['Date'] });
        await invocation(() => objectOf(id).object.tick());
      }
      vi.useRealTimers();
    },
    /** Runs the object's timers and the queue until neither has work left. */
    async runJobs(id: string, isLostWake: () => boolean = () => false): Promise<void> {
      const { object } = objectOf(id);
      const tick = () => invocation(() => object.tick());
      for (await tick(); jobs.length > 0; await tick()) {
        const messages = jobs
          .splice(0)
          .map((body) => ({ id: 'm', body, attempts: 1, ack: () => undefined, retry: () => undefined }));
        const delivered = messages.filter(() => !isLostWake());
        // One message, one invocation, as the queue's consumer is set.
        await Promise.all(delivered.map((message) => consume([message])));
      }
    },
    /** Delivers one wake-up; `said` receives its result. */
    async wakeJob(organisation: string, job: string, said: (answer: 'ack' | 'retry') => void): Promise<void> {
      const body = { v: 1, organisationId: organisation, jobId: job };
      const message = { id: 'm', body, attempts: 1, ack: () => said('ack'), retry: () => said('retry') };
      await consume([message]);
    },
    /** Runs the nightly cron and its messages. Returns those that would be redelivered. */
    async runNight(only?: string): Promise<string[]> {
      const [cron] = await Promise.allSettled([cronOf('17 3 * * *')]);
      const again = [...(await deliverSteps()), ...(await deliverNights(only))];
      if (cron.status === 'rejected') throw cron.reason;
      return again;
    },
    deliverNights,
    deliverSteps,
    /** The five-minute cron. */
    sweep: () => cronOf('*/5 * * * *'),
    settle: () => Promise.allSettled(deferred),
  };
}
