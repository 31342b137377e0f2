import type { VerificationContext } from '../../contract/verification.ts';
import type { Purpose } from '../../contract/vocabulary.ts';
import type { Id } from '../../kernel/ids.ts';
import type { KeyMode } from '../access/keys.ts';
import { type AcceptsAllFlag, sawAcceptsAll, sharedAcceptsAll } from '../belief/accepts-all.ts';
import { type AddressFacts, type DatedAnswer, type KnownAnswer, MEMORY_MS, remembered } from '../belief/facts.ts';
import { acceptsAllShown, type Bounds, initialState, type PredictionContext } from '../belief/groups.ts';
import { type HostClass, hostClass } from '../belief/host-class.ts';
import { MODEL } from '../belief/model.ts';
import { rowName } from '../belief/names.ts';
import type { Meter } from '../metering/usage.ts';
import { type LossesInForce, SERVICE_LOSSES, type Stakes, stakesOf } from '../router/losses.ts';
import { NO_RULES } from '../rules/rules.ts';
import { type Account, type KnownHistory, NO_HISTORY, type KnownFacts, NOTHING_KNOWN } from './account.ts';
import type { PosteriorInputs } from './conclusion.ts';
import { featuresUnder, type LocalFacts, type Observed, underRules } from './observed.ts';

/** A request's context with its purpose, named or default. */
export type PurposedContext = VerificationContext & { readonly purpose: Purpose };

/** A request's ceilings and context. Times in milliseconds of service time. */
export interface AssessRequest {
  readonly organisationId: Id<'org'>;
  readonly mode: KeyMode;
  readonly meter: Meter | null;
  readonly traceId: string;
  readonly startedAt: number;
  /** When the first try began: evidence learned since then counts as new in each retry. */
  readonly begunAt?: number;
  readonly jobId?: Id<'bj'>;
  readonly context: PurposedContext;
  /** When the answer must be sent. */
  readonly deadlineMs: number;
  readonly maxCostUsd: number;
}

/** Everything an address is judged by before a provider is asked. */
export interface Prepared {
  readonly request: AssessRequest;
  readonly facts: LocalFacts & Observed;
  /** Null means the object is unreachable. Such a request asks no provider. */
  readonly account: Account | null;
  readonly history: KnownHistory;
  readonly known: KnownFacts;
  readonly host: HostClass;
  readonly prediction: PredictionContext;
  readonly bounds: Bounds;
  readonly losses: LossesInForce;
  readonly stakes: Stakes;
  /** Other addresses show that the domain accepts every recipient. */
  readonly isCatchAll: boolean;
  /** The moment at which ages are taken. */
  readonly now: number;
}

export function prepare(observed: Observed, account: Account | null, request: AssessRequest): Prepared {
  const { context, jobId, startedAt, begunAt = startedAt } = request;
  const looked = underRules(observed, account?.rules ?? NO_RULES);
  const features = featuresUnder(observed, looked.precheck);
  const facts = { ...looked, features };
  const { precheck, traits, provider, addressHash } = facts;
  const host = hostClass({
    disposable: precheck.disposable,
    relay: traits.relay,
    consumer: traits.consumer,
    mxProvider: provider.mxProvider,
    gateway: provider.gateway,
  });
  // A terminal finding leaves no room for history.
  const history = account === null || precheck.terminal !== null ? NO_HISTORY : account.history;
  const known =
    precheck.terminal === null ? knownFrom(history.address, observed.sharedAcceptsAll, begunAt) : NOTHING_KNOWN;
  const losses = account?.losses ?? SERVICE_LOSSES;
  return {
    request,
    facts,
    account,
    history,
    known,
    host,
    prediction: {
      host,
      features,
      purpose: context.purpose,
      sharedAcceptsAll: sharedAcceptsAll(MODEL, host, known.told),
      groups: history.groups,
      own:
        addressHash === null
          ? null
          : { name: rowName(addressHash), contribution: history.address?.contribution ?? null },
      isOwnList: history.isOwnList,
      now: begunAt,
    },
    bounds: { isTrusted: history.isTrusted, isFile: jobId !== undefined },
    losses,
    stakes: stakesOf(losses, context.purpose),
    isCatchAll: acceptsAllShown(MODEL, host, history.groups.domain, begunAt) ?? known.told ?? false,
    now: begunAt,
  };
}

/** The inputs of the probability, with stored and new answers: at most one of each provider. */
export function inputsOf(
  { facts, history, known, host, prediction, bounds, request, now }: Prepared,
  answers: readonly DatedAnswer[],
  used: PredictionContext = prediction,
): PosteriorInputs {
  return {
    model: MODEL,
    host,
    features: facts.features,
    purpose: request.context.purpose,
    initial: initialState(MODEL, used, { ...known, answers }, bounds),
    certain: facts.precheck.certain,
    answers,
    reports: known.reports,
    proofs: known.proofs,
    errors: history.errors,
    now,
  };
}

/** The facts that still count. `told`: the domain's shared flag, as this organisation may see it. */
export function knownFrom(
  address: Pick<AddressFacts, 'answers' | 'reports' | 'proofs'> | null,
  told: boolean | null,
  now: number,
): KnownFacts {
  const { answers, reports, proofs } = remembered(address ?? NOTHING_KNOWN, now);
  const newest = Math.max(...[...answers, ...reports].map(({ at }) => at));
  return {
    answers,
    reports,
    proofs,
    told,
    ttlMs: newest === Number.NEGATIVE_INFINITY ? 0 : newest + MEMORY_MS.to - now,
  };
}

/** The shared flag with the observation in new answers; null if nothing is new. */
export function flagLearned(
  flag: AcceptsAllFlag | null,
  fresh: readonly KnownAnswer[],
  seenAs: string,
  now: number,
): AcceptsAllFlag | null {
  const word = wordOnDomain(fresh);
  return word === null ? null : sawAcceptsAll(flag, seenAs, word, now);
}

/** The newest explicit answer to whether the domain accepts every recipient, or null. */
export function newestWord(answers: readonly Pick<KnownAnswer, 'catch_all' | 'at'>[]): boolean | null {
  const said = answers.filter(({ catch_all }) => catch_all !== undefined);
  return said.toSorted((one, other) => other.at - one.at)[0]?.catch_all ?? null;
}

/** Whether the domain accepts every recipient, by a provider's word or a refusal; null if unknown or contradictory. */
function wordOnDomain(fresh: readonly KnownAnswer[]): boolean | null {
  const words = new Set(
    fresh.flatMap(({ verdict, catch_all }) => catch_all ?? (verdict === 'undeliverable' ? [false] : [])),
  );
  const [word = null] = words;
  return words.size === 1 ? word : null;
}
