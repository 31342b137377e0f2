import type { Losses } from './losses.ts';

/** One number for each answer of the server, always in the same order. */
export type PerAnswer = readonly [number, number, number, number];

/**
 * What the router knows about an address: for each answer of the server, the joint probability of the evidence, that
 * answer and mail that bounces or lands. The states after each verdict add up to the state before it, so no division is
 * needed.
 */
export interface State {
  readonly bounce: PerAnswer;
  readonly land: PerAnswer;
}

/** A provider that may be asked. Money is in US dollars and includes the margin. */
export interface Option {
  /** Each verdict's probability under each answer of the server; the last verdict is `unknown`. */
  readonly verdicts: readonly PerAnswer[];
  readonly billsUnknown: boolean;
  readonly price: number;
  readonly time: number;
  readonly failureRate: number;
}

const sum = ([a, b, c, d]: PerAnswer): number => a + b + c + d;
const dot = (one: PerAnswer, other: PerAnswer): number =>
  one[0] * other[0] + one[1] * other[1] + one[2] * other[2] + one[3] * other[3];
const times = (one: PerAnswer, other: PerAnswer): PerAnswer => [
  one[0] * other[0],
  one[1] * other[1],
  one[2] * other[2],
  one[3] * other[3],
];

/** Loss of the cheapest action (send, drop, hold or challenge), from the probabilities of bouncing and landing. */
const leastLoss = (bounces: number, lands: number, losses: Losses): number =>
  Math.min(bounces * losses.bounce, lands * losses.contactLost, lands * losses.heldGood + bounces * losses.heldBad);

/** Expected loss of acting on what is known. */
export const stopValue = ({ bounce, land }: State, losses: Losses): number => leastLoss(sum(bounce), sum(land), losses);

/** Expected price and value of time. A call that fails may be billed all the same, so it counts as billed. */
export function askingCost({ bounce, land }: State, option: Option): number {
  const { verdicts, billsUnknown, price, time, failureRate } = option;
  const unknown = verdicts.at(-1) as PerAnswer;
  const mass = sum(bounce) + sum(land);
  if (billsUnknown) return (price + time) * mass;
  return (price + time) * mass - price * (1 - failureRate) * (dot(bounce, unknown) + dot(land, unknown));
}

/** Expected total of asking the option and then acting. */
function askOnce(state: State, option: Option, losses: Losses): number {
  const { verdicts, failureRate } = option;
  let answered = 0;
  for (const verdict of verdicts) answered += leastLoss(dot(state.bounce, verdict), dot(state.land, verdict), losses);
  return askingCost(state, option) + (1 - failureRate) * answered + failureRate * stopValue(state, losses);
}

/** The least of acting now and of asking one of the options first. */
function best(state: State, options: readonly Option[], losses: Losses): number {
  let least = stopValue(state, losses);
  for (const option of options) least = Math.min(least, askOnce(state, option, losses));
  return least;
}

/** Expected total of asking the option and then, where that is worth it, one of `others`. */
export function lookAhead(state: State, option: Option, others: readonly Option[], losses: Losses): number {
  const { verdicts, failureRate } = option;
  let answered = 0;
  for (const verdict of verdicts) {
    const then: State = { bounce: times(state.bounce, verdict), land: times(state.land, verdict) };
    answered += best(then, others, losses);
  }
  const failed = failureRate === 0 ? 0 : failureRate * best(state, others, losses);
  return askingCost(state, option) + (1 - failureRate) * answered + failed;
}
