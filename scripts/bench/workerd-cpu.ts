import type { ChildProcess } from 'node:child_process';
import { subscribe } from 'node:diagnostics_channel';
import { readFileSync } from 'node:fs';

/** User and system time of proc(5), fields 14 and 15, counted after the name; in ticks of 10 ms. */
const TIME_FIELDS = [11, 12] as const;
const TICK_MS = 10;

/**
 * Waits for the workerd that Miniflare will start (it does not tell its pid) and reads the CPU time of all its threads, in
 * milliseconds; NaN where the system does not show it as Linux does.
 */
export function watchWorkerd(): () => number {
  let pid: number | undefined;
  subscribe('child_process', (message) => {
    const { process: started } = message as { process: ChildProcess };
    started.once('spawn', () => {
      if (started.spawnfile.endsWith('workerd')) pid = started.pid;
    });
  });
  return () => {
    try {
      const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').pop()?.split(' ') ?? [];
      return TIME_FIELDS.reduce((sum, field) => sum + Number(fields[field]) * TICK_MS, 0);
    } catch {
      return Number.NaN;
    }
  };
}
