import type { Purpose } from '../../contract/vocabulary.ts';
import { DAY_MS } from '../../kernel/clock.ts';
import type { DeliveryClass, Feature, LifeClass } from './facts.ts';
import type { Figure } from './prior-table.ts';
import FIGURES from './figures.json' with { type: 'json' };

/** P(seen | mail lands), and P(seen | mail bounces). */
export interface Likelihoods {
  readonly lands: number;
  readonly bounces: number;
}

/** A group effect's prior: standard deviation in log-odds, and the half-life of what is known. */
export interface EffectPrior {
  readonly sd: number;
  readonly halfLifeMs: number;
}

/** Weights of facts, features and groups. */
export interface EvidenceTable {
  /** Rates a year. */
  readonly churn: {
    /** Mailboxes that start to bounce: at business domains with and without distinct mailboxes, elsewhere. */
    readonly strict: Figure;
    readonly acceptsAll: Figure;
    readonly consumer: Figure;
    /** Mailboxes that bounce land again. */
    readonly recovery: Figure;
    /** The server's answer for an unchanged mailbox is drawn again. */
    readonly redraw: Figure;
  };
  readonly reports: Readonly<Record<DeliveryClass, Likelihoods>>;
  /** Pseudo-observations behind each row of `reports`. */
  readonly reportWeight: number;
  readonly proofs: Readonly<Record<LifeClass, Likelihoods>>;
  /** Log-odds that each feature adds to a bounce. */
  readonly features: Readonly<Record<Feature, number>>;
  readonly purposes: Readonly<Record<Purpose, number>>;
  readonly effects: {
    /** A company's domain, and a domain of many people. */
    readonly domain: EffectPrior;
    readonly sharedDomain: EffectPrior;
    readonly list: EffectPrior;
    readonly account: EffectPrior;
    /** The account's companies whose domains accept every recipient. */
    readonly catchAlls: EffectPrior;
  };
  /** Half-life of the evidence on whether a domain accepts every recipient. */
  readonly acceptsAllHalfLifeMs: number;
  /** Abandoned business domains: their share, and how often mail to one bounces. */
  readonly givenUp: { readonly share: number; readonly bounces: number };
}

const YEAR = 365 * DAY_MS;

/** Figures without a source are judgement. */
export const EVIDENCE_TABLE: EvidenceTable = {
  churn: FIGURES.churn,
  // Judgement except `delivered`: a dead mailbox's server refuses, so a late bounce is rare. Softer than expected,
  // which costs nothing and halves the effect of forged reports.
  reports: {
    user_unknown: { lands: 0.004, bounces: 0.77 },
    refused: { lands: 0.008, bounces: 0.1 },
    full: { lands: 0.006, bounces: 0.04 },
    soft: { lands: 0.016, bounces: 0.03 },
    delivered: { lands: 0.96, bounces: 0.01 },
    complaint: { lands: 0.01, bounces: 0.0005 },
  },
  reportWeight: 80,
  // Only the ratio matters, since a missing proof does not count. 30 % of real people never confirm (Mozilla).
  proofs: {
    confirmed: { lands: 0.6, bounces: 0.004 },
    paid: { lands: 0.06, bounces: 0.01 },
  },
  features: {
    // No higher, because many typos of known domains accept mail (bounceshift, 1.47 M addresses).
    typo_domain: 3,
    // At least .8 bounce, a signup too.
    impossible: 5.2,
    // Gmail has asked for six characters since it opened; some accounts of its first year are shorter.
    too_short: 3,
    // Low enough that a signup is still sent to: those who have such an address are real people.
    unusual: 0.9,
    gibberish: 1.3,
    placeholder: 2,
    parked_mail_hosts: 2.5,
    address_record_only: 1.5,
    // "Higher" in every source, a number in none.
    role: 0.3,
    digits: 0.2,
    name_match: -0.6,
  },
  // Signups bounce 7 % (Mozilla), forms have 8.4 % invalid with typos (TowerData); cold mail bounces .8 % verified, 2.3
  // % in the median, 6.7 % scraped (14 M sends); lists to be cleaned have 23.5 % invalid (ZeroBounce 2025, 11 bn).
  purposes: { signup: -0.8, outbound: -0.4, list_hygiene: 0.55 },
  effects: {
    domain: { sd: 0.85, halfLifeMs: YEAR },
    sharedDomain: { sd: 0.3, halfLifeMs: YEAR },
    list: { sd: 0.8, halfLifeMs: 120 * DAY_MS },
    account: { sd: 0.8, halfLifeMs: YEAR },
    catchAlls: { sd: 1, halfLifeMs: YEAR },
  },
  acceptsAllHalfLifeMs: 90 * DAY_MS,
  givenUp: { share: 0.02, bounces: 0.95 },
};

/** Suspicions about the local part; only the strongest counts. */
const SUSPICIONS: readonly Feature[] = ['impossible', 'too_short', 'unusual', 'gibberish', 'placeholder'];
/** A plausible name does not make these likelier to exist. */
const NOT_SOFTENED: readonly Feature[] = ['impossible', 'too_short', 'typo_domain'];

/** Log-odds added by features and purpose; `purpose` null means all purposes together. */
export function offsetOf(
  { features: worth, purposes }: Pick<EvidenceTable, 'features' | 'purposes'>,
  features: readonly Feature[],
  purpose: Purpose | null,
): number {
  let [sum, suspicion] = [purpose === null ? 0 : purposes[purpose], 0];
  const isHard = features.some((feature) => NOT_SOFTENED.includes(feature));
  for (const feature of features) {
    if (SUSPICIONS.includes(feature)) suspicion = Math.max(suspicion, worth[feature]);
    else if (feature !== 'name_match' || !isHard) sum += worth[feature];
  }
  return sum + suspicion;
}
