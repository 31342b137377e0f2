import { execFileSync } from 'node:child_process';
import { existsSync, linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { StackError } from './stack-error.ts';

/** A process, identified so that a later one with the same pid is not taken for it. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly started_at: string;
}

const END_TIMEOUT_MS = 3_000;
const POLL_MS = 20;

/** Linux: boot and clock tick of its start. A zombie (state Z) has ended. */
function startedAtLinux(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name, in parentheses, may hold anything; state is the third field, start time the 22nd (proc_pid_stat(5)).
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z' || fields[0] === 'X') return null;
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}:${fields[19]}`;
  } catch {
    return null;
  }
}

function startedAtUnix(pid: number): string | null {
  try {
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || null;
  } catch {
    return null;
  }
}

/** When a process began, only good for comparing; null once it has ended. */
export const startedAt = existsSync('/proc/self/stat') ? startedAtLinux : startedAtUnix;

export const isRunning = ({ pid, started_at }: ProcessIdentity): boolean => startedAt(pid) === started_at;

function signal({ pid }: ProcessIdentity, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It ended between the check and the signal.
  }
}

async function hasEnded(identity: ProcessIdentity, withinMs: number): Promise<boolean> {
  const deadline = Date.now() + withinMs;
  while (isRunning(identity)) {
    if (Date.now() > deadline) return false;
    await sleep(POLL_MS);
  }
  return true;
}

/** Ends a process: SIGTERM, then after three seconds SIGKILL. Returns once it is gone. */
async function endProcess(identity: ProcessIdentity): Promise<void> {
  if (!isRunning(identity)) return;
  signal(identity, 'SIGTERM');
  if (await hasEnded(identity, END_TIMEOUT_MS)) return;
  signal(identity, 'SIGKILL');
  await hasEnded(identity, END_TIMEOUT_MS);
}

interface RecordedProcess extends ProcessIdentity {
  readonly name: string;
}

interface Run {
  readonly base_url: string;
  /** The connection string of the database's endpoint, once that is up. */
  readonly database_endpoint?: string;
  /** The stack's own process first, then what it started. */
  readonly processes: readonly RecordedProcess[];
}

/** `DIR/processes.json`: which stack owns the state directory, and every process it started. */
export interface RunRecord {
  readonly add: (name: string, pid: number) => void;
  readonly setDatabase: (connectionString: string) => void;
  /** Releases the state directory. */
  readonly release: () => void;
}

const identify = (name: string, pid: number): RecordedProcess => ({ name, pid, started_at: startedAt(pid) ?? 'ended' });

function readRun(path: string): { text: string; run: Run } | null {
  try {
    const text = readFileSync(path, 'utf8');
    return { text, run: JSON.parse(text) as Run };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new StackError(`${path} can't be read. If no stack is running on it, remove that file.`);
  }
}

/** Moves a dead run's record away. Of two concurrent starts, the later one then sees another text. */
function removeDead(path: string, text: string): void {
  if (readRun(path)?.text === text) rmSync(path, { force: true });
}

/** Creates the file with its whole content in one step, or throws EEXIST. */
function createWhole(path: string, text: string): void {
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, text, { mode: 0o600 });
  try {
    linkSync(draft, path);
  } finally {
    rmSync(draft, { force: true });
  }
}

/**
 * Claims the state directory for this process. Ends what a killed run left, recognised by pid and start time. Refuses
 * with a StackError while another stack is alive on it. `onLeftover` receives the name of each process it ends.
 */
export async function claimState(dir: string, baseUrl: string, onLeftover: (name: string) => void): Promise<RunRecord> {
  const path = join(dir, 'processes.json');
  let run: Run = { base_url: baseUrl, processes: [identify('stack', process.pid)] };
  const save = () => {
    writeFileSync(`${path}.new`, JSON.stringify(run, null, 2), { mode: 0o600 });
    renameSync(`${path}.new`, path);
  };

  for (;;) {
    const found = readRun(path);
    if (found) {
      const [owner, ...started] = found.run.processes;
      if (owner && isRunning(owner)) {
        throw new StackError(
          `A stack is already running on ${dir}: ${found.run.base_url}, process ${owner.pid}.\n` +
            'Stop it first, or give this one a state of its own with --state DIR (and --port N).',
        );
      }
      for (const leftover of started.filter(isRunning)) {
        onLeftover(leftover.name);
        await endProcess(leftover);
      }
      removeDead(path, found.text);
    }
    try {
      createWhole(path, JSON.stringify(run, null, 2));
      break;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }

  return {
    add(name, pid) {
      run = { ...run, processes: [...run.processes, identify(name, pid)] };
      save();
    },
    setDatabase(connectionString) {
      run = { ...run, database_endpoint: connectionString };
      save();
    },
    release: () => rmSync(path, { force: true }),
  };
}
