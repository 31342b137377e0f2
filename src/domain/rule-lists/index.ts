export { type AddPlan, planAdd } from './change.ts';
export { type DomainRefusal, readDomain, readDomainName } from './domain-entry.ts';
export { type Batch, readBatch } from './entries.ts';
export { addressStanding, domainStanding } from './precedence.ts';
export { addressEntry, domainEntry } from './present.ts';
export {
  type AddRules,
  type ListedRules,
  NO_RULES,
  type ProjectedChange,
  type ProjectedRules,
  type RemoveRules,
  RULE_ID_PREFIX,
  RULES_MAX,
  type Rule,
  type RuleKind,
  type RuleMatch,
  type RulePage,
  type RuleRecord,
  type RuleSubject,
  type RulesAdded,
  type RulesFull,
  type RulesRemoved,
} from './types.ts';
