// Written by `npm run client:types` from public/openapi.json.

/**
 * Who reads the mailbox: `human_mailbox`, a person; `agent_mailbox`, software; `relay_alias`, somebody behind a forwarding alias; `role_account`, whoever has a function (`sales@`); `shared`, a group or a household; `unknown`: nothing shows it.
 */
export type ActorClass = 'human_mailbox' | 'agent_mailbox' | 'relay_alias' | 'role_account' | 'shared' | 'unknown';
/**
 * What is wrong with the file; `internal_error`: a fault of ours; `expired_unfinished`: 7 days were over before the end.
 */
export type BulkErrorCode =
  | 'empty_file'
  | 'not_text'
  | 'no_rows'
  | 'too_many_rows'
  | 'unclosed_quote'
  | 'internal_error'
  | 'expired_unfinished';
/**
 * `uploading`: waits for its file; `ready`: the file is read; `queued`: two other jobs run; `running`; `paused_quota`: the month’s verifications are spent; `done`, `failed`, `cancelled`, `expired`: ended.
 */
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
/**
 * What the address is for: `outbound`, you are about to write to it; `signup`, somebody signs up with it; `list_hygiene`, a list is cleaned.
 */
export type Purpose = 'outbound' | 'signup' | 'list_hygiene';
/**
 * What moved the number: `prior`, the tables that the service ships; `fitted`, your own outcomes too.
 */
export type Calibration = 'prior' | 'fitted';
/**
 * A finding of the free checks: `syntax_invalid`, no address; `…_blocklisted`, `…_allowlisted`, a rule of yours names it; `no_mx`, the domain takes no mail; `mx_unresolved`, DNS gave no answer; `disposable_domain`, people throw such mailboxes away; `disposable_suspected`, perhaps so.
 */
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
/**
 * What kind of host takes the mail: `hosted_suite_a`, Google Workspace; `hosted_suite_b`, Microsoft 365; `consumer_esp`, a provider of mailboxes for anybody; `self_hosted`, a server of the domain’s own; `unknown`: the mail hosts match none of these.
 */
export type Esp = 'hosted_suite_a' | 'hosted_suite_b' | 'consumer_esp' | 'self_hosted' | 'unknown';
/**
 * The first that applies: `disposable`, a mailbox that people throw away; `relay`, a forwarding alias; `role`, a function (`sales@`); `free`, a provider where anybody gets a mailbox; `business`. `unknown`: the domain takes no mail or is a slip.
 */
export type EmailType = 'business' | 'free' | 'role' | 'disposable' | 'relay' | 'unknown';
/**
 * The company that runs the mail hosts; `unknown` when they match none of these.
 */
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
/**
 * What went wrong, for programs: a closed list.
 */
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
/**
 * `corporate`: at an organisation’s own domain; `consumer`: at a provider where anybody gets a mailbox; `role`: of a function (`sales@`); `unknown`: nothing shows it.
 */
export type MailboxType = 'corporate' | 'consumer' | 'role' | 'unknown';
/**
 * The cheapest thing to do at this probability, purpose and losses: `send`; `hold`, look at it first; `challenge`, have the person confirm the address; `drop`.
 */
export type Recommendation = 'send' | 'hold' | 'challenge' | 'drop';
/**
 * What screening found: a finding of the free checks, a slip (`typo_…`), or what looks made up.
 */
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
/**
 * Why no provider was asked: `no_provider`, none is set up; `test_key`; `settled`, a finding or a rule ends it; `known`, your history says enough; `not_worth_its_price`; `budget_spent`, this month’s; `over_the_ceiling`, a call costs more than an address may; `unavailable`, all fail.
 */
export type Unasked =
  | 'no_provider'
  | 'test_key'
  | 'settled'
  | 'known'
  | 'not_worth_its_price'
  | 'budget_spent'
  | 'over_the_ceiling'
  | 'unavailable';
/**
 * A word for the bounce probability: below 0.02 `valid`, below 0.10 `likely_valid`, below 0.50 `risky`, below 0.90 `likely_invalid`, else `invalid`. `unknown`: the answer is degraded. Branch on the probability or the recommendation.
 */
export type Verdict = 'valid' | 'likely_valid' | 'risky' | 'likely_invalid' | 'invalid' | 'unknown';

export interface AddressEntry {
  /**
   * Names the entry when it is removed.
   */
  id: string;
  /**
   * First character, `•••`, `@`, domain; all in lower case, the domain as A-labels.
   */
  display: string;
  /**
   * What was noted with it; null: nothing.
   */
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
  /**
   * Which list it is: `block` or `allow`.
   */
  rule: 'block' | 'allow';
  /**
   * Newest first.
   */
  entries: AddressEntry[];
  /**
   * Entries on the list, all pages together; with `search`, those that have the text.
   */
  count: number;
  /**
   * Where the next page begins: send it as `cursor`. Null on the last page.
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
  /**
   * Of its domain or a parent.
   */
  domain_rule: ('block' | 'allow') | null;
  /**
   * What a verification does with both together.
   */
  effective: 'block' | 'allow' | 'none';
}
export interface BulkJob {
  /**
   * Names the job in paths: `bj_…`.
   */
  id: string;
  /**
   * `uploading`: waits for its file; `ready`: the file is read; `queued`: two other jobs run; `running`; `paused_quota`: the month’s verifications are spent; `done`, `failed`, `cancelled`, `expired`: ended.
   */
  state: BulkState;
  /**
   * For people; null: it has none.
   */
  name: string | null;
  /**
   * What the address is for: `outbound`, you are about to write to it; `signup`, somebody signs up with it; `list_hygiene`, a list is cleaned.
   */
  purpose: Purpose;
  /**
   * The policy that decides each row; null: none does.
   */
  policy_slug: string | null;
  /**
   * Whether the first row is a header; null until a file was read.
   */
  has_header: boolean | null;
  /**
   * The column with the addresses, counted from 0; null where none was found.
   */
  email_column: number | null;
  /**
   * The header’s cells. A cell is empty where it holds an address or a phone number, and all are empty in a file without a header. Null until a file is read, and once its files are deleted.
   */
  columns: string[] | null;
  /**
   * Rows of the file, without the header and blank lines.
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
  /**
   * How far it is; null before it runs.
   */
  progress: {
    /**
     * Parts of the file that are done.
     */
    chunks_done: number;
    /**
     * Parts that the file is worked on in.
     */
    chunks_total: number;
    /**
     * Rows, repeated addresses and skipped ones too: `rows` when done.
     */
    rows_done: number;
  } | null;
  /**
   * Addresses by verdict, so far.
   */
  counts: Partial<Record<Verdict, number>>;
  /**
   * Addresses that a provider was asked about; null in jobs of earlier releases.
   */
  providers_asked: number | null;
  /**
   * Why not about the other addresses: `settled`, a finding or a rule ends it; `known`, your history says enough.
   */
  providers_not_asked: Partial<Record<Unasked, number>>;
  /**
   * What the addresses checked so far are. Null before the first are, and in jobs of earlier releases.
   */
  breakdown: {
    /**
     * Addresses with each verdict.
     */
    verdict: Partial<Record<Verdict, number>>;
    /**
     * Addresses with each recommendation.
     */
    recommendation: Partial<Record<Recommendation, number>>;
    /**
     * Addresses of each type.
     */
    email_type: Partial<Record<EmailType, number>>;
    /**
     * The first reason of each address that has one.
     */
    reason: Partial<Record<CheckReason, number>>;
    /**
     * Whose mail hosts the addresses’ domains have.
     */
    host_family: Partial<Record<MxProvider, number>>;
    /**
     * The 20 largest domains of the file with five addresses or more; empty once its files are deleted.
     */
    domains: {
      /**
       * The domain, in lower case.
       */
      domain: string;
      /**
       * Different addresses there.
       */
      addresses: number;
    }[];
    /**
     * Addresses whose domain is a slip of another.
     */
    slips: number;
    /**
     * Addresses whose mail hosts could not be looked up.
     */
    unresolved: number;
    /**
     * Rows of the file beyond the first of each address.
     */
    duplicates: number;
  } | null;
  /**
   * Why it failed or expired; else null.
   */
  error: {
    /**
     * What is wrong with the file; `internal_error`: a fault of ours; `expired_unfinished`: 7 days were over before the end.
     */
    code: BulkErrorCode;
    /**
     * For people. Branch on `code`.
     */
    message: string;
  } | null;
  /**
   * As asked for at its start: it began although the quota did not reach.
   */
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
  /**
   * The address as you sent it.
   */
  email: string;
  /**
   * Its domain: lower case, A-labels.
   */
  domain: string;
  /**
   * The syntax holds, the domain takes mail and is not disposable, and no rule of yours blocks it. Not a claim that the mailbox exists.
   */
  passes: boolean;
  /**
   * A list is sure of it, and no rule of yours allows it.
   */
  disposable: boolean;
  /**
   * A list calls the domain disposable, but not surely enough to block it.
   */
  suspected: boolean;
  /**
   * The first of `reasons`; null: there is none.
   */
  reason: CheckReason | null;
  /**
   * All findings, in the order of the vocabulary.
   */
  reasons: CheckReason[];
  /**
   * Each check by itself.
   */
  checks: Checks;
  /**
   * What kind of host takes the mail: `hosted_suite_a`, Google Workspace; `hosted_suite_b`, Microsoft 365; `consumer_esp`, a provider of mailboxes for anybody; `self_hosted`, a server of the domain’s own; `unknown`: the mail hosts match none of these.
   */
  esp: Esp;
  /**
   * The first that applies: `disposable`, a mailbox that people throw away; `relay`, a forwarding alias; `role`, a function (`sales@`); `free`, a provider where anybody gets a mailbox; `business`. `unknown`: the domain takes no mail or is a slip.
   */
  email_type: EmailType;
  /**
   * The address as it was meant, where its domain is a slip of a well-known one; else absent. Ask the person.
   */
  did_you_mean?: string | undefined;
  /**
   * The hosts that take the domain’s mail, the preferred one first.
   */
  mx_hosts: string[];
  /**
   * The company that runs them; null without mail hosts.
   */
  mx_provider: MxProvider | null;
  /**
   * Wall-clock milliseconds.
   */
  latency_ms: number;
  /**
   * Names this answer: `vr_…` of a verification, `dc_…` of a decision, `sc_…` of a screening, `ck_…` of a check. Quote it in reports and to support.
   */
  trace_id: string;
}
export interface Checks {
  /**
   * Whether it is written as an address is.
   */
  syntax: 'pass' | 'fail';
  /**
   * Whether the domain takes mail; `unknown` when the DNS look-up itself failed.
   */
  mx: 'pass' | 'fail' | 'unknown';
  /**
   * Whether people throw mailboxes of this domain away; `suspected`: perhaps.
   */
  disposable: 'pass' | 'fail' | 'suspected';
}
export interface DomainList {
  /**
   * Which list it is: `block` or `allow`.
   */
  rule: 'block' | 'allow';
  /**
   * Newest first.
   */
  entries: {
    /**
     * Names the entry when it is removed.
     */
    id: string;
    /**
     * Lower-case A-labels.
     */
    domain: string;
    /**
     * What was noted with it; null: nothing.
     */
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
   * Where the next page begins: send it as `cursor`. Null on the last page.
   */
  cursor: string | null;
}
export interface DomainStanding {
  /**
   * Lower-case A-labels.
   */
  domain: string;
  /**
   * Rules and lists together: your rule comes first; `none`: nothing names it.
   */
  status: 'blocked' | 'allowed' | 'disposable' | 'suspected' | 'none';
  /**
   * Your rule on it or on a parent; null: there is none.
   */
  org_rule: ('block' | 'allow') | null;
  /**
   * The rule’s.
   */
  note: string | null;
  /**
   * The domain the rule is on: this one or a parent.
   */
  matched_domain: string | null;
  /**
   * A list is sure that people throw its mailboxes away.
   */
  disposable: boolean;
  /**
   * A list says so, but not surely enough to block it.
   */
  suspected: boolean;
}
export interface ProviderReceipt {
  /**
   * The provider’s word, in one vocabulary for all providers.
   */
  verdict: 'deliverable' | 'undeliverable' | 'catch_all' | 'risky' | 'unknown';
  /**
   * How long its answer took, in milliseconds.
   */
  ms: number;
  /**
   * What it bills, in US dollars.
   */
  cost: number;
  /**
   * The provider’s own word for why; null: it gave none.
   */
  reason: string | null;
}
export interface RulesAdded {
  /**
   * Which list it is: `block` or `allow`.
   */
  rule: 'block' | 'allow';
  /**
   * New on the list.
   */
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
  /**
   * Entries that were left out; the others are in force.
   */
  rejected: {
    /**
     * Its place in the request, from 0.
     */
    index: number;
    /**
     * Why; `public_suffix`: anybody registers domains below it (`co.uk`).
     */
    reason: 'invalid_address' | 'invalid_domain' | 'public_suffix' | 'unknown_trace' | 'unknown_id';
  }[];
}
export interface RulesRemoved {
  /**
   * Which list it is: `block` or `allow`.
   */
  rule: 'block' | 'allow';
  /**
   * Taken from the list.
   */
  removed: number;
  /**
   * Not on this list.
   */
  not_found: number;
  /**
   * Entries now on the list.
   */
  total: number;
  /**
   * Entries that were left out; the others are in force.
   */
  rejected: {
    /**
     * Its place in the request, from 0.
     */
    index: number;
    /**
     * Why; `public_suffix`: anybody registers domains below it (`co.uk`).
     */
    reason: 'invalid_address' | 'invalid_domain' | 'public_suffix' | 'unknown_trace' | 'unknown_id';
  }[];
}
export interface ScreeningLabels {
  /**
   * A corrected full address: a guess, to be confirmed by the person. Null: none.
   */
  typo_suggestion: string | null;
  /**
   * Where the slip is: `name_match`, in the local part beside the name; `domain`. Null: no slip.
   */
  typo_source: ('name_match' | 'domain') | null;
  /**
   * How the name fits the address; `not_checked`: the request gave no name.
   */
  name_match: 'match' | 'typo' | 'partial' | 'mismatch' | 'not_checked';
  /**
   * Whether the name is made up, as the model says; `not_checked`: it was not asked or did not answer.
   */
  fake_name: 'likely' | 'unlikely' | 'uncertain' | 'not_checked';
  /**
   * What the model says of the domain, judged from its name alone; `not_checked`: it was not asked or did not answer.
   */
  domain_check: 'ok' | 'typo_like' | 'lookalike' | 'placeholder' | 'throwaway_like' | 'uncertain' | 'not_checked';
  /**
   * The address looks like one typed only to get past a form.
   */
  placeholder: boolean;
  /**
   * `review`: somebody should look at it. Never a refusal.
   */
  recommendation: 'allow' | 'review';
  /**
   * What was found, in the order of the vocabulary.
   */
  reasons: ScreeningReason[];
  /**
   * A model request was made and failed.
   */
  degraded: boolean;
}
export interface ScreeningResult {
  /**
   * The address as you sent it.
   */
  email: string;
  /**
   * The free checks of the address.
   */
  domain: Checks;
  /**
   * What screening says of address and name.
   */
  screening: ScreeningLabels;
  /**
   * What the model cost, in US dollars; 0 when it was not asked.
   */
  cost_usd: number;
  /**
   * Wall-clock milliseconds.
   */
  latency_ms: number;
  /**
   * Names this answer: `vr_…` of a verification, `dc_…` of a decision, `sc_…` of a screening, `ck_…` of a check. Quote it in reports and to support.
   */
  trace_id: string;
}
export interface Signals {
  /**
   * It is written as an address is.
   */
  syntax: boolean;
  /**
   * The domain takes mail; null when the DNS look-up itself failed.
   */
  mx: boolean | null;
  /**
   * A list is sure that people throw mailboxes of this domain away.
   */
  disposable: boolean;
  /**
   * The local part names a function (`sales@`).
   */
  role_account: boolean;
  /**
   * The domain accepts every recipient, so its server’s yes says little.
   */
  catch_all: boolean;
  /**
   * The domain forwards to a mailbox that it hides.
   */
  relay_alias: boolean;
}
export interface Verification {
  /**
   * The address as you sent it.
   */
  email: string;
  /**
   * A word for the bounce probability: below 0.02 `valid`, below 0.10 `likely_valid`, below 0.50 `risky`, below 0.90 `likely_invalid`, else `invalid`. `unknown`: the answer is degraded. Branch on the probability or the recommendation.
   */
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
   *
   * Items: From 0 to 1.
   */
  confidence_interval: [number, number];
  /**
   * What moved the number: `prior`, the tables that the service ships; `fitted`, your own outcomes too.
   */
  calibration: Calibration;
  /**
   * The cheapest thing to do at this probability, purpose and losses: `send`; `hold`, look at it first; `challenge`, have the person confirm the address; `drop`.
   */
  recommendation: Recommendation;
  /**
   * Who reads the mailbox: `human_mailbox`, a person; `agent_mailbox`, software; `relay_alias`, somebody behind a forwarding alias; `role_account`, whoever has a function (`sales@`); `shared`, a group or a household; `unknown`: nothing shows it.
   */
  actor_class: ActorClass;
  /**
   * `corporate`: at an organisation’s own domain; `consumer`: at a provider where anybody gets a mailbox; `role`: of a function (`sales@`); `unknown`: nothing shows it.
   */
  mailbox_type: MailboxType;
  /**
   * What kind of host takes the mail: `hosted_suite_a`, Google Workspace; `hosted_suite_b`, Microsoft 365; `consumer_esp`, a provider of mailboxes for anybody; `self_hosted`, a server of the domain’s own; `unknown`: the mail hosts match none of these.
   */
  esp: Esp;
  /**
   * The first that applies: `disposable`, a mailbox that people throw away; `relay`, a forwarding alias; `role`, a function (`sales@`); `free`, a provider where anybody gets a mailbox; `business`. `unknown`: the domain takes no mail or is a slip.
   */
  email_type: EmailType;
  /**
   * The address as it was meant, where its domain is a slip of a well-known one; else absent. Ask the person.
   */
  did_you_mean?: string | undefined;
  /**
   * What the address and its domain show by themselves.
   */
  signals: Signals;
  /**
   * What each provider that was asked for this answer said, by its name. Mostly empty: none was needed.
   */
  providers: {
    [k: string]: ProviderReceipt;
  };
  /**
   * The largest minus the smallest probability that each provider’s answer alone would give; 0 with fewer than two.
   */
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
  /**
   * Names this answer: `vr_…` of a verification, `dc_…` of a decision, `sc_…` of a screening, `ck_…` of a check. Quote it in reports and to support.
   */
  trace_id: string;
  /**
   * The first of `reasons`; null: there is none.
   */
  reason: CheckReason | null;
  /**
   * All findings of the free checks, in the order of the vocabulary.
   */
  reasons: CheckReason[];
  /**
   * True where providers failed and nothing else is known of the address: a weaker answer, not a bad address.
   */
  degraded?: true | undefined;
  /**
   * The same for every spelling under which a mailbox is reached; keyed to your account. Absent: no address.
   */
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
