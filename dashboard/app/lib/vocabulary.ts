export const ruleText = (rule: string): string => (rule === 'default' ? 'Default' : `Rule ${rule}`);

/** Labels of the contract's terms. A missing term is derived: `hard_bounce` becomes `Hard bounce`. */
const REASONS: Readonly<Record<string, string>> = {
  syntax_invalid: 'The syntax is invalid.',
  address_blocklisted: 'The address is on your block list.',
  domain_blocklisted: 'The domain is on your block list.',
  no_mx: 'The domain accepts no mail.',
  mx_unresolved: 'The domain’s mail hosts couldn’t be looked up.',
  disposable_domain: 'Disposable addresses are offered at this domain.',
  disposable_suspected: 'Disposable addresses may be offered at this domain.',
  domain_allowlisted: 'The domain is on your allow list.',
  address_allowlisted: 'The address is on your allow list.',
  typo_domain: 'The domain looks like a typo.',
  typo_name: 'The name looks like a typo.',
  placeholder: 'Looks like a placeholder.',
  name_mismatch: 'The name doesn’t match the address.',
  fake_name: 'The name looks fake.',
  domain_suspicious: 'The domain imitates another one.',
};

const LABELS: Readonly<Record<string, string>> = {
  allow_with_flow: 'Allow with a flow',
  // Verdicts, ours and the providers'.
  catch_all: 'Catch-all',
  syntax_invalid: 'Invalid syntax',
  address_blocklisted: 'Address on your block list',
  domain_blocklisted: 'Domain on your block list',
  no_mx: 'No mail hosts',
  mx_unresolved: 'DNS lookup failed',
  disposable_suspected: 'Possibly disposable',
  domain_allowlisted: 'Domain on your allow list',
  address_allowlisted: 'Address on your allow list',
  typo_domain: 'Domain typo',
  typo_name: 'Name typo',
  domain_suspicious: 'Suspicious domain',
  // Basis of a list's answer.
  basis_rule: 'Free checks and rules',
  basis_provider: 'Checked by a provider',
  basis_history: 'Your history',
  basis_local: 'Not checked',
  // Provider warnings.
  toxic: 'Abusive',
  // Mail hosts.
  hosted_suite_a: 'Google Workspace',
  hosted_suite_b: 'Microsoft 365',
  google_workspace: 'Google Workspace',
  consumer_esp: 'Consumer mailbox',
  self_hosted: 'Self-hosted',
  prior: 'Defaults',
  fitted: 'Your outcomes',
  // States of keys, lists and rows.
  paused_quota: 'Paused: quota',
  ok: 'OK',
  typo_like: 'Typo',
  throwaway_like: 'Disposable',
  zerobounce: 'ZeroBounce',
  neverbounce: 'NeverBounce',
  pdl: 'People Data Labs',
};

/** The contract's events in the order of a customer's life. Custom events start with `custom:`. */
export const EVENTS = [
  'signup_completed',
  'activated',
  'subscribed',
  'upgraded',
  'churned',
  'refunded',
  'support_ticket',
  'fraud_flag',
] as const;

/** Events of which fewer are better. More custom events count as better. */
const FEWER_ARE_BETTER: readonly string[] = ['churned', 'refunded', 'support_ticket', 'fraud_flag'];
export const isFewerBetter = (event: string): boolean => FEWER_ARE_BETTER.includes(event);

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Own properties only: a term may come from the URL, such as `constructor`. */
const own = (texts: Readonly<Record<string, string>>, term: string): string | undefined =>
  Object.hasOwn(texts, term) ? texts[term] : undefined;

export const reasonText = (reason: string): string =>
  own(REASONS, reason) ?? `${capital(reason.replaceAll('_', ' '))}.`;
/** Provider warnings as sentences. */
export const warningText = (warning: string): string =>
  `Provider warning: ${label(warning).toLowerCase()}. Never sent without a review.`;
export const label = (term: string): string => own(LABELS, term) ?? capital(term.replaceAll('_', ' '));

/** Makes a label of a field's name: `auditLines` becomes `Audit lines`. */
export const fieldLabel = (name: string): string =>
  label(name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));

export const word = (term: string): string => label(term).toLowerCase();

/** A country code in capitals; null if the value is none. */
export const countryCode = (path: string, value: string): string | null =>
  /(?:^|\.)country$/.test(path) && /^[a-z]{2}$/i.test(value) ? value.toUpperCase() : null;
