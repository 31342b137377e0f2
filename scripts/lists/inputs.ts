import { createProviderSlipTest } from '../../src/domain/screening/typo/provider-slip.ts';
import type { DomainSuggester } from '../../src/domain/screening/typo/suggest.ts';
import type { DomainInputs } from './assign-domains.ts';
import type { NameInputs } from './assign-names.ts';
import type { LabelSource } from './label-model.ts';
import type { Sources } from './sources.ts';
import { namesIn, TABLES } from './tables.ts';

/** Which source and table speaks for which set of domains. */
export const domainInputs = (sources: Sources, suggest: DomainSuggester): DomainInputs => ({
  confirmed: [sources.curated.names, namesIn(TABLES.throwawayServices)],
  offered: [...sources.crawled.names, ...namesIn(TABLES.throwawayServices)],
  reported: [sources.crawled.names, sources.community.names],
  isSlip: (domain, known) => createProviderSlipTest(suggest, known)(domain),
  withdrawn: sources.withdrawn.names,
  freeProviders: sources.freeProviders.names,
  known: [...sources.schools.names, ...sources.popular.names, ...sources.brands.names],
  // Schools have names of ordinary words: a company's domain often reads as one of them.
  imitated: [
    ...sources.popular.names,
    ...sources.brands.names,
    ...namesIn(TABLES.imitatedBrands),
    ...namesIn(TABLES.consumerProviders),
    ...namesIn(TABLES.accessProviders),
  ],
  curated: {
    consumer: [...namesIn(TABLES.consumerProviders), ...namesIn(TABLES.accessProviders)],
    known: [TABLES.knownDomains, TABLES.largeEmployers, TABLES.imitatedBrands].flatMap(namesIn),
    relay: namesIn(TABLES.relayServices),
    agent: namesIn(TABLES.agentServices),
    notFree: namesIn(TABLES.notFreeProviders),
    notKnown: sources.misusedSchools.names,
  },
});

/** The weight of a mail service's label: the lists know most of these domains, so the model is rarely asked about one. */
const MAIL_SERVICE_WEIGHT = 1 / 8;

/** Domains that real owners chose: what the label model learns spelling from. */
export const labelInputs = (sources: Sources): LabelSource[] => [
  { domains: [sources.schools, sources.popular, sources.brands].flatMap(({ names }) => names), weight: 1 },
  // They are a quarter of all labels. Of the domains that no list knows far fewer are mail services.
  { domains: [...sources.freeProviders.names, ...namesIn(TABLES.consumerProviders)], weight: MAIL_SERVICE_WEIGHT },
];

/** Which source and table speaks for which set of local parts. */
export const nameInputs = (sources: Sources): NameInputs => ({
  roleNames: sources.roleNames.names,
  firstNames: [...sources.femaleNames.names, ...sources.maleNames.names],
  curated: {
    role: namesIn(TABLES.roleNames),
    qualifiers: namesIn(TABLES.roleQualifiers),
    notRole: namesIn(TABLES.notRoleNames),
    despiteFirstName: namesIn(TABLES.roleNamesDespiteFirstName),
    shared: namesIn(TABLES.sharedNames),
    household: namesIn(TABLES.householdWords),
  },
});
