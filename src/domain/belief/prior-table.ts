import FIGURES from './figures.json' with { type: 'json' };
import type { HostClass } from './host-class.ts';

/** A published share or rate, its weight in pseudo-observations, and its source. */
export interface Figure {
  readonly mean: number;
  /** At most 40: published figures are few, come from interested parties, and concern other lists. */
  readonly weight: number;
  readonly source: string;
}

/**
 * The recipient server's answer to RCPT TO. Every provider looks at it, and given it their reports are independent, so
 * it alone carries their correlation.
 */
export type ServerAnswer = 'accepts' | 'refuses' | 'accepts_all' | 'inconclusive';

/** A cell: whether the domain accepts every recipient, and the server's answer for this one. */
export interface Cell {
  readonly acceptsAll: boolean;
  readonly answer: ServerAnswer;
  /** Pseudo-observations of this cell; divided by the host class's total it is the cell's share (Dirichlet). */
  readonly alpha: number;
  /** Pseudo-observations of hard bounces and deliveries in this cell (Beta). */
  readonly bounced: number;
  readonly landed: number;
}

export type HostPrior = readonly Cell[];

/**
 * The seeded prior: how the addresses of each host class divide over the cells, and how often mail to each cell
 * hard-bounces. Every number is in `figures.json` once, with its reference and its weight.
 */

/**
 * Shares of a host's domains that accept every recipient; that refuse, at the others; and that give no usable answer.
 * The rates behind `refused` differ by a factor of ten in odds (standard deviation 1.1 in log-odds), which equals a
 * cell of 1 to 2 pseudo-observations; hence a weight of 20.
 */
const { catchAll: CATCH_ALL, refused: REFUSED, inconclusive: INCONCLUSIVE } = FIGURES;

/** Hard bounces of mail to addresses of a cell. */
interface BounceRates {
  readonly accepts: Figure;
  readonly refuses: Figure;
  /** Also for a domain that accepts everything but gave no usable answer, which would not depend on the mailbox. */
  readonly acceptsAll: Figure;
  readonly inconclusive: Figure;
}

const BOUNCE = FIGURES.bounce satisfies Record<string, BounceRates>;

/**
 * The cells of a host class. Their total is the smallest weight among the shares'. Knowing that a domain accepts
 * everything never makes an address safer than an unknown one: its server has not confirmed the mailbox.
 */
function cells(catchAll: Figure, refused: Figure, inconclusive: Figure, rates: BounceRates): HostPrior {
  const accepted = 1 - refused.mean - inconclusive.mean;
  const ofBaseline =
    accepted * rates.accepts.mean + refused.mean * rates.refuses.mean + inconclusive.mean * rates.inconclusive.mean;
  const acceptsAll = { ...rates.acceptsAll, mean: Math.max(rates.acceptsAll.mean, ofBaseline) };
  const total = Math.min(catchAll.weight, refused.weight, inconclusive.weight);
  const wild = total * catchAll.mean;
  const strict = total - wild;
  const bounces = ({ mean, weight }: Figure) => ({ bounced: mean * weight, landed: (1 - mean) * weight });
  return [
    {
      acceptsAll: false,
      answer: 'accepts',
      alpha: strict * accepted,
      ...bounces(rates.accepts),
    },
    { acceptsAll: false, answer: 'refuses', alpha: strict * refused.mean, ...bounces(rates.refuses) },
    { acceptsAll: false, answer: 'inconclusive', alpha: strict * inconclusive.mean, ...bounces(rates.inconclusive) },
    { acceptsAll: true, answer: 'accepts_all', alpha: wild * (1 - inconclusive.mean), ...bounces(acceptsAll) },
    { acceptsAll: true, answer: 'inconclusive', alpha: wild * inconclusive.mean, ...bounces(acceptsAll) },
  ];
}

const { open, guarded } = INCONCLUSIVE;
const { submitted } = REFUSED;

/** Hosts without figures of their own share the row of other business, or other consumer, hosts. */
const OTHER_BUSINESS = cells(CATCH_ALL.other, submitted, guarded, BOUNCE.other);
const OTHER_CONSUMER = cells(CATCH_ALL.consumer, submitted, guarded, BOUNCE.otherConsumer);
/** Well-run consumer hosts: vendors claim the same accuracy for them as for Google. */
const STEADY_CONSUMER = cells(CATCH_ALL.consumer, submitted, open, BOUNCE.other);
/** A consumer provider behind a gateway: the gateway answers, and the provider does not accept every name. */
const GUARDED_CONSUMER = cells(CATCH_ALL.consumer, submitted, guarded, BOUNCE.gateway);

export type PriorTable = Readonly<Record<HostClass, HostPrior>>;

export const PRIOR_TABLE: PriorTable = {
  google_business: cells(CATCH_ALL.google, submitted, open, BOUNCE.google),
  google_consumer: cells(CATCH_ALL.consumer, submitted, open, BOUNCE.google),
  microsoft_business: cells(CATCH_ALL.microsoft, submitted, guarded, BOUNCE.microsoft),
  microsoft_consumer: cells(CATCH_ALL.consumer, submitted, guarded, BOUNCE.microsoft),
  yahoo_business: cells(CATCH_ALL.other, submitted, guarded, BOUNCE.yahoo),
  yahoo_consumer: cells(CATCH_ALL.consumer, submitted, guarded, BOUNCE.yahoo),
  apple_business: OTHER_BUSINESS,
  apple_consumer: STEADY_CONSUMER,
  zoho_business: OTHER_BUSINESS,
  zoho_consumer: STEADY_CONSUMER,
  proton_business: OTHER_BUSINESS,
  proton_consumer: STEADY_CONSUMER,
  fastmail_business: OTHER_BUSINESS,
  fastmail_consumer: STEADY_CONSUMER,
  yandex_business: OTHER_BUSINESS,
  yandex_consumer: STEADY_CONSUMER,
  proofpoint_business: cells(CATCH_ALL.proofpoint, submitted, guarded, BOUNCE.gateway),
  proofpoint_consumer: GUARDED_CONSUMER,
  mimecast_business: cells(CATCH_ALL.mimecast, submitted, guarded, BOUNCE.gateway),
  mimecast_consumer: GUARDED_CONSUMER,
  barracuda_business: cells(CATCH_ALL.barracuda, submitted, guarded, BOUNCE.gateway),
  barracuda_consumer: GUARDED_CONSUMER,
  gateway_business: cells(CATCH_ALL.gateway, submitted, guarded, BOUNCE.gateway),
  gateway_consumer: GUARDED_CONSUMER,
  unknown_business: OTHER_BUSINESS,
  unknown_consumer: OTHER_CONSUMER,
  // The average over hosts, including domains without mail: a failed look-up is not evidence against an address.
  unresolved_business: cells(CATCH_ALL.unresolved, REFUSED.unresolved, guarded, BOUNCE.unresolved),
  unresolved_consumer: cells(CATCH_ALL.consumer, REFUSED.unresolved, guarded, BOUNCE.unresolved),
  relay: cells(CATCH_ALL.relay, REFUSED.relay, guarded, BOUNCE.other),
  disposable: cells(CATCH_ALL.disposable, submitted, guarded, BOUNCE.disposable),
};

export const isHostClass = (name: string): name is HostClass => Object.hasOwn(PRIOR_TABLE, name);
