/** What a condition may read, as docs/policies.md has it. A test holds it against the service's own table. */
export type ValueType =
  | { readonly is: 'number' | 'boolean' | 'text' | 'country' | 'any' }
  | { readonly is: 'word' | 'words'; readonly of: readonly string[] };

const NUMBER: ValueType = { is: 'number' };
const BOOLEAN: ValueType = { is: 'boolean' };
const TEXT: ValueType = { is: 'text' };
const word = (...of: string[]): ValueType => ({ is: 'word', of });

const REASONS = [
  'syntax_invalid',
  'address_blocklisted',
  'domain_blocklisted',
  'no_mx',
  'mx_unresolved',
  'disposable_domain',
  'disposable_suspected',
  'domain_allowlisted',
  'address_allowlisted',
];
const SCREENING_REASONS = [
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
];
const RANGES = ['1-10', '11-50', '51-200', '201-500', '501-1000', '1001-5000', '5001-10000', '10001+'];

export const CATALOGUE: Readonly<Record<string, ValueType>> = {
  'verification.email_type': word('business', 'free', 'role', 'disposable', 'relay', 'unknown'),
  'verification.recommendation': word('send', 'hold', 'challenge', 'drop'),
  'verification.bounce_probability': NUMBER,
  'verification.verdict': word('valid', 'likely_valid', 'risky', 'likely_invalid', 'invalid', 'unknown'),
  'verification.did_you_mean': TEXT,
  'verification.reason': word(...REASONS),
  'verification.reasons': { is: 'words', of: REASONS },
  'verification.mailbox_type': word('corporate', 'consumer', 'role', 'unknown'),
  'verification.actor_class': word(
    'human_mailbox',
    'agent_mailbox',
    'relay_alias',
    'role_account',
    'shared',
    'unknown',
  ),
  'verification.esp': word('hosted_suite_a', 'hosted_suite_b', 'consumer_esp', 'self_hosted', 'unknown'),
  'verification.signals.syntax': BOOLEAN,
  'verification.signals.mx': BOOLEAN,
  'verification.signals.disposable': BOOLEAN,
  'verification.signals.role_account': BOOLEAN,
  'verification.signals.catch_all': BOOLEAN,
  'verification.signals.relay_alias': BOOLEAN,
  'verification.disagreement': NUMBER,
  'verification.degraded': BOOLEAN,
  'verification.calibration': word('prior', 'fitted'),
  'verification.cache.hit': BOOLEAN,
  'verification.cache.ttl_s': NUMBER,
  'verification.cost_usd': NUMBER,
  'verification.latency_ms': NUMBER,
  'verification.email': TEXT,
  'verification.trace_id': TEXT,
  'verification.identity_hash': TEXT,
  'screening.recommendation': word('allow', 'review'),
  'screening.reasons': { is: 'words', of: SCREENING_REASONS },
  'screening.placeholder': BOOLEAN,
  'screening.name_match': word('match', 'typo', 'partial', 'mismatch', 'not_checked'),
  'screening.fake_name': word('likely', 'unlikely', 'uncertain', 'not_checked'),
  'screening.domain_check': word(
    'ok',
    'typo_like',
    'lookalike',
    'placeholder',
    'throwaway_like',
    'uncertain',
    'not_checked',
  ),
  'screening.typo_suggestion': TEXT,
  'screening.typo_source': word('name_match', 'domain'),
  'screening.degraded': BOOLEAN,
  'company.name': TEXT,
  'company.domain': TEXT,
  'company.industry': TEXT,
  'company.employees_range': word(...RANGES),
  'company.country': { is: 'country' },
  'person.seniority': word('junior', 'senior', 'manager', 'director', 'executive'),
  'icp.fit': word('strong', 'partial', 'none', 'unknown'),
  'context.purpose': word('outbound', 'signup', 'list_hygiene'),
  'context.sender_domain': TEXT,
  'context.max_cost_usd': NUMBER,
  'context.max_latency_ms': NUMBER,
};

const EQUAL = ['eq', 'ne', 'in', 'not_in'];
const ORDER = ['gt', 'gte', 'lt', 'lte'];
const PARTS = ['contains', 'starts_with', 'ends_with'];

/** Operators that make sense for a type. */
export const OPERATORS: Readonly<Record<ValueType['is'], readonly string[]>> = {
  number: [...ORDER, ...EQUAL, 'exists'],
  boolean: ['eq', 'ne', 'exists'],
  text: [...EQUAL, ...PARTS, 'exists'],
  country: [...EQUAL, 'exists'],
  word: [...EQUAL, 'exists'],
  words: ['contains', 'exists'],
  any: [...EQUAL, ...ORDER, ...PARTS, 'exists'],
};

/** Attributes are whatever the caller sends. */
export const typeOf = (path: string): ValueType => CATALOGUE[path] ?? { is: 'any' };
