import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Lists } from '../../src/domain/lists/lists.ts';
import { createBackEnds } from '../../src/domain/mailbox-provider/back-ends.ts';
import { createMailHostClassifier, providersHosts } from '../../src/domain/mailbox-provider/classify.ts';
import { createNameMatcher } from '../../src/domain/screening/names/match-name.ts';
import type { PackedNameTables } from '../../src/domain/screening/names/tables.ts';
import { createDomainSuggester } from '../../src/domain/screening/typo/suggest.ts';
import { PACKED_READING_TABLES } from './reading-tables.ts';

/** The shipped tables, read from the repository's files: what the Worker opens in `src/runtime/lists.ts`. */
const data = (file: string): Uint8Array => readFileSync(join(import.meta.dirname, '../../src/domain', file));

export const PACKED_NAME_TABLES: PackedNameTables = {
  ...PACKED_READING_TABLES,
  knownNames: data('screening/names/data/known-names.bin'),
};

export const matchName = createNameMatcher(PACKED_NAME_TABLES);

export const suggestDomain = createDomainSuggester(data('lists/data/labels.bin'));

export const classifyMailHosts = createMailHostClassifier(data('mailbox-provider/data/patterns.bin'));

const isProvidersHost = providersHosts(classifyMailHosts);

/** As before the first night: no back end is suspected. */
export const noneSuspected = (lists: Lists) =>
  createBackEnds({ isProvidersHost, isTypo: () => false, lists }, () => new Set());
