import type { StackInfo } from './state.ts';

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
    ready(stack: StackInfo, logFile: string): void {
      const keys = Object.entries(stack.keys).map(([name, key]) => `  ${name.padEnd(9)} ${key}`);
      console.log(
        [
          '',
          `Ready in ${seconds(performance.now() - startedMs)}: ${stack.base_url}`,
          '',
          `Documentation: ${stack.base_url}/docs`,
          '',
          `Dashboard: ${stack.dashboard_url}`,
          `  ${stack.sign_in_url}`,
          '  signs you in once; links that you ask for there are shown here',
          '',
          'Keys',
          ...keys,
          '',
          'Try it',
          `  curl -s ${stack.base_url}/v1/check -H 'authorization: Bearer ${stack.keys.member}' \\`,
          `    -H 'content-type: application/json' -d '{"email":"someone@gmail.com"}'`,
          '',
          `The Worker's log: ${logFile}. Ctrl-C stops everything.`,
        ].join('\n'),
      );
    },
  };
}
