// Written by `npm run client:types` from public/openapi.json.

export type ActorClass = 'human_mailbox' | 'agent_mailbox' | 'relay_alias' | 'role_account' | 'shared' | 'unknown';
export type BulkErrorCode =
  | 'empty_file'
  | 'not_text'
  | 'no_rows'
  | 'too_many_rows'
  | 'unclosed_quote'
  | 'internal_error'
  | 'expired_unfinished';
export type BulkState =
  | 'uploading'
  | 'ready'
  | 'queued'
  | 'running'
  | 'paused_quota'
  | 'done'
  | 'failed'
  | 'cancelled'
  | 'expired';
export type Purpose = 'outbound' | 'signup' | 'list_hygiene';
export type Calibration = 'prior' | 'fitted';
export type CheckReason =
  | 'syntax_invalid'
  | 'address_blocklisted'
  | 'domain_blocklisted'
  | 'no_mx'
  | 'mx_unresolved'
  | 'disposable_domain'
  | 'disposable_suspected'
  | 'domain_allowlisted'
  | 'address_allowlisted';
export type Esp = 'hosted_suite_a' | 'hosted_suite_b' | 'consumer_esp' | 'self_hosted' | 'unknown';
export type EmailType = 'business' | 'free' | 'role' | 'disposable' | 'relay' | 'unknown';
export type MxProvider =
  | 'google'
  | 'microsoft'
  | 'yahoo'
  | 'apple'
  | 'zoho'
  | 'proton'
  | 'fastmail'
  | 'yandex'
  | 'proofpoint'
  | 'mimecast'
  | 'barracuda'
  | 'unknown';
export type ErrorCode =
  | 'invalid_request'
  | 'unauthorized'
  | 'quota_exceeded'
  | 'screening_quota_exceeded'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'request_in_progress'
  | 'version_conflict'
  | 'no_email_column'
  | 'rate_limited'
  | 'internal_error'
  | 'dependency_unavailable'
  | 'all_providers_failed';
export type MailboxType = 'corporate' | 'consumer' | 'role' | 'unknown';
export type Recommendation = 'send' | 'hold' | 'challenge' | 'drop';
export type ScreeningReason =
  | 'syntax_invalid'
  | 'address_blocklisted'
  | 'domain_blocklisted'
  | 'no_mx'
  | 'disposable_domain'
  | 'typo_domain'
  | 'typo_name'
  | 'placeholder'
  | 'name_mismatch'
  | 'fake_name'
  | 'domain_suspicious'
  | 'role_account';
export type Unasked =
  | 'no_provider'
  | 'test_key'
  | 'settled'
  | 'known'
  | 'not_worth_its_price'
  | 'budget_spent'
  | 'over_the_ceiling'
  | 'unavailable';
export type Verdict = 'valid' | 'likely_valid' | 'risky' | 'likely_invalid' | 'invalid' | 'unknown';

export interface AddressEntry {
  id: string;
  /**
   * First character, `•••`, `@`, domain; all in lower case, the domain as A-labels.
   */
  display: string;
  note: string | null;
  /**
   * Epoch seconds.
   */
  created_at: number;
  /**
   * A user, or a key that has none.
   */
  created_by: string;
}
export interface AddressList {
  rule: 'block' | 'allow';
  entries: AddressEntry[];
  /**
   * Entries on the list, all pages together; with `search`, those that have the text.
   */
  count: number;
  /**
   * Null on the last page.
   */
  cursor: string | null;
}
export interface AddressStanding {
  /**
   * Of the address itself.
   */
  org_rule: ('block' | 'allow') | null;
  /**
   * The address rule’s.
   */
  note: string | null;
  /**
   * First character, `•••`, `@`, domain; all in lower case, the domain as A-labels.
   */
  display: string;
  domain_rule: ('block' | 'allow') | null;
  /**
   * What a verification does with both together.
   */
  effective: 'block' | 'allow' | 'none';
}
export interface BulkJob {
  id: string;
  state: BulkState;
  name: string | null;
  purpose: Purpose;
  policy_slug: string | null;
  /**
   * Null until a file was read.
   */
  has_header: boolean | null;
  /**
   * Zero-based; null where none was found.
   */
  email_column: number | null;
  /**
   * The header’s cells. A cell is empty where it holds an address or a phone number, and all are empty in a file without a header. Null until a file is read, and once its files are deleted.
   */
  columns: string[] | null;
  /**
   * Without the header and blank lines.
   */
  rows: number | null;
  /**
   * Different addresses: each is one verification.
   */
  unique: number | null;
  /**
   * Rows that will be `skipped`.
   */
  invalid: number | null;
  progress: {
    chunks_done: number;
    chunks_total: number;
    /**
     * Rows, repeated addresses and skipped ones too: `rows` when done.
     */
    rows_done: number;
  } | null;
  counts: Partial<Record<Verdict, number>>;
  /**
   * Addresses that a provider was asked about; null in jobs of earlier releases.
   */
  providers_asked: number | null;
  /**
   * Why not about the other addresses: `settled`, a finding or a rule ends it; `known`, your history says enough.
   */
  providers_not_asked: Partial<Record<Unasked, number>>;
  error: {
    code: BulkErrorCode;
    message: string;
  } | null;
  allow_partial: boolean;
  /**
   * As asked for. A key without a user gets no mail: only users have an address.
   */
  notify: boolean;
  /**
   * Epoch seconds.
   */
  created_at: number;
  /**
   * When it was started; a queued job’s turn comes later.
   */
  started_at: number | null;
  /**
   * Epoch seconds.
   */
  finished_at: number | null;
  /**
   * When its files are deleted: 7 days after it was created.
   */
  expires_at: number;
  /**
   * Epoch seconds.
   */
  files_deleted_at: number | null;
}
export interface CheckResult {
  email: string;
  domain: string;
  /**
   * Not a claim that the mailbox exists.
   */
  passes: boolean;
  disposable: boolean;
  suspected: boolean;
  reason: CheckReason | null;
  reasons: CheckReason[];
  checks: Checks;
  esp: Esp;
  email_type: EmailType;
  /**
   * The address as it was meant, where its domain is a slip of a well-known one; else absent. Ask the person.
   */
  did_you_mean?: string | undefined;
  mx_hosts: string[];
  mx_provider: MxProvider | null;
  /**
   * Wall-clock milliseconds.
   */
  latency_ms: number;
  trace_id: string;
}
export interface Checks {
  syntax: 'pass' | 'fail';
  /**
   * `unknown` when the DNS look-up itself failed.
   */
  mx: 'pass' | 'fail' | 'unknown';
  disposable: 'pass' | 'fail' | 'suspected';
}
export interface DomainList {
  rule: 'block' | 'allow';
  entries: {
    id: string;
    /**
     * Lower-case A-labels.
     */
    domain: string;
    note: string | null;
    /**
     * Epoch seconds.
     */
    created_at: number;
    /**
     * A user, or a key that has none.
     */
    created_by: string;
  }[];
  /**
   * Entries on the list, all pages together; with `search`, those that have the text.
   */
  count: number;
  /**
   * Null on the last page.
   */
  cursor: string | null;
}
export interface DomainStanding {
  /**
   * Lower-case A-labels.
   */
  domain: string;
  status: 'blocked' | 'allowed' | 'disposable' | 'suspected' | 'none';
  org_rule: ('block' | 'allow') | null;
  /**
   * The rule’s.
   */
  note: string | null;
  /**
   * The domain the rule is on: this one or a parent.
   */
  matched_domain: string | null;
  disposable: boolean;
  suspected: boolean;
}
export interface ProviderReceipt {
  verdict: 'deliverable' | 'undeliverable' | 'catch_all' | 'risky' | 'unknown';
  /**
   * Wall-clock milliseconds.
   */
  ms: number;
  /**
   * US dollars, at most 6 decimals.
   */
  cost: number;
  reason: string | null;
}
export interface RulesAdded {
  rule: 'block' | 'allow';
  added: number;
  /**
   * Taken from the other list.
   */
  moved: number;
  /**
   * On the list already; a note that was sent is now theirs, an empty one takes theirs away.
   */
  unchanged: number;
  /**
   * Entries now on the list.
   */
  total: number;
  rejected: {
    /**
     * Its place in the request, from 0.
     */
    index: number;
    reason: 'invalid_address' | 'invalid_domain' | 'public_suffix' | 'unknown_trace' | 'unknown_id';
  }[];
}
export interface RulesRemoved {
  rule: 'block' | 'allow';
  removed: number;
  /**
   * Not on this list.
   */
  not_found: number;
  /**
   * Entries now on the list.
   */
  total: number;
  rejected: {
    /**
     * Its place in the request, from 0.
     */
    index: number;
    reason: 'invalid_address' | 'invalid_domain' | 'public_suffix' | 'unknown_trace' | 'unknown_id';
  }[];
}
export interface ScreeningLabels {
  /**
   * A corrected full address.
   */
  typo_suggestion: string | null;
  typo_source: ('name_match' | 'domain') | null;
  /**
   * `not_checked`: the request gave no name.
   */
  name_match: 'match' | 'typo' | 'partial' | 'mismatch' | 'not_checked';
  /**
   * `not_checked`: the model was not asked or did not answer.
   */
  fake_name: 'likely' | 'unlikely' | 'uncertain' | 'not_checked';
  /**
   * Judged from the domain name alone.
   */
  domain_check: 'ok' | 'typo_like' | 'lookalike' | 'placeholder' | 'throwaway_like' | 'uncertain' | 'not_checked';
  /**
   * The address looks like one typed only to get past a form.
   */
  placeholder: boolean;
  recommendation: 'allow' | 'review';
  reasons: ScreeningReason[];
  /**
   * A model request was made and failed.
   */
  degraded: boolean;
}
export interface ScreeningResult {
  email: string;
  domain: Checks;
  screening: ScreeningLabels;
  /**
   * US dollars, at most 6 decimals.
   */
  cost_usd: number;
  /**
   * Wall-clock milliseconds.
   */
  latency_ms: number;
  trace_id: string;
}
export interface Signals {
  syntax: boolean;
  /**
   * Null when the DNS look-up itself failed.
   */
  mx: boolean | null;
  disposable: boolean;
  role_account: boolean;
  catch_all: boolean;
  relay_alias: boolean;
}
export interface Verification {
  email: string;
  verdict: Verdict;
  /**
   * 0.31 means 31 in 100 such sends hard-bounce.
   */
  bounce_probability: number;
  /**
   * 90 % credible interval of the probability.
   *
   * @minItems 2
   * @maxItems 2
   */
  confidence_interval: [number, number];
  calibration: Calibration;
  recommendation: Recommendation;
  actor_class: ActorClass;
  mailbox_type: MailboxType;
  esp: Esp;
  email_type: EmailType;
  /**
   * The address as it was meant, where its domain is a slip of a well-known one; else absent. Ask the person.
   */
  did_you_mean?: string | undefined;
  signals: Signals;
  providers: {
    [k: string]: ProviderReceipt;
  };
  disagreement: number;
  /**
   * What is known of a domain is not a hit and shows no time.
   */
  cache: {
    /**
     * Stored evidence of yours about this address took part, and no provider was asked.
     */
    hit: boolean;
    /**
     * Seconds until the newest of it is forgotten; 0 without a hit.
     */
    ttl_s: number;
  };
  /**
   * What the answers in `providers` cost. A call that was given up, or failed midway, may be billed too: it counts against `max_cost_usd` and in `provider_spend_usd` of the usage, not here.
   */
  cost_usd: number;
  /**
   * Wall-clock milliseconds.
   */
  latency_ms: number;
  trace_id: string;
  reason: CheckReason | null;
  reasons: CheckReason[];
  degraded?: true | undefined;
  identity_hash?: string | undefined;
}
export interface VerificationContext {
  /**
   * `signup` when left out; `outbound` in the tool `verify_email`.
   */
  purpose?: Purpose | undefined;
  /**
   * Kept on the trace; changes no number.
   */
  sender_domain?: string | undefined;
  /**
   * The service asks fewer providers rather than exceed it. 0.02 when left out.
   */
  max_cost_usd?: number | undefined;
  /**
   * Likewise. 3,500 when left out.
   */
  max_latency_ms?: number | undefined;
}
