import type { Purpose } from '../../contract/vocabulary.ts';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../kernel/clock.ts';
import { micros, usd } from '../metering/usage.ts';
import type { DatedAnswer } from './answer.ts';
import type { ServerAnswer } from './belief.ts';
import { askingCost, lookAhead, type Option, type PerAnswer, stopValue } from './lookahead.ts';
import type { Stakes } from './losses.ts';
import { rowsAt } from './model.ts';
import { type BeliefInput, stateNow } from './posterior.ts';
import type { ProviderId } from './provider.ts';
import { totalOf, VERDICTS } from './provider-table.ts';
import { type Askable, USUAL_FAILURE_RATE } from './provider-terms.ts';
import type { DatedReport, Seens } from './sightings.ts';

/** What a second of waiting costs, in US dollars: our judgement, at most about the price of one answer. */
export const SECOND_USD: Readonly<Record<Purpose, number>> = {
  // A visitor waits at a form.
  signup: 0.001,
  // A program waits, and does other work meanwhile.
  outbound: 0.0001,
  // Callers don't wait for a row of a file.
  list_hygiene: 0.00001,
};

/** An answer must be worth a quarter more under the seeded tables, because they are less certain. */
const UNFITTED_MARGIN = 1.25;

/** `answers`: stored ones included, at most one of each provider. */
export interface RouteInput extends Omit<BeliefInput, 'features'> {
  readonly stakes: Stakes;
  /** Every provider that is on. */
  readonly providers: readonly Askable[];
  /** Providers already asked for this request: answered, failed or still running. */
  readonly asked: ReadonlySet<ProviderId>;
  /** What the ceilings leave: micros that are neither spent nor owed for a running call, and ms. */
  readonly left: { readonly costMicros: number; readonly timeMs: number };
  /** What the month's provider budget leaves in the same way. Absent: it is unlimited. */
  readonly budgetMicros?: number;
}

/**
 * One step as a trace keeps it: what the choice was made from, apart from the answers and the model's version. Dollars.
 */
export interface RouteStep {
  readonly choice: ProviderId | 'stop';
  /** Bounce probability before the choice. */
  readonly probability: number;
  /** Expected decision loss of stopping here. */
  readonly stop_value_usd: number;
  /** In the order of the providers. The smallest value wins; on a tie stopping wins. */
  readonly candidates: readonly {
    readonly provider: ProviderId;
    /** Expected total of asking it: price, time, decision loss, and one more provider where that is worth it. */
    readonly value_usd: number;
    /** Expected price and value of time, with the margin of an unfitted model. */
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
 * `reported`: the account's own report says more than any provider. `known`: it has answered already. `budget`, `cost`, `time`: its
 * full price exceeds what the month or the request leaves, its typical latency the ceiling.
 */
export type Exclusion = 'asked' | 'reported' | 'known' | 'budget' | 'cost' | 'time' | 'circuit_open';

/** A provider that has answered looks at the same server: asked again so soon, it would say the same. */
const ASKED_AGAIN_MS = 2 * DAY_MS;
/** `unknown` says only how the server behaved at that time. */
const UNKNOWN_ASKED_AGAIN_MS = 10 * MINUTE_MS;
/** A message has shown what a provider could only guess. */
const REPORT_SETTLES_MS = 7 * DAY_MS;
const SETTLING = new Set<DatedReport['class']>(['user_unknown', 'refused', 'delivered']);

const isSettled = ({ reports, now }: Pick<RouteInput, 'reports' | 'now'>): boolean =>
  reports.some((report) => SETTLING.has(report.class) && now - report.at < REPORT_SETTLES_MS);

const isRecent = ({ verdict, at }: DatedAnswer, now: number): boolean =>
  now - at < (verdict === 'unknown' ? UNKNOWN_ASKED_AGAIN_MS : ASKED_AGAIN_MS);

/** Whether what is known of an address is so new that no provider, or another one, would be asked. */
export const hasFreshEvidence = (address: Pick<Seens, 'answers' | 'reports'> | null, now: number): boolean =>
  address !== null && (isSettled({ ...address, now }) || address.answers.some((answer) => isRecent(answer, now)));

/** Dollars as they are shown: six decimals. */
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
  const margin = model.calibration === 'prior' ? UNFITTED_MARGIN : 1;
  const rows = rowsAt(model, id, host);
  return {
    // `unknown` is the last verdict.
    verdicts: VERDICTS.map((_, column) => perAnswer((answer) => (rows[answer][column] ?? 0) / totalOf(rows[answer]))),
    billsUnknown,
    price: margin * usd(priceMicros),
    time: margin * SECOND_USD[stakes.purpose] * (health.latencyMs / SECOND_MS),
    failureRate: health.failureRate,
  };
}

const UNLIMITED = Number.POSITIVE_INFINITY;

function exclusion(input: RouteInput, { id, priceMicros, health }: Askable): Exclusion | null {
  const { asked, left, budgetMicros = UNLIMITED } = input;
  if (asked.has(id)) return 'asked';
  if (isSettled(input)) return 'reported';
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

/**
 * The provider worth asking next, or null, two steps ahead: the least of the expected loss of acting now and, for
 * each provider, its expected cost plus what is lost after its answer, where one more may be asked. No candidate's full
 * price or typical latency exceeds what the ceilings leave; ties go to stopping, then to the earlier provider.
 */
export function route(input: RouteInput): RouteStep {
  const { losses } = input.stakes;
  const state = stateNow(input);
  const judged = input.providers.map((provider) => ({ provider, why: exclusion(input, provider) }));
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
      losses,
    );
  };
  const stop = stopValue(state, losses);
  let [choice, best]: [RouteStep['choice'], number] = ['stop', stop];
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
