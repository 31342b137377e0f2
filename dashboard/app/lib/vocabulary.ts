import { t } from '@lingui/core/macro';
import { LOCALE } from './i18n.ts';

/** Which rule of a policy decided. */
export const ruleText = (rule: string): string => (rule === 'default' ? t`Default` : t`Rule ${rule}`);

/** The contract's terms as sentences and labels. A term that is not here is shown as it is. */
const REASONS: Readonly<Record<string, string>> = {
  syntax_invalid: t`Its form is broken: an address looks different.`,
  address_blocklisted: t`The address stands on your block list.`,
  domain_blocklisted: t`The domain stands on your block list.`,
  no_mx: t`The domain takes no mail.`,
  mx_unresolved: t`The mail hosts of the domain could not be looked up.`,
  disposable_domain: t`The domain gives out disposable addresses.`,
  disposable_suspected: t`The domain may give out disposable addresses.`,
  domain_allowlisted: t`The domain stands on your allow list.`,
  address_allowlisted: t`The address stands on your allow list.`,
  typo_domain: t`The domain looks mistyped.`,
  typo_name: t`The name in the address looks mistyped.`,
  placeholder: t`It looks like a placeholder.`,
  name_mismatch: t`The name and the address do not fit each other.`,
  fake_name: t`The name looks invented.`,
  domain_suspicious: t`The domain looks like another one on purpose.`,
};

const LABELS: Readonly<Record<string, string>> = {
  // What is decided or recommended.
  allow: t`Allow`,
  allow_with_flow: t`Allow with a flow`,
  review: t`Review`,
  challenge: t`Challenge`,
  deny: t`Deny`,
  send: t`Send`,
  hold: t`Hold`,
  drop: t`Drop`,
  // Verdicts, of ours and of providers.
  valid: t`Valid`,
  likely_valid: t`Likely valid`,
  risky: t`Risky`,
  likely_invalid: t`Likely invalid`,
  invalid: t`Invalid`,
  unknown: t`Unknown`,
  catch_all: t`Accepts everything`,
  deliverable: t`Deliverable`,
  undeliverable: t`Undeliverable`,
  // Reasons in a few words.
  syntax_invalid: t`Broken form`,
  address_blocklisted: t`Address on your block list`,
  domain_blocklisted: t`Domain on your block list`,
  no_mx: t`No mail hosts`,
  mx_unresolved: t`Mail hosts not looked up`,
  disposable_domain: t`Disposable domain`,
  disposable_suspected: t`Disposable suspected`,
  domain_allowlisted: t`Domain on your allow list`,
  address_allowlisted: t`Address on your allow list`,
  typo_domain: t`Typo domain`,
  typo_name: t`Typo name`,
  placeholder: t`Placeholder`,
  name_mismatch: t`Name mismatch`,
  fake_name: t`Fake name`,
  domain_suspicious: t`Domain suspicious`,
  test_key: t`Test key`,
  // What an answer of a list rests on.
  basis_rule: t`Settled by a finding or a rule`,
  basis_provider: t`Checked: a provider answered`,
  basis_history: t`Known from your history`,
  basis_local: t`Not checked by a provider`,
  // What a provider warns of.
  spam_trap: t`Spam trap`,
  complainer: t`Complains of mail`,
  suppressed: t`On a global suppression list`,
  toxic: t`Known for abuse`,
  do_not_mail: t`Do not mail`,
  // Addresses and mailboxes.
  business: t`Business`,
  disposable: t`Disposable`,
  free: t`Free`,
  relay: t`Relay`,
  role: t`Role`,
  consumer: t`Consumer`,
  corporate: t`Corporate`,
  agent_mailbox: t`Agent mailbox`,
  human_mailbox: t`Human mailbox`,
  relay_alias: t`Relay alias`,
  role_account: t`Role account`,
  shared: t`Shared`,
  // Who takes the mail.
  hosted_suite_a: t`Google Workspace`,
  hosted_suite_b: t`Microsoft 365`,
  google_workspace: t`Google Workspace`,
  consumer_esp: t`Consumer mailbox provider`,
  self_hosted: t`Own mail hosts`,
  // Calls and purposes.
  verify: t`Verify`,
  decide: t`Decide`,
  bulk: t`Bulk`,
  signup: t`Signup`,
  outbound: t`Outbound`,
  list_hygiene: t`List hygiene`,
  prior: t`Prior`,
  fitted: t`Fitted`,
  // States of keys, lists and their rows.
  active: t`Active`,
  ended: t`Ended`,
  live: t`Live`,
  test: t`Test`,
  ready: t`Ready`,
  uploading: t`Uploading`,
  queued: t`Queued`,
  running: t`Running`,
  paused_quota: t`Paused: quota used up`,
  done: t`Done`,
  failed: t`Failed`,
  cancelled: t`Cancelled`,
  expired: t`Expired`,
  pending: t`Pending`,
  skipped: t`Skipped`,
  error: t`Error`,
  ok: t`Ok`,
  // Why a provider gave no answer.
  timeout: t`Timeout`,
  unreachable: t`Unreachable`,
  rate_limited: t`Rate limited`,
  no_credit: t`No credit`,
  unauthorized: t`Unauthorized`,
  refused: t`Refused`,
  server_error: t`Server error`,
  malformed: t`Malformed`,
  too_large: t`Too large`,
  // Roles.
  viewer: t`Viewer`,
  member: t`Member`,
  admin: t`Admin`,
  // What became of it.
  delivered: t`Delivered`,
  hard_bounce: t`Hard bounce`,
  soft_bounce: t`Soft bounce`,
  complaint: t`Complaint`,
  signup_completed: t`Signup completed`,
  activated: t`Activated`,
  subscribed: t`Subscribed`,
  upgraded: t`Upgraded`,
  churned: t`Churned`,
  refunded: t`Refunded`,
  support_ticket: t`Support ticket`,
  fraud_flag: t`Fraud flag`,
  // Screenings.
  match: t`Match`,
  typo: t`Typo`,
  partial: t`Partial`,
  mismatch: t`Mismatch`,
  not_checked: t`Not checked`,
  likely: t`Likely`,
  unlikely: t`Unlikely`,
  uncertain: t`Uncertain`,
  typo_like: t`Typo like`,
  lookalike: t`Lookalike`,
  throwaway_like: t`Throwaway like`,
  // Companies and people.
  strong: t`Strong`,
  none: t`None`,
  director: t`Director`,
  executive: t`Executive`,
  junior: t`Junior`,
  manager: t`Manager`,
  senior: t`Senior`,
  // Vendors.
  zerobounce: t`ZeroBounce`,
  neverbounce: t`NeverBounce`,
  pdl: t`People Data Labs`,
  verification: t`Verification`,
  enrichment: t`Enrichment`,
  database: t`Database`,
  mail: t`Mail`,
  platform: t`Platform`,
};

/** The same terms within a sentence: not every language writes a label there in small letters. */
const WORDS: Readonly<Record<string, string>> = {
  // What is decided or recommended.
  allow: t`allow`,
  allow_with_flow: t`allow with a flow`,
  review: t`review`,
  challenge: t`challenge`,
  deny: t`deny`,
  send: t`send`,
  hold: t`hold`,
  drop: t`drop`,
  // Verdicts, of ours and of providers.
  valid: t`valid`,
  likely_valid: t`likely valid`,
  risky: t`risky`,
  likely_invalid: t`likely invalid`,
  invalid: t`invalid`,
  unknown: t`unknown`,
  catch_all: t`accepts everything`,
  deliverable: t`deliverable`,
  undeliverable: t`undeliverable`,
  // Calls.
  verify: t`verify`,
  decide: t`decide`,
  bulk: t`bulk`,
  // Why a provider gave no answer.
  timeout: t`timeout`,
  unreachable: t`unreachable`,
  rate_limited: t`rate limited`,
  no_credit: t`no credit`,
  unauthorized: t`unauthorized`,
  refused: t`refused`,
  server_error: t`server error`,
  malformed: t`malformed`,
  too_large: t`too large`,
  // Roles.
  viewer: t`viewer`,
  member: t`member`,
  admin: t`admin`,
  // What became of it.
  signup_completed: t`signup completed`,
  activated: t`activated`,
  subscribed: t`subscribed`,
  upgraded: t`upgraded`,
  churned: t`churned`,
  refunded: t`refunded`,
  support_ticket: t`support ticket`,
  fraud_flag: t`fraud flag`,
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
  t`A provider warns of it: ${label(warning)}. Such an address is never sent to unseen.`;
export const label = (term: string): string => own(LABELS, term) ?? capital(term.replaceAll('_', ' '));

/** Of a field's name: `auditLines` is `Audit lines`. */
export const fieldLabel = (name: string): string =>
  label(name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));

/** A term within a sentence. */
export const word = (term: string): string => own(WORDS, term) ?? label(term).toLocaleLowerCase(LOCALE);

/** A country's code as people write it, in whatever letters it was sent; null: the value is none. */
export const countryCode = (path: string, value: string): string | null =>
  /(?:^|\.)country$/.test(path) && /^[a-z]{2}$/i.test(value) ? value.toUpperCase() : null;
