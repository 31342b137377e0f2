import { dirname, join } from 'node:path';
import { readConfiguration } from './names.ts';

/** Where the dashboard's configuration stands beside the service's. */
export const dashboardConfigOf = (configFile: string): string => join(dirname(configFile), 'dashboard/wrangler.toml');

/** Where people reach the dashboard, as its configuration says; null: it is not to be put up. */
export function dashboardUrlIn(configFile: string): string | null {
  const { DASHBOARD_URL: url } = readConfiguration(configFile).vars as { DASHBOARD_URL?: string };
  return url ? url.replace(/\/$/, '') : null;
}
