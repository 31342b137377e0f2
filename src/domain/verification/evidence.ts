import { DAY_MS } from '../../kernel/clock.ts';
import { type Belief, bounceProbability, type Evidence, type HostPrior } from './belief.ts';
import type { HostClass } from './host-class.ts';
import { type Model, rowsAt } from './model.ts';
import { PROVIDER_IDS, type ProviderId, type ProviderVerdict } from './provider.ts';
import { type AnswerRows, totalOf, VERDICTS, type VerdictCounts } from './provider-table.ts';

/** What one provider says of an address. */
export interface Answer {
  readonly provider: ProviderId;
  readonly verdict: ProviderVerdict;
}

const evidenceOf = (rows: AnswerRows, verdict: ProviderVerdict): Evidence => {
  const column = VERDICTS.indexOf(verdict);
  const row = (counts: VerdictCounts) => ({
    count: counts[column] ?? 0,
    total: totalOf(counts),
  });
  return {
    accepts: row(rows.accepts),
    refuses: row(rows.refuses),
    accepts_all: row(rows.accepts_all),
    inconclusive: row(rows.inconclusive),
  };
};

/** The answers as evidence about one address at a host; one answer of each provider. */
export const evidenceFrom = (model: Model, host: HostClass, answers: readonly Answer[]): Evidence[] =>
  answers.map(({ provider, verdict }) => evidenceOf(rowsAt(model, provider, host), verdict));

/** A domain is never settled by what was said of other addresses at it: |ln Λ| ≤ 4, odds of 55 to 1. */
const LN_ODDS_LIMIT = 4;

/**
 * Λ: what answers about *other* addresses at a domain say of its accepting everything, as odds: P(they | it accepts
 * everything) / P(they | it does not), 1 when there are none. Each provider counts once, with its last answer. `told`: what
 * organisations share of the domain.
 */
export function acceptsAllOdds(
  model: Model,
  host: HostClass,
  earlier: readonly Answer[],
  told: boolean | null = null,
): number {
  const last = new Map(earlier.map(({ provider, verdict }) => [provider, verdict]));
  let lnOdds = told === null ? 0 : lnOddsTold(model, host, told);
  for (const [provider, verdict] of last) lnOdds += lnOddsOf(model, host, { provider, verdict });
  return Math.exp(Math.max(-LN_ODDS_LIMIT, Math.min(LN_ODDS_LIMIT, lnOdds)));
}

function lnOddsOf(model: Model, host: HostClass, { provider, verdict }: Answer): number {
  const prior = model.prior[host];
  const evidence = evidenceOf(rowsAt(model, provider, host), verdict);
  return Math.log(likelihood(prior, evidence, true) / likelihood(prior, evidence, false));
}

/** Whose word it was is not kept: it counts as that of the provider whose word says least. */
function lnOddsTold(model: Model, host: HostClass, told: boolean): number {
  const verdict = told ? 'catch_all' : 'undeliverable';
  const words = PROVIDER_IDS.map((provider) => lnOddsOf(model, host, { provider, verdict }));
  return words.reduce((least, word) => (Math.abs(word) < Math.abs(least) ? word : least));
}

/** P(verdict | the domain accepts everything, or does not), over the answers the server may give then. */
function likelihood(prior: HostPrior, evidence: Evidence, acceptsAll: boolean): number {
  let [mass, total] = [0, 0];
  for (const cell of prior) {
    if (cell.acceptsAll !== acceptsAll) continue;
    const { count, total: observations } = evidence[cell.answer];
    mass += cell.alpha * (count / observations);
    total += cell.alpha;
  }
  return mass / total;
}

/** Largest minus smallest of the probabilities each answer alone would give; 0 with fewer than two. */
export function disagreement(model: Model, host: HostClass, answers: readonly Answer[], odds = 1): number {
  if (answers.length < 2) return 0;
  const alone = evidenceFrom(model, host, answers).map((one) => bounceProbability(model.prior[host], [one], odds));
  return Math.max(...alone) - Math.min(...alone);
}

/** Lists decay by 23 % a year at least (ZeroBounce 2025): 1 − e^−0.26. */
const HAZARD_PER_YEAR = 0.26;
const YEAR_MS = 365 * DAY_MS;

/**
 * The chance that a mailbox which would have taken a message then refuses it now, `ageMs` later. A clock that ran backwards
 * counts as no time.
 */
export const decayed = (ageMs: number): number => -Math.expm1((-HAZARD_PER_YEAR * Math.max(0, ageMs)) / YEAR_MS);

/** The belief now, from evidence whose newest telling answer is `ageMs` old: 7 days add up to 0.5 % bounce, 30 days 2.1 %. */
export function aged({ probability, interval }: Belief, ageMs: number): Belief {
  const loss = decayed(ageMs);
  const later = (bounce: number): number => bounce + (1 - bounce) * loss;
  return { probability: later(probability), interval: [later(interval[0]), later(interval[1])] };
}
