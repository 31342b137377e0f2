import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { endProcess, isRunning, type ProcessIdentity, startedAt } from './processes.ts';
import { StackError } from './stack-error.ts';

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
  /** Gives the state directory free. */
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

/** Moves a dead run's record away. Two concurrent starts may both find it dead: the later one then sees another text. */
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
 * Takes the state directory for this process. Ends what a killed run left behind, recognised by pid and start time.
 * Refuses with a StackError while another stack is alive on it. `onLeftover` hears the name of each process it ends.
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
