export { createNameMatcher, type NameMatch, type NameMatcher, type NameMatchResult } from './match-name.ts';
