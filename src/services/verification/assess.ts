import type { Verification, VerificationContext } from '../../contract/verification.ts';
import type { Basis as AnswerBasis, Purpose } from '../../contract/vocabulary.ts';
import { canonicalise } from '../../domain/address/canonical.ts';
import { answerShown, basisOf, isDegraded, warningOf } from '../../domain/answer/answer-shown.ts';
import { calibrationOf, computePosterior, type PosteriorInputs } from '../../domain/answer/conclusion.ts';
import { type EvidenceShift, evidenceShifts } from '../../domain/answer/evidence-shifts.ts';
import { flagLearned, type KnownFacts, knownFrom, NOTHING_KNOWN } from '../../domain/answer/known.ts';
import { sharedAcceptsAll } from '../../domain/belief/accepts-all.ts';
import type { DatedAnswer, KnownAnswer, Observation } from '../../domain/belief/facts.ts';
import { acceptsAllShown, initialState, NO_GROUPS, type PredictionContext } from '../../domain/belief/groups.ts';
import { hostClass } from '../../domain/belief/host-class.ts';
import { isReportMoved } from '../../domain/belief/learning.ts';
import { MODEL } from '../../domain/belief/model.ts';
import { rowName } from '../../domain/belief/names.ts';
import { SERVICE_LOSSES, type Stakes, stakesOf } from '../../domain/router/losses.ts';
import type { ProviderQueries } from '../../domain/router/provider-queries.ts';
import { groundsFrom } from '../../domain/router/recommend.ts';
import type { NameMatcher } from '../../domain/screening/names/match-name.ts';
import { correctionOf } from '../../domain/screening/typo/corrected.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Id } from '../../kernel/ids.ts';
import { type KnownHistory, NO_HISTORY } from '../../organisation/api.ts';
import { writeAcceptsAll } from '../../storage/accepts-all.ts';
import type { FactStore } from '../../storage/kv.ts';
import type { Admission } from '../admission.ts';
import { type AdmittedRequest, type Caller, earlierAnswer } from '../caller.ts';
import type { ReserveBudget } from '../reservation.ts';
import type { Gathered } from './gather.ts';
import { contextOf, featuresOf } from './history.ts';
import { sandboxQueries } from './in-sandbox.ts';
import { type LocalFacts, type LocalFactsDeps, localFacts } from './local-facts.ts';
import {
  type ProviderBudget,
  type QueryDeps,
  type QueryInput,
  queryProviders,
  withResults,
} from './query-providers.ts';

/** What a verification may take and cost when the caller names no ceiling. */
export const LATENCY_DEFAULT_MS = 3_500;
export const COST_DEFAULT_USD = 0.02;

/** A higher ceiling of the caller's counts as this one. */
const LATENCY_MOST_MS = 60_000;

/** The work after the last wait counts against the ceiling too. */
const LATENCY_MARGIN_MS = 10;

export interface VerifyDeps extends LocalFactsDeps, QueryDeps {
  readonly now: Clock;
  readonly evidence: FactStore;
  readonly matchName: NameMatcher;
  /** Keyed hash of an address's canonical form within an organisation, 64 hex digits. */
  hashIdentity(organisationId: Id<'org'>, canonical: string): string;
}

/** The part of an admitted request that an assessment needs. Its answer is named by `traceId`. */
export type AssessedRequest = Pick<
  AdmittedRequest<Admission>,
  'organisationId' | 'mode' | 'meter' | 'startedAt' | 'traceId' | 'admitted' | 'defer' | 'reserveProviders'
> & {
  /** When the first try began, where there may be several: evidence learned since then counts as new each time. */
  readonly begunAt?: number;
  /** The job that the address is a row of. */
  readonly jobId?: Id<'bj'>;
};

/** The age of evidence is counted up to this moment. */
const reckonedTo = ({ begunAt, startedAt }: Pick<AssessedRequest, 'begunAt' | 'startedAt'>): number =>
  begunAt ?? startedAt;

/** What an answer rests on: all that was learned about the address. */
export interface Basis {
  readonly facts: LocalFacts;
  readonly known: KnownFacts;
  readonly queries: ProviderQueries;
  readonly inputs: PosteriorInputs;
  /** How far each piece of evidence moved the log-odds; empty where a finding or a rule settles the number. */
  readonly evidence: readonly EvidenceShift[];
  readonly stakes: Stakes;
  /** The losses in force. */
  readonly lossesVersion: number;
  /** Which kind of evidence the answer rests on. */
  readonly restsOn: AnswerBasis;
  /** What its history gains. Null: nothing. */
  readonly learnt: Observation | null;
}

const NONE_ASKED: ProviderQueries = { results: [], failures: [], steps: [], spendMicros: 0 };

/** The time and money that a request may spend, defaults filled in. */
export interface Ceilings {
  /** Service time: the answer leaves by then. */
  readonly deadlineMs: number;
  readonly maxCostUsd: number;
}

export interface Assessed {
  readonly kind: 'assessed';
  readonly answer: Verification;
  readonly basis: Basis;
}

export type Assessment =
  /** The same request was answered before; the stored answer stands. */
  { readonly kind: 'repeated'; readonly answer: string } | Assessed;

/** A request's context with the purpose that it names, or that it has by default. */
export type PurposedContext = VerificationContext & { readonly purpose: Purpose };

/** What an assessment is asked. */
export interface AssessInput {
  readonly email: string;
  readonly context: PurposedContext;
  readonly ceilings: Ceilings;
  /** The person's, where one was sent. */
  readonly name?: string | undefined;
}

/**
 * Assesses one address. The caller commits. Throws refusals only: a failed dependency shows in the answer.
 */
export async function assess(
  deps: VerifyDeps,
  request: AssessedRequest,
  { email, context, ceilings, name }: AssessInput,
  gathered: Gathered,
): Promise<Assessment> {
  const { deadlineMs, maxCostUsd } = ceilings;
  const facts = localFacts(deps, request, gathered, name ?? null);
  const earlier = earlierAnswer(facts.admission);
  if (earlier !== null) return { kind: 'repeated', answer: earlier };

  const { precheck, traits, provider, address, meantDomain } = facts;
  const host = hostClass({
    disposable: precheck.disposable,
    relay: traits.relay,
    consumer: traits.consumer,
    mxProvider: provider.mxProvider,
    gateway: provider.gateway,
  });
  const now = reckonedTo(request);
  const history = historyOf(facts);
  const known = precheck.terminal === null ? knownOf(history, gathered, now) : NOTHING_KNOWN;
  const { purpose } = context;
  const features = featuresOf(deps, facts, name || null);
  const isFile = request.jobId !== undefined;
  const predictionContext = predictionContextOf(facts, history, { host, features, purpose, told: known.told, now });
  const bounds = { isTrusted: history.isTrusted, isFile };
  const inputsWith = (answers: readonly DatedAnswer[], of: PredictionContext): PosteriorInputs => ({
    model: MODEL,
    host,
    features,
    purpose,
    initial: initialState(MODEL, of, { ...known, answers }, bounds),
    certain: precheck.certain,
    answers,
    reports: known.reports,
    proofs: known.proofs,
    errors: history.errors,
    now,
  });
  const inForce = facts.admission.reached ? facts.admission.losses : SERVICE_LOSSES;
  const stakes = stakesOf(inForce, purpose);
  const domainAcceptsAll = acceptsAllShown(MODEL, host, history.groups.domain, now) ?? known.told ?? false;
  const queries = await queryAbout(deps, facts, {
    inputsWith: (answers) => inputsWith(answers, predictionContext),
    known: known.answers,
    stakes,
    isFile,
    isCatchAll: domainAcceptsAll,
    isRuled: facts.admission.rules.address !== null || facts.admission.rules.domain !== null,
    budget: budgetOf(facts.admission, request.reserveProviders),
    maxCostUsd,
    deadlineMs,
  });
  const degraded = isDegraded({ precheck, known, queries }, facts.admission.reached);
  // A degraded answer has learned nothing, so it comes from the tables without the account's groups, and says `prior`.
  const used = degraded ? { ...predictionContext, groups: NO_GROUPS, own: null } : predictionContext;
  const said = withResults(known.answers, queries.results, now);
  const inputs = inputsWith(said, used);
  const evidence = precheck.certain ? [] : evidenceShifts(inputs, used, bounds);
  const answers = answersOf(queries, deps.now());
  shareFlag(deps, request, facts, gathered, answers);
  const seen = answers.length === 0 ? null : contextOf(deps, request, facts, features, host, purpose);
  const learnt = seen && { context: seen, answers, report: null, proof: null };
  const posterior = computePosterior(inputs);
  const isTaught = !degraded && (known.reports.length > 0 || isReportMoved(MODEL, host, history.groups, now));
  const shown = { precheck, known, queries };
  const grounds = groundsFrom({ ...inputs, isFile, warning: warningOf(shown) });
  const basis: Basis = {
    facts,
    known,
    queries,
    inputs,
    evidence,
    stakes,
    lossesVersion: inForce.version,
    restsOn: basisOf(shown),
    learnt,
  };
  const answer = answerShown(
    {
      ...shown,
      traits,
      provider,
      isTypo: meantDomain !== null,
      domainAcceptsAll,
      grounds,
      posterior,
      calibration: calibrationOf(inputs, isTaught),
      degraded,
    },
    {
      email,
      stakes,
      didYouMean: correctionOf(email, meantDomain),
      identityHash: address === null ? null : deps.hashIdentity(request.organisationId, canonicalise(address)),
      traceId: request.traceId,
      latencyMs: Math.max(0, deps.now() - request.startedAt),
    },
  );
  return { kind: 'assessed', answer, basis };
}

/** Where an address stands among the account's groups. */
function predictionContextOf(
  { addressHash }: LocalFacts,
  { address, groups, isOwnList }: KnownHistory,
  seen: Pick<PredictionContext, 'host' | 'features' | 'purpose' | 'now'> & { readonly told: boolean | null },
): PredictionContext {
  const { told, ...rest } = seen;
  return {
    ...rest,
    sharedAcceptsAll: sharedAcceptsAll(MODEL, seen.host, told),
    groups,
    own: addressHash === null ? null : { name: rowName(addressHash), contribution: address?.contribution ?? null },
    isOwnList,
  };
}

/** Null: unlimited. While the object is out of reach no provider is asked. */
const budgetOf = (admission: Admission, reserve: ReserveBudget): ProviderBudget | null =>
  admission.reached && admission.providerLeftMicros !== null
    ? { leftMicros: admission.providerLeftMicros, reserve }
    : null;

export const ceilingsOf = ({ startedAt }: Pick<Caller, 'startedAt'>, context: VerificationContext): Ceilings => {
  const maxLatencyMs = Math.min(context.max_latency_ms ?? LATENCY_DEFAULT_MS, LATENCY_MOST_MS);
  return {
    deadlineMs: startedAt + Math.max(0, maxLatencyMs - LATENCY_MARGIN_MS),
    maxCostUsd: context.max_cost_usd ?? COST_DEFAULT_USD,
  };
};

/** Asks providers, unless the precheck has ended the verification, the object is out of reach, or the key is a test key. */
async function queryAbout(
  deps: QueryDeps,
  facts: LocalFacts,
  input: Omit<QueryInput, 'email'>,
): Promise<ProviderQueries> {
  const { address, admission, precheck, sandbox } = facts;
  if (address === null || precheck.terminal !== null || !admission.reached) return NONE_ASKED;
  if (admission.key.mode === 'test') return sandbox === null ? NONE_ASKED : sandboxQueries(sandbox);
  return queryProviders(deps, { ...input, email: `${address.local}@${address.domain}` });
}

/** A finding or rule that ends the verification leaves no room for history. */
const historyOf = ({ admission, precheck }: LocalFacts): KnownHistory =>
  admission.reached && precheck.terminal === null ? admission.history : NO_HISTORY;

/** What the account knows of the address, with what organisations share of its domain. */
const knownOf = ({ address }: KnownHistory, { flag, seenAs }: Gathered, now: number): KnownFacts =>
  knownFrom(address, seenAs && flag && { flag, seenAs }, now);

/** Tells other organisations, behind the answer, what fresh answers show of the domain. */
function shareFlag(
  deps: Pick<VerifyDeps, 'evidence' | 'now'>,
  request: AssessedRequest,
  { domain }: LocalFacts,
  { flag, seenAs }: Gathered,
  answers: readonly KnownAnswer[],
): void {
  const now = deps.now();
  const learned = seenAs === null ? null : flagLearned(flag, answers, seenAs, now);
  if (learned !== null) request.defer(writeAcceptsAll(deps.evidence, domain, learned, now));
}

const answersOf = ({ results }: ProviderQueries, at: number): KnownAnswer[] =>
  results.map(({ provider, answer: { verdict, catchAll, mailboxFull, warning } }) => ({
    provider,
    verdict,
    at,
    ...(catchAll !== null && { catch_all: catchAll }),
    ...(mailboxFull === true && { full: true as const }),
    ...(warning !== null && { warning }),
  }));
