import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from 'miniflare';
import { unstable_getMiniflareWorkerOptions } from 'wrangler';
import { bundleWorker } from '../stack/bundle.ts';
import { quietWrangler } from '../stack/quiet.ts';
import { ratios, spread, takeTurns } from './rounds.ts';
import type { BenchRow } from './row.ts';
import { SERVICE_SECRET } from './runtime.ts';
import { type WatchedProcess, watchWorkerd } from './workerd-cpu.ts';

const PROJECT = join(import.meta.dirname, '../..');
const BUILD_LIMIT_MS = 60_000;

/** The Worker as it is deployed, with what it loads later loaded at its start: what each part would take. */
const AT_ONCE = {
  'all routes at once': ['entrypoints/app.ts'],
  'the schemas of all routes at once': ['contract/routes.ts'],
  'MCP at once': ['entrypoints/mcp/server.ts'],
  'bulk at once': ['services/bulk/upload-file.ts', 'services/bulk/run-job.ts', 'services/bulk/preview-job.ts'],
  'the operator API at once': ['services/operator/create-organisation.ts', 'services/operator/read-status.ts'],
  'queues and crons at once': ['entrypoints/queue/wake.ts', 'entrypoints/cron/scheduled.ts'],
} as const;

/** The Worker in each form that wrangler can give it, and a Worker of the framework alone. */
const FORMS = {
  hono: { main: 'scripts/bench/worker/hono.ts', minify: true, keep_names: false },
  minified: { main: 'src/index.ts', minify: true, keep_names: false },
  'minified, names kept': { main: 'src/index.ts', minify: true, keep_names: true },
  unminified: { main: 'src/index.ts', minify: false, keep_names: false },
  'unminified, names kept': { main: 'src/index.ts', minify: false, keep_names: true },
} as const;
type Form = keyof typeof FORMS | keyof typeof AT_ONCE;

const isAtOnce = (form: Form): form is keyof typeof AT_ONCE => form in AT_ONCE;

const SETTINGS = {
  SERVICE_SECRET,
  HASH_SECRET: SERVICE_SECRET,
  DATABASE_URL: 'postgresql://bench:bench@127.0.0.1/bench',
};

type Built = Awaited<ReturnType<typeof build>>;

/** Builds a form; gives how it is loaded, and its code's weight as the platform counts it. */
async function build(form: Form, folder: string) {
  const { main, ...options } = FORMS[isAtOnce(form) ? 'unminified' : form];
  const project = join(folder, 'project');
  const bundle = join(folder, 'bundle');
  mkdirSync(project, { recursive: true });
  const entry = join(project, 'index.ts');
  const source = (path: string): string => JSON.stringify(join(PROJECT, 'src', path));
  const atOnce = isAtOnce(form) ? AT_ONCE[form].map((path) => `import ${source(path)};`) : [];
  const index = source('index.ts');
  writeFileSync(entry, [...atOnce, `export * from ${index};`, `export { default } from ${index};`].join('\n'));
  const { compatibilityDate } = unstable_getMiniflareWorkerOptions(join(PROJECT, 'wrangler.toml')).workerOptions;
  const rules = [{ type: 'Data', globs: ['**/*.bin'], fallthrough: true }];
  const config = {
    name: 'worker',
    main: isAtOnce(form) ? entry : join(PROJECT, main),
    compatibility_date: compatibilityDate,
    rules,
    ...options,
  };
  writeFileSync(join(project, 'wrangler.json'), JSON.stringify(config));
  const modules = await bundleWorker(project, bundle, AbortSignal.timeout(BUILD_LIMIT_MS));
  const code = readdirSync(bundle).filter((file) => file.endsWith('.js'));
  const bytes = code.reduce((sum, file) => sum + gzipSync(readFileSync(join(bundle, file))).length, 0);
  return { bundle, modules, kilobytes: bytes / 1_000 };
}

/** CPU time of a workerd from its start to its first answer, in milliseconds. */
async function start({ bundle, modules }: Built, workerd: WatchedProcess): Promise<number> {
  const { workerOptions } = unstable_getMiniflareWorkerOptions(join(PROJECT, 'wrangler.toml'));
  const { modulesRules: _, bindings: vars, ...options } = workerOptions;
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      host: '127.0.0.1',
      port: 0,
      cf: false,
      log: new Log(LogLevel.ERROR),
      logRequests: false,
      handleStructuredLogs: () => {},
      workers: [
        {
          ...options,
          rootPath: bundle,
          modules,
          bindings: {
            ...(vars as object),
            ...SETTINGS,
          },
        },
      ],
    }),
  );
  try {
    const response = await fetch(new URL('/health', await miniflare.ready));
    if (response.status !== 200) throw new Error(`/health answers ${response.status}`);
    await response.text();
    return workerd.cpuMs();
  } finally {
    await miniflare.dispose();
  }
}

/** What the Worker takes to start, in each form, beside a Worker of the framework alone: the runtime's own start is in both. */
export async function run(): Promise<BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'start-up-'));
  Object.assign(process.env, quietWrangler(folder));
  try {
    const names = [...Object.keys(FORMS), ...Object.keys(AT_ONCE)] as Form[];
    const built = {} as Record<Form, Built>;
    for (const name of names) built[name] = await build(name, join(folder, name.replaceAll(/\W+/g, '-')));
    const workerd = watchWorkerd();
    const turns = Object.fromEntries(names.map((name) => [name, () => start(built[name], workerd)]));
    const times = await takeTurns(turns as Record<Form, () => Promise<number>>);
    return names.map((name) => {
      const { median, range } = spread(times[name]);
      const { median: ratio } = spread(ratios(times[name], times.hono));
      const note = `${built[name].kilobytes.toFixed(0)} KB gzip; ${ratio.toFixed(2)} of bare Hono`;
      return { name: `start to first answer, CPU: ${name}`, value: median, unit: 'ms', range, note };
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
