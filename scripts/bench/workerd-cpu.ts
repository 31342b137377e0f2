import type { ChildProcess } from 'node:child_process';
import { subscribe } from 'node:diagnostics_channel';
import { readFileSync } from 'node:fs';

/** User and system time of proc(5), fields 14 and 15, counted after the name; in ticks of 10 ms. */
const TIME_FIELDS = [11, 12] as const;
const TICK_MS = 10;

export interface WatchedProcess {
  /** CPU time of all its threads so far, in milliseconds. */
  cpuMs(): number;
  /** Memory of it that is resident, in bytes. */
  rssBytes(): number;
}

/**
 * Waits for the workerd that Miniflare will start, which does not tell its pid. Each figure is NaN where the system does not
 * show it as Linux does.
 */
export function watchWorkerd(): WatchedProcess {
  let pid: number | undefined;
  subscribe('child_process', (message) => {
    const { process: started } = message as { process: ChildProcess };
    started.once('spawn', () => {
      if (started.spawnfile.endsWith('workerd')) pid = started.pid;
    });
  });
  const read = (file: string): string => {
    try {
      return readFileSync(`/proc/${pid}/${file}`, 'latin1');
    } catch {
      return '';
    }
  };
  return {
    cpuMs() {
      const fields = read('stat').split(') ').pop()?.split(' ') ?? [];
      return TIME_FIELDS.reduce((sum, field) => sum + Number(fields[field]) * TICK_MS, 0);
    },
    rssBytes: () => Number(/^VmRSS:\s+(\d+) kB$/m.exec(read('status'))?.[1] ?? Number.NaN) * 1024,
  };
}
