import { DAY_MS } from '../../kernel/clock.ts';
import { type Belief, bounceProbability, type Evidence, type HostPrior } from './belief.ts';
import type { HostClass } from './host-class.ts';
import { type Model, rowsAt } from './model.ts';
import { PROVIDER_IDS, type ProviderId, type ProviderVerdict } from './provider.ts';
import { type AnswerRows, totalOf, VERDICTS, type VerdictCounts } from './provider-table.ts';

/** What one provider says about an address. */
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

/** The answers (at most one of each provider) as evidence about one address at a host. */
export const evidenceFrom = (model: Model, host: HostClass, answers: readonly Answer[]): Evidence[] =>
  answers.map(({ provider, verdict }) => evidenceOf(rowsAt(model, provider, host), verdict));

/** Answers about other addresses never settle how a domain behaves: |ln Λ| ≤ 4, odds of 55 to 1. */
const LN_ODDS_LIMIT = 4;

/**
 * Λ: the odds that a domain accepts everything, from answers about *other* addresses at it: P(answers | it accepts
 * everything) / P(answers | it does not), or 1 without answers. Each provider counts once, with its last answer. `told`:
 * the flag that organisations share about the domain.
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

/** The shared flag does not name the provider, so it counts as the word of the least informative one. */
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

/** The largest minus the smallest probability that each answer alone would give; 0 with fewer than two answers. */
export function disagreement(model: Model, host: HostClass, answers: readonly Answer[], odds = 1): number {
  if (answers.length < 2) return 0;
  const alone = evidenceFrom(model, host, answers).map((one) => bounceProbability(model.prior[host], [one], odds));
  return Math.max(...alone) - Math.min(...alone);
}

/** Lists decay by 23 % a year at least (ZeroBounce 2025): 1 − e^−0.26. */
const HAZARD_PER_YEAR = 0.26;
const YEAR_MS = 365 * DAY_MS;

/**
 * The chance that a mailbox that accepted mail `ageMs` ago refuses it now. A clock that ran backwards counts as zero
 * time.
 */
export const decayed = (ageMs: number): number => -Math.expm1((-HAZARD_PER_YEAR * Math.max(0, ageMs)) / YEAR_MS);

/** Ages a belief whose newest answer other than `unknown` is `ageMs` old: 7 days add 0.5 % bounce, 30 days 2.1 %. */
export function aged({ probability, interval }: Belief, ageMs: number): Belief {
  const loss = decayed(ageMs);
  const later = (bounce: number): number => bounce + (1 - bounce) * loss;
  return { probability: later(probability), interval: [later(interval[0]), later(interval[1])] };
}
