import { PROVIDER_IDS, type ProviderId } from '../../src/domain/belief/provider.ts';
import { BILLS_UNKNOWN } from '../../src/domain/router/provider-health.ts';
import { LIST_PRICE_MICROS } from '../../test/support/vendors/accounts.ts';

/** A vendor of a population: its price, latency and failures. */
export interface Vendor {
  readonly id: ProviderId;
  /** In micros. */
  readonly priceMicros: number;
  readonly billsUnknown: boolean;
  /** Log-normal: the median, and the standard deviation of the logarithm. */
  readonly latencyMs: number;
  readonly latencySpread: number;
  /** Share of calls that end without an answer outside outages. */
  readonly failureRate: number;
  /** Share of the time it is down altogether. */
  readonly outageRate: number;
}

/** In ms. Judgement around the few figures there are: ZeroBounce 0.4 s in a test and 1 to 5 s by its own word, Emailable 0.5 s. */
const MEDIAN_MS: Readonly<Record<ProviderId, number>> = {
  zerobounce: 900,
  neverbounce: 1_200,
  kickbox: 800,
  emailable: 700,
  bouncer: 1_000,
  hunter: 1_500,
  reacher: 1_500,
};

export const VENDORS: readonly Vendor[] = PROVIDER_IDS.map((id) => ({
  id,
  priceMicros: LIST_PRICE_MICROS[id],
  billsUnknown: BILLS_UNKNOWN[id],
  latencyMs: MEDIAN_MS[id],
  latencySpread: 0.6,
  failureRate: 0.01,
  outageRate: 0.002,
}));
