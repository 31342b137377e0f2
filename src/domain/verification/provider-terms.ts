import type { ProviderId } from './provider.ts';

/** Share of calls that fail while nothing is wrong. */
export const USUAL_FAILURE_RATE = 0.02;

/** How an asked provider is doing. */
export interface ProviderHealth {
  /** How long an answer takes as often as not, in ms. */
  readonly typicalMs: number;
  /** The same, nine times in ten. */
  readonly latencyMs: number;
  /** Share of calls that end without an answer, 0 to 1. */
  readonly failureRate: number;
  /** Its circuit is open: it failed too often to be asked now. */
  readonly open: boolean;
}

/** A provider as the router sees it. */
export interface Askable {
  readonly id: ProviderId;
  /** The price of one billed answer, in micros. */
  readonly priceMicros: number;
  readonly billsUnknown: boolean;
  readonly health: ProviderHealth;
}

/**
 * Whether an answer `unknown` is billed. NeverBounce: a credit a call, whatever the result. Bouncer: not published, so taken
 * for billed. Hunter: free, but most of what is `unknown` here is its `webmail`, which is billed. The others refund it.
 */
export const BILLS_UNKNOWN: Readonly<Record<ProviderId, boolean>> = {
  zerobounce: false,
  neverbounce: true,
  kickbox: false,
  emailable: false,
  bouncer: true,
  hunter: true,
  reacher: true,
};
