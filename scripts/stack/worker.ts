import type { ChildProcess } from 'node:child_process';
import { subscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { join } from 'node:path';
import type { V4WorkerOptions } from 'miniflare';
import { commandLine, wholeNumber } from '../command-line.ts';
import { quietWrangler } from './bundle.ts';
import { endWithParent, runChild, type SignInLink, tellParent } from './child.ts';
import { runDevLoop } from './dev-loop.ts';
import { limitHeaps, PLATFORM_HEAP_MB } from './heap-limit.ts';
import { API_ENTRY, type LocalBuild, type LocalEntry, localBuild, openLocalBuilder } from './local-build.ts';
import { openLocalRuntime } from './local-runtime.ts';
import { seconds } from './report.ts';
import { openSiteRuntime, type SiteRuntime } from './site-runtime.ts';
import { loggingTo, type RuntimeLog } from './worker-log.ts';
import { API, DASHBOARD, workerOptions } from './worker-options.ts';

/**
 * A process of its own: the Worker of wrangler.toml on workerd, every binding stored under `--state`, and beside it the
 * dashboard's at its own port. They are built while the rest of the stack starts; the parent then sends the settings.
 * Miniflare, not wrangler's `startWorker`, which puts a second workerd in front of the Worker (a third of the requests
 * a second, measured) for reloading, which nothing here needs.
 */
const PROJECT = join(import.meta.dirname, '../..');

const options = commandLine('worker', 'The Worker of the local stack.')
  .requiredOption('--port <n>', 'where it listens', wholeNumber(0, 65_535))
  .requiredOption('--dashboard-port <n>', 'where the dashboard listens', wholeNumber(0, 65_535))
  .requiredOption('--state <dir>', 'where everything is kept')
  .option('--watch', 'build and restart it when its source changes', false)
  .option('--inspector-port <n>', 'where the inspector listens (default: nowhere)', wholeNumber(1, 65_535))
  .parse()
  .opts<{ port: number; dashboardPort: number; state: string; watch: boolean; inspectorPort?: number }>();

/**
 * `GET /cdn-cgi/handler/scheduled?cron=...`, wrangler's URL for firing a cron by hand. A page can't call it: Miniflare
 * itself refuses a foreign `Host` and `Origin`, but an image's URL comes without `Origin`.
 */
const CRON_BY_HAND = `export default {
  async fetch(request, env) {
    if (request.headers.has('origin') || !['none', null].includes(request.headers.get('sec-fetch-site'))) {
      return new Response('not for web pages', { status: 403 });
    }
    const cron = new URL(request.url).searchParams.get('cron') ?? '';
    const worker = env.DASHBOARD_CRONS.includes(cron) ? env.DASHBOARD : env.WORKER;
    const { outcome } = await worker.scheduled({ cron });
    return new Response(outcome, { status: outcome === 'ok' ? 200 : 500 });
  },
}`;

const DASHBOARD_ENTRY: LocalEntry = {
  source: 'dashboard/worker/index.ts',
  code: 'dashboard.js',
  folder: 'dashboard/worker',
};

/** Sent by the parent once it knows them. */
export interface WorkerSettings {
  readonly settings: Readonly<Record<string, string>>;
  readonly dashboardSettings: Readonly<Record<string, string>>;
}

/** A sign-in link goes to the console instead of a mailbox; the parent shows it. */
async function showLink(request: { json(): Promise<unknown> }): Promise<Response> {
  await tellParent({ link: (await request.json()) as SignInLink });
  return new Response(null, { status: 204 });
}

/** Tells the parent of every process started here (workerd), so that a later start can end what a SIGKILL leaves. */
function reportStartedProcesses(): void {
  subscribe('child_process', (message) => {
    const { process: started } = message as { process: ChildProcess };
    started.once('spawn', () => {
      const name = started.spawnfile.endsWith('workerd') ? 'workerd' : 'build';
      if (started.pid) void tellParent({ started: { name, pid: started.pid } });
    });
  });
}

async function start(): Promise<void> {
  const stateDir = options.state;
  const ends: (() => Promise<void> | void)[] = [];
  endWithParent(async () => {
    for (const end of ends.toReversed()) await end();
  });
  Object.assign(process.env, quietWrangler(stateDir));
  limitHeaps(PLATFORM_HEAP_MB);
  reportStartedProcesses();
  const settingsArrived = once(process, 'message') as Promise<[WorkerSettings]>;
  const builder = options.watch ? await openLocalBuilder(PROJECT, API_ENTRY) : null;
  ends.push(() => builder?.close());
  const firstBuild = builder === null ? localBuild(PROJECT, API_ENTRY) : builder.build();
  // Its failure is reported where the build is loaded.
  firstBuild.catch(() => {});
  const dashboardBuild = localBuild(PROJECT, DASHBOARD_ENTRY);
  dashboardBuild.catch(() => {});
  const sites = openSiteRuntime(PROJECT);
  ends.push(() => sites.close());
  const { Miniflare, convertV4MiniflareOptions } = await import('miniflare');
  const [{ bindings: vars, assets: _, ...worker }, { bindings: dashboardVars, assets: __, ...dashboardWorker }] =
    await Promise.all([workerOptions(PROJECT, API), workerOptions(PROJECT, DASHBOARD)]);
  const [{ settings, dashboardSettings }] = await settingsArrived;
  const service = {
    ...worker,
    name: 'worker',
    bindings: { ...(vars as object), ...settings },
    serviceBindings: { ASSETS: sites.assetsOf(API) },
  };
  const dashboardCrons = (dashboardWorker.cronTriggers ?? []) as string[];
  const cronByHand: V4WorkerOptions = {
    name: 'cron-by-hand',
    modules: true,
    script: CRON_BY_HAND,
    compatibilityFlags: ['service_binding_extra_handlers'],
    routes: ['*/cdn-cgi/handler/scheduled*'],
    bindings: { DASHBOARD_CRONS: dashboardCrons },
    serviceBindings: { WORKER: 'worker', DASHBOARD: 'dashboard' },
  };
  const dashboard: V4WorkerOptions = {
    ...dashboardWorker,
    name: 'dashboard',
    bindings: { ...(dashboardVars as object), ...dashboardSettings },
    serviceBindings: {
      API: { name: 'worker', entrypoint: 'DashboardEntrypoint' },
      CONSOLE: showLink,
      ASSETS: sites.assetsOf(DASHBOARD),
    },
    unsafeDirectSockets: [{ host: '127.0.0.1', port: options.dashboardPort }],
    modules: [...(await dashboardBuild).modules],
  };
  const optionsFor = ({ modules }: LocalBuild, log: (line: RuntimeLog) => void) =>
    convertV4MiniflareOptions({
      host: '127.0.0.1',
      port: options.port,
      cf: false,
      ...(options.inspectorPort === undefined ? {} : { inspectorPort: options.inspectorPort }),
      ...loggingTo(log),
      resourcePersistencePath: join(stateDir, 'worker'),
      workers: [{ ...service, modules: [...modules] }, cronByHand, dashboard],
    });
  const runtime = openLocalRuntime((given) => new Miniflare(given), optionsFor, join(stateDir, 'worker.log'));
  ends.push(() => runtime.close());
  if (builder !== null) {
    const onWatching = (stop: () => void): void => void ends.push(stop);
    await runDevLoop({ project: PROJECT, builder, firstBuild, runtime, onWatching });
  } else {
    await runtime.load(await firstBuild);
  }
  process.once('message', () => void buildSites(sites));
  await tellParent({ ready: { crons: [...((worker.cronTriggers ?? []) as string[]), ...dashboardCrons] } });
}

/** The parent asks for it once the API answers, so that it does not slow the start. */
async function buildSites(sites: SiteRuntime): Promise<void> {
  const startedMs = performance.now();
  try {
    if (!(await sites.build())) return;
    console.log(`\nThe dashboard and the documentation are built: ${seconds(performance.now() - startedMs)}`);
  } catch (error) {
    console.error(`\n${(error as Error).message}`);
  }
}

runChild(start);
