import { join } from 'node:path';
import { buildDocsSite } from '../../scripts/stack/sites.ts';

/** Builds the documentation's pages before the first test, where they are not there as their sources are now. */
export default async (): Promise<void> => {
  await buildDocsSite(join(import.meta.dirname, '../..'));
};
