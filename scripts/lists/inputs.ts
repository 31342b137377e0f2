import { createProviderSlipTest } from '../../src/domain/screening/typo/provider-slip.ts';
import type { DomainSuggester } from '../../src/domain/screening/typo/suggest.ts';
import type { DomainInputs } from './assign-domains.ts';
import type { NameInputs } from './assign-names.ts';
import type { LabelSource } from './label-model.ts';
import type { Sources } from './sources.ts';
import { ACCESS_PROVIDERS } from './tables/access-providers.ts';
import { AGENT_SERVICES } from './tables/agent-services.ts';
import { CONSUMER_PROVIDERS } from './tables/consumer-providers.ts';
import { IMITATED_BRANDS } from './tables/imitated-brands.ts';
import { KNOWN_DOMAINS } from './tables/known-domains.ts';
import { LARGE_EMPLOYERS } from './tables/large-employers.ts';
import { NOT_FREE_PROVIDERS } from './tables/not-free-providers.ts';
import { RELAY_SERVICES } from './tables/relay-services.ts';
import { NOT_ROLE_NAMES, ROLE_NAMES, ROLE_NAMES_DESPITE_FIRST_NAME, ROLE_QUALIFIERS } from './tables/role-names.ts';
import { namesIn, type Row } from './tables/row.ts';
import { HOUSEHOLD_WORDS, SHARED_NAMES } from './tables/shared-names.ts';
import { THROWAWAY_SERVICES } from './tables/throwaway-services.ts';

/** Every curated table, by the name the build reports it under. */
export const TABLES = {
  accessProviders: ACCESS_PROVIDERS,
  agentServices: AGENT_SERVICES,
  consumerProviders: CONSUMER_PROVIDERS,
  householdWords: HOUSEHOLD_WORDS,
  imitatedBrands: IMITATED_BRANDS,
  knownDomains: KNOWN_DOMAINS,
  largeEmployers: LARGE_EMPLOYERS,
  notFreeProviders: NOT_FREE_PROVIDERS,
  notRoleNames: NOT_ROLE_NAMES,
  relayServices: RELAY_SERVICES,
  roleNames: ROLE_NAMES,
  roleNamesDespiteFirstName: ROLE_NAMES_DESPITE_FIRST_NAME,
  roleQualifiers: ROLE_QUALIFIERS,
  sharedNames: SHARED_NAMES,
  throwawayServices: THROWAWAY_SERVICES,
} satisfies Record<string, readonly Row[]>;

/** Which source and table speaks for which set of domains. */
export const domainInputs = (sources: Sources, suggest: DomainSuggester): DomainInputs => ({
  confirmed: [sources.curated.names, namesIn(THROWAWAY_SERVICES)],
  offered: [...sources.crawled.names, ...namesIn(THROWAWAY_SERVICES)],
  reported: [sources.crawled.names, sources.community.names],
  isSlip: (domain, known) => createProviderSlipTest(suggest, known)(domain),
  withdrawn: sources.withdrawn.names,
  freeProviders: sources.freeProviders.names,
  known: [...sources.schools.names, ...sources.popular.names, ...sources.brands.names],
  // Schools have names of ordinary words: a company's domain often reads as one of them.
  imitated: [
    ...sources.popular.names,
    ...sources.brands.names,
    ...namesIn(IMITATED_BRANDS),
    ...namesIn(CONSUMER_PROVIDERS),
    ...namesIn(ACCESS_PROVIDERS),
  ],
  curated: {
    consumer: [...namesIn(CONSUMER_PROVIDERS), ...namesIn(ACCESS_PROVIDERS)],
    known: [KNOWN_DOMAINS, LARGE_EMPLOYERS, IMITATED_BRANDS].flatMap(namesIn),
    relay: namesIn(RELAY_SERVICES),
    agent: namesIn(AGENT_SERVICES),
    notFree: namesIn(NOT_FREE_PROVIDERS),
    notKnown: sources.misusedSchools.names,
  },
});

/** The weight of a mail service's label: the lists know most of these domains, so the model is rarely asked about one. */
const MAIL_SERVICE_WEIGHT = 1 / 8;

/** Domains that real owners chose: what the label model learns spelling from. */
export const labelInputs = (sources: Sources): LabelSource[] => [
  { domains: [sources.schools, sources.popular, sources.brands].flatMap(({ names }) => names), weight: 1 },
  // They are a quarter of all labels. Of the domains that no list knows far fewer are mail services.
  { domains: [...sources.freeProviders.names, ...namesIn(CONSUMER_PROVIDERS)], weight: MAIL_SERVICE_WEIGHT },
];

/** Which source and table speaks for which set of local parts. */
export const nameInputs = (sources: Sources): NameInputs => ({
  roleNames: sources.roleNames.names,
  firstNames: [...sources.femaleNames.names, ...sources.maleNames.names],
  curated: {
    role: namesIn(ROLE_NAMES),
    qualifiers: namesIn(ROLE_QUALIFIERS),
    notRole: namesIn(NOT_ROLE_NAMES),
    despiteFirstName: namesIn(ROLE_NAMES_DESPITE_FIRST_NAME),
    shared: namesIn(SHARED_NAMES),
    household: namesIn(HOUSEHOLD_WORDS),
  },
});
