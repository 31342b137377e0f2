import type { Verification, VerificationContext } from '../../contract/verification.ts';
import type { Purpose } from '../../contract/vocabulary.ts';
import { canonicalise } from '../../domain/address/canonical.ts';
import type { NameMatcher } from '../../domain/screening/names/match-name.ts';
import { atMeantDomain } from '../../domain/screening/typo/corrected.ts';
import type { KnownAnswer } from '../../domain/verification/answer.ts';
import { answerShown, isDegraded } from '../../domain/verification/answer-shown.ts';
import { calibrationOf, computePosterior, type PosteriorInputs } from '../../domain/verification/conclusion.ts';
import { acceptsAllOdds } from '../../domain/verification/evidence.ts';
import { type EvidenceShift, evidenceShifts } from '../../domain/verification/evidence-shifts.ts';
import {
  acceptsAllByLevels,
  type FirstStateInput,
  firstState,
  NO_NEIGHBOURS,
} from '../../domain/verification/first-state.ts';
import { groundsFrom } from '../../domain/verification/grounds.ts';
import {
  type KnownHistory,
  type Learnt,
  type Levels,
  type Neighbours,
  NO_HISTORY,
} from '../../domain/verification/history.ts';
import { hostClass } from '../../domain/verification/host-class.ts';
import { flagLearned, type KnownEvidence, knownFrom, NO_EVIDENCE } from '../../domain/verification/known-evidence.ts';
import { SERVICE_LOSSES, type Stakes, stakesOf } from '../../domain/verification/losses.ts';
import { type Model, SEEDED_MODEL } from '../../domain/verification/model.ts';
import type { ProviderQueries } from '../../domain/verification/provider-queries.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Id } from '../../kernel/ids.ts';
import { writeAcceptsAll } from '../../storage/accepts-all.ts';
import type { FactStore } from '../../storage/kv.ts';
import type { Admission } from '../admission.ts';
import { type AdmittedRequest, type Caller, earlierAnswer } from '../caller.ts';
import type { ReserveBudget } from '../metering/reservation.ts';
import type { Gathered } from './gather.ts';
import { featuresOf, listOf, neighboursOf, sightOf } from './history.ts';
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
  /** The account's fitted model of this version; null when it can't be had in time. Never rejects. */
  findModel(organisationId: Id<'org'>, version: string, deadlineMs: number): Promise<Model | null>;
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
  readonly known: KnownEvidence;
  readonly queries: ProviderQueries;
  readonly inputs: PosteriorInputs;
  /** How far each piece of evidence moved the log-odds; empty where a finding or a rule settles the number. */
  readonly evidence: readonly EvidenceShift[];
  readonly stakes: Stakes;
  /** The losses in force. */
  readonly lossesVersion: number;
  /** What its history gains. Null: nothing. */
  readonly learnt: Learnt | null;
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

  const host = hostClass(facts.precheck, facts.traits, facts.provider.mxProvider, facts.provider.gateway);
  const now = reckonedTo(request);
  const history = historyOf(facts);
  const known = facts.precheck.terminal === null ? knownOf(history, gathered, now) : NO_EVIDENCE;
  const model = await modelOf(deps, request, facts, deadlineMs);
  const { purpose } = context;
  const features = featuresOf(deps, facts, name || null);
  const own = history.address;
  const { neighbours, isOwnList } = neighboursOf(history, () => listOf(request, facts.admission, purpose));
  const seenWith = (given: Model, around: Neighbours): FirstStateInput => ({
    host,
    features,
    purpose,
    acceptsAllOdds: acceptsAllOdds(given, host, known.told),
    around,
    own: own?.part ?? null,
    isOwnList,
    now,
  });
  const under = (given: Model, around: Neighbours) => ({
    model: given,
    host,
    features,
    first: firstState(given, seenWith(given, around)),
    answers: known.answers,
    reports: known.reports,
    proofs: known.proofs,
    now,
  });
  const inForce = facts.admission.reached ? facts.admission.losses : SERVICE_LOSSES;
  const stakes = stakesOf(inForce, purpose);
  const asking = under(model, neighbours);
  const queries = await queryAbout(deps, facts, {
    ...asking,
    stakes,
    budget: budgetOf(facts.admission, request.reserveProviders),
    maxCostUsd,
    deadlineMs,
  });
  const degraded = isDegraded({ precheck: facts.precheck, known, queries }, facts.admission.reached);
  // A degraded answer has learned nothing, so it comes from the seeded tables without the neighbours, and says `prior`.
  const [answering, around] = degraded ? [SEEDED_MODEL, NO_NEIGHBOURS] : [model, neighbours];
  const { certain } = facts.precheck;
  const said = withResults(known.answers, queries.results, now);
  const believed = degraded ? under(answering, around) : asking;
  const inputs: PosteriorInputs = { ...believed, certain, answers: said };
  const untaught = isTaught(inputs, around)
    ? {
        ...under(model.calibration === 'fitted' ? SEEDED_MODEL : model, unreported(around)),
        certain,
        answers: said,
        reports: [],
      }
    : null;
  const evidence = certain ? [] : evidenceShifts(inputs, seenWith(answering, around));
  const answers = answersOf(queries, deps.now());
  shareFlag(deps, request, facts, gathered, answers);
  const sight = answers.length === 0 ? null : sightOf(deps, request, facts, features, host, purpose);
  const learnt = sight && { sight, answers, report: null, proof: null };
  const basis: Basis = { facts, known, queries, inputs, evidence, stakes, lossesVersion: inForce.version, learnt };
  const { precheck, traits, provider, address, meantDomain } = facts;
  const posterior = computePosterior(inputs);
  const calibration = calibrationOf(posterior, untaught);
  const grounds = groundsFrom(said, known.reports, features);
  const domainAcceptsAll = acceptsAllByLevels(SEEDED_MODEL, host, history.domain, now) ?? known.told ?? false;
  const isSlip = meantDomain !== null;
  const answer = answerShown(
    { precheck, traits, provider, isSlip, known, domainAcceptsAll, grounds, queries, posterior, calibration, degraded },
    {
      email,
      stakes,
      didYouMean: atMeantDomain(email, meantDomain),
      identityHash: address === null ? null : deps.hashIdentity(request.organisationId, canonicalise(address)),
      traceId: request.traceId,
      latencyMs: Math.max(0, deps.now() - request.startedAt),
    },
  );
  return { kind: 'assessed', answer, basis };
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

/**
 * The account's fitted model. The seeded tables under a test key, while the object is out of reach, and where the precheck is
 * certain.
 */
async function modelOf(
  deps: VerifyDeps,
  { organisationId, mode }: AssessedRequest,
  { admission, precheck }: LocalFacts,
  deadlineMs: number,
): Promise<Model> {
  if (mode !== 'live' || precheck.certain || !admission.reached || admission.calibration === null) return SEEDED_MODEL;
  return (await deps.findModel(organisationId, admission.calibration, deadlineMs)) ?? SEEDED_MODEL;
}

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
const knownOf = ({ address }: KnownHistory, { flag, seenAs }: Gathered, now: number): KnownEvidence =>
  knownFrom(address, seenAs && flag && { flag, seenAs }, now);

/** Whether an outcome of the account may have moved the number. */
const isTaught = ({ certain, model, reports }: PosteriorInputs, { domain, list }: Neighbours): boolean =>
  !certain &&
  (model.calibration === 'fitted' || reports.length > 0 || domain?.isReported === true || list?.isReported === true);

/** The levels that no delivery report has moved. */
const unreported = ({ domain, list }: Neighbours): Neighbours => {
  const unlessReported = (levels: Levels | null) => (levels?.isReported === true ? null : levels);
  return { domain: unlessReported(domain), list: unlessReported(list) };
};

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
  results.map(({ provider, answer: { verdict, catchAll } }) => ({ provider, verdict, catch_all: catchAll, at }));
