import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { convertV4MiniflareOptions, Miniflare, type V4WorkerOptions } from 'miniflare';
import { unstable_getMiniflareWorkerOptions } from 'wrangler';
import { LAST_RELEASE, readRecord } from '../../scripts/releases/record.ts';
import { type BundleModule, bundleWorker, listModules } from '../../scripts/stack/bundle.ts';
import { httpUrlOf } from '../../scripts/stack/neon-protocol.ts';
import { loggingTo, openWorkerLog } from '../../scripts/stack/worker-log.ts';
import { type NeonEndpoint, startNeonEndpoint } from './neon-endpoint.ts';

const ROOT = join(import.meta.dirname, '../..');

/** `last`: as it is recorded in last-release/; `next`: the source as it stands. */
export type Release = 'last' | 'next';
const RELEASES: readonly Release[] = ['last', 'next'];

interface Built {
  readonly folder: string;
  readonly modules: readonly BundleModule[];
  readonly config: string;
}

export interface Moment {
  /** Whose code the objects run. */
  readonly objects: Release;
  /** Whose Worker hears the queues. */
  readonly queues: Release;
  /** Whose migrations Postgres has. */
  readonly schema: Release;
}

/** Both releases on one state, as they are side by side while one is deployed or rolled back. Each has a door of its own. */
export class TwoReleases {
  readonly stateDir: string;
  private readonly settings: Readonly<Record<string, string>>;
  private readonly built: Readonly<Record<Release, Built>>;
  private running: {
    readonly runtime: Miniflare;
    readonly doors: Record<Release, string>;
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
    const next = join(stateDir, 'next');
    const built = {
      last: unpackLast(join(stateDir, 'last')),
      next: {
        folder: next,
        modules: await bundleWorker(ROOT, next, new AbortController().signal),
        config: join(ROOT, 'wrangler.toml'),
      },
    };
    return new TwoReleases(stateDir, settings, built, offsetS);
  }

  get nowMs(): number {
    return Date.now() + this.offsetS * 1000;
  }

  /** Ends what runs, as abruptly as a deploy may, and goes on `laterS` later with who does what. */
  async goOn({ objects, queues, schema }: Moment, laterS = 0): Promise<void> {
    await this.end();
    this.offsetS += laterS;
    const migrations = schema === 'next' ? join(ROOT, 'drizzle') : lastMigrations(join(this.stateDir, 'drizzle'));
    const database = await startNeonEndpoint(join(this.stateDir, 'postgres/data'), {
      args: ['--migrations', migrations],
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
    const [last, nextDoor] = await Promise.all(RELEASES.map((release) => runtime.unsafeGetDirectURL(release)));
    this.running = { runtime, database, doors: { last: String(last), next: String(nextDoor) } };
  }

  async request(release: Release, path: string, init?: RequestInit): Promise<Response> {
    return fetch(new URL(path, this.door(release)), init);
  }

  door(release: Release): string {
    return this.now().doors[release].replace(/\/$/, '');
  }

  async cron(release: Release, cron: string): Promise<void> {
    const { outcome } = await (await this.now().runtime.getWorker(release)).scheduled({ cron });
    if (outcome !== 'ok') throw new Error(`cron ${cron} of the ${release} release: ${outcome}`);
  }

  /** Takes the database away, or gives it back. */
  async database(state: 'up' | 'down'): Promise<void> {
    await this.now().database.control({ down: state === 'down' });
  }

  /** Lines that either release has logged as errors since it goes on. */
  errors(): string[] {
    const lines = readFileSync(join(this.stateDir, 'worker.log'), 'utf8').split('\n');
    return lines.filter((line) => line.includes('"level":"error"'));
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

function unpackLast(folder: string): Built {
  mkdirSync(folder, { recursive: true });
  const stored = join(LAST_RELEASE, 'worker');
  for (const file of readdirSync(stored)) {
    if (file.endsWith('.gz'))
      writeFileSync(join(folder, file.slice(0, -3)), gunzipSync(readFileSync(join(stored, file))));
    else copyFileSync(join(stored, file), join(folder, file));
  }
  return { folder, modules: listModules(folder), config: join(LAST_RELEASE, 'wrangler.toml') };
}

/** The migrations of the last release: the first of those there are. */
function lastMigrations(folder: string): string {
  const all = join(ROOT, 'drizzle');
  cpSync(all, folder, { recursive: true });
  const journal = JSON.parse(readFileSync(join(all, 'meta/_journal.json'), 'utf8')) as { entries: object[] };
  const entries = journal.entries.slice(0, readRecord().postgres.length);
  writeFileSync(join(folder, 'meta/_journal.json'), JSON.stringify({ ...journal, entries }));
  return folder;
}

function worker(
  name: Release,
  { folder, modules, config }: Built,
  objects: Release,
  hearsQueues: boolean,
  settings: Readonly<Record<string, string>>,
): V4WorkerOptions {
  const { workerOptions } = unstable_getMiniflareWorkerOptions(config);
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
        // Storage of its own, whichever release keeps it.
        unsafeUniqueKey: 'organisation',
        ...(name === objects ? {} : { scriptName: objects }),
      },
    },
    ...(hearsQueues ? { queueConsumers: queues } : {}),
    unsafeDirectSockets: [{ host: '127.0.0.1', port: 0 }],
  };
}
