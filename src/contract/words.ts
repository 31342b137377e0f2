/**
 * The words of the contract's closed sets, without a schema, for code that must not load zod. Order matters where the
 * contract gives one.
 */

export const VERDICTS = ['valid', 'likely_valid', 'risky', 'likely_invalid', 'invalid', 'unknown'] as const;
export const CALIBRATIONS = ['prior', 'fitted'] as const;
export const RECOMMENDATIONS = ['send', 'hold', 'challenge', 'drop'] as const;
export const ACTOR_CLASSES = [
  'human_mailbox',
  'agent_mailbox',
  'relay_alias',
  'role_account',
  'shared',
  'unknown',
] as const;
export const MAILBOX_TYPES = ['corporate', 'consumer', 'role', 'unknown'] as const;
export const ESPS = ['hosted_suite_a', 'hosted_suite_b', 'consumer_esp', 'self_hosted', 'unknown'] as const;
export const EMAIL_TYPES = ['business', 'free', 'role', 'disposable', 'relay', 'unknown'] as const;
export const WARNINGS = ['spam_trap', 'complainer', 'suppressed', 'toxic', 'do_not_mail', 'disposable'] as const;
export const PURPOSES = ['outbound', 'signup', 'list_hygiene'] as const;

/** In vocabulary order: `reasons` lists them in this order and `reason` is the first present. */
export const CHECK_REASONS = [
  'syntax_invalid',
  'address_blocklisted',
  'domain_blocklisted',
  'no_mx',
  'mx_unresolved',
  'disposable_domain',
  'disposable_suspected',
  'domain_allowlisted',
  'address_allowlisted',
] as const;

export const SCREENING_REASONS = [
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
] as const;
export const TYPO_SOURCES = ['name_match', 'domain'] as const;
export const NAME_MATCHES = ['match', 'typo', 'partial', 'mismatch', 'not_checked'] as const;
/** What the screening model answers; `not_checked`: it was not asked, or did not answer. */
export const FAKE_NAME_LABELS = ['likely', 'unlikely', 'uncertain'] as const;
export const FAKE_NAMES = [...FAKE_NAME_LABELS, 'not_checked'] as const;
export const DOMAIN_LABELS = ['ok', 'typo_like', 'lookalike', 'placeholder', 'throwaway_like', 'uncertain'] as const;
export const DOMAIN_CHECKS = [...DOMAIN_LABELS, 'not_checked'] as const;
export const SCREENING_RECOMMENDATIONS = ['allow', 'review'] as const;

export const DECISIONS = ['allow', 'allow_with_flow', 'review', 'challenge', 'deny'] as const;
export const OPS = [
  'eq',
  'ne',
  'in',
  'not_in',
  'gt',
  'gte',
  'lt',
  'lte',
  'exists',
  'contains',
  'starts_with',
  'ends_with',
] as const;
/** Smallest first. */
export const EMPLOYEES_RANGES = [
  '1-10',
  '11-50',
  '51-200',
  '201-500',
  '501-1000',
  '1001-5000',
  '5001-10000',
  '10001+',
] as const;
/** Lowest first. */
export const SENIORITIES = ['junior', 'senior', 'manager', 'director', 'executive'] as const;
export const ICP_FITS = ['strong', 'partial', 'none', 'unknown'] as const;
