/** What the values are called that a rule can read, as in a sentence. */
const NAMES: Readonly<Record<string, string>> = {
  'verification.email': 'email address',
  'verification.bounce_probability': 'bounce probability',
  'verification.calibration': 'calibration',
  'verification.recommendation': 'recommendation',
  'verification.verdict': 'verdict',
  'verification.mailbox_type': 'mailbox type',
  'verification.email_type': 'email type',
  'verification.esp': 'kind of host',
  'verification.actor_class': 'kind of mailbox owner',
  'verification.did_you_mean': 'a likely correction',
  'verification.signals.syntax': 'valid form',
  'verification.signals.mx': 'domain with mail hosts',
  'verification.signals.disposable': 'disposable domain',
  'verification.signals.role_account': 'role account',
  'verification.signals.catch_all': 'domain that accepts everything',
  'verification.signals.relay_alias': 'relay alias',
  'verification.signals.warning': 'warning of a provider',
  'verification.disagreement': 'disagreement of the providers',
  'verification.cache.hit': 'answer from stored evidence',
  'verification.cache.ttl_s': 'seconds until stored evidence ends',
  'verification.cost_usd': 'cost of the verification, dollars',
  'verification.latency_ms': 'time of the verification, ms',
  'verification.trace_id': 'trace',
  'verification.reason': 'first reason',
  'verification.reasons': 'reasons',
  'verification.degraded': 'degraded answer',
  'verification.identity_hash': 'hash of the address',
  'screening.typo_suggestion': 'correction by the screening',
  'screening.typo_source': 'source of that correction',
  'screening.name_match': 'fit of name and address',
  'screening.fake_name': 'invented name',
  'screening.domain_check': 'look of the domain',
  'screening.placeholder': 'placeholder',
  'screening.recommendation': 'recommendation of the screening',
  'screening.reasons': 'reasons of the screening',
  'screening.degraded': 'degraded screening',
  'company.name': 'company name',
  'company.domain': 'company domain',
  'company.industry': 'company industry',
  'company.employees_range': 'company size',
  'company.country': 'company country',
  'person.seniority': 'seniority of the person',
  'icp.fit': 'fit to the ideal customer',
  'context.purpose': 'purpose of the call',
  'context.sender_domain': 'domain of the sender',
  'context.max_cost_usd': 'cost ceiling of the call, dollars',
  'context.max_latency_ms': 'time ceiling of the call, ms',
};

/** A path that is not named above, as an attribute is, has a name in its own words. */
export function pathText(path: string): string {
  const name = NAMES[path];
  if (name !== undefined) return name;
  const words = path.replace(/^(?:verification|attributes)\./, '').replaceAll('_', ' ');
  return path.startsWith('attributes.') ? `attribute ${words}` : words;
}
