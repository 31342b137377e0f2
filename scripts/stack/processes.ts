import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** A process, named so that a later one that was given the same pid is not taken for it. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly started_at: string;
}

const END_TIMEOUT_MS = 3_000;
const POLL_MS = 20;

/** Linux: boot and clock tick of its start. A zombie (state Z) has ended, though its parent has not read its exit status. */
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

/** When a process began, in a form only good for comparing; null once it has ended. */
export const startedAt = existsSync('/proc/self/stat') ? startedAtLinux : startedAtUnix;

export const isRunning = ({ pid, started_at }: ProcessIdentity): boolean => startedAt(pid) === started_at;

function signal({ pid }: ProcessIdentity, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It ended between the look and the signal.
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

/** Ends a process: politely, then after three seconds for good. Returns once it is gone. */
export async function endProcess(identity: ProcessIdentity): Promise<void> {
  if (!isRunning(identity)) return;
  signal(identity, 'SIGTERM');
  if (await hasEnded(identity, END_TIMEOUT_MS)) return;
  signal(identity, 'SIGKILL');
  await hasEnded(identity, END_TIMEOUT_MS);
}
