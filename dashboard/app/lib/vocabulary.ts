/** The contract's terms as sentences and labels. A term that is not here is shown as it is. */
const REASONS: Readonly<Record<string, string>> = {
  syntax_invalid: 'Its form is broken: an address looks different.',
  address_blocklisted: 'The address stands on your block list.',
  domain_blocklisted: 'The domain stands on your block list.',
  no_mx: 'The domain takes no mail.',
  mx_unresolved: 'The mail hosts of the domain could not be looked up.',
  disposable_domain: 'The domain gives out disposable addresses.',
  disposable_suspected: 'The domain may give out disposable addresses.',
  domain_allowlisted: 'The domain stands on your allow list.',
  address_allowlisted: 'The address stands on your allow list.',
  typo_domain: 'The domain looks mistyped.',
  typo_name: 'The name in the address looks mistyped.',
  placeholder: 'It looks like a placeholder.',
  name_mismatch: 'The name and the address do not fit each other.',
  fake_name: 'The name looks invented.',
  domain_suspicious: 'The domain looks like another one on purpose.',
};

const LABELS: Readonly<Record<string, string>> = {
  hosted_suite_a: 'Google Workspace',
  hosted_suite_b: 'Microsoft 365',
  consumer_esp: 'Consumer mailbox provider',
  self_hosted: 'Own mail hosts',
  list_hygiene: 'List hygiene',
  allow_with_flow: 'Allow with a flow',
  catch_all: 'Accepts everything',
  syntax_invalid: 'Broken form',
  paused_quota: 'Paused: quota used up',
  no_mx: 'No mail hosts',
  mx_unresolved: 'Mail hosts not looked up',
  address_blocklisted: 'Address on your block list',
  domain_blocklisted: 'Domain on your block list',
  address_allowlisted: 'Address on your allow list',
  domain_allowlisted: 'Domain on your allow list',
  google_workspace: 'Google Workspace',
  zerobounce: 'ZeroBounce',
  neverbounce: 'NeverBounce',
  pdl: 'People Data Labs',
};

/** The events of the contract, in the order of a customer's life. A custom one is `custom:…`. */
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

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export const reasonText = (reason: string): string => REASONS[reason] ?? `${capital(reason.replaceAll('_', ' '))}.`;
export const label = (term: string): string => LABELS[term] ?? capital(term.replaceAll('_', ' '));

/** A country's code as people write it, in whatever letters it was sent; null: the value is none. */
export const countryCode = (path: string, value: string): string | null =>
  /(?:^|\.)country$/.test(path) && /^[a-z]{2}$/i.test(value) ? value.toUpperCase() : null;
