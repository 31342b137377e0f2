import { dirname, join } from 'node:path';
import { readConfiguration, type Target } from './names.ts';

/** Where the dashboard's configuration stands beside the service's. */
export const dashboardOf = ({ configFile, environment }: Target): Target => ({
  configFile: join(dirname(configFile), 'dashboard/wrangler.toml'),
  environment,
});

/** Where people reach the dashboard, as its configuration says; null: it is not to be put up. */
export function dashboardUrlIn(target: Target): string | null {
  const { DASHBOARD_URL: url } = readConfiguration(target).vars as { DASHBOARD_URL?: string };
  return url ? url.replace(/\/$/, '') : null;
}
