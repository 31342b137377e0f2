// Written by `npm run dashboard:paths` from src/domain/policy/paths.ts.

/** What a value of a path may be: one word of a closed set, several (`words`), or any value of a kind. */
export type ValueType =
  | { readonly is: 'number' | 'boolean' | 'string' | 'country' | 'any' }
  | { readonly is: 'word' | 'words'; readonly of: readonly string[] };

/** Every path that a rule can read, apart from attributes. */
export const PATHS: Readonly<Record<string, ValueType>> = {
  'verification.email': { is: 'string' },
  'verification.verdict': {
    is: 'word',
    of: ['valid', 'likely_valid', 'risky', 'likely_invalid', 'invalid', 'unknown'],
  },
  'verification.bounce_probability': { is: 'number' },
  'verification.calibration': { is: 'word', of: ['prior', 'fitted'] },
  'verification.recommendation': { is: 'word', of: ['send', 'hold', 'challenge', 'drop'] },
  'verification.actor_class': {
    is: 'word',
    of: ['human_mailbox', 'agent_mailbox', 'relay_alias', 'role_account', 'shared', 'unknown'],
  },
  'verification.mailbox_type': { is: 'word', of: ['corporate', 'consumer', 'role', 'unknown'] },
  'verification.esp': {
    is: 'word',
    of: ['hosted_suite_a', 'hosted_suite_b', 'consumer_esp', 'self_hosted', 'unknown'],
  },
  'verification.email_type': { is: 'word', of: ['business', 'free', 'role', 'disposable', 'relay', 'unknown'] },
  'verification.did_you_mean': { is: 'string' },
  'verification.signals.syntax': { is: 'boolean' },
  'verification.signals.mx': { is: 'boolean' },
  'verification.signals.disposable': { is: 'boolean' },
  'verification.signals.role_account': { is: 'boolean' },
  'verification.signals.catch_all': { is: 'boolean' },
  'verification.signals.relay_alias': { is: 'boolean' },
  'verification.disagreement': { is: 'number' },
  'verification.cache.hit': { is: 'boolean' },
  'verification.cache.ttl_s': { is: 'number' },
  'verification.cost_usd': { is: 'number' },
  'verification.latency_ms': { is: 'number' },
  'verification.trace_id': { is: 'string' },
  'verification.reason': {
    is: 'word',
    of: [
      'syntax_invalid',
      'address_blocklisted',
      'domain_blocklisted',
      'no_mx',
      'mx_unresolved',
      'disposable_domain',
      'disposable_suspected',
      'domain_allowlisted',
      'address_allowlisted',
    ],
  },
  'verification.reasons': {
    is: 'words',
    of: [
      'syntax_invalid',
      'address_blocklisted',
      'domain_blocklisted',
      'no_mx',
      'mx_unresolved',
      'disposable_domain',
      'disposable_suspected',
      'domain_allowlisted',
      'address_allowlisted',
    ],
  },
  'verification.degraded': { is: 'boolean' },
  'verification.identity_hash': { is: 'string' },
  'screening.typo_suggestion': { is: 'string' },
  'screening.typo_source': { is: 'word', of: ['name_match', 'domain'] },
  'screening.name_match': { is: 'word', of: ['match', 'typo', 'partial', 'mismatch', 'not_checked'] },
  'screening.fake_name': { is: 'word', of: ['likely', 'unlikely', 'uncertain', 'not_checked'] },
  'screening.domain_check': {
    is: 'word',
    of: ['ok', 'typo_like', 'lookalike', 'placeholder', 'throwaway_like', 'uncertain', 'not_checked'],
  },
  'screening.placeholder': { is: 'boolean' },
  'screening.recommendation': { is: 'word', of: ['allow', 'review'] },
  'screening.reasons': {
    is: 'words',
    of: [
      'syntax_invalid',
      'address_blocklisted',
      'domain_blocklisted',
      'no_mx',
      'disposable_domain',
      'typo_domain',
      'typo_name',
      'placeholder',
      'name_mismatch',
      'fake_name',
      'domain_suspicious',
      'role_account',
    ],
  },
  'screening.degraded': { is: 'boolean' },
  'company.name': { is: 'string' },
  'company.domain': { is: 'string' },
  'company.industry': { is: 'string' },
  'company.employees_range': {
    is: 'word',
    of: ['1-10', '11-50', '51-200', '201-500', '501-1000', '1001-5000', '5001-10000', '10001+'],
  },
  'company.country': { is: 'country' },
  'person.seniority': { is: 'word', of: ['junior', 'senior', 'manager', 'director', 'executive'] },
  'icp.fit': { is: 'word', of: ['strong', 'partial', 'none', 'unknown'] },
  'context.purpose': { is: 'word', of: ['outbound', 'signup', 'list_hygiene'] },
  'context.sender_domain': { is: 'string' },
  'context.max_cost_usd': { is: 'number' },
  'context.max_latency_ms': { is: 'number' },
};

/** Operators that make sense for a type. */
export const OPERATORS: Readonly<Record<ValueType['is'], readonly string[]>> = {
  number: ['eq', 'ne', 'in', 'not_in', 'gt', 'gte', 'lt', 'lte', 'exists'],
  boolean: ['eq', 'ne', 'exists'],
  string: ['eq', 'ne', 'in', 'not_in', 'exists', 'contains', 'starts_with', 'ends_with'],
  word: ['eq', 'ne', 'in', 'not_in', 'exists'],
  country: ['eq', 'ne', 'in', 'not_in', 'exists'],
  words: ['contains', 'exists'],
  any: ['eq', 'ne', 'in', 'not_in', 'gt', 'gte', 'lt', 'lte', 'exists', 'contains', 'starts_with', 'ends_with'],
};
