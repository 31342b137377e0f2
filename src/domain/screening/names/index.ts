export { matchName, type NameMatch, type NameMatchResult } from './match-name.ts';
