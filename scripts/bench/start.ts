import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from 'miniflare';
import { unstable_getMiniflareWorkerOptions } from 'wrangler';
import { bundleWorker, quietWrangler } from '../stack/bundle.ts';
import { type BenchRow, ROUNDS, ratio, takeTurns } from './measure.ts';
import { SERVICE_SECRET, type WatchedProcess, watchWorkerd } from './runtime.ts';

const PROJECT = join(import.meta.dirname, '../..');
const BUILD_LIMIT_MS = 60_000;

const source = (path: string): string => JSON.stringify(join(PROJECT, 'src', path));
const OURS = [`export * from ${source('index.ts')};`, `export { default } from ${source('index.ts')};`];
/** What the Worker loads later, loaded at its start. */
const atOnce = (...paths: readonly string[]) => ({
  code: [...paths.map((path) => `import ${source(path)};`), ...OURS],
  minify: false,
});

/** The framework and one route, with the same bindings; the Worker as it is deployed and in other forms. */
const FORMS = {
  'bare Hono': {
    code: [
      "import { DurableObject } from 'cloudflare:workers';",
      `import { Hono } from ${JSON.stringify(fileURLToPath(import.meta.resolve('hono')))};`,
      'export class OrganisationObject extends DurableObject {}',
      'export class OperatorsObject extends DurableObject {}',
      "export default new Hono().get('/health', (c) => c.json({ status: 'ok' }));",
    ],
    minify: true,
  },
  'as it is': { code: OURS, minify: false },
  minified: { code: OURS, minify: true },
  'all routes at once': atOnce('entrypoints/app.ts'),
  'the schemas of all routes at once': atOnce('contract/routes.ts'),
  'MCP at once': atOnce('entrypoints/mcp/server.ts'),
  'bulk at once': atOnce('services/bulk/uploads.ts', 'services/bulk/run-job.ts', 'services/bulk/results.ts'),
  'the operator API at once': atOnce('services/organisations.ts', 'services/status.ts'),
  'queues and crons at once': atOnce('entrypoints/queue/wake.ts', 'entrypoints/cron/scheduled.ts'),
} as const;
type Form = keyof typeof FORMS;

const SETTINGS = {
  SERVICE_SECRET,
  HASH_SECRET: SERVICE_SECRET,
  DATABASE_URL: 'postgresql://bench:bench@127.0.0.1/bench',
};

type Built = Awaited<ReturnType<typeof build>>;

/** Builds a form; gives how it is loaded, and its code's weight as the platform counts it. */
async function build(form: Form, folder: string) {
  const { code, minify } = FORMS[form];
  const project = join(folder, 'project');
  const bundle = join(folder, 'bundle');
  mkdirSync(project, { recursive: true });
  writeFileSync(join(project, 'index.ts'), code.join('\n'));
  const { compatibilityDate } = unstable_getMiniflareWorkerOptions(join(PROJECT, 'wrangler.toml')).workerOptions;
  const config = {
    name: 'worker',
    main: 'index.ts',
    compatibility_date: compatibilityDate,
    rules: [{ type: 'Data', globs: ['**/*.bin'], fallthrough: true }],
    minify,
    keep_names: false,
  };
  writeFileSync(join(project, 'wrangler.json'), JSON.stringify(config));
  const modules = await bundleWorker(project, bundle, AbortSignal.timeout(BUILD_LIMIT_MS));
  const files = readdirSync(bundle).filter((file) => file.endsWith('.js'));
  const bytes = files.reduce((sum, file) => sum + gzipSync(readFileSync(join(bundle, file))).length, 0);
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
export async function run(isQuick: boolean): Promise<BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'start-'));
  Object.assign(process.env, quietWrangler(folder));
  try {
    const all = Object.keys(FORMS) as Form[];
    const names = isQuick ? all.slice(0, 2) : all;
    const built = {} as Record<Form, Built>;
    for (const name of names) built[name] = await build(name, join(folder, name.replaceAll(/\W+/g, '-')));
    const workerd = watchWorkerd();
    const turns = Object.fromEntries(names.map((name) => [name, () => start(built[name], workerd)]));
    const times = await takeTurns(turns as Record<Form, () => Promise<number>>, isQuick ? 5 : ROUNDS);
    return names.slice(1).map((name) => {
      const unit = `ms to the first answer; ${built[name].kilobytes.toFixed(0)} KB gzip`;
      return ratio(`CPU of a start / bare Hono: ${name}`, times[name], times['bare Hono'], unit);
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
