import { FIRST_CALLS } from './first-calls.ts';
import type { StackInfo } from './state.ts';

export interface ReadyNotes {
  readonly logFile: string;
  /** Who answers its questions. */
  readonly dns: string;
  /** Whether documentation and dashboard have pages already. */
  readonly hasSites: boolean;
}

export const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

/** Shows each step with its own time: since the step before, or since `sinceMs` where steps run side by side. */
export function startReport(title: string) {
  const startedMs = performance.now();
  let lastMs = startedMs;
  console.log(title);
  return {
    step(name: string, what: string, sinceMs = lastMs): void {
      lastMs = performance.now();
      console.log(`  ${name.padEnd(9)} ${what.padEnd(58)} ${seconds(lastMs - sinceMs).padStart(7)}`);
    },
    note: (text: string): void => console.log(`  ${text}`),
    ready(stack: StackInfo, { logFile, dns, hasSites }: ReadyNotes): void {
      const { test, ...live } = stack.keys;
      const keys = Object.entries(live).map(([name, key]) => `export ${name.toUpperCase()}=${key}`);
      const built = hasSites ? '' : ' (its pages are built now: wait half a minute)';
      console.log(
        [
          '',
          `Ready in ${seconds(performance.now() - startedMs)}: ${stack.base_url}`,
          `DNS: ${dns}`,
          `Documentation: ${stack.base_url}/docs${built}`,
          `Dashboard: ${stack.dashboard_url}${built}`,
          `  ${stack.sign_in_url}`,
          '  signs you in once; links that you ask for there are shown here',
          '',
          'Paste these lines into another terminal. The guides use them; KEY is the test key.',
          '',
          `export BASE_URL=${stack.base_url}`,
          `export KEY=${test}`,
          ...keys,
          '',
          ...FIRST_CALLS,
          '',
          `The Worker's log: ${logFile}. Ctrl-C stops everything.`,
        ].join('\n'),
      );
    },
  };
}
