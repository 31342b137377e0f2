import { join } from 'node:path';
import { buildDashboardSite } from '../../scripts/stack/sites.ts';

/** Builds the dashboard's pages before the first test unless they are up to date. */
export default async (): Promise<void> => {
  await buildDashboardSite(join(import.meta.dirname, '../..'));
};
