import { join } from 'node:path';
import { buildDocsSite } from '../../scripts/stack/sites.ts';

/** Builds the documentation's pages before the first test unless they are up to date. */
export default async (): Promise<void> => {
  await buildDocsSite(join(import.meta.dirname, '../..'));
};
