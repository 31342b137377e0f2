/** Which rule of a policy decided. */
export const ruleText = (rule: string): string => (rule === 'default' ? 'Default' : `Rule ${rule}`);

/** The contract's terms as sentences and labels. A term that is not here is shown in its own words: `hard_bounce` as `Hard bounce`. */
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
  // What is decided or recommended.
  allow_with_flow: 'Allow with a flow',
  // Verdicts, of ours and of providers.
  catch_all: 'Catch-all',
  // Reasons in a few words.
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
  // What an answer of a list rests on.
  basis_rule: 'Free checks and rules',
  basis_provider: 'Checked by a provider',
  basis_history: 'Your history',
  basis_local: 'Not checked',
  // What a provider warns of.
  toxic: 'Abusive',
  // Who takes the mail.
  hosted_suite_a: 'Google Workspace',
  hosted_suite_b: 'Microsoft 365',
  google_workspace: 'Google Workspace',
  consumer_esp: 'Consumer mailbox',
  self_hosted: 'Self-hosted',
  // Calls and purposes.
  prior: 'Defaults',
  fitted: 'Your outcomes',
  // States of keys, lists and their rows.
  paused_quota: 'Paused: quota',
  ok: 'OK',
  // Screenings.
  typo_like: 'Typo',
  throwaway_like: 'Disposable',
  // Vendors.
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

/** Of these, fewer are better. Of a custom one, more. */
const FEWER_ARE_BETTER: readonly string[] = ['churned', 'refunded', 'support_ticket', 'fraud_flag'];
export const isFewerBetter = (event: string): boolean => FEWER_ARE_BETTER.includes(event);

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** A term may come from an address of the page: `constructor` is none of ours. */
const own = (texts: Readonly<Record<string, string>>, term: string): string | undefined =>
  Object.hasOwn(texts, term) ? texts[term] : undefined;

export const reasonText = (reason: string): string =>
  own(REASONS, reason) ?? `${capital(reason.replaceAll('_', ' '))}.`;
/** What a provider says of an address beside whether mail arrives. */
export const warningText = (warning: string): string =>
  `Provider warning: ${label(warning).toLowerCase()}. Never sent without a review.`;
export const label = (term: string): string => own(LABELS, term) ?? capital(term.replaceAll('_', ' '));

/** Makes a label of a field's name: `auditLines` becomes `Audit lines`. */
export const fieldLabel = (name: string): string =>
  label(name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));

/** A term within a sentence. */
export const word = (term: string): string => label(term).toLowerCase();

/** A country's code as people write it, in whatever letters it was sent; null: the value is none. */
export const countryCode = (path: string, value: string): string | null =>
  /(?:^|\.)country$/.test(path) && /^[a-z]{2}$/i.test(value) ? value.toUpperCase() : null;
