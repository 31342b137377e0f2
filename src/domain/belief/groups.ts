import type { Purpose } from '../../contract/vocabulary.ts';
import { logOddsOf, oddsOf } from '../../kernel/probability.ts';
import { BITS, type InitialState, initialBounce, type Likelihood, marginal } from './chain.ts';
import { type EffectPrior, type EvidenceTable, offsetOf } from './evidence-table.ts';
import { type Facts, type Feature, memoriesOf, polarityOf } from './facts.ts';
import { type HostClass, isShared } from './host-class.ts';
import { type Model, tablesAt } from './model.ts';

/**
 * Bayesian logistic regression of what surrounds an address, with one effect each for its domain, its list, the
 * account, and the account's catch-all companies. An effect is a mean and a variance in log-odds, N(0, sd²) before any
 * evidence; it fades back to that with a half-life.
 */

/** An effect as of a time: its mean, and its variance's reduction below the prior's. */
export interface Effect {
  readonly mean: number;
  readonly varianceReduction: number;
  /** The part of the mean that comes from delivery reports. */
  readonly reportedMean: number;
  readonly at: number;
}

/** One address's evidence on whether its domain accepts every recipient: a log-likelihood ratio. */
export interface AcceptsAllTerm {
  /** The first digits of the address's hash. */
  readonly of: string;
  readonly at: number;
  readonly value: number;
}

/** What is known of a domain beside its effect. */
export interface DomainGroup extends Effect {
  /** Terms of the newest addresses, oldest first, and the sum of older ones as of a time. */
  readonly acceptsAll: { readonly terms: readonly AcceptsAllTerm[]; readonly folded: number; readonly at: number };
  /** Log-likelihood ratio that the domain is abandoned. */
  readonly givenUp: number;
  /** The first few different days and sources of `user_unknown` reports. */
  readonly days: readonly number[];
  readonly sources: readonly string[];
  /** The newest delivery that anybody reported there, or null. */
  readonly deliveredAt: number | null;
}

export interface Groups {
  readonly domain: DomainGroup | null;
  readonly list: Effect | null;
  readonly account: Effect | null;
  readonly catchAlls: Effect | null;
}
export const NO_GROUPS: Groups = { domain: null, list: null, account: null, catchAlls: null };
export type EffectName = keyof Groups;

/** One address's contribution to its groups, as of a time. It is taken out when that address itself is asked about. */
export interface Contribution {
  readonly at: number;
  readonly effects: Readonly<Record<EffectName, readonly [mean: number, varianceReduction: number]>>;
  readonly givenUp: number;
  readonly isReported: boolean;
}

export const EFFECT_NAMES: readonly EffectName[] = ['domain', 'list', 'account', 'catchAlls'];

export const effectPrior = ({ effects }: EvidenceTable, name: EffectName, host: HostClass): EffectPrior =>
  name === 'domain' && isShared(host) ? effects.sharedDomain : effects[name];

export const faded = (halfLifeMs: number, ageMs: number): number => 2 ** (-Math.max(0, ageMs) / halfLifeMs);

/** An effect is never certain: the smallest variance. */
const VARIANCE_MIN = 0.02;

export interface Moments {
  readonly mean: number;
  readonly variance: number;
}

/** @param own the contribution to leave out, or null */
function momentsOf(
  { sd, halfLifeMs }: EffectPrior,
  effect: Effect | null,
  own: { readonly at: number; readonly of: readonly [number, number] } | null,
  now: number,
): Moments {
  if (effect === null) return { mean: 0, variance: sd ** 2 };
  const fade = faded(halfLifeMs, now - effect.at);
  const ownFade = own === null ? 0 : faded(halfLifeMs, now - own.at);
  const [ownMean, ownReduction] = own?.of ?? [0, 0];
  const varianceReduction = fade * effect.varianceReduction - ownFade * ownReduction;
  return {
    mean: fade * effect.mean - ownFade * ownMean,
    variance: Math.min(sd ** 2, Math.max(VARIANCE_MIN, sd ** 2 - varianceReduction)),
  };
}

/** Bound on the odds that a domain accepts every recipient: 55 to 1. */
const ACCEPTS_ALL_MAX = 4;
const clamped = (value: number, most: number): number => Math.max(-most, Math.min(most, value));
/** How many addresses can be left out individually. */
const TERMS_MAX = 12;

/** Log-odds that the domain accepts every recipient, by its other addresses; a running sum in order of time. */
function acceptsAllLogOdds(
  { acceptsAllHalfLifeMs: halfLife }: EvidenceTable,
  domain: Pick<DomainGroup, 'acceptsAll'> | null,
  own: string | null,
  now: number,
): number {
  if (domain === null) return 0;
  const { terms, folded, at } = domain.acceptsAll;
  const others = terms.filter(({ of }) => of !== own);
  const sum = others.reduce((one, term) => added(halfLife, one, term), { value: folded, at });
  return sum.value * faded(halfLife, now - sum.at);
}

/** Two dated sums added, as of the later time. */
function added(halfLifeMs: number, sum: Dated, term: Dated): Dated {
  const at = Math.max(sum.at, term.at);
  const value = sum.value * faded(halfLifeMs, at - sum.at) + term.value * faded(halfLifeMs, at - term.at);
  return { value: clamped(value, ACCEPTS_ALL_MAX), at };
}
type Dated = Pick<AcceptsAllTerm, 'value' | 'at'>;

/** The terms with this one in place of the address's earlier one; null removes it. */
export function withTerm(
  table: EvidenceTable,
  { terms, folded, at }: DomainGroup['acceptsAll'],
  of: string,
  term: AcceptsAllTerm | null,
): DomainGroup['acceptsAll'] {
  const others = terms.filter((each) => each.of !== of);
  const all = (term === null ? others : [...others, term]).sort((one, other) => one.at - other.at);
  const [oldest] = all;
  if (all.length <= TERMS_MAX || oldest === undefined) return { terms: all, folded, at };
  const sum = added(table.acceptsAllHalfLifeMs, { value: folded, at }, oldest);
  return { terms: all.slice(1), folded: sum.value, at: sum.at };
}

/** Bound on the odds that a domain is abandoned. The upper bound requires enough refusals. */
const GIVEN_UP_MAX = 4;
const GIVEN_UP_NEEDS = { days: 3, sources: 2 } as const;
/** The largest share of unknown addresses' bounces that abandoned domains explain. */
const GIVEN_UP_PART_MAX = 0.3;

export const showsGivenUp = ({ days, sources, deliveredAt }: DomainGroup): boolean =>
  deliveredAt === null && (days.length >= GIVEN_UP_NEEDS.days || sources.length >= GIVEN_UP_NEEDS.sources);

/** An address's features and groups, apart from its facts. */
export interface PredictionContext {
  readonly host: HostClass;
  readonly features: readonly Feature[];
  /** Null means the table's rates over all purposes. */
  readonly purpose: Purpose | null;
  /** Shared log-odds that the domain accepts every recipient; 0 is no information. */
  readonly sharedAcceptsAll: number;
  readonly groups: Groups;
  /** The address's own hash and contribution, which is left out: its facts count elsewhere. */
  readonly own: { readonly name: string; readonly contribution: Contribution | null } | null;
  /** Whether the address contributed to `groups.list`. */
  readonly isOwnList: boolean;
  readonly now: number;
}

/** An address without contributions; without `groups`, one whose domain, list and account are unknown. */
export const baselineAt = (
  seen: Pick<PredictionContext, 'host' | 'features' | 'purpose' | 'now'>,
  groups = NO_GROUPS,
): PredictionContext => ({
  ...seen,
  sharedAcceptsAll: 0,
  groups,
  own: null,
  isOwnList: false,
});

type Reads = 'all' | 'account' | 'none';
const READ: Readonly<Record<Reads, readonly EffectName[]>> = {
  all: EFFECT_NAMES,
  account: ['account', 'catchAlls'],
  none: [],
};

/** P(bounces) by kind of domain, and its parts. */
export interface Prediction {
  readonly state: InitialState;
  /** P(bounces | kind of domain), and the same without evidence of abandonment. */
  readonly rates: readonly [strict: number, acceptsAll: number];
  readonly alive: readonly [strict: number, acceptsAll: number];
  /** Effects of each kind, and the sum of their variances. */
  readonly moments: Readonly<Record<EffectName, Moments>>;
  readonly variances: readonly [strict: number, acceptsAll: number];
}

/** MacKay's moderated output: the mean of a logistic over a normal of this variance. */
const moderation = (variance: number): number => 1 / Math.sqrt(1 + (Math.PI * variance) / 8);
const sigmoid = (logOdds: number): number => 1 / (1 + Math.exp(-logOdds));

/**
 * Predicts by host, purpose, features and groups. Without group evidence the odds are exactly the table's: the logit is
 * divided by the moderation of the prior's variance.
 */
export function predict(model: Model, context: PredictionContext, reads: Reads = 'all'): Prediction {
  const { host, features, purpose, groups, own, isOwnList, now } = context;
  const { evidence } = model;
  const tables = tablesAt(model, host);
  const offset = offsetOf(evidence, features, purpose);
  const read = READ[reads];
  const momentsFor = (name: EffectName): Moments => {
    const part = own?.contribution ?? null;
    const isIn = part !== null && (name !== 'list' || isOwnList);
    const left = isIn ? { at: part.at, of: part.effects[name] } : null;
    const isRead = read.includes(name);
    return momentsOf(effectPrior(evidence, name, host), isRead ? groups[name] : null, isRead ? left : null, now);
  };
  const moments = {
    domain: momentsFor('domain'),
    list: momentsFor('list'),
    account: momentsFor('account'),
    catchAlls: momentsFor('catchAlls'),
  };
  const prior = (name: EffectName): number => effectPrior(evidence, name, host).sd ** 2;
  const dead = givenUpShare(context, evidence, reads);
  const ofKind = (kind: 0 | 1): { rate: number; alive: number; variance: number } => {
    const names = kind === 0 || isShared(host) ? EFFECT_NAMES.slice(0, 3) : EFFECT_NAMES;
    let [mean, variance, before] = [0, 0, 0];
    for (const name of names) {
      mean += moments[name].mean;
      variance += moments[name].variance;
      before += prior(name);
    }
    const table = tables.kinds[kind].logOdds + offset;
    const moderated = sigmoid(moderation(variance) * (table / moderation(before) + mean));
    const { bounces } = evidence.givenUp;
    // The rate of domains that are not abandoned must stay a probability.
    const most = GIVEN_UP_PART_MAX * Math.min(moderated / bounces, (1 - moderated) / (1 - bounces));
    const share = Math.min(dead.before, most);
    const alive = (moderated - share * bounces) / (1 - share);
    const given = share === 0 ? 0 : sigmoid(logOddsOf(share) + dead.logRatio);
    return { rate: (1 - given) * alive + given * bounces, alive, variance };
  };
  const [strict, acceptsAll] = [ofKind(0), ofKind(1)];
  const shown = reads === 'all' ? acceptsAllLogOdds(evidence, groups.domain, termName(own), now) : 0;
  const odds = oddsOf(tables.kinds[1].share) * Math.exp(context.sharedAcceptsAll + shown);
  const share = odds / (1 + odds);
  const variance = (1 - share) * strict.variance + share * acceptsAll.variance;
  return {
    state: {
      acceptsAll: share,
      bounceStrict: strict.rate,
      bounceAcceptsAll: acceptsAll.rate,
      variance: variance * moderation(variance) ** 2,
    },
    rates: [strict.rate, acceptsAll.rate],
    alive: [strict.alive, acceptsAll.alive],
    moments,
    variances: [strict.variance, acceptsAll.variance],
  };
}

const TERM_DIGITS = 8;
export const termOf = (name: string): string => name.slice(0, TERM_DIGITS);
const termName = (own: PredictionContext['own']): string | null => (own === null ? null : termOf(own.name));

/** The share of abandoned domains, and the log-likelihood ratio that this is one. */
function givenUpShare(
  { host, groups: { domain }, own, now }: PredictionContext,
  { givenUp, effects }: EvidenceTable,
  reads: Reads,
): { readonly before: number; readonly logRatio: number } {
  if (isShared(host)) return { before: 0, logRatio: 0 };
  if (domain === null || reads !== 'all') return { before: givenUp.share, logRatio: 0 };
  const fade = (at: number): number => faded(effects.domain.halfLifeMs, now - at);
  const part = own?.contribution ?? null;
  const ratio = domain.givenUp * fade(domain.at) - (part === null ? 0 : part.givenUp * fade(part.at));
  return { before: givenUp.share, logRatio: clamped(showsGivenUp(domain) ? ratio : Math.min(0, ratio), GIVEN_UP_MAX) };
}

export function multiplied(state: InitialState, factor: number): InitialState {
  const scaled = (rate: number): number => (rate * factor) / (rate * factor + 1 - rate);
  const weigh = (share: number, rate: number): number => share * (rate * factor + 1 - rate);
  const strict = weigh(1 - state.acceptsAll, state.bounceStrict);
  const acceptsAll = weigh(state.acceptsAll, state.bounceAcceptsAll);
  return {
    acceptsAll: acceptsAll / (strict + acceptsAll),
    bounceStrict: scaled(state.bounceStrict),
    bounceAcceptsAll: scaled(state.bounceAcceptsAll),
    variance: state.variance,
  };
}

/** Context of the bound on group effects. */
export interface Bounds {
  readonly isTrusted: boolean;
  readonly isFile: boolean;
}

/**
 * How much groups may multiply the odds of a bounce. Visitors choose a signup's addresses, so groups weigh least there.
 * Until the account's reports are trusted, only answers move groups: they show refusals but never bounces of accepted
 * addresses, so they change little beside a fact about the address, and never make an unchecked row of a file good
 * enough to send.
 */
// Just below 6, so that a colleague of people who all bounced stays below .6 in a file at every host.
const MOST = { signup: 2, other: 5.9, assured: 1.5, assuredUntrusted: 1.1 } as const;
// No nearer to 1: a company with proven mailboxes would look as unsure as one that accepts every recipient.
const LEAST_IN_FILE = 1 / 1.6;

function factorBounds(
  purpose: Purpose | null,
  { answers, reports, proofs }: Facts,
  { isTrusted, isFile }: Bounds,
): readonly [least: number, most: number] {
  const isAssured =
    answers.some(({ verdict }) => verdict === 'deliverable') ||
    reports.some((report) => polarityOf(report) === 'delivered') ||
    proofs.length > 0;
  const isRefused =
    answers.some(({ verdict }) => verdict === 'undeliverable') ||
    reports.some((report) => polarityOf(report) === 'refused');
  const usual = purpose === 'signup' ? MOST.signup : MOST.other;
  const most = isAssured ? (isTrusted ? MOST.assured : MOST.assuredUntrusted) : usual;
  if (!isFile || isTrusted) return [0, most];
  return [isAssured && !isRefused ? 0 : LEAST_IN_FILE, most];
}

/**
 * An address's initial state with bounded group effects. The bound is a mean over the lengths of memory, because a
 * forgotten good fact no longer bounds.
 * @param facts the address's own
 */
export function initialState(model: Model, context: PredictionContext, facts: Facts, bounds: Bounds): InitialState {
  const { state } = predict(model, context);
  const baseline = predict(model, context, bounds.isTrusted ? 'account' : 'none').state;
  const factor = oddsOf(initialBounce(state)) / oddsOf(initialBounce(baseline));
  let kept = 0;
  for (const { weight, facts: held } of memoriesOf(facts, context.now)) {
    const [least, most] = factorBounds(context.purpose, held, bounds);
    kept += weight * Math.min(most, Math.max(least, factor));
  }
  return kept === factor ? state : multiplied(state, kept / factor);
}

export function kindShares({ state, rates }: Prediction, likelihood: Likelihood): readonly [number, number] {
  const weight = (kind: 0 | 1): number => {
    const share = kind === 1 ? state.acceptsAll : 1 - state.acceptsAll;
    return share * marginal(rates[kind], likelihood[kind]);
  };
  const [strict, acceptsAll] = BITS.map(weight) as [number, number];
  return [strict / (strict + acceptsAll), acceptsAll / (strict + acceptsAll)];
}

/**
 * How far a domain's own addresses must move the odds that it accepts every recipient, and the probability they must
 * reach.
 */
const CLEARLY = { acceptsAll: { logOdds: Math.log(10), probability: 0.9 }, strict: { logOdds: -Math.log(4) } } as const;

/** Whether a domain's addresses show that it accepts every recipient, or that it does not; null means neither. */
export function acceptsAllShown(
  model: Model,
  host: HostClass,
  domain: DomainGroup | null,
  now: number,
): boolean | null {
  const shown = acceptsAllLogOdds(model.evidence, domain, null, now);
  if (shown <= CLEARLY.strict.logOdds) return false;
  const probability = sigmoid(logOddsOf(tablesAt(model, host).kinds[1].share) + shown);
  return shown >= CLEARLY.acceptsAll.logOdds && probability >= CLEARLY.acceptsAll.probability ? true : null;
}
