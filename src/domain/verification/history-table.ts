import type { Purpose } from '../../contract/vocabulary.ts';
import type { DeliveryClass, Feature, LifeClass } from './history.ts';

/** P(it is seen | the address lands), and P(it is seen | the address bounces). */
export interface Seen {
  readonly lands: number;
  readonly bounces: number;
}

/** What the history of an address, its domain and its list is worth. */
export interface HistoryTable {
  /** Rates a year. */
  readonly churn: {
    /** Mailboxes that land begin to bounce: at business domains that tell mailboxes apart, at those that don't, elsewhere. */
    readonly strict: number;
    readonly acceptsAll: number;
    readonly consumer: number;
    /** Mailboxes that bounce land again. */
    readonly recovery: number;
    /** A server's answer for a mailbox that has not changed is drawn anew. */
    readonly redraw: number;
  };
  readonly reports: Readonly<Record<DeliveryClass, Seen>>;
  /** Share of reports that say the wrong thing, of sources that err clearly, as an address's row names them. A fit finds it. */
  readonly sources: Readonly<Record<string, number>>;
  /** Share of addresses of which every provider sees an answer that says nothing of the mailbox. A fit finds it. */
  readonly mistaken: number;
  /** Pseudo-observations behind each row of `reports`. */
  readonly reportWeight: number;
  readonly proofs: Readonly<Record<LifeClass, Seen>>;
  /** Log-odds that each fact adds to a bounce. */
  readonly features: Readonly<Record<Feature, number>>;
  readonly purposes: Readonly<Record<Purpose, number>>;
  /** Standard deviations in log-odds: of lists, of business domains, and of the domains of many people. */
  readonly listSpread: number;
  /** How far the account's lists lie from the table's on average, in log-odds. They show it themselves. */
  readonly listLevel: number;
  /** How far companies' catch-all domains lie from the table's, in log-odds. Reports show it. */
  readonly acceptsAllLevel: number;
  /** How far the account's figures lie from the table's: a factor on the variance of every number. Providers' answers and both levels show it. */
  readonly varianceFactor: number;
  readonly domainSpread: number;
  readonly sharedSpread: number;
  /** Business domains that are given up: their share, and how often mail to one bounces. */
  readonly dead: { readonly share: number; readonly bounces: number };
}

/** The seeded figures. Those called judgement have no published source; a fit learns the rest. */
export const HISTORY_TABLE: HistoryTable = {
  churn: {
    // 22.5 to 30 % of business contacts a year (HubSpot lineage; emarketnow 2025; ZeroBounce 2025).
    strict: 0.26,
    // Judgement: half, for the domain's server takes mail for people who have left.
    acceptsAll: 0.13,
    // Judgement: people keep their own mailboxes longer than their jobs.
    consumer: 0.1,
    // Judgement; "rare" (suped.com).
    recovery: 0.03,
    // Judgement: a server is set up anew every half year.
    redraw: 2,
  },
  // Judgement. False refusals exist (Postmark; Gmail on 14 December 2020), sources disagree whether 5.2.2 is for good.
  // Softer than one would think: that costs nothing, and halves what forged reports can do.
  reports: {
    user_unknown: { lands: 0.004, bounces: 0.77 },
    refused: { lands: 0.008, bounces: 0.1 },
    full: { lands: 0.006, bounces: 0.04 },
    soft: { lands: 0.016, bounces: 0.03 },
    delivered: { lands: 0.956, bounces: 0.06 },
    complaint: { lands: 0.01, bounces: 0.0005 },
  },
  sources: {},
  mistaken: 0,
  reportWeight: 80,
  // Judgement. Only the ratio acts, because the absence of a proof is not counted.
  proofs: {
    confirmed: { lands: 0.3, bounces: 0.004 },
    paid: { lands: 0.06, bounces: 0.01 },
  },
  features: {
    // Judgement; not more, because many slips of known domains accept mail (bounceshift, 1.47 M addresses).
    typo_domain: 3,
    // Judgement: at least .8 bounce, a signup too.
    impossible: 5.2,
    // Judgement: so much that a signup is still sent to, since those who have such an address are real persons.
    unusual: 0.9,
    // Judgement, no rate published.
    gibberish: 1.3,
    placeholder: 2,
    parked_mail_hosts: 2.5,
    address_record_only: 1.5,
    // Judgement: "higher" everywhere, a number nowhere.
    role: 0.3,
    digits: 0.2,
    name_match: -0.6,
  },
  // Between sources .03 to .275 are refused (prior-table.ts), a standard deviation of about 1 in log-odds.
  purposes: { signup: -0.8, outbound: 0.2, list_hygiene: 0.1 },
  listSpread: 0.9,
  listLevel: 0,
  acceptsAllLevel: 0,
  varianceFactor: 1,
  // Judgement.
  domainSpread: 0.8,
  sharedSpread: 0.3,
  dead: { share: 0.02, bounces: 0.95 },
};
