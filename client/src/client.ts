/**
 * Client of the email verification service, for servers: Node 20+, Deno, Bun, Cloudflare Workers. It contains a secret
 * key and refuses to run in a browser. An address is sent only in the body of a POST, never in a URL.
 */

import type {
  AddressExport,
  AddressList,
  AddressStanding,
  AlertsResponse,
  AuditLog,
  BlockBulkSegment,
  BulkErrorCode,
  BulkEstimate,
  BulkJob,
  BulkJobList,
  BulkJobResponse,
  BulkPreview,
  BulkState,
  CalibrationReport,
  ChangeBulkJob,
  ChangeMember,
  ChangeOwnConnection,
  ChangeOwnKey,
  ChangeOwnOrganisation,
  CheckReason,
  CheckResult,
  CreateBulkJob,
  CreateInvitation,
  CreateOwnConnection,
  CreateOwnKey,
  DecideRequest,
  Decision,
  DecisionResult,
  DomainList,
  DomainStanding,
  Done,
  EmailType,
  ErasureReceipt,
  ErrorCode,
  Esp,
  EventInput,
  EventsReceipt,
  Experiments,
  ExportAddress,
  ForgetAddress,
  Health,
  Identity,
  ImportReceipt,
  ImportRequest,
  InvitationList,
  InvitationResponse,
  LossesResponse,
  LossSimulation,
  MemberList,
  MemberResponse,
  MxProvider,
  OutcomeReceipt,
  OutcomeRequest,
  OwnConnectionList,
  OwnConnectionResponse,
  OwnKey,
  OwnKeyList,
  OwnKeyResponse,
  OwnKeySecret,
  OwnOrganisationResponse,
  PasteBulkJob,
  PolicyDocument,
  PolicyList,
  PolicyResponse,
  Purpose,
  PutAlerts,
  PutLossesRequest,
  PutRetention,
  Recommendation,
  Recommendations,
  RetentionResponse,
  RotateOwnKey,
  RulesAdded,
  RulesBlocked,
  RulesRemoved,
  ScreeningList,
  ScreeningReason,
  ScreeningResponse,
  ScreeningResult,
  Segments,
  SimulateLossesRequest,
  SimulateRequest,
  Simulation,
  StartBulkJob,
  SubprocessorResponse,
  Subprocessors,
  SwitchSubprocessor,
  TraceList,
  TraceResponse,
  TraceSearch,
  Usage,
  UsageSeries,
  Verdict,
  Verification,
  VerificationContext,
} from './types.ts';

// ——— What the service answers (epoch seconds, US dollars, milliseconds) ———

export type * from './types.ts';

export type Rule = RulesAdded['rule'];
export type RejectedEntry = RulesAdded['rejected'][number];
export type DomainEntry = DomainList['entries'][number];

export interface Page {
  /** 1 to 200; 50 when absent. */
  readonly limit?: number | undefined;
  readonly cursor?: string | null | undefined;
}

export interface RuleFilter extends Page {
  /** Entries whose domain, mask or note contains this text. */
  readonly search?: string | undefined;
}

/** An `AbortSignal` of any runtime. */
export interface Signal {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** The last argument of every function with a full answer. */
export interface CallOptions {
  /** Aborts the call: it rejects with `aborted`. The service may still carry out what it has begun. */
  readonly signal?: Signal | undefined;
}

/** A save that succeeds only while this version is the newest: `"3"`, or `*`. */
export interface SaveOptions extends CallOptions {
  readonly ifMatch?: string | undefined;
}

/** Epoch seconds. */
export interface Period {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

export interface TraceFilter extends Page, Period {
  readonly kind?: 'verify' | 'decide' | 'bulk' | undefined;
  readonly decision?: Decision | undefined;
  readonly recommendation?: Recommendation | undefined;
  readonly verdict?: Verdict | undefined;
  readonly reason?: CheckReason | undefined;
  readonly email_type?: EmailType | undefined;
  readonly esp?: Esp | undefined;
  readonly domain?: string | undefined;
  readonly key_id?: string | undefined;
  readonly bulk_job_id?: string | undefined;
  /** `owner`: rows include account, key and policy decision. */
  readonly scope?: 'owner' | undefined;
}

export interface ScreeningFilter extends Page, Period {
  readonly key_id?: string | undefined;
  readonly recommendation?: 'allow' | 'review' | undefined;
  readonly reason?: ScreeningReason | undefined;
  readonly domain?: string | undefined;
}

export interface KeyFilter extends Page {
  /** `ended`: revoked, or expired. */
  readonly state?: 'active' | 'ended' | undefined;
  readonly role?: OwnKey['role'] | undefined;
  readonly mode?: OwnKey['mode'] | undefined;
}

export interface AuditFilter extends Page, Period {
  /** Such as `key.created`. */
  readonly action?: string | undefined;
  /** Who did it: `u_…`, `key_…` or `operator`. */
  readonly actor?: string | undefined;
}

export interface InsightsWindow {
  /** The counted event; `subscribed` when absent. */
  readonly metric?: string | undefined;
  /** 1 to 365; 90 when absent. */
  readonly window_days?: number | undefined;
}

export interface UsageWindow extends Period {
  readonly interval?: 'day' | 'month' | undefined;
  readonly by?: 'key' | 'kind' | 'decision' | 'recommendation' | undefined;
  readonly key_id?: string | undefined;
  readonly kind?: 'verify' | 'decide' | 'bulk' | 'screen' | undefined;
  readonly decision?: Decision | undefined;
  readonly recommendation?: Recommendation | undefined;
}

export type BulkSegment = 'all' | 'deliverable' | 'undeliverable' | 'review' | 'business' | 'allow' | 'deny';

// ——— Errors ———

export type ServiceErrorCode = ErrorCode;

/**
 * Errors of the client itself: the service is unreachable, late, or sends something else; the call was aborted by its
 * signal; or the `baseUrl` is unusable.
 */
export type ClientErrorCode = 'network_error' | 'timeout' | 'aborted' | 'invalid_response' | 'not_configured';

/** Rejection of the client's functions. The client puts neither an address nor the key into it. */
export class EmailVerificationError extends Error {
  override readonly name = 'EmailVerificationError';
  /** HTTP status of the answer; 0 without an answer. A missing or malformed key is 401 without a request. */
  readonly status: number;
  readonly code: ServiceErrorCode | ClientErrorCode | BulkErrorCode;
  /** Quote it to support; null if the answer did not name one. */
  readonly traceId: string | null;
  /** The job that `verifyList` had already created when it failed. */
  jobId: string | null = null;

  constructor(
    status: number,
    code: EmailVerificationError['code'],
    message: string,
    options: { readonly traceId?: string | null; readonly cause?: unknown } = {},
  ) {
    super(message, 'cause' in options ? { cause: options.cause } : {});
    this.status = status;
    this.code = code;
    this.traceId = options.traceId ?? null;
  }
}

// ——— The client ———

/** Functions that never throw on an outage or a refused key. */
export type DropIn =
  | ('isValidEmail' | 'isDisposableEmail' | 'isDomainDisposable' | 'getEmailProvider')
  | ('isBusinessEmail' | 'emailType');

export interface ClientOptions {
  /** Default: the environment's EMAIL_VERIFICATION_API_KEY. */
  readonly apiKey?: string | undefined;
  /** The service's URL. Default: the environment's EMAIL_VERIFICATION_BASE_URL. */
  readonly baseUrl?: string | undefined;
  /** Limits each call with its retries. Default 5,000; a bulk upload or download gets at least 120,000. */
  readonly timeoutMs?: number | undefined;
  /** `false`: drop-in functions throw like all others. Default `true`. */
  readonly failOpen?: boolean | undefined;
  /**
   * Called with each error that a drop-in function answered with its fallback; what it throws is ignored. Without it, a
   * wrong or missing key or URL is logged once on the console.
   */
  readonly onError?: ((error: EmailVerificationError, helper: DropIn) => unknown) | undefined;
}

export interface ListOptions extends CallOptions {
  readonly name?: string | undefined;
  /** What the addresses are for; `list_hygiene` when absent. */
  readonly purpose?: Purpose | undefined;
  /** Slug of a policy to run on every row. */
  readonly policy?: string | undefined;
  /** Starts the job even if the list exceeds the rest of the quota. */
  readonly allowPartial?: boolean | undefined;
}

export interface WaitOptions extends CallOptions {
  /** Default 5,000. */
  readonly pollMs?: number | undefined;
  /** Limits the whole wait. Default: none. */
  readonly timeoutMs?: number | undefined;
}

/** Every function works on its own and may be destructured from the client. */
export interface Client extends AccountFunctions {
  /**
   * Whether mail can be sent there, by DNS, disposable lists and the account's rules. A failed DNS look-up and an
   * outage count as valid if the syntax is.
   */
  readonly isValidEmail: (email: string) => Promise<boolean>;
  /**
   * Whether the domain is on the disposable list or the account's blocklist, and not allowlisted. A rule of the address itself
   * comes first: blocked `true`, allowed `false`. Outage: `false`.
   */
  readonly isDisposableEmail: (email: string) => Promise<boolean>;
  /** The same for a domain, with or without a final dot. Outage: `false`. */
  readonly isDomainDisposable: (domain: string) => Promise<boolean>;
  /** The mailbox provider's label; `unknown` for other mail hosts; null without any, and in an outage. */
  readonly getEmailProvider: (email: string) => Promise<MxProvider | null>;
  /** Whether `emailType` is `business`. Outage: `true`; invalid syntax: `false`. */
  readonly isBusinessEmail: (email: string) => Promise<boolean>;
  /** The first that applies of disposable, relay, role, free, business. Outage, invalid syntax: `unknown`. */
  readonly emailType: (email: string) => Promise<EmailType>;
  /**
   * Strict and local, without a call: valid syntax, without a plus-tag, a quoted or all-digit name, or a misspelling of
   * a large mailbox provider.
   */
  readonly isValidContactListEmail: (email: string) => boolean;

  readonly checkEmail: (email: string, options?: CallOptions) => Promise<CheckResult>;
  readonly verifyEmail: (email: string, context?: VerificationContext, options?: CallOptions) => Promise<Verification>;
  readonly screenEmail: (email: string, name?: string, options?: CallOptions) => Promise<ScreeningResult>;

  readonly checkDomain: (domain: string, options?: CallOptions) => Promise<DomainStanding>;
  /**
   * Changes of rule lists are sent in batches of up to 1,000, each with the time of one call; counts are added up. If
   * one fails, earlier ones stay, and repeating the whole call is harmless.
   */
  readonly blockDomains: (domains: readonly string[], note?: string, options?: CallOptions) => Promise<RulesAdded>;
  readonly unblockDomains: (domains: readonly string[], options?: CallOptions) => Promise<RulesRemoved>;
  readonly allowDomains: (domains: readonly string[], note?: string, options?: CallOptions) => Promise<RulesAdded>;
  readonly unallowDomains: (domains: readonly string[], options?: CallOptions) => Promise<RulesRemoved>;
  readonly listBlockedDomains: (filter?: RuleFilter, options?: CallOptions) => Promise<DomainList>;
  readonly listAllowedDomains: (filter?: RuleFilter, options?: CallOptions) => Promise<DomainList>;

  readonly checkAddress: (email: string, options?: CallOptions) => Promise<AddressStanding>;
  readonly blockAddresses: (emails: readonly string[], note?: string, options?: CallOptions) => Promise<RulesAdded>;
  readonly unblockAddresses: (emails: readonly string[], options?: CallOptions) => Promise<RulesRemoved>;
  readonly allowAddresses: (emails: readonly string[], note?: string, options?: CallOptions) => Promise<RulesAdded>;
  readonly unallowAddresses: (emails: readonly string[], options?: CallOptions) => Promise<RulesRemoved>;
  readonly listBlockedAddresses: (filter?: RuleFilter, options?: CallOptions) => Promise<AddressList>;
  readonly listAllowedAddresses: (filter?: RuleFilter, options?: CallOptions) => Promise<AddressList>;

  /**
   * Creates a job, uploads the file (up to 50 MB) and starts it. An error after the creation names the job in `jobId`.
   */
  readonly verifyList: (
    csv: string | Uint8Array | ArrayBuffer,
    options?: ListOptions,
  ) => Promise<{ jobId: string; job: BulkJob }>;
  /** The job's file: CSV, up to 50 MB. */
  readonly uploadBulkFile: (
    jobId: string,
    csv: string | Uint8Array | ArrayBuffer,
    options?: CallOptions,
  ) => Promise<BulkJobResponse>;
  /** Polls until the job is done, failed, cancelled, expired or paused on the quota. */
  readonly waitForList: (jobId: string, options?: WaitOptions) => Promise<BulkJob>;
  /** The results file; segment `all` when absent. */
  readonly downloadList: (jobId: string, segment?: BulkSegment, options?: CallOptions) => Promise<string>;
}

/** Every other call: its JSON unchanged. Path parameters come first, then body or query, then options. */
export interface AccountFunctions {
  /** One decision by a policy of the account. */
  readonly decide: (request: DecideRequest, options?: CallOptions) => Promise<DecisionResult>;
  /** Reports a message's outcome; a second report of one trace replaces the first. */
  readonly reportOutcome: (report: OutcomeRequest, options?: CallOptions) => Promise<OutcomeReceipt>;
  /** Up to 100 reports, all or none. */
  readonly reportOutcomes: (
    reports: readonly OutcomeRequest[],
    options?: CallOptions,
  ) => Promise<{ outcomes: OutcomeReceipt[] }>;
  /** Imports outcomes of earlier messages, by address: up to 1,000 rows. */
  readonly importOutcomes: (rows: ImportRequest['outcomes'], options?: CallOptions) => Promise<ImportReceipt>;
  /** Reports what signups went on to do: up to 100 events, all or none. A repeat is counted again. */
  readonly sendEvents: (events: readonly EventInput[], options?: CallOptions) => Promise<EventsReceipt>;

  readonly listPolicies: (page?: Page, options?: CallOptions) => Promise<PolicyList>;
  readonly getPolicy: (
    slug: string,
    of?: { version?: number | undefined },
    options?: CallOptions,
  ) => Promise<PolicyResponse>;
  readonly savePolicy: (slug: string, policy: PolicyDocument, options?: SaveOptions) => Promise<PolicyResponse>;
  /** Runs a draft over the stored traces. */
  readonly simulatePolicy: (slug: string, draft: SimulateRequest, options?: CallOptions) => Promise<Simulation>;
  readonly listExperiments: (slug: string, window?: InsightsWindow, options?: CallOptions) => Promise<Experiments>;
  readonly getLosses: (of?: { version?: number | undefined }, options?: CallOptions) => Promise<LossesResponse>;
  readonly saveLosses: (losses: PutLossesRequest, options?: SaveOptions) => Promise<LossesResponse>;
  readonly simulateLosses: (draft: SimulateLossesRequest, options?: CallOptions) => Promise<LossSimulation>;

  readonly listTraces: (filter?: TraceFilter, options?: CallOptions) => Promise<TraceList>;
  readonly getTrace: (traceId: string, options?: CallOptions) => Promise<TraceResponse>;
  /** The traces of one address. */
  readonly searchTraces: (search: TraceSearch, options?: CallOptions) => Promise<TraceList>;
  readonly listScreenings: (filter?: ScreeningFilter, options?: CallOptions) => Promise<ScreeningList>;
  readonly getScreening: (traceId: string, options?: CallOptions) => Promise<ScreeningResponse>;
  readonly getIdentity: (options?: CallOptions) => Promise<Identity>;
  readonly getUsage: (options?: CallOptions) => Promise<Usage>;
  readonly getUsageSeries: (window?: UsageWindow, options?: CallOptions) => Promise<UsageSeries>;
  readonly getCalibration: (options?: CallOptions) => Promise<CalibrationReport>;
  readonly getSegments: (window?: InsightsWindow, options?: CallOptions) => Promise<Segments>;
  readonly getRecommendations: (window?: InsightsWindow, options?: CallOptions) => Promise<Recommendations>;

  /** Whether the service is up; needs no valid key. */
  readonly getHealth: (options?: CallOptions) => Promise<Health>;

  /** A job without its file: `verifyList` does this and the next two steps at once. */
  readonly createBulkJob: (job: CreateBulkJob, options?: CallOptions) => Promise<BulkJobResponse>;
  /** Up to 1,000 addresses in place of a file. */
  readonly pasteBulkEmails: (
    jobId: string,
    emails: PasteBulkJob['emails'],
    options?: CallOptions,
  ) => Promise<BulkJobResponse>;
  readonly startBulkJob: (jobId: string, start?: StartBulkJob, options?: CallOptions) => Promise<BulkJobResponse>;
  readonly listBulkJobs: (
    filter?: Page & { state?: BulkState | undefined },
    options?: CallOptions,
  ) => Promise<BulkJobList>;
  readonly getBulkJob: (jobId: string, options?: CallOptions) => Promise<BulkJobResponse>;
  readonly changeBulkJob: (jobId: string, change: ChangeBulkJob, options?: CallOptions) => Promise<BulkJobResponse>;
  readonly estimateBulkJob: (
    jobId: string,
    query?: { readonly again?: 'true' | 'false' },
    options?: CallOptions,
  ) => Promise<BulkEstimate>;
  /** The first rows of the file with their results. */
  readonly previewBulkJob: (
    jobId: string,
    of?: { limit?: number | undefined },
    options?: CallOptions,
  ) => Promise<BulkPreview>;
  readonly cancelBulkJob: (jobId: string, options?: CallOptions) => Promise<BulkJobResponse>;
  readonly resumeBulkJob: (jobId: string, options?: CallOptions) => Promise<BulkJobResponse>;
  /** A new job from the file of one that has ended. */
  readonly checkBulkJobAgain: (jobId: string, options?: CallOptions) => Promise<BulkJobResponse>;
  /** Deletes the job's files now. */
  readonly deleteBulkJob: (jobId: string, options?: CallOptions) => Promise<BulkJobResponse>;
  /** Puts the addresses of a segment on the blocklist. */
  readonly blockBulkSegment: (jobId: string, segment: BlockBulkSegment, options?: CallOptions) => Promise<RulesBlocked>;

  readonly listConnections: (options?: CallOptions) => Promise<OwnConnectionList>;
  readonly createConnection: (connection: CreateOwnConnection, options?: CallOptions) => Promise<OwnConnectionResponse>;
  readonly changeConnection: (
    id: string,
    change: ChangeOwnConnection,
    options?: CallOptions,
  ) => Promise<OwnConnectionResponse>;
  readonly deleteConnection: (id: string, options?: CallOptions) => Promise<Done>;

  /** Everything stored about an address. */
  readonly exportAddress: (address: ExportAddress, options?: CallOptions) => Promise<AddressExport>;
  /** Erases it, with a receipt. */
  readonly forgetAddress: (address: ForgetAddress, options?: CallOptions) => Promise<ErasureReceipt>;
  readonly listSubprocessors: (options?: CallOptions) => Promise<Subprocessors>;
  readonly switchSubprocessor: (
    id: string,
    change: SwitchSubprocessor,
    options?: CallOptions,
  ) => Promise<SubprocessorResponse>;
  /** Which alerts are mailed, and to whom. */
  readonly getAlerts: (options?: CallOptions) => Promise<AlertsResponse>;
  readonly saveAlerts: (alerts: PutAlerts, options?: CallOptions) => Promise<AlertsResponse>;
  readonly getRetention: (options?: CallOptions) => Promise<RetentionResponse>;
  readonly saveRetention: (retention: PutRetention, options?: CallOptions) => Promise<RetentionResponse>;

  readonly listKeys: (filter?: KeyFilter, options?: CallOptions) => Promise<OwnKeyList>;
  /** Only its answer shows the secret. */
  readonly createKey: (key: CreateOwnKey, options?: CallOptions) => Promise<OwnKeySecret>;
  readonly changeKey: (id: string, change: ChangeOwnKey, options?: CallOptions) => Promise<OwnKeyResponse>;
  readonly revokeKey: (id: string, options?: CallOptions) => Promise<OwnKeyResponse>;
  readonly rotateKey: (id: string, overlap: RotateOwnKey, options?: CallOptions) => Promise<OwnKeySecret>;
  readonly getOrganisation: (options?: CallOptions) => Promise<OwnOrganisationResponse>;
  readonly changeOrganisation: (
    change: ChangeOwnOrganisation,
    options?: CallOptions,
  ) => Promise<OwnOrganisationResponse>;
  readonly listMembers: (options?: CallOptions) => Promise<MemberList>;
  readonly changeMember: (id: string, change: ChangeMember, options?: CallOptions) => Promise<MemberResponse>;
  readonly removeMember: (id: string, options?: CallOptions) => Promise<Done>;
  /** Ends the membership of the key's person, and revokes all their keys. */
  readonly leaveOrganisation: (options?: CallOptions) => Promise<Done>;
  readonly listInvitations: (options?: CallOptions) => Promise<InvitationList>;
  readonly createInvitation: (invitation: CreateInvitation, options?: CallOptions) => Promise<InvitationResponse>;
  readonly withdrawInvitation: (id: string, options?: CallOptions) => Promise<Done>;
  readonly listAuditEntries: (filter?: AuditFilter, options?: CallOptions) => Promise<AuditLog>;
}

const DEFAULT_TIMEOUT_MS = 5_000;
const DEFAULT_POLL_MS = 5_000;
const MIN_FILE_TIMEOUT_MS = 120_000;

/**
 * Throws in a browser and on a `timeoutMs` that is not a duration. A missing or malformed key or URL is an error of
 * each call, so that drop-in functions fail open on it too.
 */
export function createClient(options: ClientOptions = {}): Client {
  refuseBrowser();
  const transport = createTransport(
    options.apiKey ?? setting('EMAIL_VERIFICATION_API_KEY') ?? '',
    options.baseUrl ?? setting('EMAIL_VERIFICATION_BASE_URL') ?? '',
    duration('timeoutMs', options.timeoutMs ?? DEFAULT_TIMEOUT_MS),
  );
  return {
    ...dropInFunctions(transport, options),
    isValidContactListEmail,
    ...singleFunctions(transport),
    ...ruleFunctions(transport),
    ...bulkFunctions(transport),
    ...accountFunctions(transport),
  };
}

// ——— Drop-in functions ———

/** Reasons that end a check by themselves, whatever the DNS look-up. */
const TERMINAL: ReadonlySet<CheckReason> = new Set<CheckReason>([
  'syntax_invalid',
  'address_blocklisted',
  'domain_blocklisted',
  'no_mx',
  'disposable_domain',
] as const);
const EMAIL_TYPES: ReadonlySet<unknown> = new Set<EmailType>([
  'business',
  'free',
  'role',
  'disposable',
  'relay',
  'unknown',
] as const);

/** Failures of the set-up, which a repeat does not fix. */
const WARNINGS: Readonly<Partial<Record<EmailVerificationError['code'], string>>> = {
  unauthorized: 'the API key is missing, wrong or revoked.',
  forbidden: 'the API key’s role is too low.',
  not_configured: 'the service’s address (`baseUrl`) is missing or malformed.',
};

/** Warnings printed so far by all clients: some programs make a client for each request. */
const TOLD = new Set<string>();

const checkEmail = ({ ask }: Transport, email: string, { signal }: CallOptions = {}) =>
  ask<CheckResult>({ method: 'POST', path: '/v1/check', json: { email }, repeat: 'safe', signal });
const checkDomain = ({ ask }: Transport, domain: string, { signal }: CallOptions = {}) =>
  ask<DomainStanding>({ method: 'POST', path: '/v1/domains/check', json: { domain }, repeat: 'safe', signal });
const checkAddress = ({ ask }: Transport, email: string, { signal }: CallOptions = {}) =>
  ask<AddressStanding>({ method: 'POST', path: '/v1/addresses/check', json: { email }, repeat: 'safe', signal });

/** Invalid syntax is answered without a call. */
function dropInFunctions(transport: Transport, { failOpen = true, onError }: ClientOptions): Pick<Client, DropIn> {
  /** A persistent failure would otherwise look like an answer for ever. */
  function warn(error: unknown): void {
    const wrong = error instanceof EmailVerificationError ? WARNINGS[error.code] : undefined;
    const what = `${transport.base} ${wrong}`;
    if (wrong === undefined || TOLD.has(what)) return;
    TOLD.add(what);
    console.warn(`email-verification-client answers without the service: ${wrong}`);
  }

  async function orElse<T>(helper: DropIn, fallback: T, answer: () => Promise<T>): Promise<T> {
    try {
      return await answer();
    } catch (error) {
      if (!failOpen) throw error;
      // Async, so that the caller's throw or rejection stays inside.
      const observe = async () =>
        onError === undefined ? warn(error) : onError(error as EmailVerificationError, helper);
      observe().catch(() => undefined);
      return fallback;
    }
  }

  async function isDisposable(domain: string): Promise<boolean> {
    const { status } = await checkDomain(transport, domain);
    if (typeof status !== 'string') throw unusable('status');
    return status === 'disposable' || status === 'blocked';
  }

  async function ruleOf(email: string): Promise<AddressStanding['org_rule']> {
    const { org_rule: rule } = await checkAddress(transport, email);
    if (rule !== null && rule !== 'block' && rule !== 'allow') throw unusable('org_rule');
    return rule;
  }

  const typeOf = (helper: DropIn, fallback: EmailType, email: string) =>
    orElse(helper, fallback, async () => {
      const { email_type: type } = await checkEmail(transport, email);
      if (!EMAIL_TYPES.has(type)) throw unusable('email_type');
      return type;
    });

  return {
    isValidEmail: async (email) =>
      isAddress(email) &&
      orElse('isValidEmail', true, async () => {
        const { passes, reasons } = await checkEmail(transport, email);
        if (typeof passes !== 'boolean') throw unusable('passes');
        if (passes || !Array.isArray(reasons)) return passes;
        return reasons.includes('mx_unresolved') && !reasons.some((reason) => TERMINAL.has(reason));
      }),
    isDisposableEmail: async (email) =>
      isAddress(email) &&
      orElse('isDisposableEmail', false, async () => {
        const asked = [isDisposable(domainOf(email)), ruleOf(email)] as const;
        // If one fails, the other is not left running.
        await Promise.allSettled(asked);
        const [disposable, rule] = await Promise.all(asked);
        return rule === null ? disposable : rule === 'block';
      }),
    isDomainDisposable: async (domain) => {
      if (typeof domain !== 'string') return false;
      const name = trimUnseen(domain).replace(ROOT_DOT, '');
      return isDomain(name) && orElse('isDomainDisposable', false, () => isDisposable(name));
    },
    getEmailProvider: async (email) => {
      if (!isAddress(email)) return null;
      return orElse('getEmailProvider', null, async () => {
        const { mx_provider: provider } = await checkEmail(transport, email);
        if (provider !== null && typeof provider !== 'string') throw unusable('mx_provider');
        return provider;
      });
    },
    isBusinessEmail: async (email) =>
      isAddress(email) && (await typeOf('isBusinessEmail', 'business', email)) === 'business',
    emailType: async (email) => (isAddress(email) ? typeOf('emailType', 'unknown', email) : 'unknown'),
  };
}

// ——— Full answers ———

function singleFunctions(
  transport: Transport,
): Pick<Client, 'checkEmail' | 'verifyEmail' | 'screenEmail' | 'checkDomain' | 'checkAddress'> {
  const { ask } = transport;
  return {
    checkEmail: (email, options) => checkEmail(transport, email, options),
    verifyEmail: (email, context, { signal } = {}) =>
      ask({ method: 'POST', path: '/v1/verify', json: { email, context }, repeat: 'keyed', signal }),
    screenEmail: (email, name, { signal } = {}) =>
      ask({ method: 'POST', path: '/v1/screen', json: { email, name }, repeat: 'keyed', signal }),
    checkDomain: (domain, options) => checkDomain(transport, domain, options),
    checkAddress: (email, options) => checkAddress(transport, email, options),
  };
}

type RuleFunction =
  | ('blockDomains' | 'unblockDomains' | 'allowDomains' | 'unallowDomains' | 'listBlockedDomains')
  | ('blockAddresses' | 'unblockAddresses' | 'allowAddresses' | 'unallowAddresses' | 'listBlockedAddresses')
  | ('listAllowedDomains' | 'listAllowedAddresses');

function ruleFunctions({ ask }: Transport): Pick<Client, RuleFunction> {
  async function change<T extends RulesAdded | RulesRemoved>(
    call: Pick<Call, 'method' | 'path' | 'signal'>,
    bodyOf: (batch: readonly string[]) => object,
    entries: readonly string[],
  ): Promise<T> {
    let whole: T | null = null;
    for (const { from, batch } of batches(entries)) {
      const part = await ask<T>({ ...call, json: bodyOf(batch), repeat: 'never' });
      whole = whole === null ? part : addUp(whole, part, from);
    }
    return whole as T;
  }
  const listAt = <L extends DomainList | AddressList>(path: string, field: 'domains' | 'emails') => ({
    add: (entries: readonly string[], note?: string, { signal }: CallOptions = {}) =>
      change<RulesAdded>({ method: 'POST', path, signal }, (batch) => ({ [field]: batch, note }), entries),
    remove: (entries: readonly string[], { signal }: CallOptions = {}) =>
      change<RulesRemoved>({ method: 'DELETE', path, signal }, (batch) => ({ [field]: batch }), entries),
    read: ({ limit, cursor, search }: RuleFilter = {}, { signal }: CallOptions = {}) =>
      ask<L>({ method: 'GET', path: path + query({ limit, cursor, search }), repeat: 'safe', signal }),
  });
  const blockedDomains = listAt<DomainList>('/v1/domains/blocklist', 'domains');
  const allowedDomains = listAt<DomainList>('/v1/domains/allowlist', 'domains');
  const blockedAddresses = listAt<AddressList>('/v1/addresses/blocklist', 'emails');
  const allowedAddresses = listAt<AddressList>('/v1/addresses/allowlist', 'emails');
  return {
    blockDomains: blockedDomains.add,
    unblockDomains: blockedDomains.remove,
    listBlockedDomains: blockedDomains.read,
    allowDomains: allowedDomains.add,
    unallowDomains: allowedDomains.remove,
    listAllowedDomains: allowedDomains.read,
    blockAddresses: blockedAddresses.add,
    unblockAddresses: blockedAddresses.remove,
    listBlockedAddresses: blockedAddresses.read,
    allowAddresses: allowedAddresses.add,
    unallowAddresses: allowedAddresses.remove,
    listAllowedAddresses: allowedAddresses.read,
  };
}

// ——— Bulk jobs ———

const JOBS = '/v1/bulk/jobs';
/** States that a job leaves only by a call. */
const AT_REST: ReadonlySet<BulkState> = new Set<BulkState>(['done', 'failed', 'cancelled', 'expired', 'paused_quota']);

function bulkFunctions({
  ask,
  download,
  timeoutMs,
}: Transport): Pick<Client, 'verifyList' | 'uploadBulkFile' | 'waitForList' | 'downloadList'> {
  const fileTimeoutMs = Math.max(timeoutMs, MIN_FILE_TIMEOUT_MS);

  async function askJob(call: Call): Promise<BulkJob> {
    const { job } = await ask<{ job?: Partial<BulkJob> | null }>(call);
    if (typeof job?.id !== 'string' || typeof job.state !== 'string') throw unusable('job');
    return job as BulkJob;
  }

  const uploadOf = (jobId: string, csv: Uint8Array, { signal }: CallOptions): Call => ({
    method: 'PUT',
    path: `${pathOf(jobId)}/upload`,
    csv,
    timeoutMs: fileTimeoutMs,
    signal,
    repeat: 'never',
  });

  async function uploadAndStart(
    jobId: string,
    csv: Uint8Array,
    { allowPartial, signal }: ListOptions,
  ): Promise<BulkJob> {
    const { state, error } = await askJob(uploadOf(jobId, csv, { signal }));
    if (state === 'failed') {
      const { code = 'invalid_response', message = 'The file could not be read.' } = error ?? {};
      throw new EmailVerificationError(200, code, message);
    }
    const json = { allow_partial: allowPartial };
    return askJob({ method: 'POST', path: `${pathOf(jobId)}/start`, json, repeat: 'never', signal });
  }

  return {
    async verifyList(csv, options = {}) {
      const { name, purpose, policy, signal } = options;
      const file = uploadable(csv);
      const json = { name, purpose, policy_slug: policy };
      const { id: jobId } = await askJob({ method: 'POST', path: JOBS, json, repeat: 'never', signal });
      try {
        return { jobId, job: await uploadAndStart(jobId, file, options) };
      } catch (error) {
        if (error instanceof EmailVerificationError) error.jobId = jobId;
        throw error;
      }
    },
    uploadBulkFile: async (jobId, csv, options = {}) => ask(uploadOf(jobId, uploadable(csv), options)),
    async waitForList(jobId, options = {}) {
      const path = pathOf(jobId);
      const pollMs = duration('pollMs', options.pollMs ?? DEFAULT_POLL_MS);
      const endsAt = performance.now() + duration('timeoutMs', options.timeoutMs ?? Infinity);
      const leftMs = () => Math.max(0, endsAt - performance.now());
      do {
        const boundMs = Math.min(timeoutMs, leftMs());
        const job = await askJob({ method: 'GET', path, repeat: 'safe', timeoutMs: boundMs, signal: options.signal });
        if (AT_REST.has(job.state)) return job;
        await sleep(Math.min(pollMs, leftMs()), options.signal);
      } while (leftMs() > 0);
      throw new EmailVerificationError(0, 'timeout', 'The job is still at work.');
    },
    downloadList: async (jobId, segment = 'all', { signal } = {}) => {
      const path = `${pathOf(jobId)}/results.csv${query({ segment })}`;
      return download({ method: 'GET', path, repeat: 'safe', timeoutMs: fileTimeoutMs, signal });
    },
  };
}

// ——— Every other call ———

interface Row {
  readonly method: Call['method'];
  readonly path: string;
  /** What it sends; nothing when absent. */
  readonly sends?: 'body' | 'query';
  /** The list in the body that the argument becomes. */
  readonly as?: string;
  /** The service takes an Idempotency-Key. */
  readonly keyed?: true;
}

const CALLS: Readonly<Record<keyof AccountFunctions, Row>> = {
  decide: { method: 'POST', path: '/v1/decide', sends: 'body', keyed: true },
  reportOutcome: { method: 'POST', path: '/v1/outcome', sends: 'body', keyed: true },
  reportOutcomes: { method: 'POST', path: '/v1/outcome', sends: 'body', as: 'outcomes', keyed: true },
  importOutcomes: { method: 'POST', path: '/v1/outcomes/import', sends: 'body', as: 'outcomes' },
  sendEvents: { method: 'POST', path: '/v1/events', sends: 'body', as: 'events' },
  listPolicies: { method: 'GET', path: '/v1/policies', sends: 'query' },
  getPolicy: { method: 'GET', path: '/v1/policies/:slug', sends: 'query' },
  savePolicy: { method: 'PUT', path: '/v1/policies/:slug', sends: 'body' },
  simulatePolicy: { method: 'POST', path: '/v1/policies/:slug/simulate', sends: 'body' },
  listExperiments: { method: 'GET', path: '/v1/policies/:slug/experiments', sends: 'query' },
  getLosses: { method: 'GET', path: '/v1/losses', sends: 'query' },
  saveLosses: { method: 'PUT', path: '/v1/losses', sends: 'body' },
  simulateLosses: { method: 'POST', path: '/v1/losses/simulate', sends: 'body' },
  listTraces: { method: 'GET', path: '/v1/traces', sends: 'query' },
  getTrace: { method: 'GET', path: '/v1/traces/:trace_id' },
  searchTraces: { method: 'POST', path: '/v1/traces/search', sends: 'body' },
  listScreenings: { method: 'GET', path: '/v1/screenings', sends: 'query' },
  getScreening: { method: 'GET', path: '/v1/screenings/:trace_id' },
  getIdentity: { method: 'GET', path: '/v1/me' },
  getUsage: { method: 'GET', path: '/v1/usage' },
  getUsageSeries: { method: 'GET', path: '/v1/usage/series', sends: 'query' },
  getCalibration: { method: 'GET', path: '/v1/calibration' },
  getSegments: { method: 'GET', path: '/v1/segments', sends: 'query' },
  getRecommendations: { method: 'GET', path: '/v1/recommendations', sends: 'query' },
  getHealth: { method: 'GET', path: '/health' },
  createBulkJob: { method: 'POST', path: JOBS, sends: 'body' },
  pasteBulkEmails: { method: 'POST', path: `${JOBS}/:id/paste`, sends: 'body', as: 'emails' },
  startBulkJob: { method: 'POST', path: `${JOBS}/:id/start`, sends: 'body' },
  listBulkJobs: { method: 'GET', path: JOBS, sends: 'query' },
  getBulkJob: { method: 'GET', path: `${JOBS}/:id` },
  changeBulkJob: { method: 'PATCH', path: `${JOBS}/:id`, sends: 'body' },
  estimateBulkJob: { method: 'GET', path: `${JOBS}/:id/estimate`, sends: 'query' },
  previewBulkJob: { method: 'GET', path: `${JOBS}/:id/preview`, sends: 'query' },
  cancelBulkJob: { method: 'POST', path: `${JOBS}/:id/cancel` },
  resumeBulkJob: { method: 'POST', path: `${JOBS}/:id/resume` },
  checkBulkJobAgain: { method: 'POST', path: `${JOBS}/:id/again` },
  deleteBulkJob: { method: 'DELETE', path: `${JOBS}/:id` },
  blockBulkSegment: { method: 'POST', path: `${JOBS}/:id/block`, sends: 'body' },
  listConnections: { method: 'GET', path: '/v1/connections' },
  createConnection: { method: 'POST', path: '/v1/connections', sends: 'body' },
  changeConnection: { method: 'PATCH', path: '/v1/connections/:id', sends: 'body' },
  deleteConnection: { method: 'DELETE', path: '/v1/connections/:id' },
  exportAddress: { method: 'POST', path: '/v1/addresses/export', sends: 'body' },
  forgetAddress: { method: 'POST', path: '/v1/addresses/forget', sends: 'body' },
  listSubprocessors: { method: 'GET', path: '/v1/subprocessors' },
  switchSubprocessor: { method: 'PATCH', path: '/v1/subprocessors/:id', sends: 'body' },
  getAlerts: { method: 'GET', path: '/v1/alerts' },
  saveAlerts: { method: 'PUT', path: '/v1/alerts', sends: 'body' },
  getRetention: { method: 'GET', path: '/v1/retention' },
  saveRetention: { method: 'PUT', path: '/v1/retention', sends: 'body' },
  listKeys: { method: 'GET', path: '/v1/keys', sends: 'query' },
  createKey: { method: 'POST', path: '/v1/keys', sends: 'body' },
  changeKey: { method: 'PATCH', path: '/v1/keys/:id', sends: 'body' },
  revokeKey: { method: 'DELETE', path: '/v1/keys/:id' },
  rotateKey: { method: 'POST', path: '/v1/keys/:id/rotate', sends: 'body' },
  getOrganisation: { method: 'GET', path: '/v1/organisation' },
  changeOrganisation: { method: 'PATCH', path: '/v1/organisation', sends: 'body' },
  listMembers: { method: 'GET', path: '/v1/members' },
  changeMember: { method: 'PATCH', path: '/v1/members/:id', sends: 'body' },
  removeMember: { method: 'DELETE', path: '/v1/members/:id' },
  leaveOrganisation: { method: 'DELETE', path: '/v1/membership' },
  listInvitations: { method: 'GET', path: '/v1/invitations' },
  createInvitation: { method: 'POST', path: '/v1/invitations', sends: 'body' },
  withdrawInvitation: { method: 'DELETE', path: '/v1/invitations/:id' },
  listAuditEntries: { method: 'GET', path: '/v1/audit', sends: 'query' },
};

type Query = Readonly<Record<string, string | number | null | undefined>>;

function accountFunctions({ ask }: Transport): AccountFunctions {
  const functionOf =
    ({ method, path, sends, as, keyed }: Row) =>
    async (...given: readonly unknown[]): Promise<object> => {
      const names = path.match(/:\w+/g) ?? [];
      const target = names.reduce((at, name, i) => at.replace(name, segmentOf(given[i])), path);
      const rest = given.slice(names.length);
      const sent = sends === undefined ? undefined : rest[0];
      const { signal, ifMatch } = (rest[sends === undefined ? 0 : 1] ?? {}) as SaveOptions;
      return ask({
        method,
        path: sends === 'query' ? target + query((sent ?? {}) as Query) : target,
        ...(sends === 'body' && { json: as === undefined ? sent : { [as]: sent } }),
        repeat: keyed === true ? 'keyed' : method === 'GET' ? 'safe' : 'never',
        signal,
        ifMatch,
      });
    };
  const functions = Object.entries(CALLS).map(([name, row]) => [name, functionOf(row)]);
  return Object.fromEntries(functions) as AccountFunctions;
}

/** Anything but a name or an id (`..`, an address) must not get into a URL. */
function segmentOf(given: unknown): string {
  if (typeof given === 'string' && /^[\w-][\w.-]*$/.test(given)) return given;
  throw new EmailVerificationError(0, 'invalid_request', 'Not an id or a name that the service gives.');
}

/** Anything but a job's id (`..`, an address) must not get into a URL. */
function pathOf(jobId: string): string {
  if (typeof jobId === 'string' && /^[\w-]+$/.test(jobId)) return `${JOBS}/${jobId}`;
  throw new EmailVerificationError(0, 'invalid_request', 'Not the id of a bulk job.');
}

// ——— Addresses, as the service reads them: RFC 5321 §4.1.2, RFC 6531. What only it can judge (IDNA) passes here. ———

const MAX_ADDRESS = 320;
/** RFC 5321 §4.5.3.1, octets. */
const MAX_LOCAL = 64;
const MAX_DOMAIN = 255;
/** RFC 1035 §2.3.4, octets. */
const MAX_LABEL = 63;
const DOT_STRING = /^[\w!#$%&'*+/=?^`{|}~\-\u0080-\u{10ffff}]+(?:\.[\w!#$%&'*+/=?^`{|}~\-\u0080-\u{10ffff}]+)*$/u;
const QUOTED_STRING = /^"(?:[ !#-[\]-~\u0080-\u{10ffff}]|\\[ -~])*"$/u;
const LABEL = /^[a-z0-9\-\u0080-\u{10ffff}]+$/iu;
/**
 * Characters that an address must not contain: controls, lone surrogates, separators, invisible ones (except joiners,
 * which some words have).
 */
const NEVER = /(?![\u200c\u200d])\p{DI}|[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/u;
/** From the first visible character to the last. */
const SEEN = /[^\s\p{DI}](?:.*[^\s\p{DI}])?/su;
/** Curly quotes are copied along with an address. Within a name they stand for an apostrophe. */
const QUOTED = /^[\p{Pi}\p{Pf}\u201a\u201e]|[\p{Pi}\p{Pf}]$/u;
/** The characters that IDNA treats as a dot. */
const IDEOGRAPHIC_DOT = /[\u3002\uff0e\uff61]/gu;
/** An absolute name (RFC 1034 §3.1) ends with a dot. */
const ROOT_DOT = /[.\u3002\uff0e\uff61]$/u;

const octets = (text: string): number => new TextEncoder().encode(text).length;

/** Trims white space and invisible characters, as the service does. */
const trimUnseen = (text: string): string => SEEN.exec(text)?.[0] ?? '';

function isAddress(text: unknown): text is string {
  if (typeof text !== 'string') return false;
  const trimmed = trimUnseen(text);
  if (trimmed.length > MAX_ADDRESS) return false;
  const typed = trimmed.normalize('NFC');
  if (NEVER.test(typed) || QUOTED.test(typed)) return false;
  const at = typed.lastIndexOf('@');
  const local = typed.slice(0, Math.max(0, at));
  return (
    (DOT_STRING.test(local) || QUOTED_STRING.test(local)) && octets(local) <= MAX_LOCAL && isDomain(typed.slice(at + 1))
  );
}

/** At least two labels; the last is not a number (that is an IP address). */
function isDomain(text: string): boolean {
  if (text.length > MAX_ADDRESS || NEVER.test(text)) return false;
  const domain = text.replace(IDEOGRAPHIC_DOT, '.');
  const labels = domain.split('.');
  return (
    labels.length >= 2 &&
    !/^\d+$/.test(labels.at(-1) ?? '') &&
    labels.every((label) => LABEL.test(label) && !label.startsWith('-') && !label.endsWith('-')) &&
    // The limit applies to the A-labels of an internationalised name.
    (octets(domain) !== domain.length || (domain.length <= MAX_DOMAIN && labels.every((l) => l.length <= MAX_LABEL)))
  );
}

/** Large mailbox providers at `.com` with names long enough to recognise a misspelling. */
const LONG_NAMES = 'gmail googlemail hotmail yahoo outlook icloud protonmail'.split(' ');
/**
 * Misspellings of them other than a single missing, doubled or swapped letter: a neighbouring key, the sound, the look.
 */
const OTHER_MISSPELLINGS = [
  ...'gnail gmsil gmaul gmaik gmaio gmeil gmall gemail gamail gimail gmaild protonnail'.split(' '),
  ...'hormail hotnail hitmail hotmall hotmaul hotmaik hotmeil hoymail iclould icloude lcloud iclous icliud'.split(' '),
  ...'yahou yahop yahpo yaboo yajoo yshoo uahoo outlock outluk outlool outiook outkook'.split(' '),
];
/** Real names that look like a typo of one of them. */
const REAL_NAMES: ReadonlySet<string> = new Set(['mail', 'cloud']);
/** Too short to guess at misspellings of their names. */
const SHORT_NAMES = ['aol', 'live', 'msn'];
/** `.com` as it is mistyped. */
const COM_SLIPS: ReadonlySet<string> = new Set(
  'co cm om con cmo ocm comm coom ccom vom xom cim cpm cop coml comn come con.com com.com'.split(' '),
);
const PROVIDER_NAMES: ReadonlySet<string> = new Set([...LONG_NAMES, ...SHORT_NAMES]);
const MISSPELT_NAMES: ReadonlySet<string> = new Set(
  [...LONG_NAMES.flatMap(slipsOf), ...OTHER_MISSPELLINGS].filter(
    (name) => !REAL_NAMES.has(name) && !PROVIDER_NAMES.has(name),
  ),
);

/** A name with one letter missing, doubled, or swapped with the next. */
function slipsOf(name: string): string[] {
  return Array.from(name, (letter, i) => {
    const [before, after] = [name.slice(0, i), name.slice(i + 1)];
    return [before + after, before + letter + letter + after, before + after.slice(0, 1) + letter + after.slice(1)];
  }).flat();
}

function isProviderTypo(domain: string): boolean {
  const dot = domain.indexOf('.');
  const [name, suffix] = [domain.slice(0, dot), domain.slice(dot + 1)];
  const slipped = COM_SLIPS.has(suffix);
  return MISSPELT_NAMES.has(name) ? slipped || suffix === 'com' : slipped && PROVIDER_NAMES.has(name);
}

/** The domain of an address. */
const domainOf = (email: string): string => trimUnseen(email.slice(email.lastIndexOf('@') + 1));

function isValidContactListEmail(email: string): boolean {
  if (!isAddress(email)) return false;
  const local = trimUnseen(email.slice(0, email.lastIndexOf('@')));
  const allDigits = /^\d+$/.test(local.replace(/[._-]/g, ''));
  return !local.startsWith('"') && !local.includes('+') && !allDigits && !isProviderTypo(domainOf(email).toLowerCase());
}

// ——— Lists ———

const COUNTS = ['added', 'moved', 'unchanged', 'removed', 'not_found'] as const;
type Counts = { readonly [count in (typeof COUNTS)[number]]?: number };

const MAX_BATCH = 1_000;
/** The service accepts 512 KB for a rule list; the rest is for the note and the JSON around it. */
const MAX_BATCH_BYTES = 500 * 1024;

/** At least one, at most 1,000 entries and the bytes of one body each (320 characters can be 1,280 octets). */
function* batches(entries: readonly string[]): Generator<{ readonly from: number; readonly batch: readonly string[] }> {
  let from = 0;
  let bytes = 0;
  for (const [i, entry] of entries.entries()) {
    const size = octets(JSON.stringify(entry)) + 1;
    if (i > from && (i - from === MAX_BATCH || bytes + size > MAX_BATCH_BYTES)) {
      yield { from, batch: entries.slice(from, i) };
      from = i;
      bytes = 0;
    }
    bytes += size;
  }
  yield { from, batch: entries.slice(from) };
}

/** The sum of all batches so far and the next one, which begins at `from`. */
function addUp<T extends RulesAdded | RulesRemoved>(whole: T, part: T, from: number): T {
  const sums = COUNTS.map(
    (count) => [count, ((whole as Counts)[count] ?? 0) + ((part as Counts)[count] ?? 0)] as const,
  );
  const rejected = rejectedIn(part).map((entry) => ({ ...entry, index: entry.index + from }));
  return {
    ...part,
    ...Object.fromEntries(sums.filter(([count]) => count in part)),
    rejected: [...rejectedIn(whole), ...rejected],
  };
}

function rejectedIn({ rejected }: RulesAdded | RulesRemoved): readonly RejectedEntry[] {
  if (Array.isArray(rejected) && rejected.every((entry) => typeof entry?.index === 'number')) return rejected;
  throw unusable('rejected');
}

const MAX_UPLOAD_BYTES = 50 * 1024 * 1024;

/** The file's bytes. An oversized file is refused before it is sent. */
function uploadable(csv: string | Uint8Array | ArrayBuffer): Uint8Array {
  const size: unknown = typeof csv === 'string' ? csv.length : csv?.byteLength;
  if (typeof size !== 'number')
    throw new EmailVerificationError(0, 'invalid_request', 'The file is neither a string nor a buffer.');
  const file = size > MAX_UPLOAD_BYTES ? null : bytesOf(csv);
  if (file === null || file.byteLength > MAX_UPLOAD_BYTES)
    throw new EmailVerificationError(413, 'invalid_request', 'The file is larger than 50 MB.');
  return file;
}

function bytesOf(csv: string | Uint8Array | ArrayBuffer): Uint8Array {
  if (typeof csv === 'string') return new TextEncoder().encode(csv);
  return ArrayBuffer.isView(csv) ? new Uint8Array(csv.buffer, csv.byteOffset, csv.byteLength) : new Uint8Array(csv);
}

function query(parameters: Query): string {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined && value !== null);
  return given.length === 0
    ? ''
    : `?${new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)])).toString()}`;
}

// ——— Calls ———

/**
 * Whether a call may be sent again. `safe`: it changes nothing. `keyed`: the service recognises it by its
 * Idempotency-Key. `never`: it may have been carried out although the answer was lost.
 */
type Repeat = 'safe' | 'keyed' | 'never';

interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly json?: unknown;
  readonly ifMatch?: string | undefined;
  readonly signal?: Signal | undefined;
  readonly csv?: Uint8Array;
  readonly repeat: Repeat;
  /** Limits the call with all its attempts. Default: the client's. */
  readonly timeoutMs?: number;
}

/** How the functions reach the service. Both reject with `EmailVerificationError`. */
interface Transport {
  /** The answer's JSON object, otherwise as the service sent it. */
  readonly ask: <T extends object>(call: Call) => Promise<T>;
  readonly download: (call: Call) => Promise<string>;
  /** The service's URL; null if missing or malformed. */
  readonly base: string | null;
  readonly timeoutMs: number;
}

interface Refusal {
  readonly ok: false;
  readonly error: EmailVerificationError;
  /** What `Retry-After` asks for. */
  readonly afterMs: number | null;
}
/** Throws on a body that is not an answer of the service. */
type Read<T> = (body: Uint8Array, headers: Headers) => T;
type Attempt<T> = { readonly ok: true; readonly value: T } | Refusal;

const MAX_ATTEMPTS = 3;
const FIRST_BACKOFF_MS = 200;
/** A page of 200 rules with the longest notes is about a tenth of it. */
const MAX_JSON_BYTES = 8 * 1024 * 1024;
/** The largest upload with the longest appended columns is about half of it. */
const MAX_FILE_BYTES = 256 * 1024 * 1024;
/** A longer timer would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

function createTransport(apiKey: string, baseUrl: string, timeoutMs: number): Transport {
  const key = apiKey.trim();
  const base = baseOf(baseUrl.trim());

  async function send<T>(call: Call, limitBytes: number, read: Read<T>): Promise<T> {
    if (!/^[!-~]+$/.test(key)) {
      const how = 'Pass `apiKey` or set EMAIL_VERIFICATION_API_KEY.';
      throw new EmailVerificationError(401, 'unauthorized', `The API key is missing or malformed. ${how}`);
    }
    if (base === null) {
      const how = 'Pass `baseUrl` or set EMAIL_VERIFICATION_BASE_URL.';
      throw new EmailVerificationError(0, 'not_configured', `The service's address is missing or malformed. ${how}`);
    }
    const request = requestOf(call, key);
    return within(call.timeoutMs ?? timeoutMs, call.signal, async (signal, leftMs) => {
      for (let attempts = 1; ;) {
        const result = await attempt(base + call.path, { ...request, signal }, limitBytes, read);
        if (result.ok) return result.value;
        // An earlier attempt is still running: wait for its answer as long as the call may take.
        const isAwaited = result.error.code === 'request_in_progress';
        const again = isAwaited || (attempts < MAX_ATTEMPTS && mayPass(call.repeat, result.error));
        const waitMs = pauseMs(attempts, result.afterMs);
        if (!again || waitMs >= leftMs()) throw result.error;
        await sleep(waitMs);
        if (!isAwaited) attempts += 1;
      }
    });
  }

  return {
    ask: <T extends object>(call: Call) => send(call, MAX_JSON_BYTES, readJson<T>),
    download: (call) => send(call, MAX_FILE_BYTES, readText),
    base,
    timeoutMs,
  };
}

/** The request, the same for every attempt, Idempotency-Key included. */
function requestOf({ method, json, csv, repeat, ifMatch }: Call, key: string): RequestInit {
  const type = csv === undefined ? 'application/json' : 'text/csv';
  const body = csv ?? (json === undefined ? null : JSON.stringify(json));
  return {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body !== null && { 'content-type': type }),
      ...(repeat === 'keyed' && { 'idempotency-key': crypto.randomUUID() }),
      ...(ifMatch !== undefined && { 'if-match': ifMatch }),
    },
    // A name that every runtime's types have.
    body: body as Exclude<RequestInit['body'], undefined>,
    // Redirects are not followed: they would send the address somewhere else.
    redirect: 'manual',
  };
}

async function attempt<T>(url: string, init: RequestInit, limitBytes: number, read: Read<T>): Promise<Attempt<T>> {
  try {
    const response = await fetch(url, init);
    const body = await readBody(response, limitBytes);
    if (!response.ok) return refusalOf(response, body);
    try {
      if (body !== null) return { ok: true, value: read(body, response.headers) };
    } catch {
      // Neither this nor an endless body is an answer of the service.
    }
    return { ok: false, error: unusable('body', response.status, response.headers.get('x-trace-id')), afterMs: null };
  } catch (cause) {
    const error = new EmailVerificationError(0, 'network_error', 'The service could not be reached.', { cause });
    return { ok: false, error, afterMs: null };
  }
}

/** The service's error envelope, or the status alone (a proxy's page). */
function refusalOf({ status, headers }: Response, body: Uint8Array | null): Refusal {
  const traceId = headers.get('x-trace-id');
  const afterMs = retryAfterMs(headers);
  try {
    const { error } = readJson<{ error: { code: ServiceErrorCode; message?: unknown; trace_id?: unknown } }>(
      body ?? new Uint8Array(),
    );
    if (typeof error.code === 'string') {
      const message = typeof error.message === 'string' ? error.message : error.code;
      const named = typeof error.trace_id === 'string' ? error.trace_id : traceId;
      return { ok: false, error: new EmailVerificationError(status, error.code, message, { traceId: named }), afterMs };
    }
  } catch {
    // The body is not an envelope.
  }
  return { ok: false, error: unusable('error', status, traceId), afterMs };
}

const unusable = (what: string, status = 200, traceId: string | null = null): EmailVerificationError =>
  new EmailVerificationError(status, 'invalid_response', `Not an answer of the service (${status}, ${what}).`, {
    traceId,
  });

/** Whether another attempt is safe and may succeed. `rate_limited` comes before anything is carried out. */
const mayPass = (repeat: Repeat, { status, code }: EmailVerificationError): boolean =>
  code === 'rate_limited' || (repeat !== 'never' && (code === 'network_error' || status === 429 || status >= 500));

const pauseMs = (attempts: number, afterMs: number | null): number => {
  const backoffMs = FIRST_BACKOFF_MS * 2 ** (attempts - 1);
  const [random = 0] = crypto.getRandomValues(new Uint32Array(1));
  return (afterMs ?? backoffMs / 2) + (random / 2 ** 32) * (backoffMs / 2);
};

/** Seconds or a date (RFC 9110 §10.2.3); a date is read by the answer's own clock. */
function retryAfterMs(headers: Headers): number | null {
  const text = headers.get('retry-after') ?? '';
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  // `Date.parse` also reads other texts as dates, such as `1.5`.
  const until = text.endsWith('GMT') ? Date.parse(text) : Number.NaN;
  const ms = until - Date.parse(headers.get('date') ?? '');
  return Number.isNaN(ms) ? null : Math.max(0, ms);
}

const abortedBy = (signal: Signal): EmailVerificationError =>
  new EmailVerificationError(0, 'aborted', 'The call was given up by its signal.', { cause: signal.reason });

/** Rejects with `timeout` if `work` takes longer, with `aborted` if the caller aborts, whatever `work` does. */
async function within<T>(
  timeoutMs: number,
  given: Signal | undefined,
  work: (signal: AbortSignal, leftMs: () => number) => Promise<T>,
): Promise<T> {
  const endsAt = performance.now() + timeoutMs;
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let giveUp: (() => void) | undefined;
  const expiry = new Promise<never>((_, reject) => {
    giveUp = () => {
      if (given !== undefined) reject(abortedBy(given));
      controller.abort();
    };
    if (given?.aborted === true) giveUp();
    given?.addEventListener('abort', giveUp);
    timer = setTimeout(
      () => {
        reject(new EmailVerificationError(0, 'timeout', `No whole answer within ${timeoutMs} ms.`));
        controller.abort();
      },
      Math.min(timeoutMs, MAX_TIMER_MS),
    );
  });
  try {
    return await Promise.race([
      given?.aborted === true ? expiry : work(controller.signal, () => endsAt - performance.now()),
      expiry,
    ]);
  } finally {
    if (timer !== undefined) clearTimeout(timer);
    if (giveUp !== undefined) given?.removeEventListener('abort', giveUp);
  }
}

/** Rejects with `aborted` if the caller aborts. */
const sleep = (ms: number, signal?: Signal): Promise<void> =>
  new Promise((resolve, reject) => {
    const giveUp = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', giveUp);
      if (signal !== undefined) reject(abortedBy(signal));
    };
    const timer = setTimeout(
      () => {
        signal?.removeEventListener('abort', giveUp);
        resolve();
      },
      Math.min(ms, MAX_TIMER_MS),
    );
    if (signal?.aborted === true) giveUp();
    else signal?.addEventListener('abort', giveUp);
  });

/** The whole body, or null if it is longer than `limitBytes`, in which case the rest is not read. */
async function readBody(response: Response, limitBytes: number): Promise<Uint8Array | null> {
  const reader = response.body?.getReader();
  const parts: Uint8Array[] = [];
  let size = 0;
  for (let part = await reader?.read(); part?.value !== undefined; part = await reader?.read()) {
    size += part.value.byteLength;
    if (size > limitBytes) {
      reader?.cancel().catch(() => undefined);
      return null;
    }
    parts.push(part.value);
  }
  const whole = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.byteLength;
  }
  return whole;
}

const STRICT = { fatal: true, ignoreBOM: false } as const;

/** Throws on a text that is not a JSON object. */
function readJson<T extends object>(body: Uint8Array): T {
  const value: unknown = JSON.parse(new TextDecoder('utf-8', STRICT).decode(body));
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw unusable('body');
  return value as T;
}

/**
 * Results keep the encoding of the uploaded file, distinguished as the service does: byte-order mark, UTF-8, Windows-1252.
 */
function readText(body: Uint8Array, headers: Headers): string {
  // A proxy's page is text too.
  if (headers.get('content-type')?.includes('html') === true) throw unusable('body');
  const [first, second] = body;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(body);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(body);
  try {
    return new TextDecoder('utf-8', STRICT).decode(body);
  } catch {
    return new TextDecoder('windows-1252').decode(body);
  }
}

// ——— Settings ———

/** The parts of a runtime that are not web standards. */
interface Runtime {
  readonly process?: { readonly env?: Readonly<Record<string, string | undefined>> };
  readonly Deno?: { readonly env?: { get(name: string): string | undefined } };
  readonly window?: { readonly document?: unknown };
  readonly WorkerGlobalScope?: unknown;
  readonly navigator?: { readonly userAgent?: string };
}
const runtime = globalThis as unknown as Runtime;

function refuseBrowser(): void {
  const { window, WorkerGlobalScope, navigator } = runtime;
  // Every browser names its workers' scopes so; Deno and Cloudflare use other names.
  const isBrowserWorker = WorkerGlobalScope !== undefined && navigator?.userAgent?.startsWith('Mozilla/') === true;
  if (window?.document === undefined && !isBrowserWorker) return;
  throw new Error('The email verification client holds a secret key: it runs on a server, never in a browser.');
}

function setting(name: string): string | undefined {
  for (const read of [() => runtime.process?.env?.[name], () => runtime.Deno?.env?.get(name)]) {
    try {
      const value = read();
      if (value !== undefined) return value;
    } catch {
      // Deno without permission to read it counts as not set.
    }
  }
  return undefined;
}

/** The service's URL without a trailing slash, or null when it is not a URL. */
function baseOf(text: string): string | null {
  if (!URL.canParse(text)) return null;
  const { protocol, username, password, search, hash, origin, pathname } = new URL(text);
  if (!/^https?:$/.test(protocol) || username + password + search + hash !== '') return null;
  let path = pathname;
  while (path.endsWith('/')) path = path.slice(0, -1);
  return origin + path;
}

function duration(name: string, ms: number): number {
  if (typeof ms === 'number' && ms >= 0) return ms;
  throw new RangeError(`${name} must be a number of milliseconds`);
}
