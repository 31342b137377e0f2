/** Which rule of a policy decided. */
export const ruleText = (rule: string): string => (rule === 'default' ? 'Default' : `Rule ${rule}`);

/** The contract's terms as sentences and labels. A term that is not here is shown as it is. */
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
  allow: 'Allow',
  allow_with_flow: 'Allow with a flow',
  review: 'Review',
  challenge: 'Challenge',
  deny: 'Deny',
  send: 'Send',
  hold: 'Hold',
  drop: 'Drop',
  // Verdicts, of ours and of providers.
  valid: 'Valid',
  likely_valid: 'Likely valid',
  risky: 'Risky',
  likely_invalid: 'Likely invalid',
  invalid: 'Invalid',
  unknown: 'Unknown',
  catch_all: 'Catch-all',
  deliverable: 'Deliverable',
  undeliverable: 'Undeliverable',
  // Reasons in a few words.
  syntax_invalid: 'Invalid syntax',
  address_blocklisted: 'Address on your block list',
  domain_blocklisted: 'Domain on your block list',
  no_mx: 'No mail hosts',
  mx_unresolved: 'DNS lookup failed',
  disposable_domain: 'Disposable domain',
  disposable_suspected: 'Possibly disposable',
  domain_allowlisted: 'Domain on your allow list',
  address_allowlisted: 'Address on your allow list',
  typo_domain: 'Domain typo',
  typo_name: 'Name typo',
  placeholder: 'Placeholder',
  name_mismatch: 'Name mismatch',
  fake_name: 'Fake name',
  domain_suspicious: 'Suspicious domain',
  test_key: 'Test key',
  // What an answer of a list rests on.
  basis_rule: 'Free checks and rules',
  basis_provider: 'Checked by a provider',
  basis_history: 'Your history',
  basis_local: 'Not checked',
  // What a provider warns of.
  spam_trap: 'Spam trap',
  complainer: 'Complainer',
  suppressed: 'Suppressed',
  toxic: 'Abusive',
  do_not_mail: 'Do not mail',
  // Addresses and mailboxes.
  business: 'Business',
  disposable: 'Disposable',
  free: 'Free',
  relay: 'Relay',
  role: 'Role',
  consumer: 'Consumer',
  corporate: 'Corporate',
  agent_mailbox: 'Agent mailbox',
  human_mailbox: 'Human mailbox',
  relay_alias: 'Relay alias',
  role_account: 'Role account',
  shared: 'Shared',
  // Who takes the mail.
  hosted_suite_a: 'Google Workspace',
  hosted_suite_b: 'Microsoft 365',
  google_workspace: 'Google Workspace',
  consumer_esp: 'Consumer mailbox',
  self_hosted: 'Self-hosted',
  // Calls and purposes.
  verify: 'Verify',
  decide: 'Decide',
  bulk: 'Bulk',
  signup: 'Signup',
  outbound: 'Outbound',
  list_hygiene: 'List hygiene',
  prior: 'Defaults',
  fitted: 'Your outcomes',
  // States of keys, lists and their rows.
  active: 'Active',
  ended: 'Ended',
  live: 'Live',
  test: 'Test',
  ready: 'Ready',
  uploading: 'Uploading',
  queued: 'Queued',
  running: 'Running',
  paused_quota: 'Paused: quota',
  done: 'Done',
  failed: 'Failed',
  cancelled: 'Cancelled',
  expired: 'Expired',
  pending: 'Pending',
  skipped: 'Skipped',
  error: 'Error',
  ok: 'OK',
  // Why a provider gave no answer.
  timeout: 'Timeout',
  unreachable: 'Unreachable',
  rate_limited: 'Rate limited',
  no_credit: 'No credit',
  unauthorized: 'Unauthorized',
  refused: 'Refused',
  server_error: 'Server error',
  malformed: 'Malformed',
  too_large: 'Too large',
  // Roles.
  viewer: 'Viewer',
  member: 'Member',
  admin: 'Admin',
  // Outcome.
  delivered: 'Delivered',
  hard_bounce: 'Hard bounce',
  soft_bounce: 'Soft bounce',
  complaint: 'Complaint',
  signup_completed: 'Signup completed',
  activated: 'Activated',
  subscribed: 'Subscribed',
  upgraded: 'Upgraded',
  churned: 'Churned',
  refunded: 'Refunded',
  support_ticket: 'Support ticket',
  fraud_flag: 'Fraud flag',
  // Screenings.
  match: 'Match',
  typo: 'Typo',
  partial: 'Partial',
  mismatch: 'Mismatch',
  not_checked: 'Not checked',
  likely: 'Likely',
  unlikely: 'Unlikely',
  uncertain: 'Uncertain',
  typo_like: 'Typo',
  lookalike: 'Lookalike',
  throwaway_like: 'Disposable',
  // Companies and people.
  strong: 'Strong',
  none: 'None',
  director: 'Director',
  executive: 'Executive',
  junior: 'Junior',
  manager: 'Manager',
  senior: 'Senior',
  // Vendors.
  zerobounce: 'ZeroBounce',
  neverbounce: 'NeverBounce',
  pdl: 'People Data Labs',
  verification: 'Verification',
  enrichment: 'Enrichment',
  database: 'Database',
  mail: 'Mail',
  platform: 'Platform',
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

/** Of a field's name: `auditLines` is `Audit lines`. */
export const fieldLabel = (name: string): string =>
  label(name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));

/** A term within a sentence. */
export const word = (term: string): string => label(term).toLowerCase();

/** A country's code as people write it, in whatever letters it was sent; null: the value is none. */
export const countryCode = (path: string, value: string): string | null =>
  /(?:^|\.)country$/.test(path) && /^[a-z]{2}$/i.test(value) ? value.toUpperCase() : null;
