import type { Basis } from '../../contract/vocabulary.ts';
import { type DatedAnswer, type KnownAnswer, newestOfEach, type Observation } from '../belief/facts.ts';
import { NO_GROUPS } from '../belief/groups.ts';
import { isReportMoved } from '../belief/learning.ts';
import { MODEL } from '../belief/model.ts';
import { listOfCalls, listOfJob, rowName } from '../belief/names.ts';
import type { ProviderId } from '../belief/provider.ts';
import { groundsFrom } from '../router/losses.ts';
import type { Askable } from '../router/provider-health.ts';
import type { ProviderQueries, ProviderResult } from '../router/provider-queries.ts';
import { type Call, type RouteStep, costLeft, route } from '../router/router.ts';
import { NO_RULES } from '../rules/rules.ts';
import type { TraceRecord } from '../traces/traces.ts';
import type { Account } from './account.ts';
import { answerShown, basisOf, isDegraded, type ShownVerification, warningIn, warningOf } from './answer-shown.ts';
import { calibrationOf, computePosterior } from './conclusion.ts';
import { groupSteps } from './evidence-shifts.ts';
import { type LocalFacts, type Observed, sandboxOf } from './observed.ts';
import { type AssessRequest, inputsOf, type Prepared, prepare } from './prepared.ts';
import { sandboxQueries } from './sandbox.ts';
import { traceOf } from './trace-of.ts';

export interface Concluded {
  readonly kind: 'concluded';
  readonly answer: ShownVerification;
  readonly facts: LocalFacts;
  readonly queries: ProviderQueries;
  readonly restsOn: Basis;
  readonly observation: Observation | null;
  readonly record: TraceRecord;
}

/** `open`: a provider has to be asked first. */
type Assessment = Concluded | { readonly kind: 'open' };

/**
 * Judges one address by observation and account knowledge; null means the object is unreachable. Asks nobody: the
 * answer is open where a provider is worth its price. `providers`: the enabled ones.
 */
export function assess(
  observed: Observed,
  account: Account | null,
  request: AssessRequest,
  providers: readonly Askable[],
  now: number,
): Assessment {
  const prepared = prepare(observed, account, request);
  // The caller throws the sandbox's refusal.
  if (sandboxOf(observed)?.refuses?.(request.meter)) return { kind: 'open' };
  const unasked = unaskedQueries(prepared);
  if (unasked !== null) return conclude(prepared, unasked, now);
  const step = nextStep(prepared, providers, NOTHING_ASKED, now);
  return step.choice === 'stop' ? conclude(prepared, { ...NONE_ASKED, steps: [step] }, now) : { kind: 'open' };
}

const NONE_ASKED: ProviderQueries = { results: [], failures: [], steps: [], spendMicros: 0 };

/** The queries of an address that needs no provider; null means the router decides. */
export function unaskedQueries({ facts, account, request }: Prepared): ProviderQueries | null {
  const { address, precheck } = facts;
  if (address === null || precheck.terminal !== null || account === null) return NONE_ASKED;
  if (request.mode === 'live') return null;
  const sandbox = sandboxOf(facts);
  return sandbox === null ? NONE_ASKED : sandboxQueries(sandbox);
}

/** Results and costs of the calls so far. */
interface Asked {
  readonly results: readonly ProviderResult[];
  /** Answered, failed or still running. */
  readonly calls: ReadonlyMap<ProviderId, Call>;
  /** The month's remaining budget before these calls; null means unlimited. */
  readonly budgetMicros?: number | null;
}
const NOTHING_ASKED: Asked = { results: [], calls: new Map() };

/** The provider the router asks next. */
export function nextStep(
  prepared: Prepared,
  providers: readonly Askable[],
  { results, calls, budgetMicros = prepared.account?.providerLeftMicros ?? null }: Asked,
  now: number,
): RouteStep {
  const { known, account, stakes, bounds, isCatchAll, request } = prepared;
  const { rules = NO_RULES, off = [] as readonly string[] } = account ?? {};
  const inputs = inputsOf(prepared, withResults(known.answers, results, prepared.now));
  return route({
    ...inputs,
    stakes,
    isFile: bounds.isFile,
    isCatchAll,
    isRuled: rules.address !== null || rules.domain !== null,
    warning: warningIn({ answers: known.answers, reports: inputs.reports }, results),
    providers: providers.filter(({ id }) => !off.includes(id)),
    ...(budgetMicros !== null && { budgetMicros: budgetMicros - owedMicros(calls) }),
    asked: new Set(calls.keys()),
    left: {
      costMicros: costLeft(request.maxCostUsd, [...calls.values()]),
      timeMs: Math.max(0, request.deadlineMs - now),
    },
  });
}

/** What these calls may cost: a running one counts its full price. */
export const owedMicros = (calls: Asked['calls']): number =>
  [...calls.values()].reduce((sum, call) => sum + (call.costMicros ?? call.priceMicros), 0);

const withResults = (stored: readonly DatedAnswer[], results: readonly ProviderResult[], now: number): DatedAnswer[] =>
  newestOfEach([
    ...stored,
    ...results.map(({ provider, answer: { verdict, mailboxFull } }) => ({
      provider,
      verdict,
      at: now,
      ...(mailboxFull === true && { full: true as const }),
    })),
  ]);

/** The answer, its trace and its observation. `now`: when the providers have answered. */
export function conclude(prepared: Prepared, queries: ProviderQueries, now: number): Concluded {
  const { facts, account, history, known, host, prediction, bounds, stakes, request } = prepared;
  const { precheck, traits, provider, identityHash, meantDomain, isCorrected } = facts;
  const degraded = isDegraded({ precheck, known, queries }, account !== null);
  // A degraded answer has no new evidence: it uses the tables without the account's groups, and says `prior`.
  const used = degraded ? { ...prediction, groups: NO_GROUPS, own: null } : prediction;
  const inputs = inputsOf(prepared, withResults(known.answers, queries.results, prepared.now), used);
  const isTaught = !degraded && (known.reports.length > 0 || isReportMoved(MODEL, host, history.groups, prepared.now));
  const shown = { precheck, known, queries };
  const answer = answerShown(
    {
      ...shown,
      traits,
      provider,
      isTypo: meantDomain !== null,
      domainAcceptsAll: prepared.isCatchAll,
      grounds: groundsFrom({ ...inputs, isFile: bounds.isFile, warning: warningOf(shown) }),
      posterior: computePosterior(inputs),
      calibration: calibrationOf(inputs, isTaught),
      degraded,
    },
    { stakes, identityHash, traceId: request.traceId, latencyMs: Math.max(0, now - request.startedAt) },
  );
  const observation = observationOf(prepared, answersOf(queries, now));
  const isCorrectable = meantDomain === null ? isCorrected.asTyped : isCorrected.toMeant;
  const record = traceOf({
    prepared,
    queries,
    inputs,
    groups: precheck.certain ? null : groupSteps(MODEL, used),
    answer,
    observation,
    isCorrectable,
  });
  return { kind: 'concluded', answer, facts, queries, restsOn: basisOf(shown), observation, record };
}

/** Null where the history gains nothing: a test key, a certain finding, no object, nothing new. */
function observationOf(
  { facts, account, host, stakes, request }: Prepared,
  answers: readonly KnownAnswer[],
): Observation | null {
  const { addressHash, domainName, precheck, features } = facts;
  const { mode, jobId, startedAt } = request;
  if (answers.length === 0 || mode !== 'live' || account === null || precheck.certain) return null;
  if (addressHash === null || domainName === null) return null;
  const list = jobId === undefined ? listOfCalls(account.key.id, stakes.purpose) : listOfJob(jobId);
  const address = rowName(addressHash);
  const context = { address, domain: domainName, list, at: startedAt, host, features, purpose: stakes.purpose };
  return { context, answers, report: null, proof: null };
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

/** An answer as stored for a repeat, which brings the address again: neither that nor its correction is stored. */
export type KeptVerification = ShownVerification & { readonly meantDomain?: string };

export const keptOf = ({ answer, facts: { meantDomain } }: Pick<Concluded, 'answer' | 'facts'>): KeptVerification => ({
  ...answer,
  ...(meantDomain === null ? {} : { meantDomain }),
});
