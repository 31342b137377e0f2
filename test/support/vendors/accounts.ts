import { PROVIDER_IDS, type ProviderId } from '../../../src/domain/belief/provider.ts';
import { createProviders } from '../../../src/integrations/providers/providers.ts';
import type { VendorAccount, VendorAccounts } from './simulator.ts';

const ON = { apiKey: 'unused', baseUrl: 'http://unused', costMicros: null };

/** List prices, from the adapters; Reacher is self-hosted and bills nothing. */
export const LIST_PRICE_MICROS = Object.fromEntries(
  createProviders(Object.fromEntries(PROVIDER_IDS.map((id) => [id, ON])) as Record<ProviderId, typeof ON>, () =>
    Promise.reject(new Error('a price needs no call')),
  ).map(({ id, priceMicros }) => [id, priceMicros]),
) as Record<ProviderId, number>;

/**
 * An account with each vendor, at its list price times `factor`; an operator's own Reacher costs a tenth of a cent before that.
 */
export const accountsAt = (factor: number): VendorAccounts =>
  Object.fromEntries(
    PROVIDER_IDS.map((id): [ProviderId, VendorAccount] => {
      const listMicros = id === 'reacher' ? 1_000 : LIST_PRICE_MICROS[id];
      return [id, { apiKey: `key-of-${id}`, priceMicros: Math.round(listMicros * factor) }];
    }),
  ) as VendorAccounts;
