import { betaInterval, type Interval } from '../../../src/kernel/probability.ts';
import tables from './tables.json' with { type: 'json' };

/**
 * The belief, the router and the recommendation of release 2, as they were: what later releases are measured against. Its tables
 * are `tables.json`. It knows answers about an address for 7, 2 or 1 days, answers about other addresses at the domain for 14,
 * and no outcomes. The losses are given, so that both are judged by the same.
 */

export type PerAnswer = readonly [number, number, number, number];

/** The order of `PerAnswer` and of the tables' rows. */
const ACCEPTS_ALL_CELLS = [false, false, false, true, true] as const;
const ANSWER_OF_CELL = [0, 1, 3, 2, 3] as const;
const VERDICTS = ['deliverable', 'undeliverable', 'catch_all', 'risky', 'unknown'] as const;
const UNKNOWN = 4;

export interface Losses {
  readonly bounce: number;
  readonly contactLost: number;
  readonly heldGood: number;
  readonly heldBad: number;
}

type Rows = readonly (readonly number[])[];
const PROVIDERS = tables.providers as Readonly<
  Record<string, { readonly anyHost: Rows; readonly hosts: Readonly<Record<string, Rows>> }>
>;
const PRIOR = tables.prior as unknown as Readonly<
  Record<string, readonly (readonly [alpha: number, bounced: number, landed: number])[]>
>;

const rowsAt = (provider: string, host: string): Rows =>
  PROVIDERS[provider]?.hosts[host] ?? PROVIDERS[provider]?.anyHost ?? [];
const totalOf = (row: readonly number[]): number => row.reduce((sum, count) => sum + count, 0);

export interface Answer {
  readonly provider: string;
  /** A place among the verdicts. */
  readonly verdict: number;
}
export interface DatedAnswer extends Answer {
  /** In days, as all times here. */
  readonly at: number;
}

interface Evidence {
  readonly counts: readonly number[];
  readonly totals: readonly number[];
}
const evidenceOf = (host: string, { provider, verdict }: Answer): Evidence => {
  const rows = rowsAt(provider, host);
  return { counts: rows.map((row) => row[verdict] ?? 0), totals: rows.map(totalOf) };
};
const likelihood = ({ counts, totals }: Evidence, answer: number): number =>
  (counts[answer] ?? 0) / (totals[answer] ?? 1);

interface Cell {
  readonly at: number;
  readonly alpha: number;
  readonly bounced: number;
  readonly landed: number;
  readonly rate: number;
  readonly bounce: number;
  readonly land: number;
}

function weigh(host: string, evidence: readonly Evidence[], acceptsAllOdds: number): Cell[] {
  return (PRIOR[host] ?? []).map(([alpha, bounced, landed], cell) => {
    const at = ANSWER_OF_CELL[cell] ?? 0;
    const rate = bounced / (bounced + landed);
    const said = evidence.reduce((product, one) => product * likelihood(one, at), 1);
    const weight = alpha * (ACCEPTS_ALL_CELLS[cell] === true ? acceptsAllOdds : 1) * said;
    return { at, alpha, bounced, landed, rate, bounce: weight * rate, land: weight * (1 - rate) };
  });
}

/** Λ from answers about other addresses at the domain, one of each provider. */
function acceptsAllOddsFrom(host: string, others: readonly Answer[]): number {
  let ln = 0;
  for (const answer of others) {
    const evidence = evidenceOf(host, answer);
    const masses = [false, true].map((side) => {
      let [mass, total] = [0, 0];
      (PRIOR[host] ?? []).forEach(([alpha], cell) => {
        if (ACCEPTS_ALL_CELLS[cell] !== side) return;
        mass += alpha * likelihood(evidence, ANSWER_OF_CELL[cell] ?? 0);
        total += alpha;
      });
      return mass / total;
    });
    ln += Math.log((masses[1] ?? 1) / (masses[0] ?? 1));
  }
  return Math.exp(Math.max(-4, Math.min(4, ln)));
}

const decayed = (days: number): number => -Math.expm1((-0.26 * Math.max(0, days)) / 365);

export interface Belief {
  readonly probability: number;
  readonly interval: Interval;
}

function infer(host: string, evidence: readonly Evidence[], acceptsAllOdds: number): Belief {
  const cells = weigh(host, evidence, acceptsAllOdds);
  const bounces = cells.reduce((sum, { bounce }) => sum + bounce, 0);
  const lands = cells.reduce((sum, { land }) => sum + land, 0);
  const probability = bounces / (bounces + lands);
  let variance = 0;
  const pulls = [0, 0, 0, 0];
  for (const { at, alpha, bounced, landed, rate, bounce, land } of cells) {
    const [amongBounced, amongLanded] = [bounce / bounces, land / lands];
    const pull = amongBounced - amongLanded;
    pulls[at] = (pulls[at] ?? 0) + pull;
    variance += pull ** 2 / alpha + (amongBounced * (1 - rate) + amongLanded * rate) ** 2 * (1 / bounced + 1 / landed);
  }
  for (const { counts, totals } of evidence)
    for (let answer = 0; answer < 4; answer += 1)
      variance += (pulls[answer] ?? 0) ** 2 * (1 / (counts[answer] ?? 1) - 1 / (totals[answer] ?? 1));
  return { probability, interval: betaInterval(probability, 1 / (probability * (1 - probability) * variance)) };
}

/** What is known of an address when it is asked about. */
export interface Known {
  readonly host: string;
  /** About this address, stored and new, one of each provider. */
  readonly answers: readonly DatedAnswer[];
  /** About others at the domain, one of each provider. */
  readonly others: readonly Answer[];
  readonly now: number;
}

const ageOf = ({ answers, now }: Known): number => {
  const telling = answers.filter(({ verdict }) => verdict !== UNKNOWN).map(({ at }) => at);
  return telling.length === 0 ? 0 : Math.max(0, now - Math.max(...telling));
};

export function believe(known: Known): Belief {
  const { host, answers, others } = known;
  const evidence = answers.map((answer) => evidenceOf(host, answer));
  const { probability, interval } = infer(host, evidence, acceptsAllOddsFrom(host, others));
  const loss = decayed(ageOf(known));
  const later = (bounce: number): number => bounce + (1 - bounce) * loss;
  return { probability: later(probability), interval: [later(interval[0]), later(interval[1])] };
}

export function recommend({ probability, interval }: Belief, losses: Losses): 'send' | 'drop' | 'hold' {
  const { bounce, contactLost, heldGood, heldBad } = losses;
  const send = probability * bounce;
  const drop = (1 - probability) * contactLost;
  const hold = (1 - probability) * heldGood + probability * heldBad;
  if (send <= hold && send <= drop) return 'send';
  return drop < hold && interval[0] > contactLost / (contactLost + bounce) ? 'drop' : 'hold';
}

/** A provider that may be asked, with its price in dollars and the median of how long it takes. */
export interface Vendor {
  readonly id: string;
  readonly price: number;
  readonly seconds: number;
  readonly billsUnknown: boolean;
}

/** What a router looks ahead from: joint probabilities that add up to 1, by the server's answer. */
export interface State {
  readonly bounce: PerAnswer;
  readonly land: PerAnswer;
  readonly decayed: number;
}
export interface Option {
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

function leastLoss(bounces: number, lands: number, gone: number, losses: Losses): number {
  const [bad, good] = [bounces + lands * gone, lands * (1 - gone)];
  return Math.min(bad * losses.bounce, good * losses.contactLost, good * losses.heldGood + bad * losses.heldBad);
}

const stopValue = ({ bounce, land, decayed: gone }: State, losses: Losses): number =>
  leastLoss(sum(bounce), sum(land), gone, losses);

function askingCost({ bounce, land }: State, { verdicts, billsUnknown, price, time }: Option): number {
  const unknown = verdicts[UNKNOWN];
  const mass = sum(bounce) + sum(land);
  if (billsUnknown || unknown === undefined) return (price + time) * mass;
  return (price + time) * mass - price * (dot(bounce, unknown) + dot(land, unknown));
}

function askOnce(state: State, option: Option, losses: Losses): number {
  let answered = askingCost(state, option);
  option.verdicts.forEach((verdict, place) => {
    const gone = place === UNKNOWN ? state.decayed : 0;
    answered += leastLoss(dot(state.bounce, verdict), dot(state.land, verdict), gone, losses);
  });
  return answered;
}

function lookAhead(state: State, option: Option, others: readonly Option[], losses: Losses): number {
  let answered = askingCost(state, option);
  option.verdicts.forEach((verdict, place) => {
    const then: State = {
      bounce: times(state.bounce, verdict),
      land: times(state.land, verdict),
      decayed: place === UNKNOWN ? state.decayed : 0,
    };
    let least = stopValue(then, losses);
    for (const other of others) least = Math.min(least, askOnce(then, other, losses));
    answered += least;
  });
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

/** An unfitted table's answers must be worth a quarter more. */
const MARGIN = 1.25;

/** The provider that release 2 asks next; null: none. Providers with an answer in force are not asked. */
export function nextProvider(
  known: Known,
  vendors: readonly Vendor[],
  secondUsd: number,
  losses: Losses,
): string | null {
  const { host, answers, others } = known;
  const bounce: [number, number, number, number] = [0, 0, 0, 0];
  const land: [number, number, number, number] = [0, 0, 0, 0];
  let total = 0;
  const evidence = answers.map((answer) => evidenceOf(host, answer));
  for (const cell of weigh(host, evidence, acceptsAllOddsFrom(host, others))) {
    bounce[cell.at as 0] += cell.bounce;
    land[cell.at as 0] += cell.land;
    total += cell.bounce + cell.land;
  }
  const open = vendors.filter(({ id }) => !answers.some(({ provider }) => provider === id));
  const options = open.map(({ id, price, seconds, billsUnknown }): Option => {
    const rows = rowsAt(id, host);
    const share = (answer: number, verdict: number): number =>
      (rows[answer]?.[verdict] ?? 0) / totalOf(rows[answer] ?? []);
    return {
      verdicts: VERDICTS.map((_, verdict) => [
        share(0, verdict),
        share(1, verdict),
        share(2, verdict),
        share(3, verdict),
      ]),
      billsUnknown,
      price: MARGIN * price,
      time: MARGIN * secondUsd * seconds,
    };
  });
  const state = {
    bounce: times(bounce, [1 / total, 1 / total, 1 / total, 1 / total]),
    land: times(land, [1 / total, 1 / total, 1 / total, 1 / total]),
    decayed: decayed(ageOf(known)),
  };
  const choice = route(state, options, losses);
  return choice === null ? null : (open[choice]?.id ?? null);
}

/** How long an answer about an address counts, by verdict. */
const LIFETIME_DAYS = [7, 2, 7, 1, 10 / 1_440] as const;
export const isInForce = ({ verdict, at }: DatedAnswer, now: number): boolean =>
  at + (LIFETIME_DAYS[verdict] ?? 0) > now;

const DOMAIN_LIFETIME_DAYS = 14;
const OF_EACH_PROVIDER = 2;

/** An answer kept of a domain. `of` names the address. */
export interface DomainAnswer extends DatedAnswer {
  readonly of: number;
}

const UNDELIVERABLE = 1;
const CATCH_ALL = 2;
const tells = ({ verdict }: Answer): boolean => verdict === UNDELIVERABLE || verdict === CATCH_ALL;
const mostTelling = (answers: readonly DomainAnswer[]): DomainAnswer[] =>
  answers.toSorted((one, other) => Number(tells(other)) - Number(tells(one)) || other.at - one.at);

/** A domain's answers with one more. */
export function atDomainWith(kept: readonly DomainAnswer[], said: DomainAnswer): readonly DomainAnswer[] {
  if (said.verdict === UNKNOWN) return kept;
  const before = kept.filter(({ provider, of }) => provider === said.provider && of !== said.of);
  const best = mostTelling([said, ...before]).slice(0, OF_EACH_PROVIDER);
  return [...kept.filter(({ provider }) => provider !== said.provider), ...best];
}

/** One answer of each provider about other addresses, the most telling. */
export function othersAt(kept: readonly DomainAnswer[], of: number, now: number): Answer[] {
  const fresh = kept.filter((each) => each.of !== of && each.at + DOMAIN_LIFETIME_DAYS > now);
  const first = new Map<string, Answer>();
  for (const answer of mostTelling(fresh)) if (!first.has(answer.provider)) first.set(answer.provider, answer);
  return [...first.values()];
}
