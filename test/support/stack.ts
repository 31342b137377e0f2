import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { freePort } from '../../scripts/stack/free-port.ts';
import { httpUrlOf, switchFaults } from '../../scripts/stack/neon-protocol.ts';
import type { StackInfo } from '../../scripts/stack/state.ts';

const ROOT = join(import.meta.dirname, '../..');

export interface TestStackOptions {
  /** The project to run. Default: this one. */
  readonly root?: string;
  /** An earlier stack's, to start again on what it left. Default: a new one. */
  readonly stateDir?: string;
  readonly port?: number;
  readonly args?: readonly string[];
  /** Settings of the service. DATABASE_URL is never taken from this process's own environment. */
  readonly env?: Readonly<Record<string, string>>;
  readonly databaseDelayMs?: number;
  /** For many thousands of requests: the database takes longer to start, and less for each. */
  readonly isLongLived?: boolean;
}

interface RunFile {
  readonly database_endpoint: string;
  readonly processes: readonly { readonly name: string; readonly pid: number }[];
}

/** The whole local stack in processes of its own, as `npm start` runs it, without crons. */
export interface TestStack extends StackInfo {
  readonly stateDir: string;
  /** What its console has shown so far. */
  readonly output: () => string;
  readonly processes: () => RunFile['processes'];
  /** A request with one of its keys (or none); a body makes it a POST of JSON. */
  request(path: string, key?: string, body?: unknown): Promise<Response>;
  /** Fires a cron by hand and waits for its end. */
  cron(expression: string): Promise<void>;
  readonly database: {
    /** One statement, as Neon's endpoint answers it. */
    query(query: string, params?: readonly string[]): Promise<Response>;
    down(): Promise<void>;
    up(): Promise<void>;
    delay(ms: number): Promise<void>;
  };
  /** SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null>;
  /** SIGKILL to its main process. */
  kill(): Promise<void>;
  /** Ends it if need be and removes its state. */
  remove(): Promise<void>;
}

export const newStateDir = (): string => mkdtempSync(join(tmpdir(), 'stack-test-'));

export interface SpawnedStack {
  readonly child: ChildProcess;
  readonly stateDir: string;
  readonly output: () => string;
  /** Its exit code, null after a signal. */
  readonly exited: Promise<number | null>;
}

/** Starts the stack's main process without waiting for anything. It ends when this process does (the channel closes). */
export async function spawnStack(options: TestStackOptions = {}): Promise<SpawnedStack> {
  const { root = ROOT, stateDir = newStateDir(), args = [], databaseDelayMs = 50, isLongLived = false } = options;
  const port = options.port ?? (await freePort());
  const { DATABASE_URL: _, ...environment } = process.env;
  const child = spawn(
    process.execPath,
    [
      '--import',
      pathToFileURL(join(root, 'scripts/preflight.mjs')).href,
      join(root, 'scripts/start.ts'),
      '--port',
      String(port),
      '--state',
      stateDir,
      '--no-cron',
      ...(isLongLived ? [] : ['--short-lived']),
      '--db-delay-ms',
      String(databaseDelayMs),
      ...args,
    ],
    { cwd: root, env: { ...environment, ...options.env }, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] },
  );
  let output = '';
  const collect = (text: Buffer) => {
    output += text;
  };
  child.stdout?.on('data', collect);
  child.stderr?.on('data', collect);
  const exited = once(child, 'close').then(([code]) => code as number | null);
  return { child, stateDir, output: () => output, exited };
}

function readStackInfo(stateDir: string, pid: number | undefined): StackInfo | null {
  try {
    const info = JSON.parse(readFileSync(join(stateDir, 'stack.json'), 'utf8')) as StackInfo;
    // A killed stack leaves its file behind.
    return info.pid === pid ? info : null;
  } catch {
    return null;
  }
}

/** Starts a stack on a free port and resolves once it is ready. Rejects with its console's text when it ends before. */
export async function startTestStack(options: TestStackOptions = {}): Promise<TestStack> {
  const { child, stateDir, output, exited } = await spawnStack(options);
  let info = readStackInfo(stateDir, child.pid);
  while (!info) {
    if (child.exitCode !== null) throw new Error(`the stack did not start:\n${output()}`);
    await sleep(50);
    info = readStackInfo(stateDir, child.pid);
  }
  const { base_url: baseUrl } = info;
  const run = () => JSON.parse(readFileSync(join(stateDir, 'processes.json'), 'utf8')) as RunFile;
  const { database_endpoint: endpoint } = run();

  async function end(signal: NodeJS.Signals): Promise<number | null> {
    child.kill(signal);
    return exited;
  }

  return {
    ...info,
    stateDir,
    output,
    processes: () => run().processes,
    request: (path, key, body) =>
      fetch(`${baseUrl}${path}`, {
        headers: {
          ...(key !== undefined && { authorization: `Bearer ${key}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
      }),
    async cron(expression) {
      const response = await fetch(`${baseUrl}/cdn-cgi/handler/scheduled?cron=${encodeURIComponent(expression)}`);
      if (!response.ok) throw new Error(`cron ${expression}: ${await response.text()}`);
      await response.body?.cancel();
    },
    database: {
      query: (query, params = []) =>
        fetch(`${httpUrlOf(endpoint)}/sql`, {
          method: 'POST',
          headers: { 'neon-connection-string': endpoint },
          body: JSON.stringify({ query, params }),
        }),
      down: () => switchFaults(endpoint, { down: true }),
      up: () => switchFaults(endpoint, { down: false }),
      delay: (ms) => switchFaults(endpoint, { delay_ms: ms }),
    },
    stop: () => end('SIGTERM'),
    kill: async () => void (await end('SIGKILL')),
    async remove() {
      await end('SIGTERM');
      rmSync(stateDir, { recursive: true, force: true });
    },
  };
}
