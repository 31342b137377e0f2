import type { PerAnswer, State } from '../belief/posterior.ts';
import { VERDICTS } from '../belief/provider-table.ts';
import { type Losses, type Open, leastCost } from './losses.ts';

/** A provider that may be asked. Money is in US dollars. */
export interface Option {
  /** Each verdict's probability under each answer of the server, in the order of `VERDICTS`; `unknown` is the last. */
  readonly verdicts: readonly PerAnswer[];
  readonly billsUnknown: boolean;
  readonly price: number;
  readonly time: number;
  readonly failureRate: number;
}

/** The costs of actions now, and after an answer. */
export interface Actions {
  readonly losses: Losses;
  readonly now: Open;
  /** After an answer that does not refuse the address. */
  readonly later: Open;
}

const sum = ([a, b, c, d]: PerAnswer): number => a + b + c + d;
export const dot = (one: PerAnswer, other: PerAnswer): number =>
  one[0] * other[0] + one[1] * other[1] + one[2] * other[2] + one[3] * other[3];
const times = (one: PerAnswer, other: PerAnswer): PerAnswer => [
  one[0] * other[0],
  one[1] * other[1],
  one[2] * other[2],
  one[3] * other[3],
];

/** Expected loss of acting now. The states after each verdict add up to the state before, so nothing is divided. */
export const stopValue = ({ bounce, land }: State, { losses }: Pick<Actions, 'losses'>, open: Open): number =>
  leastCost(sum(bounce), sum(land), losses, open);

/** Expected price and value of time. A failed call may be billed, so it counts as billed. */
export function askingCost({ bounce, land }: State, option: Option): number {
  const { verdicts, billsUnknown, price, time, failureRate } = option;
  const unknown = verdicts.at(-1) as PerAnswer;
  const mass = sum(bounce) + sum(land);
  if (billsUnknown) return (price + time) * mass;
  return (price + time) * mass - price * (1 - failureRate) * (dot(bounce, unknown) + dot(land, unknown));
}

const REFUSAL = VERDICTS.indexOf('undeliverable');
const after = (open: Open, verdict: number): Open =>
  open.drop || verdict !== REFUSAL ? open : { ...open, drop: true };

/** Expected total of asking the option and then acting. */
function askOnce(state: State, option: Option, actions: Actions, open: Open, later: Open): number {
  const { verdicts, failureRate } = option;
  let answered = 0;
  for (let at = 0; at < verdicts.length; at += 1) {
    const verdict = verdicts[at] as PerAnswer;
    const [bounces, lands] = [dot(state.bounce, verdict), dot(state.land, verdict)];
    answered += leastCost(bounces, lands, actions.losses, after(later, at));
  }
  return askingCost(state, option) + (1 - failureRate) * answered + failureRate * stopValue(state, actions, open);
}

/** The least expected total: acting now, or asking one of the options first. */
function best(state: State, options: readonly Option[], actions: Actions, open: Open, later: Open): number {
  let least = stopValue(state, actions, open);
  for (const option of options) least = Math.min(least, askOnce(state, option, actions, open, later));
  return least;
}

/** Expected total of asking the option and then, where worth it, one of `others`. */
export function lookAhead(state: State, option: Option, others: readonly Option[], actions: Actions): number {
  const { verdicts, failureRate } = option;
  let answered = 0;
  for (let at = 0; at < verdicts.length; at += 1) {
    const verdict = verdicts[at] as PerAnswer;
    const then: State = { bounce: times(state.bounce, verdict), land: times(state.land, verdict) };
    const open = after(actions.later, at);
    answered += best(then, others, actions, open, open);
  }
  const failed = failureRate === 0 ? 0 : failureRate * best(state, others, actions, actions.now, actions.later);
  return askingCost(state, option) + (1 - failureRate) * answered + failed;
}
