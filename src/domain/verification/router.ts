import type { Purpose } from '../../contract/vocabulary.ts';
import { SECOND_MS } from '../../kernel/clock.ts';
import { micros, usd } from '../metering/usage.ts';
import { type ServerAnswer, weigh } from './belief.ts';
import { type Answer, decayed, evidenceFrom } from './evidence.ts';
import type { HostClass } from './host-class.ts';
import { askingCost, lookAhead, type Option, type PerAnswer, type State, stopValue } from './lookahead.ts';
import type { Stakes } from './losses.ts';
import { type Model, rowsAt } from './model.ts';
import type { ProviderId } from './provider.ts';
import { totalOf, VERDICTS } from './provider-table.ts';
import { type Askable, USUAL_FAILURE_RATE } from './provider-terms.ts';

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

export interface RouteInput {
  readonly model: Model;
  readonly host: HostClass;
  readonly stakes: Stakes;
  /** Answers about this address, at most one of each provider, stored ones included. */
  readonly answers: readonly Answer[];
  /** Age in ms of the newest answer other than `unknown`; 0 without one. */
  readonly answersAgeMs: number;
  /** Λ, from answers about other addresses at the domain; 1 when there are none. */
  readonly acceptsAllOdds: number;
  /** Every provider that is on. */
  readonly providers: readonly Askable[];
  /**
   * Providers already asked for this request: answered, failed or still running. One with a stored answer is not asked.
   */
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

/** `budget`, `cost`, `time`: its full price exceeds what the month or the request leaves, its typical latency the ceiling. */
export type Exclusion = 'asked' | 'known' | 'budget' | 'cost' | 'time' | 'circuit_open';

/** Dollars as they are shown: six decimals. */
const shown = (dollars: number): number => usd(micros(dollars));

const perAnswer = (make: (answer: ServerAnswer) => number): PerAnswer => [
  make('accepts'),
  make('refuses'),
  make('accepts_all'),
  make('inconclusive'),
];

/** What is known about the address; the probabilities add up to 1. */
export function stateOf({ model, host, answers, answersAgeMs, acceptsAllOdds }: RouteInput): State {
  const bounce = { accepts: 0, refuses: 0, accepts_all: 0, inconclusive: 0 };
  const land = { ...bounce };
  let total = 0;
  for (const cell of weigh(model.prior[host], evidenceFrom(model, host, answers), acceptsAllOdds)) {
    bounce[cell.answer] += cell.bounceWeight;
    land[cell.answer] += cell.landWeight;
    total += cell.bounceWeight + cell.landWeight;
  }
  return {
    bounce: perAnswer((answer) => bounce[answer] / total),
    land: perAnswer((answer) => land[answer] / total),
    decayed: decayed(answersAgeMs),
  };
}

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

function exclusion(
  { asked, answers, left, budgetMicros = UNLIMITED }: RouteInput,
  { id, priceMicros, health }: Askable,
): Exclusion | null {
  if (asked.has(id)) return 'asked';
  if (answers.some(({ provider }) => provider === id)) return 'known';
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
  const state = stateOf(input);
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
  const lands = state.land.reduce((total, mass) => total + mass, 0);
  return {
    choice,
    probability: 1 - lands * (1 - state.decayed),
    stop_value_usd: shown(stop),
    candidates,
    excluded,
    missed: [...asOptions('circuit_open'), ...(choice === 'stop' ? open : [])].some(
      (one) => valueOf({ ...one, option: healthy(one.option) }) < stop,
    ),
    left: { cost_usd: usd(Math.max(0, input.left.costMicros)), latency_ms: input.left.timeMs },
  };
}
