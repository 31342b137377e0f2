import type { ChildProcess } from 'node:child_process';
import { subscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare, type V4WorkerOptions } from 'miniflare';
import { unstable_getMiniflareWorkerOptions } from 'wrangler';
import {
  type KeyClaims,
  type KeyRecord,
  NEVER_ROTATED,
  issueKey,
  keySecret,
  keyVersion,
} from '../../src/domain/access/keys.ts';
import type { OrganisationSettings } from '../../src/domain/metering/organisation-settings.ts';
import { DEFAULT_LIMITS } from '../../src/domain/metering/usage.ts';
import { sha256Hex } from '../../src/kernel/crypto.ts';
import { type Id, newId, systemRandom } from '../../src/kernel/ids.ts';
import type { AuthorizeRequest, OrganisationRpc } from '../../src/organisation/api.ts';
import { bundleWorker, quietWrangler } from '../stack/bundle.ts';
import type { Database, QueryResult } from '../stack/database.ts';
import { startDnsServer } from '../stack/dns-server.ts';
import { limitHeaps, PLATFORM_HEAP_MB } from '../stack/heap-limit.ts';
import { createNeonServer } from '../stack/neon-protocol.ts';

const PROJECT = join(import.meta.dirname, '../..');
const BENCH = join(import.meta.dirname, 'worker');

const DATABASE_PASSWORD = 'bench';

const BUILD_LIMIT_MS = 60_000;

/** base64 of 32 bytes. */
export const SERVICE_SECRET = Buffer.alloc(32, 1).toString('base64');

/** Takes every row at once and keeps none: the database is elsewhere and must not use this machine's time. */
const STORED: QueryResult = { command: 'INSERT', rowCount: 0, rows: [], fields: [] };
const SINK: Database = {
  migrate: async () => {},
  query: async () => STORED,
  transaction: (_, work) => work(async () => STORED),
  close: async () => {},
};

const WORKERS = { service: PROJECT, bare: BENCH, caller: join(BENCH, 'caller') } as const;
type WorkerName = keyof typeof WORKERS;

export interface BenchRuntime extends WatchedProcess {
  readonly miniflare: Miniflare;
  /** Addresses of the Workers, each a socket of its own on the same workerd. */
  readonly urls: Readonly<Record<WorkerName, string>>;
  stop(): Promise<void>;
}

const MEMORY = '/dev/shm';
const STATE_MAX_BYTES = 2 ** 28;

/**
 * The objects' storage is kept in memory where the machine offers it: every call waits until its write is on the disk, and a
 * busy disk makes all contestants equally slow.
 */
function stateFolder(): string {
  if (!existsSync(MEMORY)) return tmpdir();
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize > STATE_MAX_BYTES ? MEMORY : tmpdir();
}

/**
 * Has Miniflare start a workerd that writes its log into a file. Miniflare would read each line in a process of its own, which
 * takes time of two cores from a service that logs its requests, and none from a bare route. On the platform logs are read elsewhere.
 */
function logToFile(folder: string): void {
  const ofMiniflare = createRequire(createRequire(import.meta.url).resolve('miniflare'));
  const { default: workerdPath } = ofMiniflare('workerd') as { readonly default: string };
  const wrapper = join(folder, 'workerd');
  writeFileSync(wrapper, `#!/bin/sh\nexec '${workerdPath}' "$@" >'${join(folder, 'log')}'\n`, { mode: 0o700 });
  process.env.MINIFLARE_WORKERD_PATH = wrapper;
}

/** User and system time of proc(5), fields 14 and 15, counted after the name; in ticks of 10 ms. */
const TIME_FIELDS = [11, 12] as const;
const TICK_MS = 10;

export interface WatchedProcess {
  /** CPU time of all its threads so far, in milliseconds. */
  cpuMs(): number;
  /** Memory of it that is resident, in bytes. */
  rssBytes(): number;
}

/**
 * Waits for the workerd that Miniflare will start, which does not tell its pid. Each figure is NaN where the system does not
 * show it as Linux does.
 */
export function watchWorkerd(): WatchedProcess {
  let pid: number | undefined;
  subscribe('child_process', (message) => {
    const { process: started } = message as { process: ChildProcess };
    started.once('spawn', () => {
      if (started.spawnfile.endsWith('workerd')) pid = started.pid;
    });
  });
  const read = (file: string): string => {
    try {
      return readFileSync(`/proc/${pid}/${file}`, 'latin1');
    } catch {
      return '';
    }
  };
  return {
    cpuMs() {
      const fields = read('stat').split(') ').pop()?.split(' ') ?? [];
      return TIME_FIELDS.reduce((sum, field) => sum + Number(fields[field]) * TICK_MS, 0);
    },
    rssBytes: () => Number(/^VmRSS:\s+(\d+) kB$/m.exec(read('status'))?.[1] ?? Number.NaN) * 1024,
  };
}

/**
 * The service as it is deployed, and the Workers of the benchmarks beside it in one workerd, without the router the local stack has.
 * @param inspected with an inspector, which costs time
 */
async function startRuntime(inspected: boolean): Promise<BenchRuntime> {
  const folder = mkdtempSync(join(stateFolder(), 'bench-'));
  Object.assign(process.env, quietWrangler(folder));
  const dns = await startDnsServer();
  const neon = createNeonServer(SINK, { delayMs: 0, down: false }, DATABASE_PASSWORD);
  neon.listen(0, '127.0.0.1');
  await once(neon, 'listening');

  const settings = {
    SERVICE_SECRET,
    HASH_SECRET: Buffer.alloc(32, 2).toString('base64'),
    DATABASE_URL: `postgresql://bench:${DATABASE_PASSWORD}@127.0.0.1/bench`,
    DATABASE_HTTP_URL: `http://127.0.0.1:${(neon.address() as AddressInfo).port}/sql`,
    DOH_URLS: dns.urls.join(','),
    LOCAL_STACK: '1',
  };
  const worker = async (name: WorkerName): Promise<V4WorkerOptions> => {
    const project = WORKERS[name];
    const bundleDir = join(folder, name);
    const modules = await bundleWorker(project, bundleDir, AbortSignal.timeout(BUILD_LIMIT_MS));
    const { workerOptions } = unstable_getMiniflareWorkerOptions(join(project, 'wrangler.toml'));
    // Without the files that the Worker serves: Miniflare puts two Workers of its own before one that has some, and the bare
    // route has none. On the platform that router is not part of a Worker's CPU time.
    const { modulesRules: _, bindings: vars, assets: __, ...options } = workerOptions;
    return {
      ...options,
      name,
      rootPath: bundleDir,
      modules,
      bindings: {
        ...(vars as object),
        ...settings,
      },
      unsafeDirectSockets: [
        {
          host: '127.0.0.1',
          port: 0,
        },
      ],
    };
  };
  limitHeaps(PLATFORM_HEAP_MB);
  logToFile(folder);
  const workerd = watchWorkerd();
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      host: '127.0.0.1',
      port: 0,
      cf: false,
      log: new Log(LogLevel.WARN),
      logRequests: false,
      handleStructuredLogs: () => {},
      ...(inspected ? { inspectorPort: 0 } : {}),
      resourcePersistencePath: join(folder, 'state'),
      workers: [await worker('service'), await worker('bare'), await worker('caller')],
    }),
  );
  await miniflare.ready;
  const url = async (name: WorkerName) => String(await miniflare.unsafeGetDirectURL(name));
  return {
    miniflare,
    urls: { service: await url('service'), bare: await url('bare'), caller: await url('caller') },
    ...workerd,
    async stop() {
      await miniflare.dispose();
      neon.closeAllConnections();
      neon.close();
      await dns.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** What `work` gives with a runtime that is stopped behind it. */
export async function withRuntime<T>(work: (runtime: BenchRuntime) => Promise<T>, inspected = false): Promise<T> {
  const runtime = await startRuntime(inspected);
  try {
    return await work(runtime);
  } finally {
    await runtime.stop();
  }
}

/** Settings without limits, but for what may be asked in a minute. */
export const settingsOf = (id: Id<'org'>, now: number, ratePerMinute = 1e9): OrganisationSettings => ({
  id,
  accountId: newId('acct', now),
  name: 'bench',
  limits: { ...DEFAULT_LIMITS, verificationQuota: 0, screeningAllowance: 0, ratePerMinute },
  privacy: null,
  alerts: null,
  secondFactor: false,
  createdAt: now,
  version: 1,
});

/** A member's live key. */
export const keyOf = (now: number, secret: Pick<KeyRecord, 'hash' | 'last4' | 'secretVersion'>): KeyRecord => ({
  ...secret,
  id: newId('key', now),
  name: 'bench',
  role: 'member',
  mode: 'live',
  origin: 'auto',
  operator: false,
  userId: null,
  createdAt: now,
  createdBy: 'operator',
  expiresAt: null,
  ...NEVER_ROTATED,
  revokedAt: null,
});

/** What a verification asks of the object. */
export const verificationBy = (keyHash: string): AuthorizeRequest => ({
  operationId: '',
  traceId: '',
  keyHash,
  role: 'member',
  operator: false,
  rate: 'verify',
  meter: 'verify',
  lookup: { addressHash: null, domain: 'acme.example' },
  bodyHash: null,
  faulty: false,
  holdMs: 10_000,
});

/** An organisation of the service, and a member's key to it. */
export async function createOrganisation({ miniflare }: BenchRuntime, ratePerMinute?: number) {
  const now = Date.now();
  const id = newId('org', now);
  const namespace = await miniflare.getDurableObjectNamespace('ORGANISATION', 'service');
  const object = namespace.getByName(id) as unknown as OrganisationRpc;
  await object.create(settingsOf(id, now, ratePerMinute));
  const { key, keyHash } = await addKey({ id, object });
  return { id, key, keyHash, object };
}

/** A further member's key of an organisation. */
export async function addKey({ id, object }: { readonly id: Id<'org'>; readonly object: OrganisationRpc }) {
  const claims: KeyClaims = { organisationId: id, mode: 'live', role: 'member', operator: false };
  const random = new Uint8Array(16);
  systemRandom(random);
  const key = issueKey(keySecret(SERVICE_SECRET), claims, random);
  const keyHash = sha256Hex(key);
  const record = keyOf(Date.now(), { hash: keyHash, last4: key.slice(-4), secretVersion: keyVersion(key) });
  await object.insertKey(record);
  return { id: record.id, key, keyHash };
}
