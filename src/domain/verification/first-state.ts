import type { Purpose } from '../../contract/vocabulary.ts';
import { DAY_MS } from '../../kernel/clock.ts';
import { zeros } from '../../kernel/vector.ts';
import { type Feature, type Levels, LIST_LEVELS, type Neighbours, type OwnPart } from './history.ts';
import { logOddsOf } from './history-codec.ts';
import type { HostClass } from './host-class.ts';
import { DEAD, DOMAIN_STEPS, type HostTables, tablesAt } from './host-tables.ts';
import type { Model } from './model.ts';

/** Log-odds that halve in this time. Lists change faster than domains. */
const HALF_LIFE_MS: Readonly<Record<keyof Neighbours, number>> = { domain: 365 * DAY_MS, list: 120 * DAY_MS };

/**
 * What neighbours may multiply the odds of a bounce by, against a stranger's at that host and purpose: at signup, elsewhere and where the
 * account's own mail bears it out, and where that shows a domain as given up. A visitor chooses the addresses of a signup, so neighbours weigh
 * least there. With 6, four invented names at a company's domain would have its next employee challenged in spite of a `deliverable`
 * of their own.
 */
const NEIGHBOURS_MAX = { signup: 2, mailed: 6, givenUp: Number.POSITIVE_INFINITY } as const;

/** What the account's own mail shows of a domain: so many addresses refused, so many for each one reached. */
const BORNE_OUT = { refused: 1, reached: 1 } as const;
const GIVEN_UP = { refused: 8, reached: 4 } as const;

/**
 * An address when it was first seen, by all that is known beside its own answers, reports and proofs: three numbers are all
 * that the belief needs of them.
 */
export interface FirstState {
  /** P(the domain accepts everything). */
  readonly acceptsAll: number;
  /** P(bounces | the domain does not, or does, accept everything). */
  readonly deadStrict: number;
  readonly deadAcceptsAll: number;
  /** Variance of the log-odds of a bounce over the levels of domain and list. */
  readonly variance: number;
}

export interface FirstStateInput {
  readonly host: HostClass;
  readonly features: readonly Feature[];
  /** Null: as the table's rates, which are of all purposes together. */
  readonly purpose: Purpose | null;
  /** Λ: what organisations share of the domain; 1 says nothing. */
  readonly acceptsAllOdds: number;
  readonly around: Neighbours;
  /** The address's part in `around`, which is taken out of it: its own reports count elsewhere. */
  readonly own: OwnPart | null;
  /** Whether `around.list` is the list that `own` is part of. */
  readonly isOwnList: boolean;
  readonly now: number;
}

/** The levels of a stranger. */
export const NO_NEIGHBOURS: Neighbours = { domain: null, list: null };

export const faded = (kind: keyof Neighbours, ageMs: number): number => 2 ** (-Math.max(0, ageMs) / HALF_LIFE_MS[kind]);

/** Log-odds as they are now, without the address's own. */
export function levelsWithout(
  kind: keyof Neighbours,
  levels: Levels | null,
  own: OwnPart | null,
  now: number,
): number[] | null {
  if (levels === null) return null;
  const fade = faded(kind, now - levels.at);
  const part = own && logOddsOf(own[kind]);
  const partFade = own === null ? 0 : faded(kind, now - own.at);
  // Loops: callbacks on typed arrays take several times as long.
  const values = zeros(levels.values.length);
  for (let at = 0; at < values.length; at += 1)
    values[at] = (levels.values[at] ?? 0) * fade - (part?.[at] ?? 0) * partFade;
  return values;
}

/** P(domain level) by kind of domain, and P(list level): the table's shares times what the levels say. Not normalised. */
export interface LevelWeights {
  readonly domain: readonly [strict: number[], acceptsAll: number[]];
  readonly list: readonly number[];
}

/** Without a scale of its own, e^V overflows where a part was taken out of levels that had faded to nothing. */
function raised(values: readonly number[]): number[] {
  let top = Number.NEGATIVE_INFINITY;
  for (const value of values) top = Math.max(top, value);
  const weights = zeros(values.length);
  for (let at = 0; at < values.length; at += 1) weights[at] = Math.exp((values[at] ?? 0) - top);
  return weights;
}

export function levelWeights(
  { kinds, listShares }: HostTables,
  purpose: Purpose | null,
  domain: readonly number[] | null,
  list: readonly number[] | null,
  acceptsAllOdds: number,
): LevelWeights {
  const shares = listShares.get(purpose) ?? [];
  const said = domain && raised(domain);
  const ofKind = (kind: 0 | 1): number[] => {
    const { share, levelShares } = kinds[kind];
    const weight = share * (kind === 1 ? acceptsAllOdds : 1);
    return levelShares.map((part, level) => weight * part * (said?.[kind * DOMAIN_STEPS + level] ?? 1));
  };
  const heard = list && raised(list);
  return {
    domain: [ofKind(0), ofKind(1)],
    list: heard === null ? shares : shares.map((part, level) => part * (heard[level] ?? 1)),
  };
}

/** Log-odds that the address itself and the purpose add. */
export const offsetOf = (
  { history }: Model,
  { features, purpose }: Pick<FirstStateInput, 'features' | 'purpose'>,
): number =>
  features.reduce((sum, feature) => sum + history.features[feature], purpose === null ? 0 : history.purposes[purpose]);

/** P(bounces) at a domain level and a list level. */
export const bounceAt = (odds: number, factor: number, level: number): number => {
  const moved = level === DEAD ? odds : odds * factor;
  return moved / (1 + moved);
};

/** The mean over the levels, unbounded. */
function meanOf(tables: HostTables, { domain, list }: LevelWeights, offset: number): FirstState {
  const factor = Math.exp(offset);
  const [weights, bounces] = [[0, 0] as [number, number], [0, 0] as [number, number]];
  let [first, second] = [0, 0];
  for (const kind of [0, 1] as const) {
    const { odds, logOdds } = tables.kinds[kind];
    for (let level = 0; level < DOMAIN_STEPS; level += 1) {
      const ofDomain = domain[kind][level] ?? 0;
      const move = level === DEAD ? 0 : offset;
      for (let listLevel = 0; listLevel < LIST_LEVELS; listLevel += 1) {
        const at = level * LIST_LEVELS + listLevel;
        const weight = ofDomain * (list[listLevel] ?? 0);
        const shown = (logOdds[at] ?? 0) + move;
        weights[kind] += weight;
        bounces[kind] += weight * bounceAt(odds[at] ?? 0, factor, level);
        first += weight * shown;
        second += weight * shown * shown;
      }
    }
  }
  const total = weights[0] + weights[1];
  const rateOf = (kind: 0 | 1): number => (weights[kind] === 0 ? 0 : bounces[kind] / weights[kind]);
  return {
    acceptsAll: weights[1] / total,
    deadStrict: rateOf(0),
    deadAcceptsAll: rateOf(1),
    variance: Math.max(0, second / total - (first / total) ** 2),
  };
}

/** P(bounces) when first seen. */
export const firstBounce = ({ acceptsAll, deadStrict, deadAcceptsAll }: Omit<FirstState, 'variance'>): number =>
  (1 - acceptsAll) * deadStrict + acceptsAll * deadAcceptsAll;

const oddsOf = (probability: number): number => probability / (1 - probability);

/** The state with the odds of a bounce multiplied. */
export function multiplied(state: FirstState, factor: number): FirstState {
  const scaled = (rate: number): number => (rate * factor) / (rate * factor + 1 - rate);
  const weigh = (share: number, rate: number): number => share * (rate * factor + 1 - rate);
  const strict = weigh(1 - state.acceptsAll, state.deadStrict);
  const acceptsAll = weigh(state.acceptsAll, state.deadAcceptsAll);
  return {
    acceptsAll: acceptsAll / (strict + acceptsAll),
    deadStrict: scaled(state.deadStrict),
    deadAcceptsAll: scaled(state.deadAcceptsAll),
    variance: state.variance,
  };
}

/** What mail to a domain's other addresses lets neighbours say. Of invented signups one a day is counted, and none outweighs those reached. */
function neighboursMax({
  purpose,
  around: { domain },
  own,
}: Pick<FirstStateInput, 'purpose' | 'around' | 'own'>): number {
  const others = (counted: 'refused' | 'delivered'): number =>
    (domain?.[counted] ?? 0) - (own?.counted === counted ? 1 : 0);
  const shows = ({ refused, reached }: Readonly<Record<'refused' | 'reached', number>>): boolean =>
    others('refused') >= refused && others('refused') >= reached * others('delivered');
  if (shows(GIVEN_UP)) return NEIGHBOURS_MAX.givenUp;
  return purpose === 'signup' && !shows(BORNE_OUT) ? NEIGHBOURS_MAX.signup : NEIGHBOURS_MAX.mailed;
}

/** The state that neighbours and stranger give, with the neighbours' word bounded. */
export function bounded(
  state: FirstState,
  stranger: FirstState,
  among: Pick<FirstStateInput, 'purpose' | 'around' | 'own'>,
): FirstState {
  const most = neighboursMax(among);
  const factor = oddsOf(firstBounce(state)) / oddsOf(firstBounce(stranger));
  return factor > most ? multiplied(state, most / factor) : state;
}

/** The state among these neighbours, before their word is bounded. */
export function stateAmong(
  model: Model,
  input: Pick<FirstStateInput, 'host' | 'features' | 'purpose' | 'acceptsAllOdds'>,
  domain: readonly number[] | null,
  list: readonly number[] | null,
): FirstState {
  const tables = tablesAt(model, input.host);
  const weights = levelWeights(tables, input.purpose, domain, list, input.acceptsAllOdds);
  return meanOf(tables, weights, offsetOf(model, input));
}

/** The levels around the address, without what it added to them itself. */
export const levelsAround = ({ around, own, isOwnList, now }: FirstStateInput) => ({
  domain: levelsWithout('domain', around.domain, own, now),
  list: levelsWithout('list', around.list, isOwnList ? own : null, now),
});

/** The first state of an address by its host, purpose, features and neighbours. */
export function firstState(model: Model, input: FirstStateInput): FirstState {
  const stranger = stateAmong(model, input, null, null);
  const { domain, list } = levelsAround(input);
  if (domain === null && list === null) return stranger;
  return bounded(stateAmong(model, input, domain, list), stranger, input);
}

/** The first state of an address of which nothing is known but its host, what it is for and what is around it. */
export const strangerState = (
  model: Model,
  host: HostClass,
  purpose: Purpose | null,
  now: number,
  around: Neighbours = NO_NEIGHBOURS,
): FirstState =>
  firstState(model, {
    host,
    features: [],
    purpose,
    acceptsAllOdds: 1,
    around,
    own: null,
    isOwnList: false,
    now,
  });

/** How far a domain's own levels have to move the odds that it accepts everything, and how likely that has to be then. */
const CLEARLY = { acceptsAll: { odds: 10, probability: 0.9 }, strict: { odds: 1 / 4 } } as const;

/** Whether what was seen of a domain shows that it accepts everything, or does not, whatever hosts like its do; null: neither. */
export function acceptsAllByLevels(model: Model, host: HostClass, domain: Levels | null, now: number): boolean | null {
  if (domain === null) return null;
  const tables = tablesAt(model, host);
  const total = (weights: readonly number[]): number => weights.reduce((sum, weight) => sum + weight, 0);
  const oddsBy = (levels: number[] | null): number => {
    const [strict, acceptsAll] = levelWeights(tables, null, levels, null, 1).domain;
    return total(acceptsAll) / total(strict);
  };
  const odds = oddsBy(levelsWithout('domain', domain, null, now));
  const moved = odds / oddsBy(null);
  if (moved <= CLEARLY.strict.odds) return false;
  return moved >= CLEARLY.acceptsAll.odds && odds / (1 + odds) >= CLEARLY.acceptsAll.probability ? true : null;
}
