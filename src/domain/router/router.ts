import type { Purpose } from '../../contract/vocabulary.ts';
import { DAY_MS, SECOND_MS } from '../../kernel/clock.ts';
import { type DatedAnswer, polarityOf } from '../belief/facts.ts';
import { rowsAt } from '../belief/model.ts';
import { type BeliefInput, type PerAnswer, believe, bounceProbability, stateNow } from '../belief/posterior.ts';
import type { ServerAnswer } from '../belief/prior-table.ts';
import { VERDICTS, totalOf } from '../belief/provider-table.ts';
import type { ProviderId } from '../belief/provider.ts';
import { micros, usd } from '../metering/usage.ts';
import { type Actions, type Option, askingCost, lookAhead, stopValue } from './lookahead.ts';
import { type Stakes, groundsFrom, mayDrop, openActions } from './losses.ts';
import { type Askable, USUAL_FAILURE_RATE } from './provider-health.ts';

export interface Call {
  readonly priceMicros: number;
  /** Null while the call runs, and for good once it is abandoned: it may be billed in full. */
  readonly costMicros: number | null;
}

/**
 * Micros left for further calls after everything that may still be billed. Below 0 for a ceiling of 0, when even a free
 * provider is not asked.
 */
export function costLeft(maxCostUsd: number, calls: readonly Call[]): number {
  if (maxCostUsd === 0) return -1;
  const nearest = Math.min(micros(maxCostUsd), Number.MAX_SAFE_INTEGER);
  // Rounding may have raised it by half a micro.
  const ceiling = usd(nearest) > maxCostUsd ? nearest - 1 : nearest;
  return ceiling - calls.reduce((owed, { priceMicros, costMicros }) => owed + (costMicros ?? priceMicros), 0);
}

/** The cost of a second's wait, in US dollars: judgement, at most about the price of one answer. */
const SECOND_USD: Readonly<Record<Purpose, number>> = {
  // A visitor waits at a form.
  signup: 0.001,
  // A program waits, and does other work meanwhile.
  outbound: 0.0001,
  // Callers don't wait for a row of a file.
  list_hygiene: 0.00001,
};

/** `answers`: stored ones included, at most one of each provider. */
export interface RouteInput extends BeliefInput {
  readonly stakes: Stakes;
  readonly isFile: boolean;
  /** The domain is known to accept every recipient. */
  readonly isCatchAll: boolean;
  /** A rule of the account names the address or its domain. */
  readonly isRuled: boolean;
  /** A provider's warning beside deliverability, or null. */
  readonly warning: string | null;
  readonly providers: readonly Askable[];
  /** Providers already asked for this request: answered, failed or running. */
  readonly asked: ReadonlySet<ProviderId>;
  /** What the ceilings leave: micros that are neither spent nor owed for a running call, and ms. */
  readonly left: { readonly costMicros: number; readonly timeMs: number };
  /** The same of the month's provider budget; absent if unlimited. */
  readonly budgetMicros?: number;
}

/** A step as its trace stores it: the inputs of the choice, without the answers and the model's version. Dollars. */
export interface RouteStep {
  readonly choice: ProviderId | 'stop';
  /** Bounce probability before the choice. */
  readonly probability: number;
  /** Expected decision loss of stopping here. */
  readonly stop_value_usd: number;
  /** In the order of the providers. The smallest value wins; stopping wins ties. */
  readonly candidates: readonly {
    readonly provider: ProviderId;
    /** Expected total: price, time, decision loss, and one more provider where worth it. */
    readonly value_usd: number;
    /** Expected price and value of time. */
    readonly cost_usd: number;
    readonly price_usd: number;
    readonly latency_ms: number;
    readonly failure_rate: number;
  }[];
  readonly excluded: readonly { readonly provider: ProviderId; readonly why: Exclusion }[];
  /** A provider was left out only because it fails more often than usual. */
  readonly missed: boolean;
  readonly left: { readonly cost_usd: number; readonly latency_ms: number };
}

/**
 * `reported`: the account's own report says more than any provider. `known`: it has answered already. `silent`: two
 * others had no answer. `settled`: no provider is asked about such a row of a file. `budget`, `cost`, `time`: its full
 * price exceeds what the month or the request leaves, or its typical latency the ceiling.
 */
export type Exclusion =
  | 'asked'
  | 'reported'
  | 'known'
  | 'silent'
  | 'settled'
  | 'budget'
  | 'cost'
  | 'time'
  | 'circuit_open';

/** A provider asked again within this time would see the same server and answer the same. */
const ASKED_AGAIN_MS = 2 * DAY_MS;
/** A message has shown what a provider could only estimate. */
const REPORT_SETTLES_MS = 7 * DAY_MS;
const SETTLING: ReadonlySet<string> = new Set(['user_unknown', 'delivered']);
/** A server that gave two providers no answer gives none to a third. */
const SILENT_MAX = 2;

const isReported = ({ reports, now }: Pick<RouteInput, 'reports' | 'now'>): boolean =>
  reports.some((report) => SETTLING.has(report.class) && now - report.at < REPORT_SETTLES_MS);

const isRecent = ({ at, silentAt = at }: DatedAnswer, now: number): boolean => now - silentAt < ASKED_AGAIN_MS;

const isSilent = ({ answers, now }: Pick<RouteInput, 'answers' | 'now'>): boolean =>
  answers.filter((answer) => (answer.verdict === 'unknown' || answer.silentAt !== undefined) && isRecent(answer, now))
    .length >= SILENT_MAX;

/** An answer of the last 30 days is not paid for again in a file. */
const FILE_ANSWER_MS = 30 * DAY_MS;
/** After a delivery or a proof, an answer could not change the recommendation below this. */
const FILE_GOOD = 0.01;

/** Why no provider is asked about a row of a file, as an estimate counts it. */
export type SettledBy = 'rule' | 'recent' | 'catch_all';

/** What settles a row of a file; null means a provider is asked, whatever the file's quality and order. */
export function settledBy(input: RouteInput): SettledBy | null {
  const { answers, reports, proofs, now } = input;
  if (input.isRuled) return 'rule';
  if (groundsFrom(input).isUserUnknown || isReported(input)) return 'recent';
  if (answers.some(({ verdict, at }) => verdict !== 'unknown' && now - at < FILE_ANSWER_MS)) return 'recent';
  const isAlive = proofs.length > 0 || reports.some((report) => polarityOf(report) === 'delivered');
  if (isAlive && bounceProbability(input) < FILE_GOOD) return 'recent';
  return input.isCatchAll ? 'catch_all' : null;
}

/** Dollars with six decimals. */
const shown = (dollars: number): number => usd(micros(dollars));

const perAnswer = (make: (answer: ServerAnswer) => number): PerAnswer => [
  make('accepts'),
  make('refuses'),
  make('accepts_all'),
  make('inconclusive'),
];

export function optionOf(
  { model, host, stakes }: RouteInput,
  { id, priceMicros, billsUnknown, health }: Askable,
): Option {
  const rows = rowsAt(model, id, host);
  return {
    // `unknown` is the last verdict.
    verdicts: VERDICTS.map((_, column) => perAnswer((answer) => (rows[answer][column] ?? 0) / totalOf(rows[answer]))),
    billsUnknown,
    price: usd(priceMicros),
    time: SECOND_USD[stakes.purpose] * (health.latencyMs / SECOND_MS),
    failureRate: health.failureRate,
  };
}

const UNLIMITED = Number.POSITIVE_INFINITY;

function exclusion(input: RouteInput, isSettled: boolean, { id, priceMicros, health }: Askable): Exclusion | null {
  const { asked, left, budgetMicros = UNLIMITED } = input;
  if (asked.has(id)) return 'asked';
  if (isReported(input)) return 'reported';
  if (isSettled) return 'settled';
  if (isSilent(input)) return 'silent';
  if (input.answers.some((answer) => answer.provider === id && isRecent(answer, input.now))) return 'known';
  if (priceMicros > budgetMicros) return 'budget';
  if (priceMicros > left.costMicros) return 'cost';
  if (health.typicalMs > left.timeMs) return 'time';
  return health.open ? 'circuit_open' : null;
}

const healthy = (option: Option): Option => ({
  ...option,
  failureRate: Math.min(option.failureRate, USUAL_FAILURE_RATE),
});

/** Whether the ceilings still allow `next` after `first`. */
const fitsAfter = ({ left, budgetMicros = UNLIMITED }: RouteInput, first: Askable, next: Askable): boolean =>
  first.priceMicros + next.priceMicros <= Math.min(left.costMicros, budgetMicros) &&
  first.health.typicalMs + next.health.typicalMs <= left.timeMs;

/** The actions that a recommendation can choose from, now and after an answer. */
function actionsOf(input: RouteInput): Actions {
  const grounds = groundsFrom(input);
  const now = openActions(believe(input), input.stakes.purpose, grounds);
  return { losses: input.stakes.losses, now, later: { send: now.send, drop: mayDrop(grounds) } };
}

/**
 * The provider worth asking next, or `stop`. Looks two steps ahead for the least expected total of acting now, or of
 * each provider's cost plus the loss after its answer, where one more may be asked. No candidate exceeds the remaining
 * ceilings; ties go to stopping, then to the earlier provider. An unsettled row of a file always gets one provider
 * within the ceilings, because its uploader pays for an answer.
 */
export function route(input: RouteInput): RouteStep {
  const state = stateNow(input);
  const actions = actionsOf(input);
  const isFirst = input.isFile && input.asked.size === 0;
  const isSettled = isFirst && settledBy(input) !== null;
  const judged = input.providers.map((provider) => ({ provider, why: exclusion(input, isSettled, provider) }));
  const excluded = judged.flatMap(({ provider, why }) => (why === null ? [] : [{ provider: provider.id, why }]));
  const asOptions = (which: Exclusion | null) =>
    judged.flatMap(({ provider, why }) => (why === which ? [{ provider, option: optionOf(input, provider) }] : []));
  const open = asOptions(null);
  const valueOf = (one: (typeof open)[number]): number => {
    const others = open.filter(
      (other) => other.provider !== one.provider && fitsAfter(input, one.provider, other.provider),
    );
    return lookAhead(
      state,
      one.option,
      others.map((other) => other.option),
      actions,
    );
  };
  const stop = stopValue(state, actions, actions.now);
  let [choice, best]: [RouteStep['choice'], number] = ['stop', isFirst ? UNLIMITED : stop];
  const candidates = open.map((one) => {
    const { provider, option } = one;
    const value = valueOf(one);
    if (value < best) [choice, best] = [provider.id, value];
    return {
      provider: provider.id,
      value_usd: shown(value),
      cost_usd: shown(askingCost(state, option)),
      price_usd: usd(provider.priceMicros),
      latency_ms: provider.health.latencyMs,
      failure_rate: provider.health.failureRate,
    };
  });
  return {
    choice,
    probability: state.bounce.reduce((total, mass) => total + mass, 0),
    stop_value_usd: shown(stop),
    candidates,
    excluded,
    missed: [...asOptions('circuit_open'), ...(choice === 'stop' ? open : [])].some(
      (one) => valueOf({ ...one, option: healthy(one.option) }) < stop,
    ),
    left: { cost_usd: usd(Math.max(0, input.left.costMicros)), latency_ms: input.left.timeMs },
  };
}
