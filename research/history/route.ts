/** By the server's answer. */
export type PerAnswer = readonly [number, number, number, number];

/** A verdict's place. */
const UNKNOWN = 4;

interface Losses {
  readonly bounce: number;
  readonly contactLost: number;
  readonly heldGood: number;
  readonly heldBad: number;
}

/** A provider that may be asked, with its price in dollars and the median of how long it takes. */
export interface Vendor {
  readonly id: string;
  readonly price: number;
  readonly seconds: number;
  readonly billsUnknown: boolean;
}

/** What a router looks ahead from: joint probabilities that add up to 1, by the server's answer. */
interface State {
  readonly bounce: PerAnswer;
  readonly land: PerAnswer;
}
interface Option {
  /** Each verdict's probability under each answer of the server; the last verdict is `unknown`. */
  readonly verdicts: readonly PerAnswer[];
  readonly billsUnknown: boolean;
  /** Price and value of time, in dollars. */
  readonly price: number;
  readonly time: number;
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

function leastLoss(bad: number, good: number, losses: Losses): number {
  return Math.min(bad * losses.bounce, good * losses.contactLost, good * losses.heldGood + bad * losses.heldBad);
}

const stopValue = ({ bounce, land }: State, losses: Losses): number => leastLoss(sum(bounce), sum(land), losses);

function askingCost({ bounce, land }: State, { verdicts, billsUnknown, price, time }: Option): number {
  const unknown = verdicts[UNKNOWN];
  const mass = sum(bounce) + sum(land);
  if (billsUnknown || unknown === undefined) return (price + time) * mass;
  return (price + time) * mass - price * (dot(bounce, unknown) + dot(land, unknown));
}

function askOnce(state: State, option: Option, losses: Losses): number {
  let answered = askingCost(state, option);
  for (const verdict of option.verdicts)
    answered += leastLoss(dot(state.bounce, verdict), dot(state.land, verdict), losses);
  return answered;
}

function lookAhead(state: State, option: Option, others: readonly Option[], losses: Losses): number {
  let answered = askingCost(state, option);
  for (const verdict of option.verdicts) {
    const then: State = { bounce: times(state.bounce, verdict), land: times(state.land, verdict) };
    let least = stopValue(then, losses);
    for (const other of others) least = Math.min(least, askOnce(then, other, losses));
    answered += least;
  }
  return answered;
}

/** The option worth asking next, two steps ahead; null: to stop is as cheap. */
export function route(state: State, options: readonly Option[], losses: Losses): number | null {
  let [choice, best]: [number | null, number] = [null, stopValue(state, losses)];
  options.forEach((option, place) => {
    const others = options.filter((_, other) => other !== place);
    const value = lookAhead(state, option, others, losses);
    if (value < best) [choice, best] = [place, value];
  });
  return choice;
}
