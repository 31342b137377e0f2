import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BundledLists, createLists } from '../../src/domain/lists/lists.ts';
import { isLegitimate } from '../../src/domain/lists/review-list.ts';
import { createDomainSuggester, createProviderTypoTest } from '../../src/domain/screening/typo/suggest.ts';

const data = (file: string): Uint8Array => readFileSync(join(import.meta.dirname, '../../src/domain/lists/data', file));

/** The shipped lists, read from the repository's files. */
export const lists: BundledLists = createLists({ domains: data('domains.bin'), names: data('names.bin') });

/** The suggester with the shipped model. */
export const suggestDomain = createDomainSuggester(data('labels.bin'));

export const isProviderTypo = createProviderTypoTest(suggestDomain, (domain) => isLegitimate(lists, domain));
