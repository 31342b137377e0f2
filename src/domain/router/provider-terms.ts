import type { ProviderId } from '../belief/provider.ts';

/** Share of calls that fail in normal operation. */
export const USUAL_FAILURE_RATE = 0.02;

/** How an asked provider is doing. */
export interface ProviderHealth {
  /** The median latency of an answer, in ms. */
  readonly typicalMs: number;
  /** The 90th percentile. */
  readonly latencyMs: number;
  /** Share of calls that end without an answer, 0 to 1. */
  readonly failureRate: number;
  /** The circuit is open: the provider failed too often to be asked now. */
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
 * Whether an answer `unknown` is billed. NeverBounce: a credit for each call, whatever the result. Bouncer: not
 * published, so taken as billed. Hunter: free, but most `unknown` answers here are its `webmail`, which is billed. The
 * others refund it.
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
