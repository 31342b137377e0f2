import { decimals } from '../../kernel/probability.ts';
import { BITS, type Likelihood, likelihoodOf, marginal } from './chain.ts';
import { observedIn, type SourceErrors } from './evidence.ts';
import { type AddressFacts, beginOf, type KnownReport, polarityOf, sourcesOf } from './facts.ts';
import {
  type AcceptsAllTerm,
  type Contribution,
  type DomainGroup,
  EFFECT_NAMES,
  type Effect,
  type EffectName,
  effectPrior,
  faded,
  type Groups,
  kindShares,
  predict,
  showsGivenUp,
  baselineAt,
  termOf,
  withTerm,
} from './groups.ts';
import { isShared } from './host-class.ts';
import { type Model, tablesAt } from './model.ts';
import { dayOf, type Scope, type TrustPolicy } from './trust.ts';

/** An address's contribution to its groups, rounded, since it is stored in every row and subtracted again. */
interface Update {
  readonly contribution: Contribution;
  readonly term: AcceptsAllTerm;
}

/** Reports of a permanent state: the others say nothing about a neighbour. */
const MOVES_GROUPS: ReadonlySet<KnownReport['class']> = new Set(['user_unknown', 'delivered', 'complaint']);

/** P(bounces | kind of domain) after facts of this likelihood. */
const posterior = (prior: number, likelihood: Likelihood[number]): number =>
  (prior * likelihood[1]) / marginal(prior, likelihood);

/**
 * One extended Kalman step: how an address's facts update the effects around it. The covariance is kept diagonal. The
 * squared surprise in the curvature limits the influence of order: without it the first surprising address moves an
 * effect least and the next ones too far.
 */
function kalmanStep(
  model: Model,
  name: string,
  address: AddressFacts,
  groups: Groups,
  own: Contribution | null,
  scopeOf: (report: KnownReport) => Scope,
  errors: SourceErrors,
  now: number,
): Update | null {
  const { host, features, purpose } = address;
  const { evidence } = model;
  const answers = address.answers.filter(({ full }) => full !== true);
  const scoped = address.reports.flatMap((report) =>
    MOVES_GROUPS.has(report.class) ? [{ report, scope: scopeOf(report) }] : [],
  );
  const within = (...scopes: readonly Scope[]): KnownReport[] =>
    scoped.flatMap(({ report, scope }) => (scopes.includes(scope) ? [report] : []));
  const [ofAll, ofGivenUp] = [within('all'), within('all', 'given_up')];
  const newest = Math.max(...answers.map(({ at }) => at), ...ofGivenUp.map(({ at }) => at));
  if (newest === Number.NEGATIVE_INFINITY) return null;
  const tables = tablesAt(model, host);
  const likelihoodWith = (reports: readonly KnownReport[]) =>
    likelihoodOf(tables, observedIn(model, host, { answers, reports, proofs: [] }, newest, errors));
  const likelihood = likelihoodWith(ofAll);
  const context = {
    ...baselineAt({ host, features, purpose, now }, groups),
    own: { name, contribution: own },
    isOwnList: true,
  };
  const predicted = predict(model, context);
  const { rates, alive, moments, variances, state } = predicted;
  const shares = kindShares(predicted, likelihood);
  const step = (effect: EffectName): readonly [number, number] => {
    const { variance } = moments[effect];
    let [mean, varianceReduction] = [0, 0];
    for (const kind of BITS) {
      if (effect === 'catchAlls' && (kind === 0 || isShared(host))) continue;
      const [before, after] = [rates[kind], posterior(rates[kind], likelihood[kind])];
      const surprise = after - before;
      const curvature = Math.max(surprise ** 2, before * (1 - before) - after * (1 - after));
      const weight = shares[kind] / (1 + variances[kind] * curvature);
      mean += weight * variance * surprise;
      varianceReduction += weight * variance ** 2 * curvature;
    }
    const fade = faded(effectPrior(evidence, effect, host).halfLifeMs, now - newest);
    return [decimals(fade * mean), decimals(fade * varianceReduction)];
  };
  const total = (of: Likelihood, [strict, acceptsAll]: readonly [number, number]): number =>
    (1 - state.acceptsAll) * marginal(strict, of[0]) + state.acceptsAll * marginal(acceptsAll, of[1]);
  const dead = evidence.givenUp.bounces;
  const ofDomain = ofGivenUp.length === ofAll.length ? likelihood : likelihoodWith(ofGivenUp);
  const givenUp = isShared(host) ? 0 : Math.log(total(ofDomain, [dead, dead]) / total(ofDomain, alive));
  const value = Math.log(marginal(rates[1], likelihood[1]) / marginal(rates[0], likelihood[0]));
  return {
    contribution: {
      at: now,
      effects: { domain: step('domain'), list: step('list'), account: step('account'), catchAlls: step('catchAlls') },
      givenUp: decimals(givenUp * faded(effectPrior(evidence, 'domain', host).halfLifeMs, now - newest)),
      isReported: ofAll.length > 0,
    },
    term: { of: termOf(name), at: newest, value: decimals(value) },
  };
}

/** An effect with a contribution added (1) or removed (-1). */
function moved(
  prior: ReturnType<typeof effectPrior>,
  effect: Effect | null,
  { at, effects, isReported }: Contribution,
  name: EffectName,
  sign: 1 | -1,
  now: number,
): Effect {
  // A clock that moved back does not rejuvenate what is known.
  const asOf = Math.max(now, effect?.at ?? now);
  const fade = effect === null ? 0 : faded(prior.halfLifeMs, asOf - effect.at);
  const by = sign * faded(prior.halfLifeMs, asOf - at);
  const [mean, varianceReduction] = effects[name];
  return {
    mean: fade * (effect?.mean ?? 0) + by * mean,
    varianceReduction: Math.min(prior.sd ** 2, fade * (effect?.varianceReduction ?? 0) + by * varianceReduction),
    reportedMean: fade * (effect?.reportedMean ?? 0) + (isReported ? by * mean : 0),
    at: asOf,
  };
}

const NO_DOMAIN: DomainGroup = {
  mean: 0,
  varianceReduction: 0,
  reportedMean: 0,
  at: 0,
  acceptsAll: { terms: [], folded: 0, at: 0 },
  givenUp: 0,
  days: [],
  sources: [],
  deliveredAt: null,
};

/** Days and sources to keep, as many as `showsGivenUp` needs. */
const DAYS_MAX = 3;
const SOURCES_MAX = 2;

const firstFew = <T>(values: Iterable<T>, most: number): T[] => [...new Set(values)].slice(0, most);

/** The groups with an address's contribution added or removed. */
function shifted(
  model: Model,
  address: Pick<AddressFacts, 'host' | 'list'>,
  groups: Groups,
  contribution: Contribution,
  sign: 1 | -1,
  now: number,
): Groups {
  const { evidence } = model;
  const shift = (name: EffectName): Effect =>
    moved(effectPrior(evidence, name, address.host), groups[name], contribution, name, sign, now);
  const { halfLifeMs } = effectPrior(evidence, 'domain', address.host);
  const domain = groups.domain;
  const effect = shift('domain');
  const fade = (at: number): number => faded(halfLifeMs, effect.at - at);
  const givenUp =
    (domain?.givenUp ?? 0) * fade(domain?.at ?? now) + sign * contribution.givenUp * fade(contribution.at);
  return {
    domain: { ...NO_DOMAIN, ...domain, ...effect, givenUp },
    list: address.list === null ? groups.list : shift('list'),
    account: shift('account'),
    catchAlls: isShared(address.host) ? groups.catchAlls : shift('catchAlls'),
  };
}

export interface Learned {
  readonly groups: Groups;
  readonly contribution: Contribution | null;
}

/**
 * The groups with an address's new contribution in place of the earlier one. @param own its contribution so far, or
 * null
 */
export function learn(
  model: Model,
  name: string,
  address: AddressFacts,
  groups: Groups,
  own: Contribution | null,
  trust: TrustPolicy,
  now: number,
): Learned {
  const { evidence } = model;
  const scopeOf = (report: KnownReport): Scope => trust.scopeOf(report, address.host, groups.domain, now);
  const update = kalmanStep(model, name, address, groups, own, scopeOf, trust.errors, now);
  const without = own === null ? groups : shifted(model, address, groups, own, -1, now);
  const within = update === null ? without : shifted(model, address, without, update.contribution, 1, now);
  const contribution = update?.contribution ?? null;
  const delivered = address.reports.flatMap((report) => (polarityOf(report) === 'delivered' ? [report.at] : []));
  // A delivery counts even where it moves no effect: it shows that the domain is not abandoned.
  const domain = within.domain ?? (delivered.length === 0 ? null : NO_DOMAIN);
  if (domain === null) return { groups: within, contribution };
  const counted = address.reports.filter((report) => scopeOf(report) !== 'none');
  const unknown = counted.filter((report) => report.class === 'user_unknown');
  const changed: DomainGroup = {
    ...domain,
    acceptsAll: withTerm(evidence, domain.acceptsAll, termOf(name), update?.term ?? null),
    days: firstFew([...domain.days, ...unknown.map((report) => dayOf(beginOf(report)))], DAYS_MAX),
    sources: firstFew([...domain.sources, ...unknown.flatMap(sourcesOf)], SOURCES_MAX),
    deliveredAt: delivered.length === 0 ? domain.deliveredAt : Math.max(domain.deliveredAt ?? 0, ...delivered),
  };
  return { groups: { ...within, domain: changed }, contribution };
}

/** The smallest effect of reports that counts as having moved a group. */
const REPORTED_MIN = 0.01;
export const isReportMoved = (model: Model, host: AddressFacts['host'], groups: Groups, now: number): boolean =>
  EFFECT_NAMES.some((name) => {
    const effect = groups[name];
    if (effect === null) return false;
    const givenUp = 'givenUp' in effect && showsGivenUp(effect) ? effect.givenUp : 0;
    const fade = faded(effectPrior(model.evidence, name, host).halfLifeMs, now - effect.at);
    return Math.max(Math.abs(effect.reportedMean), givenUp) * fade > REPORTED_MIN;
  });
