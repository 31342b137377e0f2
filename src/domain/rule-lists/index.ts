export { NO_RULES, type RuleMatch } from './types.ts';
