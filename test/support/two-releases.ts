import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { convertV4MiniflareOptions, Miniflare, type V4WorkerOptions } from 'miniflare';
import { unstable_getMiniflareWorkerOptions } from 'wrangler';
import { checkOut, readRecord } from '../../scripts/releases/record.ts';
import { type BundleModule, bundleWorker } from '../../scripts/stack/bundle.ts';
import { httpUrlOf } from '../../scripts/stack/neon-protocol.ts';
import { loggingTo, openWorkerLog } from '../../scripts/stack/worker-log.ts';
import { type NeonEndpoint, startNeonEndpoint } from './neon-endpoint.ts';
import { writeNextVersion } from './next-version.ts';

const ROOT = join(import.meta.dirname, '../..');

/** `last`: the recorded release, or the source as it stands where there is none; `next`: that source with changes of a next version. */
export type Release = 'last' | 'next';
const RELEASES: readonly Release[] = ['last', 'next'];

interface Built {
  readonly source: string;
  readonly folder: string;
  readonly modules: readonly BundleModule[];
}

export interface Moment {
  /** Whose code the objects run. */
  readonly objects: Release;
  /** Whose Worker consumes the queues. */
  readonly queues: Release;
  /** Whose migrations Postgres has. */
  readonly schema: Release;
}

/** Both releases on one state, as they are side by side while one is deployed or rolled back. Each has an entrypoint of its own. */
export class TwoReleases {
  readonly stateDir: string;
  private readonly settings: Readonly<Record<string, string>>;
  private readonly built: Readonly<Record<Release, Built>>;
  private running: {
    readonly runtime: Miniflare;
    readonly entrypoints: Record<Release, string>;
    readonly database: NeonEndpoint;
  } | null = null;
  private offsetS: number;

  private constructor(
    stateDir: string,
    settings: Readonly<Record<string, string>>,
    built: Readonly<Record<Release, Built>>,
    offsetS: number,
  ) {
    this.stateDir = stateDir;
    this.settings = settings;
    this.built = built;
    this.offsetS = offsetS;
  }

  /** @param offsetS how far ahead their clock is at first */
  static async open(settings: Readonly<Record<string, string>>, offsetS: number): Promise<TwoReleases> {
    const stateDir = mkdtempSync(join(tmpdir(), 'releases-'));
    const [lastSource, nextSource] = [await lastVersion(join(stateDir, 'last')), join(stateDir, 'next')];
    writeNextVersion(nextSource);
    const built = {
      last: await build(lastSource, join(stateDir, 'last-worker')),
      next: await build(nextSource, join(stateDir, 'next-worker')),
    };
    return new TwoReleases(stateDir, settings, built, offsetS);
  }

  get nowMs(): number {
    return Date.now() + this.offsetS * 1000;
  }

  /** Stops everything abruptly, as a deploy may, and restarts `laterS` later with these roles. */
  async goOn({ objects, queues, schema }: Moment, laterS = 0): Promise<void> {
    await this.end();
    this.offsetS += laterS;
    const database = await startNeonEndpoint(join(this.stateDir, 'postgres/data'), {
      args: ['--migrations', join(this.built[schema].source, 'drizzle')],
    });
    const settings = {
      ...this.settings,
      DATABASE_URL: database.url,
      DATABASE_HTTP_URL: `${httpUrlOf(database.url)}/sql`,
      CLOCK_OFFSET_S: String(this.offsetS),
    };
    const logFile = join(this.stateDir, 'worker.log');
    rmSync(logFile, { force: true });
    const log = openWorkerLog(logFile);
    const runtime = new Miniflare(
      convertV4MiniflareOptions({
        cf: false,
        ...loggingTo(log),
        resourcePersistencePath: join(this.stateDir, 'worker'),
        workers: RELEASES.map((release) => worker(release, this.built[release], objects, release === queues, settings)),
      }),
    );
    await runtime.ready;
    const [last, nextUrl] = await Promise.all(RELEASES.map((release) => runtime.unsafeGetDirectURL(release)));
    this.running = { runtime, database, entrypoints: { last: String(last), next: String(nextUrl) } };
  }

  async request(release: Release, path: string, init?: RequestInit): Promise<Response> {
    return fetch(new URL(path, this.entrypoint(release)), init);
  }

  entrypoint(release: Release): string {
    return this.now().entrypoints[release].replace(/\/$/, '');
  }

  async cron(release: Release, cron: string): Promise<void> {
    const { outcome } = await (await this.now().runtime.getWorker(release)).scheduled({ cron });
    if (outcome !== 'ok') throw new Error(`cron ${cron} of the ${release} release: ${outcome}`);
  }

  async send(release: Release, message: object): Promise<void> {
    const queue = await this.now().runtime.getQueueProducer('WAKE_QUEUE', release);
    await queue.send(message);
  }

  /** The OpenAPI document of a release. */
  documentOf(release: Release): string {
    return join(this.built[release].source, 'public/openapi.json');
  }

  /** Takes the database away, or gives it back. */
  async database(state: 'up' | 'down'): Promise<void> {
    await this.now().database.control({ down: state === 'down' });
  }

  /** Log lines of both releases since the last restart. */
  logged(part: string): string[] {
    const lines = readFileSync(join(this.stateDir, 'worker.log'), 'utf8').split('\n');
    return lines.filter((line) => line.includes(part));
  }

  errors(): string[] {
    return this.logged('"level":"error"');
  }

  async end(): Promise<void> {
    const { running } = this;
    this.running = null;
    await running?.runtime.dispose();
    await running?.database.kill('SIGTERM');
  }

  async remove(): Promise<void> {
    await this.end();
    rmSync(this.stateDir, { recursive: true, force: true });
  }

  private now() {
    if (this.running === null) throw new Error('nothing runs');
    return this.running;
  }
}

async function lastVersion(folder: string): Promise<string> {
  const record = readRecord();
  if (record === null) return ROOT;
  // A copy of the project without the history of git has the present source alone.
  return checkOut(record.commit, folder).then(
    () => folder,
    () => ROOT,
  );
}

const build = async (source: string, folder: string): Promise<Built> => ({
  source,
  folder,
  modules: await bundleWorker(source, folder, new AbortController().signal),
});

function worker(
  name: Release,
  { source, folder, modules }: Built,
  objects: Release,
  hearsQueues: boolean,
  settings: Readonly<Record<string, string>>,
): V4WorkerOptions {
  const { workerOptions } = unstable_getMiniflareWorkerOptions(join(source, 'wrangler.toml'));
  const { modulesRules: _, assets: _assets, queueConsumers, bindings: vars, ...options } = workerOptions;
  const queues = queueConsumers as NonNullable<V4WorkerOptions['queueConsumers']>;
  return {
    ...options,
    name,
    rootPath: folder,
    modules: [...modules],
    bindings: { ...(vars as object), ...settings, SERVICE_VERSION: name },
    durableObjects: {
      ORGANISATION: {
        className: 'OrganisationObject',
        useSQLite: true,
        // The storage stays the same, whichever release runs the objects.
        unsafeUniqueKey: 'organisation',
        ...(name === objects ? {} : { scriptName: objects }),
      },
      OPERATORS: {
        className: 'OperatorsObject',
        useSQLite: true,
        unsafeUniqueKey: 'operators',
        ...(name === objects ? {} : { scriptName: objects }),
      },
    },
    ...(hearsQueues ? { queueConsumers: queues } : {}),
    unsafeDirectSockets: [{ host: '127.0.0.1', port: 0 }],
  };
}
