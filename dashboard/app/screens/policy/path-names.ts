import { t } from '@lingui/core/macro';

/** What the values are called that a rule can read, as in a sentence. */
const NAMES: Readonly<Record<string, string>> = {
  'verification.email': t`email address`,
  'verification.bounce_probability': t`bounce probability`,
  'verification.calibration': t`calibration`,
  'verification.recommendation': t`recommendation`,
  'verification.verdict': t`verdict`,
  'verification.mailbox_type': t`mailbox type`,
  'verification.email_type': t`email type`,
  'verification.esp': t`kind of host`,
  'verification.actor_class': t`kind of mailbox owner`,
  'verification.did_you_mean': t`a likely correction`,
  'verification.signals.syntax': t`valid form`,
  'verification.signals.mx': t`domain with mail hosts`,
  'verification.signals.disposable': t`disposable domain`,
  'verification.signals.role_account': t`role account`,
  'verification.signals.catch_all': t`domain that accepts everything`,
  'verification.signals.relay_alias': t`relay alias`,
  'verification.signals.warning': t`warning of a provider`,
  'verification.disagreement': t`disagreement of the providers`,
  'verification.cache.hit': t`answer from stored evidence`,
  'verification.cache.ttl_s': t`seconds until stored evidence ends`,
  'verification.cost_usd': t`cost of the verification, dollars`,
  'verification.latency_ms': t`time of the verification, ms`,
  'verification.trace_id': t`trace`,
  'verification.reason': t`first reason`,
  'verification.reasons': t`reasons`,
  'verification.degraded': t`degraded answer`,
  'verification.identity_hash': t`hash of the address`,
  'screening.typo_suggestion': t`correction by the screening`,
  'screening.typo_source': t`source of that correction`,
  'screening.name_match': t`fit of name and address`,
  'screening.fake_name': t`invented name`,
  'screening.domain_check': t`look of the domain`,
  'screening.placeholder': t`placeholder`,
  'screening.recommendation': t`recommendation of the screening`,
  'screening.reasons': t`reasons of the screening`,
  'screening.degraded': t`degraded screening`,
  'company.name': t`company name`,
  'company.domain': t`company domain`,
  'company.industry': t`company industry`,
  'company.employees_range': t`company size`,
  'company.country': t`company country`,
  'person.seniority': t`seniority of the person`,
  'icp.fit': t`fit to the ideal customer`,
  'context.purpose': t`purpose of the call`,
  'context.sender_domain': t`domain of the sender`,
  'context.max_cost_usd': t`cost ceiling of the call, dollars`,
  'context.max_latency_ms': t`time ceiling of the call, ms`,
};

/** A path that is not named above, as an attribute is, has a name in its own words. */
export function pathText(path: string): string {
  const name = NAMES[path];
  if (name !== undefined) return name;
  const words = path.replace(/^(?:verification|attributes)\./, '').replaceAll('_', ' ');
  return path.startsWith('attributes.') ? t`attribute ${words}` : words;
}
