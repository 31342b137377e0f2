export { createDomainSuggester, type DomainEvidence, type DomainSuggester, type DomainSuggestion } from './suggest.ts';
