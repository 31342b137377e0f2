import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { switchFaults } from '../../scripts/stack/neon-protocol.ts';

const SERVER = join(import.meta.dirname, '../../scripts/stack/neon-server.ts');

export interface NeonEndpoint {
  /** The connection string. */
  readonly url: string;
  readonly dataDir: string;
  /** Switches delay and reachability. */
  control(faults: { delay_ms?: number; down?: boolean }): Promise<void>;
  kill(signal: NodeJS.Signals): Promise<void>;
  remove(): Promise<void>;
}

const newDataDir = (): string => join(mkdtempSync(join(tmpdir(), 'neon-test-')), 'postgres');

/** Migrated Postgres behind the Neon endpoint, in a process of its own: embedded, or the server of `databaseUrl`. */
export async function startNeonEndpoint(
  dataDir: string = newDataDir(),
  { args = [], databaseUrl }: { args?: readonly string[]; databaseUrl?: string } = {},
): Promise<NeonEndpoint> {
  const { DATABASE_URL: _, ...environment } = process.env;
  const child = spawn(process.execPath, [SERVER, '--data', dataDir, ...args], {
    env: { ...environment, ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const [line] = (await Promise.race([once(child.stdout, 'data'), exited.then(() => [''])])) as [unknown];
  const url = String(line).trim();
  if (!url.startsWith('postgresql:')) throw new Error('the Neon endpoint did not start');
  return {
    url,
    dataDir,
    control: (faults) => switchFaults(url, faults),
    async kill(signal) {
      child.kill(signal);
      await exited;
    },
    async remove() {
      // Its files go with it, so nothing has to be closed, which might wait.
      child.kill('SIGKILL');
      await exited;
      rmSync(join(dataDir, '..'), { recursive: true, force: true });
    },
  };
}
