import type { Verification } from '../../contract/verification.ts';
import type { Basis, Verdict } from '../../contract/vocabulary.ts';
import { SECOND_MS } from '../../kernel/clock.ts';
import type { DatedReport, KnownAnswer } from '../belief/facts.ts';
import type { Belief } from '../belief/posterior.ts';
import type { ProviderWarning } from '../belief/provider.ts';
import type { MailboxProvider } from '../mailbox-provider/classify.ts';
import { usd } from '../metering/usage.ts';
import { type Grounds, type Stakes, recommend } from '../router/losses.ts';
import type { ProviderQueries } from '../router/provider-queries.ts';
import type { KnownFacts } from './account.ts';
import type { Posterior } from './conclusion.ts';
import { type Precheck, type Traits, actorClass, emailType, mailboxType, signalsOf } from './precheck.ts';
import { newestWord } from './prepared.ts';

/** Each verdict holds below its bound. The bounds are public. */
const BOUNDS: readonly (readonly [below: number, verdict: Verdict])[] = [
  [0.02, 'valid'],
  [0.1, 'likely_valid'],
  [0.5, 'risky'],
  [0.9, 'likely_invalid'],
];

/**
 * A coarse word for the number, computed last and read by no code. `isBlind`: the answer is degraded, or a failed
 * look-up of mail hosts leaves nothing else known.
 */
export function verdictOf({ probability }: Belief, isBlind: boolean): Verdict {
  if (isBlind) return 'unknown';
  return BOUNDS.find(([below]) => probability < below)?.[1] ?? 'invalid';
}

export interface ShownBasis {
  readonly precheck: Precheck;
  readonly traits: Traits;
  readonly provider: Pick<MailboxProvider, 'esp'>;
  /** The domain is a typo of a well-known one. */
  readonly isTypo: boolean;
  readonly known: KnownFacts;
  /** Other addresses show that the domain accepts everything. */
  readonly domainAcceptsAll: boolean;
  readonly grounds: Grounds;
  readonly queries: ProviderQueries;
  readonly posterior: Posterior;
  readonly calibration: Verification['calibration'];
  readonly degraded: boolean;
}

/** An answer without the address: neither it nor its correction is stored. */
export type ShownVerification = Omit<Verification, 'email' | 'did_you_mean'>;

/** The rest of an answer beside its conclusion. */
export interface ShownRequest {
  readonly stakes: Stakes;
  readonly identityHash: string | null;
  readonly traceId: string;
  readonly latencyMs: number;
}

/** The answer follows from these alone. The verdict comes last and decides nothing. */
export function answerShown(basis: ShownBasis, request: ShownRequest): ShownVerification {
  const { precheck, traits, known, queries, degraded } = basis;
  const { belief, disagreement } = basis.posterior;
  const { identityHash } = request;
  const results = queries.results.map(({ provider: id, answer: { verdict, costMicros, reason, subStatus }, ms }) => [
    id,
    { verdict, ms, cost: usd(costMicros), reason, ...(subStatus === null ? {} : { sub_status: subStatus }) },
  ]);
  const warning = warningOf(basis);
  return {
    verdict: verdictOf(belief, isBlind(basis)),
    bounce_probability: belief.probability,
    confidence_interval: [belief.interval[0], belief.interval[1]],
    calibration: basis.calibration,
    recommendation: recommend(belief, request.stakes, basis.grounds, precheck.terminal !== null),
    actor_class: actorClass(precheck, traits),
    mailbox_type: mailboxType(precheck, traits),
    esp: basis.provider.esp,
    email_type: emailType(precheck, traits, basis.isTypo),
    signals: {
      ...signalsOf(precheck, traits, acceptsAll(basis)),
      ...(warning === null ? {} : { warning }),
    },
    providers: Object.fromEntries(results),
    disagreement,
    cache: cacheOf(known, queries),
    cost_usd: usd(queries.spendMicros),
    latency_ms: request.latencyMs,
    trace_id: request.traceId,
    reason: precheck.reasons[0] ?? null,
    reasons: [...precheck.reasons],
    ...(degraded ? { degraded } : {}),
    ...(identityHash === null ? {} : { identity_hash: identityHash }),
  };
}

/** Facts about the address itself, beyond lists and DNS. */
const hasOwnFacts = ({ known, queries }: Pick<ShownBasis, 'known' | 'queries'>): boolean =>
  known.answers.some(({ verdict }) => verdict !== 'unknown') ||
  known.reports.length > 0 ||
  known.proofs.length > 0 ||
  queries.results.some(({ answer }) => answer.verdict !== 'unknown');

/** The verdict can say nothing: the answer is degraded, or a failed look-up of mail hosts leaves nothing else known. */
const isBlind = (basis: Pick<ShownBasis, 'precheck' | 'known' | 'queries' | 'degraded'>): boolean =>
  basis.degraded ||
  (basis.precheck.reasons.includes('mx_unresolved') && basis.precheck.terminal === null && !hasOwnFacts(basis));

/**
 * The warning about an address: from a provider in this request, else the newest stored one of a provider not asked
 * again, else the account's own spam complaint.
 */
export const warningOf = ({ known, queries }: Pick<ShownBasis, 'known' | 'queries'>): ProviderWarning | null =>
  warningIn(known, queries.results);

export function warningIn(
  { answers, reports }: { readonly answers: readonly KnownAnswer[]; readonly reports: readonly DatedReport[] },
  results: ProviderQueries['results'],
): ProviderWarning | null {
  const fresh = results.find(({ answer }) => answer.warning !== null)?.answer.warning;
  const asked = new Set(results.map(({ provider }) => provider));
  const kept = answers.findLast(({ provider, warning }) => warning !== undefined && !asked.has(provider));
  const isComplainer = reports.some((report) => report.class === 'complaint');
  return fresh ?? kept?.warning ?? (isComplainer ? 'complainer' : null);
}

/** What the answer rests on. An inconclusive provider was asked and paid too: “checked, unclear”. */
export function basisOf(basis: Pick<ShownBasis, 'precheck' | 'known' | 'queries'>): Basis {
  if (basis.precheck.terminal !== null) return 'rule';
  if (basis.queries.results.length > 0) return 'provider';
  const { answers, reports, proofs } = basis.known;
  return answers.length + reports.length + proofs.length > 0 ? 'history' : 'local';
}

/** True where a provider failed or could not be asked, which leaves the prior. `reached`: the object answered. */
export function isDegraded(
  { precheck, known, queries }: Pick<ShownBasis, 'precheck' | 'known' | 'queries'>,
  reached: boolean,
): boolean {
  if (precheck.terminal !== null) return false;
  const failed = !reached || queries.failures.length > 0 || queries.steps.some(({ missed }) => missed);
  return failed && known.told === null && !hasOwnFacts({ known, queries });
}

/** The providers of this request first, then the last answer about this address, then other addresses of the domain. */
export function acceptsAll({
  known,
  queries,
  domainAcceptsAll,
}: Pick<ShownBasis, 'known' | 'queries' | 'domainAcceptsAll'>): boolean {
  const said = queries.results.flatMap(({ answer }) => (answer.catchAll === null ? [] : [answer.catchAll]));
  return said.length > 0 ? said.includes(true) : (newestWord(known.answers) ?? domainAcceptsAll);
}

/**
 * Covers only the organisation's own evidence about this address. Evidence about a domain may come from other
 * organisations, and its age would reveal when they asked.
 */
function cacheOf(
  { answers, reports, ttlMs }: KnownFacts,
  { results, failures }: ProviderQueries,
): Verification['cache'] {
  const hit = answers.length + reports.length > 0 && results.length === 0 && failures.length === 0;
  return { hit, ttl_s: hit ? Math.floor(ttlMs / SECOND_MS) : 0 };
}

/** The fields of an answer that traces and rows of bulk files store. */
export const answerKept = (answer: ShownVerification) => ({
  verdict: answer.verdict,
  bounceProbability: answer.bounce_probability,
  recommendation: answer.recommendation,
  reason: answer.reason,
  emailType: answer.email_type,
  esp: answer.esp,
  mailboxType: answer.mailbox_type,
  actorClass: answer.actor_class,
  disposable: answer.signals.disposable,
  roleAccount: answer.signals.role_account,
  warning: answer.signals.warning ?? null,
});
