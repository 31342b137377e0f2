import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare, type V4WorkerOptions } from 'miniflare';
import { unstable_getMiniflareWorkerOptions } from 'wrangler';
import { bundleWorker } from '../stack/bundle.ts';
import type { Database, QueryResult } from '../stack/database.ts';
import { startDnsServer } from '../stack/dns-server.ts';
import { limitHeaps, PLATFORM_HEAP_MB } from '../stack/heap-limit.ts';
import { createNeonServer } from '../stack/neon-protocol.ts';
import { quietWrangler } from '../stack/quiet.ts';
import { type WatchedProcess, watchWorkerd } from './workerd-cpu.ts';

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

export interface BenchRuntime extends WatchedProcess {
  readonly miniflare: Miniflare;
  /** Addresses of the service and of the bench Worker, each a socket of its own on the same workerd. */
  readonly urls: Readonly<Record<WorkerName, string>>;
  /** Of the Worker with the steps between the two, where it was asked for. */
  readonly ladderUrl: string | null;
  stop(): Promise<void>;
}
type WorkerName = 'service' | 'bare';

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

export interface RuntimeOptions {
  /** With an inspector, which costs time. */
  readonly inspected?: boolean;
  /** Of every isolate; null: no limit. */
  readonly heapLimitMb?: number | null;
  /** Stays open. */
  readonly database?: Database;
  /** With the Worker that has the steps between the bare route and ours. */
  readonly hasLadder?: boolean;
}

/** The service as it is deployed, and the bench Worker beside it in one workerd, without the router the local stack has. */
export async function startRuntime({
  inspected = false,
  heapLimitMb = PLATFORM_HEAP_MB,
  database = SINK,
  hasLadder = false,
}: RuntimeOptions = {}): Promise<BenchRuntime> {
  const folder = mkdtempSync(join(stateFolder(), 'bench-'));
  Object.assign(process.env, quietWrangler(folder));
  const dns = await startDnsServer();
  const neon = createNeonServer(database, { delayMs: 0, down: false }, DATABASE_PASSWORD);
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
  const worker = async (name: WorkerName | 'ladder', project: string): Promise<V4WorkerOptions> => {
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
  limitHeaps(heapLimitMb);
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
      workers: [
        await worker('service', PROJECT),
        await worker('bare', BENCH),
        ...(hasLadder ? [await worker('ladder', join(BENCH, 'ladder'))] : []),
      ],
    }),
  );
  await miniflare.ready;
  const url = async (name: WorkerName | 'ladder') => String(await miniflare.unsafeGetDirectURL(name));
  return {
    miniflare,
    urls: { service: await url('service'), bare: await url('bare') },
    ladderUrl: hasLadder ? await url('ladder') : null,
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
export async function withRuntime<T>(options: RuntimeOptions, work: (runtime: BenchRuntime) => Promise<T>): Promise<T> {
  const runtime = await startRuntime(options);
  try {
    return await work(runtime);
  } finally {
    await runtime.stop();
  }
}
