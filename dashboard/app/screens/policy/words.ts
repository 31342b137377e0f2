import { formatExactShare, formatRow } from '../../lib/format.ts';
import { countryCode, label } from '../../lib/vocabulary.ts';
import { isShare, wordsOf } from './catalogue.ts';
import { isComparison } from './switches.ts';

const OPERATORS: Readonly<Record<string, string>> = {
  eq: 'is',
  ne: 'is not',
  gt: 'is above',
  gte: 'is at least',
  lt: 'is below',
  lte: 'is at most',
  in: 'is one of',
  not_in: 'is none of',
  contains: 'contains',
  starts_with: 'begins with',
  ends_with: 'ends with',
};

export const operatorText = (op: string): string => (op === 'exists' ? 'is known' : (OPERATORS[op] ?? op));

/** A term by its label, a country in capitals, a share in percent, anything else as written. */
export function valueText(path: string, value: unknown): string {
  if (Array.isArray(value)) return formatRow(value.map((each) => valueText(path, each)));
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number' && isShare(path)) return formatExactShare(value);
  if (typeof value !== 'string') return JSON.stringify(value) ?? '…';
  return `“${wordsOf(path).includes(value) ? label(value) : (countryCode(path, value) ?? value)}”`;
}

/** A condition in words; "…" for an invalid one, as while JSON is typed. */
export function conditionText(when: unknown, nested = false): string {
  if (isComparison(when)) {
    const { path, op, value } = when;
    if (op === 'exists') return value === true ? `${pathText(path)} is known` : `${pathText(path)} is missing`;
    return `${pathText(path)} ${OPERATORS[op] ?? op} ${valueText(path, value)}`;
  }
  const { all, any, not } = Object(when) as { readonly all?: unknown; readonly any?: unknown; readonly not?: unknown };
  if (not !== undefined) return `not (${conditionText(not)})`;
  const parts = all ?? any;
  if (!Array.isArray(parts)) return '…';
  if (parts.length === 0) return all === undefined ? 'never' : 'always';
  const text = parts
    .map((part) => conditionText(part, true))
    .reduce((one, other) => (all === undefined ? `${one} or ${other}` : `${one} and ${other}`));
  return nested && parts.length > 1 ? `(${text})` : text;
}

/** Names of paths within a sentence. */
const NAMES: Readonly<Record<string, string>> = {
  'verification.email': 'email address',
  'verification.bounce_probability': 'bounce risk',
  'verification.esp': 'mail host type',
  'verification.actor_class': 'mailbox owner',
  'verification.did_you_mean': 'suggested correction',
  'verification.signals.syntax': 'valid syntax',
  'verification.signals.mx': 'domain has mail hosts',
  'verification.signals.disposable': 'disposable domain',
  'verification.signals.role_account': 'role account',
  'verification.signals.catch_all': 'catch-all domain',
  'verification.signals.relay_alias': 'relay alias',
  'verification.signals.warning': 'provider warning',
  'verification.disagreement': 'provider disagreement',
  'verification.cache.hit': 'cached answer',
  'verification.cache.ttl_s': 'cache time left, s',
  'verification.cost_usd': 'verification cost, USD',
  'verification.latency_ms': 'verification time, ms',
  'verification.trace_id': 'trace',
  'verification.reason': 'first reason',
  'verification.degraded': 'degraded answer',
  'verification.identity_hash': 'address hash',
  'screening.typo_suggestion': 'screening correction',
  'screening.typo_source': 'screening correction source',
  'screening.name_match': 'name match',
  'screening.fake_name': 'fake name',
  'screening.domain_check': 'domain check',
  'screening.placeholder': 'placeholder',
  'screening.recommendation': 'screening recommendation',
  'screening.reasons': 'screening reasons',
  'screening.degraded': 'degraded screening',
  'company.name': 'company name',
  'company.domain': 'company domain',
  'company.industry': 'company industry',
  'company.employees_range': 'company size',
  'company.country': 'company country',
  'person.seniority': 'person seniority',
  'icp.fit': 'ideal customer fit',
  'context.purpose': 'purpose',
  'context.sender_domain': 'sender domain',
  'context.max_cost_usd': 'cost ceiling, USD',
  'context.max_latency_ms': 'time ceiling, ms',
};

/** Paths without a name, such as attributes, use their own words. */
export function pathText(path: string): string {
  const name = NAMES[path];
  if (name !== undefined) return name;
  const words = path.replace(/^(?:verification|attributes)\./, '').replaceAll('_', ' ');
  return path.startsWith('attributes.') ? `attribute ${words}` : words;
}
