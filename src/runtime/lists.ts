import domains from '../domain/lists/data/domains.bin';
import labels from '../domain/lists/data/labels.bin';
import names from '../domain/lists/data/names.bin';
import { createLists } from '../domain/lists/lists.ts';
import { isLegitimate } from '../domain/lists/review-list.ts';
import { createMailHostClassifier, providersHosts } from '../domain/mailbox-provider/classify.ts';
import patterns from '../domain/mailbox-provider/data/patterns.bin';
import japaneseNames from '../domain/screening/names/data/japanese-names.bin';
import knownNames from '../domain/screening/names/data/known-names.bin';
import nativeNames from '../domain/screening/names/data/native-names.bin';
import nicknames from '../domain/screening/names/data/nicknames.bin';
import romanisation from '../domain/screening/names/data/romanisation.bin';
import { createNameMatcher } from '../domain/screening/names/match-name.ts';
import { createDomainSuggester, createProviderSlipTest } from '../domain/screening/typo/suggest.ts';

/** The bundled lists, opened once an isolate: they are read from the module's bytes without parsing. */
export const LISTS = createLists({ domains, names });

export const classifyMailHosts = createMailHostClassifier(patterns);

export const isProvidersHost = providersHosts(classifyMailHosts);

export const suggestDomain = createDomainSuggester(labels);

/** Keeps slips out of the overlay of the disposable lists. */
export const isProviderSlip = createProviderSlipTest(suggestDomain, (domain) => isLegitimate(LISTS, domain));

export const matchName = createNameMatcher({ romanisation, nicknames, nativeNames, japaneseNames, knownNames });
