import { join } from 'node:path';
import { buildDashboardSite } from '../../scripts/stack/sites.ts';

/** Builds the dashboard's pages before the first test, where they are not there as their sources are now. */
export default async (): Promise<void> => {
  await buildDashboardSite(join(import.meta.dirname, '../..'));
};
