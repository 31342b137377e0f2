import type { DomainInputs } from './assign-domains.ts';
import type { NameInputs } from './assign-names.ts';
import type { Sources } from './sources.ts';
import { AGENT_SERVICES } from './tables/agent-services.ts';
import { CONSUMER_PROVIDERS } from './tables/consumer-providers.ts';
import { KNOWN_DOMAINS } from './tables/known-domains.ts';
import { NOT_FREE_PROVIDERS } from './tables/not-free-providers.ts';
import { RELAY_SERVICES } from './tables/relay-services.ts';
import { NOT_ROLE_NAMES, ROLE_NAMES, ROLE_NAMES_DESPITE_FIRST_NAME, ROLE_QUALIFIERS } from './tables/role-names.ts';
import { namesIn, type Row } from './tables/row.ts';
import { HOUSEHOLD_WORDS, SHARED_NAMES } from './tables/shared-names.ts';
import { THROWAWAY_SERVICES } from './tables/throwaway-services.ts';

/** Every curated table, by the name the build reports it under. */
export const TABLES = {
  agentServices: AGENT_SERVICES,
  consumerProviders: CONSUMER_PROVIDERS,
  householdWords: HOUSEHOLD_WORDS,
  knownDomains: KNOWN_DOMAINS,
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
export const domainInputs = (sources: Sources): DomainInputs => ({
  confirmed: [sources.curated.names, namesIn(THROWAWAY_SERVICES)],
  reported: [sources.crawled.names, sources.community.names],
  withdrawn: sources.withdrawn.names,
  freeProviders: sources.freeProviders.names,
  known: [...sources.schools.names, ...sources.popular.names, ...sources.brands.names],
  curated: {
    consumer: namesIn(CONSUMER_PROVIDERS),
    known: namesIn(KNOWN_DOMAINS),
    relay: namesIn(RELAY_SERVICES),
    agent: namesIn(AGENT_SERVICES),
    notFree: namesIn(NOT_FREE_PROVIDERS),
    notKnown: sources.misusedSchools.names,
  },
});

/** Domains that real owners chose: what the label model learns spelling from. */
export const labelInputs = (sources: Sources): string[] => [
  ...[sources.schools, sources.popular, sources.brands, sources.freeProviders].flatMap(({ names }) => names),
  ...namesIn(CONSUMER_PROVIDERS),
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
