// Written by `npm run client:types` from public/openapi.json.

/**
 * Who reads the mailbox: `human_mailbox`, a person; `agent_mailbox`, software; `relay_alias`, a person behind a forwarding alias; `role_account`, the people of a function (`sales@`); `shared`, a group or a household; `unknown`: nothing shows it.
 */
export type ActorClass = 'human_mailbox' | 'agent_mailbox' | 'relay_alias' | 'role_account' | 'shared' | 'unknown';
/**
 * A word for the bounce probability: below 0.02 `valid`, below 0.10 `likely_valid`, below 0.50 `risky`, below 0.90 `likely_invalid`, else `invalid`. `unknown`: the answer is degraded. Branch on the probability or the recommendation.
 */
export type Verdict = 'valid' | 'likely_valid' | 'risky' | 'likely_invalid' | 'invalid' | 'unknown';
/**
 * The cheapest thing to do at this probability, purpose and losses: `send`; `hold`, look at it first; `challenge`, have the person confirm the address; `drop`.
 */
export type Recommendation = 'send' | 'hold' | 'challenge' | 'drop';
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
 * The first that applies: `disposable`, a mailbox that people throw away; `relay`, a forwarding alias; `role`, a function (`sales@`); `free`, a provider where anybody gets a mailbox; `business`. `unknown`: the domain takes no mail or is a slip.
 */
export type EmailType = 'business' | 'free' | 'role' | 'disposable' | 'relay' | 'unknown';
/**
 * What kind of host takes the mail: `hosted_suite_a`, Google Workspace; `hosted_suite_b`, Microsoft 365; `consumer_esp`, a provider of mailboxes for anybody; `self_hosted`, a server of the domain’s own; `unknown`: the mail hosts match none of these.
 */
export type Esp = 'hosted_suite_a' | 'hosted_suite_b' | 'consumer_esp' | 'self_hosted' | 'unknown';
/**
 * What to do with the signup: `allow`; `allow_with_flow`, let it in by a way that the rule names; `review`, have somebody look; `challenge`, have the person confirm the address; `deny`.
 */
export type Decision = 'allow' | 'allow_with_flow' | 'review' | 'challenge' | 'deny';
/**
 * How many people a company employs.
 */
export type EmployeesRange =
  | '1-10'
  | '11-50'
  | '51-200'
  | '201-500'
  | '501-1000'
  | '1001-5000'
  | '5001-10000'
  | '10001+';
/**
 * A person’s rank in a company.
 */
export type Seniority = 'junior' | 'senior' | 'manager' | 'director' | 'executive';
/**
 * How near an address comes to the ideal customer; `unknown`: no profile, or nothing is known of it.
 */
export type IcpFit = 'strong' | 'partial' | 'none' | 'unknown';
/**
 * What became of the message: `hard_bounce`, it failed for good; `soft_bounce`, for now; `complaint`, the person called it spam.
 */
export type Outcome = 'delivered' | 'hard_bounce' | 'soft_bounce' | 'complaint' | 'unknown';
/**
 * What moved the number: `prior`, the tables that the service ships; `fitted`, your own outcomes too.
 */
export type Calibration = 'prior' | 'fitted';
/**
 * What the address is for: `outbound`, you are about to write to it; `signup`, somebody signs up with it; `list_hygiene`, a list is cleaned.
 */
export type Purpose = 'outbound' | 'signup' | 'list_hygiene';
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
 * `viewer` reads and makes free checks; `member` also judges, reports and runs files; `admin` may do all.
 */
export type Role = 'viewer' | 'member' | 'admin';
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
 * How a value is compared.
 */
export type Op =
  | 'eq'
  | 'ne'
  | 'in'
  | 'not_in'
  | 'gt'
  | 'gte'
  | 'lt'
  | 'lte'
  | 'exists'
  | 'contains'
  | 'starts_with'
  | 'ends_with';
export type Scalar = string | number | boolean;
/**
 * The service that reports.
 */
export type ConnectionKind = 'stripe' | 'ses' | 'sendgrid' | 'postmark' | 'mailgun' | 'resend';
/**
 * `corporate`: at an organisation’s own domain; `consumer`: at a provider where anybody gets a mailbox; `role`: of a function (`sales@`); `unknown`: nothing shows it.
 */
export type MailboxType = 'corporate' | 'consumer' | 'role' | 'unknown';
export type EnrichmentLimit = 'cost_ceiling' | 'latency_ceiling' | 'budget';
export type Explanation = {
  /**
   * The rule’s id in the policy.
   */
  rule_id: string;
  /**
   * Whether the rule’s condition holds.
   */
  matched: boolean;
  /**
   * Each comparison of the rule.
   */
  conditions: {
    /**
     * Which value is compared.
     */
    path: string;
    /**
     * How it is compared.
     */
    op: Op;
    /**
     * What it is compared with, as the rule says.
     */
    value: Scalar | Scalar[];
    /**
     * The value seen. Null: missing, or not asked for.
     */
    actual: (Scalar | string[]) | null;
    /**
     * Whether this comparison holds. Null: the value was not asked for, because the rule matched or failed without it.
     */
    matched: boolean | null;
  }[];
}[];
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
 * `auto`: a person’s own key for the dashboard; `manual`: made by a person; `service`: made for a program.
 */
export type KeyOrigin = 'auto' | 'manual' | 'service';
/**
 * What has to hold: one comparison, or several joined.
 */
export type PolicyCondition =
  | {
      /**
       * All of these hold.
       */
      all: PolicyCondition[];
    }
  | {
      /**
       * At least one of these holds.
       */
      any: PolicyCondition[];
    }
  | {
      /**
       * What has to hold: one comparison, or several joined.
       */
      not: PolicyCondition;
    }
  | Comparison;

export interface AccountLosses {
  /**
   * 0: the service’s own losses, until you set yours.
   */
  version: number;
  /**
   * Where you are about to write to the address.
   */
  outbound: Losses;
  /**
   * Where somebody signs up.
   */
  signup: Losses;
  /**
   * Where a list is cleaned.
   */
  list_hygiene: Losses;
  /**
   * Null for version 0.
   */
  created_at: number | null;
  /**
   * A user or a key; null for version 0.
   */
  created_by: string | null;
}
export interface Losses {
  /**
   * A message sent to an address that bounces.
   */
  bounce: number;
  /**
   * A good contact dropped.
   */
  contact_lost: number;
  /**
   * A good contact held or challenged.
   */
  held_good: number;
  /**
   * A bad address held or challenged.
   */
  held_bad: number;
}
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
export interface AddressExport {
  /**
   * First character, `•••`, `@`, domain; all in lower case, the domain as A-labels.
   */
  display: string;
  /**
   * Epoch seconds.
   */
  exported_at: number;
  /**
   * Kept out of imports and webhooks.
   */
  suppressed: boolean;
  /**
   * Your rule on it.
   */
  rules: {
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
    /**
     * The list that it is on.
     */
    rule: 'block' | 'allow';
  }[];
  /**
   * What enters its next number; null: nothing is known.
   */
  history: {
    /**
     * Epoch seconds.
     */
    first_seen_at: number;
    /**
     * What kind of host takes its mail.
     */
    host_class: string;
    /**
     * What it was first asked about for.
     */
    purpose: string;
    /**
     * What it shows by itself.
     */
    features: string[];
    /**
     * What providers said of it.
     */
    answers: {
      /**
       * Who said it.
       */
      provider: string;
      /**
       * What it said.
       */
      verdict: string;
      /**
       * Epoch seconds.
       */
      at: number;
    }[];
    /**
     * What became of messages to it.
     */
    reports: {
      /**
       * Who told: `api`, `import`, or a connection.
       */
      source: string;
      /**
       * What became of the message.
       */
      class: string;
      /**
       * Epoch seconds.
       */
      at: number;
    }[];
    /**
     * Signs that somebody reads it.
     */
    proofs: {
      /**
       * `confirmed` or `paid`.
       */
      class: string;
      /**
       * Epoch seconds.
       */
      at: number;
    }[];
  } | null;
  /**
   * Verifications and decisions, newest first, of live and test keys.
   */
  traces: Trace[];
  /**
   * Newest first.
   */
  screenings: ScreeningRow[];
  /**
   * What mail services and imports reported.
   */
  reports: {
    /**
     * The connection, or `import`.
     */
    source: string;
    /**
     * What became of the message: `hard_bounce`, it failed for good; `soft_bounce`, for now; `complaint`, the person called it spam.
     */
    outcome: Outcome;
    /**
     * The codes of the reply.
     */
    smtp: SmtpCodes;
    /**
     * What the report rests on: a message `sent`; one that was opened (`seen`); the service does not send there (`suppressed`).
     */
    means: 'sent' | 'seen' | 'suppressed';
    /**
     * Epoch seconds.
     */
    at: number;
  }[];
  /**
   * What the person went on to do.
   */
  events: {
    /**
     * Names the event: `ev_…`.
     */
    id: string;
    /**
     * What happened: one of the service’s names, or `custom:` with one of yours.
     */
    event: string;
    /**
     * Who told: `api`, or a connection.
     */
    source: string;
    /**
     * Epoch seconds.
     */
    at: number;
    /**
     * What was sent with it; null: nothing.
     */
    properties: {
      [k: string]: string | number | boolean;
    } | null;
  }[];
  /**
   * How segments count it.
   */
  exposures: {
    /**
     * Its first verification or decision of the last 365 days.
     */
    at: number;
    /**
     * What the account said of it in a decision.
     */
    attributes: {
      [k: string]: unknown;
    };
  }[];
  /**
   * Answers kept for a repeat under an `Idempotency-Key`, for 24 hours.
   */
  kept_answers: unknown[];
  /**
   * Lists with more than the newest 1,000. The rest is of the same kind.
   */
  truncated: ('traces' | 'screenings' | 'reports' | 'events')[];
}
export interface Trace {
  /**
   * `vr_…`, or `dc_…` of a decision.
   */
  trace_id: string;
  /**
   * Of a decision: the verification inside it, `vr_…`, which outcomes are reported on. Else null.
   */
  verification_trace_id: string | null;
  /**
   * Which call made it: a verification, a decision, or a row of a file.
   */
  kind: 'verify' | 'decide' | 'bulk';
  /**
   * Epoch seconds.
   */
  created_at: number;
  /**
   * First character, `•••`, `@`, domain; all in lower case, the domain as A-labels.
   */
  display: string;
  /**
   * Of the address: lower case, A-labels.
   */
  domain: string;
  /**
   * A word for the bounce probability: below 0.02 `valid`, below 0.10 `likely_valid`, below 0.50 `risky`, below 0.90 `likely_invalid`, else `invalid`. `unknown`: the answer is degraded. Branch on the probability or the recommendation.
   */
  verdict: Verdict;
  /**
   * As it was answered: 0.31 means 31 in 100.
   */
  bounce_probability: number;
  /**
   * The cheapest thing to do at this probability, purpose and losses: `send`; `hold`, look at it first; `challenge`, have the person confirm the address; `drop`.
   */
  recommendation: Recommendation;
  /**
   * The first finding of the free checks; null where they found nothing.
   */
  reason: CheckReason | null;
  /**
   * Null in traces that do not say it.
   */
  email_type: EmailType | null;
  /**
   * What kind of host takes the mail: `hosted_suite_a`, Google Workspace; `hosted_suite_b`, Microsoft 365; `consumer_esp`, a provider of mailboxes for anybody; `self_hosted`, a server of the domain’s own; `unknown`: the mail hosts match none of these.
   */
  esp: Esp;
  /**
   * US dollars, at most 6 decimals.
   */
  cost_usd: number;
  /**
   * Wall-clock milliseconds.
   */
  latency_ms: number;
  /**
   * Stored evidence of yours took part, and no provider was asked.
   */
  cache_hit: boolean;
  /**
   * Providers failed, and nothing else was known of the address.
   */
  degraded: boolean;
  /**
   * The job whose file has the row: `bj_…`; else null.
   */
  bulk_job_id: string | null;
  /**
   * Every vendor that was sent the address, as `GET /v1/subprocessors` names it.
   */
  sent_to: string[];
  /**
   * Of a slip: the correction, masked like `display`.
   */
  did_you_mean: string | null;
  /**
   * 90 % credible interval of the probability. Null once the detail is gone.
   *
   * @minItems 2
   * @maxItems 2
   */
  confidence_interval: [number, number] | null;
  /**
   * What the address and its domain show by themselves. Null once the detail is gone.
   */
  signals: Signals | null;
  /**
   * What each provider that was asked said. Null once the detail is gone.
   */
  providers: {
    [k: string]: ProviderReceipt;
  } | null;
  /**
   * Calls to providers that failed. Null once the detail is gone.
   */
  provider_failures:
    | {
        /**
         * Whose call failed.
         */
        provider: string;
        /**
         * How: `timeout`, `unreachable`, `rate_limited` …
         */
        kind: string;
        /**
         * How long the call took, in milliseconds.
         */
        ms: number;
        /**
         * What the vendor may bill all the same; not in `cost_usd`.
         */
        may_cost_usd: number;
      }[]
    | null;
  /**
   * What was known before a provider was asked. Null once the detail is gone.
   */
  features: Features | null;
  /**
   * Each choice of whom to ask. Null once the detail is gone.
   */
  route:
    | {
        /**
         * A provider, or `stop`.
         */
        choice: string;
        /**
         * Bounce probability before the choice.
         */
        probability: number;
        /**
         * Expected loss of deciding now.
         */
        stop_value_usd: number;
        /**
         * Providers that could be asked.
         */
        candidates: {
          /**
           * A provider that could be asked.
           */
          provider: string;
          /**
           * Expected total of asking it: the least wins, or stopping.
           */
          value_usd: number;
          /**
           * Expected price, and what the time is worth that it takes.
           */
          cost_usd: number;
          /**
           * The most that the call would be billed.
           */
          price_usd: number;
          /**
           * How long its answers take of late.
           */
          latency_ms: number;
          /**
           * The share of its calls that failed of late.
           */
          failure_rate: number;
        }[];
        /**
         * Providers that could not, and why.
         */
        excluded: {
          /**
           * A provider that was out of the question.
           */
          provider: string;
          /**
           * `asked` in this request; `reported`, you told lately what became of a message; `known`, its last answer is fresh; `budget` of the month; `cost`, `time`: over the request’s ceiling; `circuit_open`, it failed too often.
           */
          why: 'asked' | 'reported' | 'known' | 'budget' | 'cost' | 'time' | 'circuit_open';
        }[];
        /**
         * A provider worth asking was not: it has failed too often of late.
         */
        missed: boolean;
        /**
         * What the request’s ceilings leave before the choice.
         */
        left: {
          /**
           * US dollars.
           */
          cost_usd: number;
          /**
           * Milliseconds.
           */
          latency_ms: number;
        };
      }[]
    | null;
  /**
   * Null unless `/v1/decide` wrote the trace.
   */
  policy_decision: StoredPolicyDecision | null;
  /**
   * Of a bulk job that ran a policy.
   */
  bulk_decision: StoredPolicyDecision | null;
  /**
   * The newest report of what became of the message.
   */
  outcome: ReportedOutcome | null;
  /**
   * All findings of the free checks. Null once the detail is gone.
   */
  reasons: CheckReason[] | null;
  /**
   * How far the providers’ answers lie apart. Null once the detail is gone.
   */
  disagreement: number | null;
  /**
   * What moved the number. Null once the detail is gone.
   */
  calibration: Calibration | null;
  /**
   * The request’s context. Null once the detail is gone.
   */
  context: VerificationContext | null;
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
export interface Features {
  /**
   * The table (or fit) of the probability.
   */
  model_version: string;
  /**
   * Which row of the table the mail hosts belong to.
   */
  host_class: string;
  /**
   * The company that runs them; null without mail hosts.
   */
  mx_provider: string | null;
  /**
   * A security gateway stands before the mailboxes: it accepts every recipient.
   */
  gateway: boolean;
  /**
   * `found`, in MX records; `implicit`, the domain’s own address; `none`; `unresolved`, DNS gave no answer; `not_looked_up`, the answer did not need it.
   */
  mail_hosts: 'found' | 'implicit' | 'none' | 'unresolved' | 'not_looked_up';
  /**
   * What calls the domain disposable or suspected: a list, or mail hosts that serve listed domains alone.
   */
  disposable_by: ('list' | 'mail_hosts') | null;
  /**
   * Stored evidence about the address.
   */
  known_answers: {
    /**
     * Who said it.
     */
    provider: string;
    /**
     * The provider’s word, in one vocabulary for all providers.
     */
    verdict: 'deliverable' | 'undeliverable' | 'catch_all' | 'risky' | 'unknown';
    /**
     * How many seconds ago.
     */
    age_s: number;
  }[];
  /**
   * Delivery reports about the address, and proofs that somebody reads it.
   */
  known_outcomes: {
    /**
     * What was reported: a kind of bounce, a delivery, a complaint, or a sign that somebody reads it.
     */
    class: 'user_unknown' | 'refused' | 'full' | 'soft' | 'delivered' | 'complaint' | 'confirmed' | 'paid';
    /**
     * How many seconds ago.
     */
    age_s: number;
    /**
     * Stands for who reported it, where the account’s outcomes have shown that this source errs.
     */
    source?: string | undefined;
  }[];
  /**
   * What the address shows by itself: `typo_domain`, `role` …
   */
  x: string[];
  /**
   * When the address was first seen, as far as it still counts.
   */
  t0: number;
  /**
   * What host, purpose, domain, list and `x` say, before the evidence about the address itself.
   */
  neighbours: {
    /**
     * That the domain accepts everything.
     */
    accepts_all: number;
    /**
     * That mail bounced at `t0`, if the domain does not.
     */
    dead_strict: number;
    /**
     * That mail bounced at `t0`, if it does.
     */
    dead_accepts_all: number;
    /**
     * Variance of the log-odds of a bounce at `t0`.
     */
    var: number;
  };
  /**
   * What the flag that organisations share says of the domain; 1 says nothing. Part of `neighbours`.
   */
  accepts_all_odds: number;
  /**
   * Why: every piece of evidence. The shifts add up to the log-odds of the probability.
   */
  evidence: {
    /**
     * `bounced_before`, `domain_delivers`, `answer` …; `stranger` is where the log-odds begin.
     */
    code: string;
    /**
     * How far it moved the log-odds of a bounce.
     */
    shift: number;
    /**
     * Of an `answer`: who said it.
     */
    provider?: string | undefined;
    /**
     * Of an `answer`: what it said.
     */
    verdict?: ('deliverable' | 'undeliverable' | 'catch_all' | 'risky' | 'unknown') | undefined;
  }[];
  /**
   * What the recommendation follows from, beside the probability.
   */
  losses: {
    /**
     * A message sent to an address that bounces.
     */
    bounce: number;
    /**
     * A good contact dropped.
     */
    contact_lost: number;
    /**
     * A good contact held or challenged.
     */
    held_good: number;
    /**
     * A bad address held or challenged.
     */
    held_bad: number;
    /**
     * 0: the service’s own.
     */
    version: number;
  };
}
export interface StoredPolicyDecision {
  /**
   * What to do with the signup: `allow`; `allow_with_flow`, let it in by a way that the rule names; `review`, have somebody look; `challenge`, have the person confirm the address; `deny`.
   */
  decision: Decision;
  /**
   * The rule that decided; `default` when none matched.
   */
  rule_id: string;
  /**
   * The policy.
   */
  policy: {
    /**
     * Its name.
     */
    slug: string;
    /**
     * The version that decided.
     */
    version: number;
  };
  /**
   * The first experiment met; null: none was.
   */
  experiment: ExperimentArm | null;
  /**
   * What enrichment found of the company. Absent: not asked for. Null: not known.
   */
  company?:
    | ({
        /**
         * As the vendor spells it; null: not known.
         */
        industry: string | null;
        /**
         * How many people it employs; null: not known.
         */
        employees_range: EmployeesRange | null;
        /**
         * ISO 3166-1 alpha-2; null: not known.
         */
        country: string | null;
      } | null)
    | undefined;
  /**
   * Of the person, likewise.
   */
  person?: (Person | null) | undefined;
  /**
   * How near it came to the ideal customer.
   */
  icp: {
    /**
     * How near an address comes to the ideal customer; `unknown`: no profile, or nothing is known of it.
     */
    fit: IcpFit;
  };
  /**
   * What you sent along; null once the address was erased.
   */
  attributes: {
    [k: string]: string | number | boolean;
  } | null;
  /**
   * Each source that was asked, or that a missing value was not asked of.
   */
  enrichment?:
    | {
        /**
         * The vendor.
         */
        source: string;
        /**
         * `found`, `not_found` or how the call failed; not asked: `circuit_open`, `latency_ceiling`, `cost_ceiling`, `budget`, `budget_unreachable`.
         */
        outcome: string;
        /**
         * Null: not asked.
         */
        ms: number | null;
        /**
         * What it may have cost at most.
         */
        cost_usd: number;
      }[]
    | undefined;
}
export interface ExperimentArm {
  /**
   * The experiment, as the policy names it.
   */
  id: string;
  /**
   * `treatment`: the rule applied; `control`: the rules behind it did.
   */
  arm: 'treatment' | 'control';
}
export interface Person {
  /**
   * The person’s rank; null: not known.
   */
  seniority: Seniority | null;
}
export interface ReportedOutcome {
  /**
   * Names the report: `oc_…`.
   */
  id: string;
  /**
   * What became of the message: `hard_bounce`, it failed for good; `soft_bounce`, for now; `complaint`, the person called it spam.
   */
  outcome: Outcome;
  /**
   * The codes found in `smtp_code`; null where none was found.
   */
  smtp: SmtpCodes | null;
  /**
   * Epoch seconds.
   */
  reported_at: number;
}
export interface SmtpCodes {
  /**
   * Basic reply code (RFC 5321), `550`.
   */
  code: string | null;
  /**
   * Enhanced status code (RFC 3463), `5.1.1`.
   */
  enhanced: string | null;
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
export interface ScreeningRow {
  /**
   * Of the screening: `sc_…`.
   */
  trace_id: string;
  /**
   * First character, `•••`, `@`, domain; all in lower case, the domain as A-labels.
   */
  display: string;
  /**
   * Epoch seconds.
   */
  created_at: number;
  /**
   * The key that asked: `key_…`.
   */
  key_id: string | null;
  /**
   * `typo_suggestion` masked like `display`.
   */
  screening: ScreeningLabels;
  /**
   * US dollars, at most 6 decimals.
   */
  cost_usd: number;
  /**
   * Wall-clock milliseconds.
   */
  latency_ms: number;
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
export interface AlertsResponse {
  /**
   * Every alert there is. Each goes out once a month.
   */
  alerts: {
    /**
     * The allowance: calls a month, or dollars that enrichment or providers may bill.
     */
    of: 'verifications' | 'screenings' | 'enrichment' | 'providers';
    /**
     * Percent of it that is used.
     */
    share: 80 | 100;
    /**
     * Whether a mail goes out.
     */
    enabled: boolean;
  }[];
  /**
   * Who gets the mails: members (`u_…`). Null: every admin.
   */
  recipients: string[] | null;
}
export interface AuditLog {
  /**
   * Newest first.
   */
  entries: {
    /**
     * Names the entry.
     */
    id: string;
    /**
     * Epoch seconds.
     */
    at: number;
    /**
     * A person (`u_…`), a key that belongs to none (`key_…`), or `operator`: who runs the service.
     */
    actor: string;
    /**
     * What was done: `key.created`, `policy.saved`, `rules.added` …
     */
    action: string;
    /**
     * The id or name of what was changed.
     */
    target: string;
    /**
     * What changed, without secrets and addresses.
     */
    summary: string;
  }[];
  /**
   * Where the next page begins: send it as `cursor`. Null on the last page.
   */
  cursor: string | null;
}
export interface BlockBulkSegment {
  /**
   * `undeliverable` or `review`; of a job with a policy `deny` or `review`.
   */
  segment: 'undeliverable' | 'review' | 'deny';
  /**
   * Up to 500 characters, kept with every entry; empty: entries lose theirs. No email address.
   */
  note?: string | undefined;
}
export interface BulkEstimate {
  /**
   * Addresses not yet begun: 0 when done.
   */
  rows_unique: number;
  /**
   * Addresses that will be metered.
   */
  verifications: number;
  /**
   * Rows without an address: no check, no cost.
   */
  skipped: number;
  /**
   * Addresses of which your history has fresh evidence.
   */
  cached: number;
  /**
   * `cached` was counted on a sample and scaled.
   */
  cached_estimated: boolean;
  /**
   * The other addresses.
   */
  to_verify: number;
  /**
   * Null when unmetered.
   */
  quota_remaining: number | null;
  /**
   * Whether the quota reaches for all of them.
   */
  fits: boolean;
  /**
   * Every address asked of every provider, within the ceiling of an address.
   */
  max_cost_usd: number;
  /**
   * What the router would spend at this purpose, from the mail hosts of a few addresses.
   */
  expected_cost_usd: number;
  /**
   * What enrichment may cost at most, for the policy’s rules.
   */
  enrichment_max_cost_usd: number;
  /**
   * Of the month’s provider budget; null when unlimited.
   */
  provider_budget_remaining_usd: number | null;
  /**
   * Why no provider will be asked about any address, as far as the sample shows; null: some will be.
   */
  no_provider_reason: Unasked | null;
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
   * Addresses that a provider was asked about.
   */
  providers_asked: number;
  /**
   * Why not about the other addresses: `settled`, a finding or a rule ends it; `known`, your history says enough.
   */
  providers_not_asked: Partial<Record<Unasked, number>>;
  /**
   * What the addresses checked so far are; null before the first are.
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
     * What the policy decided of the addresses; null without a policy.
     */
    decision: Partial<Record<Decision, number>> | null;
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
export interface BulkJobList {
  /**
   * Newest first.
   */
  jobs: BulkJob[];
  /**
   * Where the next page begins: send it as `cursor`. Null on the last page.
   */
  cursor: string | null;
}
export interface BulkJobResponse {
  /**
   * The job.
   */
  job: BulkJob;
}
export interface BulkPreview {
  /**
   * The header’s cells as they stand in the file; null without a header.
   */
  columns: string[] | null;
  /**
   * The first rows, as far as they stand in the first 64 KB.
   */
  rows: {
    /**
     * As they stand in the file, without the quotes of CSV.
     */
    cells: string[];
    /**
     * Null: the job has not come to the row. All but `status` is null where it is not `ok`.
     */
    result: {
      /**
       * As `svc_status` of the results.
       */
      status: 'ok' | 'skipped' | 'error';
      /**
       * The probability in a word.
       */
      verdict: Verdict | null;
      /**
       * That a message sent now bounces for good.
       */
      bounce_probability: number | null;
      /**
       * The cheapest action at that probability.
       */
      recommendation: Recommendation | null;
      /**
       * The first reason; null without one.
       */
      reason: CheckReason | null;
      /**
       * What kind of address it is.
       */
      email_type: EmailType | null;
      /**
       * Of a job with a policy.
       */
      decision: string | null;
      /**
       * Of a job with a policy: the rule that decided; `default` when none matched.
       */
      rule_id: string | null;
      /**
       * The corrected address where the domain is a slip of a well-known one; else null.
       */
      did_you_mean: string | null;
      /**
       * Its trace: `vr_…`.
       */
      trace_id: string | null;
    } | null;
  }[];
}
export interface CalibrationReport {
  /**
   * The model in force, as `features.model_version` of traces names it; `seed-…`: the table.
   */
  version: string;
  /**
   * `prior`: the seeded table is in force; `fitted`: a model of the account’s own outcomes.
   */
  state: Calibration;
  /**
   * When the nightly run began; null before the first.
   */
  computed_at: number | null;
  /**
   * Usable ones: about the mailbox, one an address. A fit takes 200.
   */
  outcomes: number;
  /**
   * Of these. A fit takes 10.
   */
  hard_bounces: number;
  /**
   * How many more usable ones a fit takes; both 0: there are enough.
   */
  missing: {
    /**
     * Usable outcomes.
     */
    outcomes: number;
    /**
     * Hard bounces.
     */
    hard_bounces: number;
  };
  /**
   * Where outcomes came from, as the run found them.
   */
  sources: {
    /**
     * `api`: reports that name a trace; `import`; or the id of a connection.
     */
    source: string;
    /**
     * The connection’s service; null for the others, and once it is deleted.
     */
    kind: string | null;
    /**
     * All that are kept (400 days), usable or not.
     */
    outcomes: number;
    /**
     * Of these.
     */
    hard_bounces: number;
  }[];
  /**
   * How much of what may have been sent has a known outcome; null before the first run.
   */
  sends: {
    /**
     * The days counted, up to the run.
     */
    days: number;
    /**
     * Addresses verified or decided on that were not to be dropped; the newest 200,000 at most.
     */
    verified: number;
    /**
     * Of these, those whose outcome is known.
     */
    reported: number;
    /**
     * `reported` of `verified`; null without any.
     */
    share: number | null;
  } | null;
  /**
   * How far predictions were from what happened: mean of −ln(probability given to it). Less is better; 0.693 is a coin’s.
   */
  log_loss: {
    /**
     * Of the seeded table; null without outcomes.
     */
    prior: number | null;
    /**
     * Of the fit, on addresses it has not seen; null while there are too few outcomes.
     */
    fitted: number | null;
  };
  /**
   * `log_loss` as each run found it, oldest first: the last 90 nights that had outcomes.
   */
  log_loss_nights?:
    | {
        /**
         * When the run began.
         */
        computed_at: number;
        /**
         * Of the seeded table.
         */
        prior: number;
        /**
         * Of that night’s fit; null while there were too few outcomes.
         */
        fitted: number | null;
      }[]
    | undefined;
  /**
   * What the account’s history is worth to its predictions; null before the first run, and without such reports.
   */
  history?:
    | ({
        /**
         * Reports of bounces and deliveries that predictions are held against; of a sample of addresses where there are many.
         */
        outcomes: number;
        /**
         * Of the seeded table, by what it reads. The report that is predicted, and what the address showed later, take no part.
         */
        log_loss: {
          /**
           * Without any history: host, purpose, the address itself and answers of the same day.
           */
          without: number | null;
          /**
           * With the address’s own earlier answers and reports.
           */
          address: number | null;
          /**
           * With other addresses of its domain.
           */
          domain: number | null;
          /**
           * With other addresses of its list.
           */
          list: number | null;
          /**
           * With all three.
           */
          all: number | null;
        };
      } | null)
    | undefined;
  /**
   * What asking providers cost beside two simpler ways, of an address; null before the first run, and without such judgements.
   */
  routing?:
    | ({
        /**
         * The days counted, up to the run.
         */
        days: number;
        /**
         * Judgements that had a provider to ask; the newest 5,000 at most.
         */
        addresses: number;
        /**
         * What happened.
         */
        router: {
          /**
           * Paid to providers.
           */
          spend_usd: number;
          /**
           * Expected cost of mistakes, by the account’s own losses.
           */
          loss_usd: number;
        };
        /**
         * Had the best provider been asked also where the service decided at once.
         */
        always: {
          /**
           * Paid to providers.
           */
          spend_usd: number;
          /**
           * Expected cost of mistakes, by the account’s own losses.
           */
          loss_usd: number;
        };
        /**
         * Had no provider been asked.
         */
        never: {
          /**
           * Paid to providers.
           */
          spend_usd: number;
          /**
           * Expected cost of mistakes, by the account’s own losses.
           */
          loss_usd: number;
        };
      } | null)
    | undefined;
  /**
   * Progressive validation: answers as they were given, made again from their traces, held against outcomes that came later. Null before the first run, and without such outcomes.
   */
  progressive?:
    | ({
        /**
         * Answers of the last 90 days whose outcome came after them; the newest 2,000 at most.
         */
        outcomes: number;
        /**
         * By what of the time each prediction reads.
         */
        log_loss: {
          /**
           * Without any history: host, purpose, the address itself, and what vendors said to the request.
           */
          without: number | null;
          /**
           * With what was known of the address itself: answers, reports, proofs of life.
           */
          address: number | null;
          /**
           * With what was known of its domain and its list, and the shared flag.
           */
          neighbours: number | null;
          /**
           * With both: as it was answered.
           */
          all: number | null;
        };
      } | null)
    | undefined;
  /**
   * The model in force against the outcomes, by rising prediction. Ranges without outcomes are left out.
   */
  bins: {
    /**
     * Mean bounce probability of these addresses.
     */
    predicted: number;
    /**
     * Share of them that hard-bounced.
     */
    observed: number;
    /**
     * 90 % credible interval of the rate behind `observed`.
     *
     * @minItems 2
     * @maxItems 2
     *
     * Items: From 0 to 1.
     */
    ci: [number, number];
    /**
     * Outcomes in the bin.
     */
    count: number;
  }[];
}
export interface ChangeBulkJob {
  /**
   * For people; no e-mail address.
   */
  name?: (string | null) | undefined;
  /**
   * The policy that decides each row.
   */
  policy_slug?: (string | null) | undefined;
  /**
   * Whether the first row is a header. Left out: the content tells.
   */
  has_header?: boolean | undefined;
  /**
   * Null: it is found by its content again.
   */
  email_column?: ((string | number) | null) | undefined;
}
export interface ChangeMember {
  /**
   * `viewer` reads and makes free checks; `member` also judges, reports and runs files; `admin` may do all.
   */
  role: Role;
}
export interface ChangeOwnConnection {
  /**
   * The new secret; the one before stays good until the next change.
   */
  secret: string;
}
export interface ChangeOwnKey {
  /**
   * A name for people, up to 200 characters.
   */
  name?: string | undefined;
  /**
   * Epoch seconds, in the future; null: it does not expire.
   */
  expires_at?: (number | null) | undefined;
}
export interface ChangeOwnOrganisation {
  /**
   * A name for people, up to 200 characters.
   */
  name?: string | undefined;
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
   * The first of `reasons`; null where `reasons` is empty.
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
export interface Company {
  /**
   * As the vendor spells it; null: not known.
   */
  name: string | null;
  /**
   * The company’s own domain; null: not known.
   */
  domain: string | null;
  /**
   * As the vendor spells it; null: not known.
   */
  industry: string | null;
  /**
   * How many people it employs; null: not known.
   */
  employees_range: EmployeesRange | null;
  /**
   * ISO 3166-1 alpha-2; null: not known.
   */
  country: string | null;
}
export interface Comparison {
  /**
   * `verification.*`, `screening.*`, `company.*`, `person.*`, `icp.fit`, `attributes.*`, `context.*`.
   */
  path: string;
  /**
   * Text is compared without regard to case. A missing value makes all but `ne`, `not_in` and `exists` false.
   */
  op: Op;
  /**
   * A list for `in` and `not_in`, a boolean for `exists`.
   */
  value: Scalar | Scalar[];
}
export interface CreateBulkJob {
  /**
   * For people; no e-mail address.
   */
  name?: string | undefined;
  /**
   * What the addresses are for; `list_hygiene` when left out.
   */
  purpose?: Purpose | undefined;
  /**
   * The policy that decides each row.
   */
  policy_slug?: string | undefined;
  /**
   * Whether the first row is a header. Left out: the content tells.
   */
  has_header?: boolean | undefined;
  /**
   * The column with the addresses: the text of its header, or its number from 0. Left out: it is found.
   */
  email_column?: (string | number) | undefined;
}
export interface CreateInvitation {
  /**
   * The address to verify, up to 320 characters.
   */
  email: string;
  /**
   * `viewer` reads and makes free checks; `member` also judges, reports and runs files; `admin` may do all.
   */
  role: Role;
}
export interface CreateOwnConnection {
  /**
   * The service that reports.
   */
  kind: ConnectionKind;
  /**
   * What the service shows or is given: `whsec_…` of Stripe and Resend, SendGrid’s verification key, Mailgun’s signing key, `user:password` for Postmark, the topic’s ARN for SES. Kept encrypted, never shown.
   */
  secret: string;
}
export interface CreateOwnKey {
  /**
   * A name for people, up to 200 characters.
   */
  name: string;
  /**
   * `viewer` reads and makes free checks; `member` also judges, reports and runs files; `admin` may do all.
   */
  role: Role;
  /**
   * `test`: for trying things out; nothing is metered, paid or learnt from.
   */
  mode?: ('live' | 'test') | undefined;
  /**
   * Epoch seconds, in the future; null: it does not expire.
   */
  expires_at?: (number | null) | undefined;
}
export interface DecideRequest {
  /**
   * The address to verify, up to 320 characters.
   */
  email: string;
  /**
   * Up to 200 characters. Read by screening, and to tell a family’s own domain from a slip. Never stored.
   */
  name?: string | undefined;
  /**
   * What the address is for, and what its verification may take.
   */
  context?: VerificationContext | undefined;
  /**
   * Which policy decides; `default` when left out.
   */
  policy_slug?: string | undefined;
  /**
   * Facts the policy reads.
   */
  attributes?:
    | {
        [k: string]: string | number | boolean;
      }
    | undefined;
  /**
   * Adds `explanation`.
   */
  explain?: boolean | undefined;
}
export interface DecisionResult {
  /**
   * What to do with the signup: `allow`; `allow_with_flow`, let it in by a way that the rule names; `review`, have somebody look; `challenge`, have the person confirm the address; `deny`.
   */
  decision: Decision;
  /**
   * The rule that decided; `default` when none matched.
   */
  rule_id: string;
  /**
   * The rule’s description.
   */
  reason: string | null;
  /**
   * With `allow_with_flow` only: the rule’s own name for what comes next.
   */
  flow: string | null;
  /**
   * What decided.
   */
  policy: {
    /**
     * The policy’s name.
     */
    slug: string;
    /**
     * Its version in force.
     */
    version: number;
  };
  /**
   * The first experiment met; null: none was.
   */
  experiment: ExperimentArm | null;
  /**
   * The verification, as `/v1/verify` answers.
   */
  verification: Verification;
  /**
   * Present when a rule needed it.
   */
  screening?: ScreeningLabels | undefined;
  /**
   * What enrichment found; null: no rule needed it, or nothing was found.
   */
  company: Company | null;
  /**
   * Likewise.
   */
  person: Person | null;
  /**
   * How near it comes to your ideal customer.
   */
  icp: {
    /**
     * How near an address comes to the ideal customer; `unknown`: no profile, or nothing is known of it.
     */
    fit: IcpFit;
  };
  /**
   * How the questions about company and person went.
   */
  enrichment: {
    /**
     * Whether a vendor was asked for this request.
     */
    asked: boolean;
    /**
     * What enrichment cost, in US dollars.
     */
    cost_usd: number;
    /**
     * A value a rule reads is missing because a vendor failed.
     */
    degraded: boolean;
    /**
     * Present when a value a rule reads is missing because a vendor could not be asked within `max_cost_usd`, `max_latency_ms` or what the month’s enrichment budget has left.
     */
    limited_by?: EnrichmentLimit[] | undefined;
  };
  /**
   * With `explain`: the rules in their order, up to the one that decided.
   */
  explanation?: Explanation | undefined;
  /**
   * What verification, screening and enrichment cost, in US dollars.
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
   * Who reads the mailbox: `human_mailbox`, a person; `agent_mailbox`, software; `relay_alias`, a person behind a forwarding alias; `role_account`, the people of a function (`sales@`); `shared`, a group or a household; `unknown`: nothing shows it.
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
   * The first of `reasons`; null where `reasons` is empty.
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
   * Your rule on it or on a parent; null where you have none.
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
export interface Done {
  /**
   * It is done.
   */
  done: true;
}
export interface ErasureReceipt {
  /**
   * `pending`: rows in Postgres follow, without another call.
   */
  status: 'done' | 'pending';
  /**
   * Epoch seconds.
   */
  at: number;
  /**
   * Imports and webhooks bring nothing of it any more.
   */
  suppressed: boolean;
  /**
   * What stays on purpose: the account’s own member with the address until they leave, or an invitation until it ends.
   */
  kept: ('member' | 'invitation')[];
  /**
   * What was cut off, store by store.
   */
  stores: {
    /**
     * Where data of the address stood.
     */
    store: 'object' | 'postgres' | 'caches' | 'bulk_files' | 'restore_points';
    /**
     * Rows of each kind that this call has cut off.
     */
    removed: {
      [k: string]: number;
    };
    /**
     * From when on it holds nothing of the address as it is now; null: once Postgres has all rows, without another call.
     */
    free_by: number | null;
  }[];
}
export interface EventInput {
  /**
   * The decision or verification that let the person in.
   */
  trace_id: string;
  /**
   * What happened: one of the service’s names, or `custom:` with one of yours.
   */
  event: string;
  /**
   * Epoch seconds; not more than a day ahead.
   */
  at: number;
  /**
   * Facts to keep with it; no e-mail address.
   */
  properties?:
    | {
        [k: string]: string | number | boolean;
      }
    | undefined;
}
export interface EventsReceipt {
  /**
   * How many were taken.
   */
  accepted: number;
  /**
   * Their ids, `ev_…`, in the order of the request.
   */
  ids: string[];
}
export interface Experiment {
  /**
   * Its name in this policy.
   */
  id: string;
  /**
   * Per cent of the matching addresses that get the decision.
   */
  weight: number;
  /**
   * Exposures each arm needs before its rates are shown.
   */
  min_sample: number;
  /**
   * Event names that must not get worse.
   */
  guardrails?: string[] | undefined;
}
export interface Experiments {
  /**
   * The policy’s experiments.
   */
  experiments: {
    /**
     * As the policy names it.
     */
    id: string;
    /**
     * The rule that it applies.
     */
    rule_id: string;
    /**
     * Per cent of the matching addresses that get the rule’s decision.
     */
    weight: number;
    /**
     * Exposures each arm needs before its rates are shown.
     */
    min_sample: number;
    /**
     * Both arms have as many.
     */
    ready: boolean;
    /**
     * Both arms by the metric.
     */
    arms: {
      /**
       * `treatment`: the rule applied; `control`: the rules behind it did.
       */
      arm: 'treatment' | 'control';
      /**
       * Addresses verified or decided on, each once.
       */
      exposures: number;
      /**
       * Exposures with at least one event after them.
       */
      events: number;
      /**
       * How often the event follows; null until each arm has `min_sample` exposures.
       */
      rate: number | null;
      /**
       * 90 % credible interval, equal tails.
       *
       * @minItems 2
       * @maxItems 2
       */
      ci: [number, number] | null;
    }[];
    /**
     * That treatment does better by the metric.
     */
    probability_better: number | null;
    /**
     * Both arms by each event that the experiment guards.
     */
    guardrails: {
      /**
       * The event that must not get worse.
       */
      event: string;
      /**
       * Both arms by this event.
       */
      arms: {
        /**
         * `treatment`: the rule applied; `control`: the rules behind it did.
         */
        arm: 'treatment' | 'control';
        /**
         * Addresses verified or decided on, each once.
         */
        exposures: number;
        /**
         * Exposures with at least one event after them.
         */
        events: number;
        /**
         * How often the event follows; null until each arm has `min_sample` exposures.
         */
        rate: number | null;
        /**
         * 90 % credible interval, equal tails.
         *
         * @minItems 2
         * @maxItems 2
         */
        ci: [number, number] | null;
      }[];
    }[];
  }[];
  /**
   * When the nightly run began; null before the first.
   */
  computed_at: number | null;
}
export interface ExportAddress {
  /**
   * The person’s address. It stands in the body alone, never in a URL or a log.
   */
  email: string;
}
export interface ForgetAddress {
  /**
   * The person’s address. It stands in the body alone, never in a URL or a log.
   */
  email: string;
  /**
   * True: imports, mail services and the payment processor bring nothing of it any more; its hash is kept for that. False: they may again. Left out: as it was.
   */
  suppress?: boolean | undefined;
}
export interface Health {
  /**
   * `misconfigured`: a setting that the service needs is wrong or missing; what needs it answers 503.
   */
  status: 'ok' | 'misconfigured';
  /**
   * The release that answers.
   */
  version: string;
}
export interface IcpProfile {
  /**
   * Industries as vendors spell them.
   */
  industries: string[];
  /**
   * How many people the company employs.
   */
  employees_ranges: EmployeesRange[];
  /**
   * ISO 3166-1 alpha-2.
   */
  countries: string[];
  /**
   * Ranks of the person.
   */
  seniorities: Seniority[];
}
export interface Identity {
  /**
   * The account: `acct_…`.
   */
  account_id: string;
  /**
   * The organisation of the key.
   */
  org: {
    /**
     * `org_…`.
     */
    id: string;
    /**
     * Its name.
     */
    name: string;
  };
  /**
   * The key that asks.
   */
  key: {
    /**
     * `key_…`.
     */
    id: string;
    /**
     * `viewer` reads and makes free checks; `member` also judges, reports and runs files; `admin` may do all.
     */
    role: Role;
    /**
     * `auto`: a person’s own key for the dashboard; `manual`: made by a person; `service`: made for a program.
     */
    origin: KeyOrigin;
  };
  /**
   * Whether the key may use the operator API.
   */
  operator: boolean;
  /**
   * Deprecated: the user who created the key.
   */
  owner_user_id: string | null;
}
export interface ImportReceipt {
  /**
   * Rows that are new.
   */
  accepted: number;
  /**
   * Rows whose address, outcome and time were reported before, here or in this request.
   */
  duplicates: number;
  /**
   * Rows that were left out; the others are kept.
   */
  rejected: {
    /**
     * Its place in the request, from 0.
     */
    index: number;
    /**
     * `suppressed`: the account has had the address forgotten, and keeps it out.
     */
    reason: 'not_an_address' | 'too_old' | 'in_the_future' | 'suppressed';
  }[];
}
export interface ImportRequest {
  /**
   * Up to 1,000 rows.
   */
  outcomes: {
    /**
     * The address that the message was sent to.
     */
    email: string;
    /**
     * What became of the message.
     */
    outcome: 'delivered' | 'hard_bounce' | 'soft_bounce' | 'complaint';
    /**
     * Epoch seconds: when it happened, up to 400 days back.
     */
    at: number;
    /**
     * As in `POST /v1/outcome`.
     */
    smtp_code?: string | undefined;
  }[];
}
export interface InvitationList {
  /**
   * The open ones, newest first.
   */
  invitations: {
    /**
     * Names the invitation in paths.
     */
    id: string;
    /**
     * Who is invited.
     */
    email: string;
    /**
     * `viewer` reads and makes free checks; `member` also judges, reports and runs files; `admin` may do all.
     */
    role: Role;
    /**
     * Epoch seconds.
     */
    created_at: number;
    /**
     * A person (`u_…`), a key that belongs to none (`key_…`), or `operator`: who runs the service.
     */
    created_by: string;
    /**
     * Epoch seconds.
     */
    expires_at: number;
  }[];
}
export interface InvitationResponse {
  /**
   * The invitation.
   */
  invitation: {
    /**
     * Names the invitation in paths.
     */
    id: string;
    /**
     * Who is invited.
     */
    email: string;
    /**
     * `viewer` reads and makes free checks; `member` also judges, reports and runs files; `admin` may do all.
     */
    role: Role;
    /**
     * Epoch seconds.
     */
    created_at: number;
    /**
     * A person (`u_…`), a key that belongs to none (`key_…`), or `operator`: who runs the service.
     */
    created_by: string;
    /**
     * Epoch seconds.
     */
    expires_at: number;
  };
}
export interface LossSimulation {
  /**
   * As in the request.
   */
  window_days: number;
  /**
   * False: the window has more traces than were looked at in the time there is, the newest first.
   */
  complete: boolean;
  /**
   * Traces looked at: those of `counts` and the `undetermined` ones.
   */
  traces: number;
  /**
   * What would be recommended.
   */
  counts: Partial<Record<Recommendation, number>>;
  /**
   * The trace’s detail is gone: it is kept 90 days.
   */
  undetermined: number;
  /**
   * The most frequent pair first.
   */
  changed: {
    /**
     * What was recommended.
     */
    from: Recommendation;
    /**
     * What would be.
     */
    to: Recommendation;
    /**
     * Of how many traces.
     */
    count: number;
  }[];
  /**
   * Traces whose recommendation changes.
   */
  sample_trace_ids: string[];
}
export interface LossesResponse {
  /**
   * Your losses.
   */
  losses: AccountLosses;
}
export interface MemberList {
  /**
   * Oldest first.
   */
  members: {
    /**
     * The person: `u_…`.
     */
    id: string;
    /**
     * The person’s own address.
     */
    email: string;
    /**
     * The person’s name; null: not given.
     */
    name: string | null;
    /**
     * `viewer` reads and makes free checks; `member` also judges, reports and runs files; `admin` may do all.
     */
    role: Role;
    /**
     * Epoch seconds.
     */
    created_at: number;
    /**
     * Who added the person.
     */
    created_by: string;
  }[];
}
export interface MemberResponse {
  /**
   * The member.
   */
  member: {
    /**
     * The person: `u_…`.
     */
    id: string;
    /**
     * The person’s own address.
     */
    email: string;
    /**
     * The person’s name; null: not given.
     */
    name: string | null;
    /**
     * `viewer` reads and makes free checks; `member` also judges, reports and runs files; `admin` may do all.
     */
    role: Role;
    /**
     * Epoch seconds.
     */
    created_at: number;
    /**
     * Who added the person.
     */
    created_by: string;
  };
}
export interface Organisation {
  /**
   * Names it in paths: `org_…`.
   */
  id: string;
  /**
   * The account: `acct_…`.
   */
  account_id: string;
  /**
   * For people.
   */
  name: string;
  /**
   * Verifications a month; 0 or less: unmetered.
   */
  verification_quota: number;
  /**
   * Screenings a month; 0 or less: unmetered.
   */
  screening_allowance: number;
  /**
   * What enrichment may cost a month, in US dollars; 0: nothing.
   */
  enrichment_budget_usd: number;
  /**
   * What providers may bill a month, in US dollars; null: unlimited. Once it is spent, no provider is asked: answers are local.
   */
  provider_budget_usd: number | null;
  /**
   * Requests a minute.
   */
  rate_per_minute: number;
  /**
   * Epoch seconds.
   */
  created_at: number;
}
export interface OutcomeReceipt {
  /**
   * Names the report: `oc_…`.
   */
  id: string;
  /**
   * The verification reported on.
   */
  trace_id: string;
  /**
   * What became of the message: `hard_bounce`, it failed for good; `soft_bounce`, for now; `complaint`, the person called it spam.
   */
  outcome: Outcome;
  /**
   * Whether the key may read such a trace of the account; null: it could not be asked at once.
   */
  matched: boolean | null;
  /**
   * The codes found in `smtp_code`; null where none was found.
   */
  smtp: SmtpCodes | null;
}
export interface OutcomeRequest {
  /**
   * The verification reported on; a well-formed id that is not known is accepted.
   */
  trace_id: string;
  /**
   * What became of the message: `hard_bounce`, it failed for good; `soft_bounce`, for now; `complaint`, the person called it spam.
   */
  outcome: Outcome;
  /**
   * A code as text (`"550"`), or a whole bounce message: only its basic and its enhanced code are kept.
   */
  smtp_code?: string | undefined;
}
export interface OwnConnectionList {
  /**
   * Newest first.
   */
  connections: {
    /**
     * Names the connection in paths.
     */
    id: string;
    /**
     * The service that reports.
     */
    kind: ConnectionKind;
    /**
     * Where the service sends its webhooks; the path alone where `PUBLIC_URL` is not set.
     */
    url: string;
    /**
     * Epoch seconds.
     */
    created_at: number;
    /**
     * When the newest event of the last 30 days came; null: none came.
     */
    last_event_at: number | null;
    /**
     * Events of the last 30 days by what they mean (`delivered`, `hard_bounce`, `subscribed` …). One that is sent again counts once.
     */
    events: {
      [k: string]: number;
    };
    /**
     * Webhooks with a bad or missing signature since the connection was made, counted a minute late.
     */
    refused: number;
  }[];
}
export interface OwnConnectionResponse {
  /**
   * The connection.
   */
  connection: {
    /**
     * Names the connection in paths.
     */
    id: string;
    /**
     * The service that reports.
     */
    kind: ConnectionKind;
    /**
     * Where the service sends its webhooks; the path alone where `PUBLIC_URL` is not set.
     */
    url: string;
  };
}
export interface OwnKey {
  /**
   * Names the key in paths: `key_…`.
   */
  id: string;
  /**
   * For people.
   */
  name: string;
  /**
   * `viewer` reads and makes free checks; `member` also judges, reports and runs files; `admin` may do all.
   */
  role: Role;
  /**
   * `auto`: a person’s own key for the dashboard; `manual`: made by a person; `service`: made for a program.
   */
  origin: KeyOrigin;
  /**
   * `test`: for trying things out; nothing is metered, paid or learnt from.
   */
  mode: 'live' | 'test';
  /**
   * The last characters of the secret; empty for a person’s dashboard key, which has none.
   */
  last4: string;
  /**
   * Whose key it is: it ends with the person’s membership.
   */
  owner_user_id: string | null;
  /**
   * Epoch seconds.
   */
  created_at: number;
  /**
   * Who made it.
   */
  created_by: string;
  /**
   * The hour of the last request that was let in; null: none was.
   */
  last_used_at: number | null;
  /**
   * Refused from then on; null: it does not expire.
   */
  expires_at: number | null;
  /**
   * The secret before the last rotation, while it is still good.
   */
  previous_secret: {
    /**
     * Its last characters.
     */
    last4: string;
    /**
     * Epoch seconds.
     */
    valid_until: number;
    /**
     * The hour of the last request with it since the rotation; null: none was.
     */
    last_used_at: number | null;
  } | null;
  /**
   * Epoch seconds.
   */
  revoked_at: number | null;
}
export interface OwnKeyList {
  /**
   * Newest first.
   */
  keys: OwnKey[];
  /**
   * Where the next page begins: send it as `cursor`. Null on the last page.
   */
  cursor: string | null;
}
export interface OwnKeyResponse {
  /**
   * The key, without its secret.
   */
  key: OwnKey;
}
export interface OwnKeySecret {
  /**
   * The key, with its secret.
   */
  key: {
    /**
     * Names the key in paths: `key_…`.
     */
    id: string;
    /**
     * For people.
     */
    name: string;
    /**
     * `viewer` reads and makes free checks; `member` also judges, reports and runs files; `admin` may do all.
     */
    role: Role;
    /**
     * `auto`: a person’s own key for the dashboard; `manual`: made by a person; `service`: made for a program.
     */
    origin: KeyOrigin;
    /**
     * `test`: for trying things out; nothing is metered, paid or learnt from.
     */
    mode: 'live' | 'test';
    /**
     * The last characters of the secret; empty for a person’s dashboard key, which has none.
     */
    last4: string;
    /**
     * Whose key it is: it ends with the person’s membership.
     */
    owner_user_id: string | null;
    /**
     * Epoch seconds.
     */
    created_at: number;
    /**
     * Who made it.
     */
    created_by: string;
    /**
     * The hour of the last request that was let in; null: none was.
     */
    last_used_at: number | null;
    /**
     * Refused from then on; null: it does not expire.
     */
    expires_at: number | null;
    /**
     * The secret before the last rotation, while it is still good.
     */
    previous_secret: {
      /**
       * Its last characters.
       */
      last4: string;
      /**
       * Epoch seconds.
       */
      valid_until: number;
      /**
       * The hour of the last request with it since the rotation; null: none was.
       */
      last_used_at: number | null;
    } | null;
    /**
     * Epoch seconds.
     */
    revoked_at: number | null;
    /**
     * The key itself. Only this answer shows it.
     */
    secret: string;
  };
}
export interface OwnOrganisationResponse {
  /**
   * Your organisation.
   */
  organisation: Organisation;
}
export interface PasteBulkJob {
  /**
   * Each becomes a row of a file with one column.
   */
  emails: string[];
}
export interface Policy {
  /**
   * Its name in paths and requests.
   */
  slug: string;
  /**
   * Counts its saves, from 1.
   */
  version: number;
  /**
   * For people, up to 200 characters.
   */
  name: string;
  /**
   * In order: the first that matches decides. Up to 200.
   */
  rules: PolicyRule[];
  /**
   * What is decided when no rule matches; any but `allow_with_flow`.
   */
  default: Decision;
  /**
   * Your ideal customer, which `icp.fit` compares with; null: none.
   */
  icp: IcpProfile | null;
  /**
   * Epoch seconds.
   */
  created_at: number;
  /**
   * Who saved this version: a user or a key; null: the service.
   */
  created_by: string | null;
}
export interface PolicyRule {
  /**
   * Its name in this policy; `rule_id` of the decisions it makes.
   */
  id: string;
  /**
   * The `reason` of a decision this rule makes.
   */
  description?: string | undefined;
  /**
   * What has to hold: one comparison, or several joined.
   */
  when: PolicyCondition;
  /**
   * What it decides then.
   */
  decision: Decision;
  /**
   * With `allow_with_flow` only, and needed there.
   */
  flow?: string | undefined;
  /**
   * Applies the rule to a part of the matching addresses, to compare.
   */
  experiment?: Experiment | undefined;
}
export interface PolicyDocument {
  /**
   * For people, up to 200 characters.
   */
  name: string;
  /**
   * In order: the first that matches decides. Up to 200.
   */
  rules: PolicyRule[];
  /**
   * What is decided when no rule matches; any but `allow_with_flow`.
   */
  default: Decision;
  /**
   * Your ideal customer, which `icp.fit` compares with; null: none.
   */
  icp?: (IcpProfile | null) | undefined;
}
export interface PolicyList {
  /**
   * Each in its newest version.
   */
  policies: Policy[];
  /**
   * Where the next page begins: send it as `cursor`. Null on the last page.
   */
  cursor: string | null;
}
export interface PolicyResponse {
  /**
   * The policy.
   */
  policy: Policy;
}
export interface PutAlerts {
  /**
   * Those that change.
   */
  alerts?:
    | {
        /**
         * The allowance: calls a month, or dollars that enrichment or providers may bill.
         */
        of: 'verifications' | 'screenings' | 'enrichment' | 'providers';
        /**
         * Percent of it that is used.
         */
        share: 80 | 100;
        /**
         * Whether a mail goes out.
         */
        enabled: boolean;
      }[]
    | undefined;
  /**
   * Members (`u_…`) who get the mails in place of every admin; null: every admin. Once all of them have left, every admin.
   */
  recipients?: (string[] | null) | undefined;
}
/**
 * A purpose that is left out has the service’s own losses.
 */
export interface PutLossesRequest {
  /**
   * Where you are about to write to the address.
   */
  outbound?: Losses | undefined;
  /**
   * Where somebody signs up.
   */
  signup?: Losses | undefined;
  /**
   * Where a list is cleaned.
   */
  list_hygiene?: Losses | undefined;
}
export interface PutRetention {
  /**
   * Traces, screenings, and how segments count them.
   */
  traces?: (number | null) | undefined;
  /**
   * Outcomes and reports of mail services and imports.
   */
  outcomes?: (number | null) | undefined;
  /**
   * Events, and which customer of a payment processor an address belongs to.
   */
  events?: (number | null) | undefined;
  /**
   * What is known of an address of which nothing new was learnt.
   */
  history?: (number | null) | undefined;
  /**
   * What replays a trace.
   */
  details?: (number | null) | undefined;
}
export interface Recommendations {
  /**
   * As in the request.
   */
  metric: string;
  /**
   * As in the request.
   */
  window_days: number;
  /**
   * When the nightly run began; null before the first.
   */
  computed_at: number | null;
  /**
   * First the one that explains the most missing events.
   */
  recommendations: {
    /**
     * The same for the same segment and metric.
     */
    id: string;
    /**
     * What to do with such signups.
     */
    proposed_action: 'review';
    /**
     * Stricter ones.
     */
    proposed_action_alternatives: Decision[];
    /**
     * Ready to stand in a policy.
     */
    rule: PolicyRule;
    /**
     * What speaks for it.
     */
    evidence: {
      /**
       * Dimension to value; one or two.
       */
      segment: {
        [k: string]: string | number | boolean;
      };
      /**
       * Posterior mean of how often the event follows.
       */
      rate: number;
      /**
       * The same rate of the whole account.
       */
      baseline: number;
      /**
       * That the rate is below the baseline, corrected for the segments looked at.
       */
      probability: number;
      /**
       * Addresses verified or decided on, each once.
       */
      exposures: number;
      /**
       * Exposures with at least one event after them.
       */
      events: number;
    };
    /**
     * How many reviews it would have made, in words.
     */
    cost_note: string;
    /**
     * How to try the rule on a part first.
     */
    try_as_experiment: {
      /**
       * Per cent of the matching addresses that get the decision.
       */
      weight: number;
      /**
       * Exposures each arm needs before its rates are shown.
       */
      min_sample: number;
    };
    /**
     * The finding in a sentence, for people.
     */
    says: string;
  }[];
}
export interface RetentionResponse {
  /**
   * Days. Older records are deleted by the next nightly run.
   */
  retention: {
    /**
     * Traces, screenings, and how segments count them.
     */
    traces: number;
    /**
     * Outcomes and reports of mail services and imports.
     */
    outcomes: number;
    /**
     * Events, and which customer of a payment processor an address belongs to.
     */
    events: number;
    /**
     * What is known of an address of which nothing new was learnt.
     */
    history: number;
    /**
     * What replays a trace.
     */
    details: number;
  };
}
export interface RotateOwnKey {
  /**
   * How long the secret until now stays good, up to 30 days; by default a day.
   */
  overlap_s?: number | undefined;
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
export interface RulesBlocked {
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
   * Addresses of the segment that a rule on their domain refused already when they were checked.
   */
  domain_blocked: number;
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
export interface ScreeningList {
  /**
   * Newest first.
   */
  screenings: ScreeningRow[];
  /**
   * Where the next page begins: send it as `cursor`. Null on the last page.
   */
  cursor: string | null;
}
export interface ScreeningResponse {
  /**
   * The screening.
   */
  screening: ScreeningRow;
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
export interface Segments {
  /**
   * As in the request.
   */
  window_days: number;
  /**
   * As in the request.
   */
  metric: string;
  /**
   * How the window’s events were tied to traces.
   */
  join: {
    /**
     * Events received in the window that name a trace of the account.
     */
    exact: number;
    /**
     * Events of a payment processor, by its own time, tied by address: one verified by the end of the day they came.
     */
    by_email: number;
    /**
     * Events of either kind that belong to no trace.
     */
    unmatched: number;
  };
  /**
   * Segments with enough exposures for a rate.
   */
  segments: {
    /**
     * Dimension to value; one or two.
     */
    key: {
      [k: string]: string | number | boolean;
    };
    /**
     * Addresses verified or decided on, each once.
     */
    exposures: number;
    /**
     * Exposures with at least one event after them.
     */
    events: number;
    /**
     * Posterior mean of how often the event follows.
     */
    rate: number;
    /**
     * 90 % credible interval, equal tails.
     *
     * @minItems 2
     * @maxItems 2
     *
     * Items: From 0 to 1.
     */
    ci: [number, number];
  }[];
  /**
   * Fewer than 30 exposures: no rate.
   */
  too_few: {
    /**
     * Dimension to value; one or two.
     */
    key: {
      [k: string]: string | number | boolean;
    };
    /**
     * Addresses verified or decided on, each once.
     */
    exposures: number;
  }[];
  /**
   * When the nightly run began; null before the first.
   */
  computed_at: number | null;
}
export interface SimulateLossesRequest {
  /**
   * As `PUT` takes them; left out, the service’s own.
   */
  losses?: PutLossesRequest | undefined;
  /**
   * How many days back traces are looked at.
   */
  window_days?: number | undefined;
}
export interface SimulateRequest {
  /**
   * A `PolicyDocument`.
   */
  policy: {
    [k: string]: unknown;
  };
  /**
   * How many days back traces are looked at.
   */
  window_days?: number | undefined;
}
export interface Simulation {
  /**
   * As in the request.
   */
  window_days: number;
  /**
   * False: the window has more traces than were looked at in the time there is, the newest first.
   */
  complete: boolean;
  /**
   * Traces looked at: those of `counts` and the `undetermined` ones.
   */
  traces: number;
  /**
   * What the draft decides.
   */
  counts: Partial<Record<Decision, number>>;
  /**
   * The draft’s decision depends on a value that is not stored.
   */
  undetermined: number;
  /**
   * Of decisions made by this policy, the most frequent pair first.
   */
  changed: {
    /**
     * What was decided.
     */
    from: Decision;
    /**
     * What the draft decides.
     */
    to: Decision;
    /**
     * Of how many traces.
     */
    count: number;
  }[];
  /**
   * Traces whose decision changes.
   */
  sample_trace_ids: string[];
  /**
   * What the draft decides, by kind of call.
   */
  by_kind: {
    /**
     * The kind of call.
     */
    kind: 'verify' | 'decide' | 'bulk';
    /**
     * How many traces get each decision.
     */
    counts: Partial<Record<Decision, number>>;
    /**
     * Of these traces, those that this policy decided: only they can change.
     */
    decided: number;
    /**
     * Of these, the most frequent pair first.
     */
    changed: {
      /**
       * What was decided.
       */
      from: Decision;
      /**
       * What the draft decides.
       */
      to: Decision;
      /**
       * Of how many traces.
       */
      count: number;
    }[];
  }[];
  /**
   * Which rule decides, the most frequent first.
   */
  by_rule: {
    /**
     * `default`: no rule matched.
     */
    rule_id: string;
    /**
     * How many traces it decides.
     */
    count: number;
    /**
     * Some of them.
     */
    sample_trace_ids: string[];
  }[];
  /**
   * Oldest first; without days that have no trace.
   */
  by_day: {
    /**
     * Where the UTC day begins.
     */
    at: number;
    /**
     * How many traces get each decision.
     */
    counts: Partial<Record<Decision, number>>;
  }[];
  /**
   * What those that the draft denies went on to do, by the events that name them.
   */
  denied: {
    /**
     * Of traces that the draft denies, the newest, up to 500.
     */
    traces: number;
    /**
     * How many of them have an event.
     */
    with_events: number;
    /**
     * How many of them have each event.
     */
    events: {
      [k: string]: number;
    };
  };
}
export interface StartBulkJob {
  /**
   * Begins although the quota does not reach: the job pauses (`paused_quota`) where it ends.
   */
  allow_partial?: boolean | undefined;
  /**
   * One mail, when done, to the user whose key created the job.
   */
  notify?: boolean | undefined;
}
export interface SubprocessorResponse {
  /**
   * As it is now.
   */
  subprocessor: {
    /**
     * Names it in paths.
     */
    id: string;
    /**
     * What it does for the service.
     */
    kind: 'verification' | 'enrichment' | 'model' | 'mail' | 'dns' | 'database' | 'platform';
    /**
     * The company.
     */
    name: string;
    /**
     * What it is sent.
     */
    sent: string[];
    /**
     * The address itself is sent.
     */
    gets_address: boolean;
    /**
     * Where requests go; null: it has no host of its own.
     */
    host: string | null;
    /**
     * How long it keeps what it is sent, as its own page said that day; null: the operator runs it.
     */
    retention: {
      /**
       * In short.
       */
      says: string;
      /**
       * Its page; null: none was found that says it.
       */
      source: string | null;
      /**
       * The day it was read, `2026-11-23`.
       */
      read_on: string;
    } | null;
    /**
     * The account can do without it.
     */
    switchable: boolean;
    /**
     * Whether this account’s requests reach it.
     */
    enabled: boolean;
  };
}
export interface Subprocessors {
  /**
   * Every company that may get data.
   */
  subprocessors: {
    /**
     * Names it in paths.
     */
    id: string;
    /**
     * What it does for the service.
     */
    kind: 'verification' | 'enrichment' | 'model' | 'mail' | 'dns' | 'database' | 'platform';
    /**
     * The company.
     */
    name: string;
    /**
     * What it is sent.
     */
    sent: string[];
    /**
     * The address itself is sent.
     */
    gets_address: boolean;
    /**
     * Where requests go; null: it has no host of its own.
     */
    host: string | null;
    /**
     * How long it keeps what it is sent, as its own page said that day; null: the operator runs it.
     */
    retention: {
      /**
       * In short.
       */
      says: string;
      /**
       * Its page; null: none was found that says it.
       */
      source: string | null;
      /**
       * The day it was read, `2026-11-23`.
       */
      read_on: string;
    } | null;
    /**
     * The account can do without it.
     */
    switchable: boolean;
    /**
     * Whether this account’s requests reach it.
     */
    enabled: boolean;
  }[];
}
export interface SwitchSubprocessor {
  /**
   * Whether requests of yours may reach it.
   */
  enabled: boolean;
}
export interface TraceList {
  /**
   * Newest first.
   */
  traces: (
    | {
        /**
         * `vr_…`, or `dc_…` of a decision.
         */
        trace_id: string;
        /**
         * Of a decision: the verification inside it, `vr_…`, which outcomes are reported on. Else null.
         */
        verification_trace_id: string | null;
        /**
         * Which call made it: a verification, a decision, or a row of a file.
         */
        kind: 'verify' | 'decide' | 'bulk';
        /**
         * Epoch seconds.
         */
        created_at: number;
        /**
         * First character, `•••`, `@`, domain; all in lower case, the domain as A-labels.
         */
        display: string;
        /**
         * Of the address: lower case, A-labels.
         */
        domain: string;
        /**
         * A word for the bounce probability: below 0.02 `valid`, below 0.10 `likely_valid`, below 0.50 `risky`, below 0.90 `likely_invalid`, else `invalid`. `unknown`: the answer is degraded. Branch on the probability or the recommendation.
         */
        verdict: Verdict;
        /**
         * As it was answered: 0.31 means 31 in 100.
         */
        bounce_probability: number;
        /**
         * The cheapest thing to do at this probability, purpose and losses: `send`; `hold`, look at it first; `challenge`, have the person confirm the address; `drop`.
         */
        recommendation: Recommendation;
        /**
         * The first finding of the free checks; null where they found nothing.
         */
        reason: CheckReason | null;
        /**
         * Null in traces that do not say it.
         */
        email_type: EmailType | null;
        /**
         * What kind of host takes the mail: `hosted_suite_a`, Google Workspace; `hosted_suite_b`, Microsoft 365; `consumer_esp`, a provider of mailboxes for anybody; `self_hosted`, a server of the domain’s own; `unknown`: the mail hosts match none of these.
         */
        esp: Esp;
        /**
         * US dollars, at most 6 decimals.
         */
        cost_usd: number;
        /**
         * Wall-clock milliseconds.
         */
        latency_ms: number;
        /**
         * Stored evidence of yours took part, and no provider was asked.
         */
        cache_hit: boolean;
        /**
         * Providers failed, and nothing else was known of the address.
         */
        degraded: boolean;
        /**
         * The job whose file has the row: `bj_…`; else null.
         */
        bulk_job_id: string | null;
        /**
         * The account: `acct_…`.
         */
        account_id: string;
        /**
         * The key that made the call: `key_…`.
         */
        api_key_id: string | null;
        /**
         * Its name; null: the key is not known any more.
         */
        key_name: string | null;
        /**
         * Its origin; null: the key is not known any more.
         */
        key_origin: KeyOrigin | null;
        /**
         * Null unless `/v1/decide` wrote the trace.
         */
        policy_decision: {
          /**
           * What to do with the signup: `allow`; `allow_with_flow`, let it in by a way that the rule names; `review`, have somebody look; `challenge`, have the person confirm the address; `deny`.
           */
          decision: Decision;
          /**
           * The rule that decided; `default` when none matched.
           */
          rule_id: string;
          /**
           * The policy.
           */
          policy: {
            /**
             * Its name.
             */
            slug: string;
            /**
             * The version that decided.
             */
            version: number;
          };
        } | null;
        /**
         * Of a bulk job that ran a policy.
         */
        bulk_decision: {
          /**
           * What to do with the signup: `allow`; `allow_with_flow`, let it in by a way that the rule names; `review`, have somebody look; `challenge`, have the person confirm the address; `deny`.
           */
          decision: Decision;
          /**
           * The rule that decided; `default` when none matched.
           */
          rule_id: string;
          /**
           * The policy.
           */
          policy: {
            /**
             * Its name.
             */
            slug: string;
            /**
             * The version that decided.
             */
            version: number;
          };
        } | null;
      }
    | TraceRow
  )[];
  /**
   * Where the next page begins: send it as `cursor`. Null: nothing is left. A page that is narrowed by several filters may have fewer rows than `limit` and still go on.
   */
  cursor: string | null;
}
export interface TraceRow {
  /**
   * `vr_…`, or `dc_…` of a decision.
   */
  trace_id: string;
  /**
   * Of a decision: the verification inside it, `vr_…`, which outcomes are reported on. Else null.
   */
  verification_trace_id: string | null;
  /**
   * Which call made it: a verification, a decision, or a row of a file.
   */
  kind: 'verify' | 'decide' | 'bulk';
  /**
   * Epoch seconds.
   */
  created_at: number;
  /**
   * First character, `•••`, `@`, domain; all in lower case, the domain as A-labels.
   */
  display: string;
  /**
   * Of the address: lower case, A-labels.
   */
  domain: string;
  /**
   * A word for the bounce probability: below 0.02 `valid`, below 0.10 `likely_valid`, below 0.50 `risky`, below 0.90 `likely_invalid`, else `invalid`. `unknown`: the answer is degraded. Branch on the probability or the recommendation.
   */
  verdict: Verdict;
  /**
   * As it was answered: 0.31 means 31 in 100.
   */
  bounce_probability: number;
  /**
   * The cheapest thing to do at this probability, purpose and losses: `send`; `hold`, look at it first; `challenge`, have the person confirm the address; `drop`.
   */
  recommendation: Recommendation;
  /**
   * The first finding of the free checks; null where they found nothing.
   */
  reason: CheckReason | null;
  /**
   * Null in traces that do not say it.
   */
  email_type: EmailType | null;
  /**
   * What kind of host takes the mail: `hosted_suite_a`, Google Workspace; `hosted_suite_b`, Microsoft 365; `consumer_esp`, a provider of mailboxes for anybody; `self_hosted`, a server of the domain’s own; `unknown`: the mail hosts match none of these.
   */
  esp: Esp;
  /**
   * US dollars, at most 6 decimals.
   */
  cost_usd: number;
  /**
   * Wall-clock milliseconds.
   */
  latency_ms: number;
  /**
   * Stored evidence of yours took part, and no provider was asked.
   */
  cache_hit: boolean;
  /**
   * Providers failed, and nothing else was known of the address.
   */
  degraded: boolean;
  /**
   * The job whose file has the row: `bj_…`; else null.
   */
  bulk_job_id: string | null;
}
export interface TraceResponse {
  /**
   * The trace.
   */
  trace: Trace;
}
export interface TraceSearch {
  /**
   * The address to verify, up to 320 characters.
   */
  email: string;
  /**
   * How many rows a page has at most.
   */
  limit?: number | undefined;
  /**
   * The `cursor` of the page before; left out: the first page.
   */
  cursor?: string | undefined;
  /**
   * `owner`: rows say their account, key and policy decision too.
   */
  scope?: string | undefined;
}
export interface Usage {
  /**
   * The running UTC month.
   */
  period: {
    /**
     * Epoch seconds.
     */
    from: number;
    /**
     * Epoch seconds.
     */
    to: number;
  };
  /**
   * Calls of the running month.
   */
  calls: {
    /**
     * Verifications of single addresses.
     */
    verify: number;
    /**
     * Free checks.
     */
    check: number;
    /**
     * Screenings.
     */
    screen: number;
    /**
     * Decisions.
     */
    decide: number;
    /**
     * Addresses of files that were verified.
     */
    bulk: number;
  };
  /**
   * The most that vendors may bill for this month: providers, screening’s model, enrichment. A call that was given up, or failed midway, counts its price, though the `cost_usd` of no answer shows it.
   */
  provider_spend_usd: number;
  /**
   * The month’s verifications.
   */
  quota: {
    /**
     * Verifications a month; 0 or less: unmetered.
     */
    limit: number;
    /**
     * Verifications, decisions and addresses of files so far.
     */
    used: number;
    /**
     * What is left; null when unmetered.
     */
    remaining: number | null;
    /**
     * The account has no limit.
     */
    unmetered: boolean;
  };
  /**
   * The month’s screenings.
   */
  screening: {
    /**
     * Screenings so far; null when it could not be read.
     */
    used: number | null;
    /**
     * Screenings a month; 0 or less: unmetered.
     */
    quota: number;
    /**
     * The account has no limit.
     */
    unmetered: boolean;
    /**
     * What the quota is for.
     */
    period: 'utc_month';
  };
  /**
   * Files of the month.
   */
  bulk: {
    /**
     * Jobs created.
     */
    jobs_this_month: number;
    /**
     * Addresses of files that were verified.
     */
    rows_this_month: number;
  };
  /**
   * Of the month. Admins get a mail at 80 and at 100 % of each, and of each quota.
   */
  budgets: {
    /**
     * Of providers.
     */
    providers: {
      /**
       * Null: unlimited. 0 allows nothing.
       */
      limit_usd: number | null;
      /**
       * With what requests under way have reserved.
       */
      used_usd: number;
    };
    /**
     * Of enrichment vendors.
     */
    enrichment: {
      /**
       * Null: unlimited. 0 allows nothing.
       */
      limit_usd: number | null;
      /**
       * With what requests under way have reserved.
       */
      used_usd: number;
    };
  };
}
export interface UsageSeries {
  /**
   * Where the first day begins.
   */
  from: number;
  /**
   * Where the last day ends.
   */
  to: number;
  /**
   * As in the request.
   */
  interval: 'day' | 'month';
  /**
   * One without `by`; else one for each value.
   */
  series: {
    /**
     * A key’s id (empty: not known), a kind (`verify`, `decide`, `bulk`, `screen`) …; null without `by`.
     */
    value: string | null;
    /**
     * Oldest first; without those that had no call.
     */
    points: {
      /**
       * Where the day or month begins.
       */
      at: number;
      /**
       * How many.
       */
      calls: number;
      /**
       * What their answers said of cost.
       */
      cost_usd: number;
    }[];
  }[];
}
