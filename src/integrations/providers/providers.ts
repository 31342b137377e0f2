import { PROVIDER_IDS, type Provider, type ProviderId } from '../../domain/belief/provider.ts';
import type { Fetch } from '../exchange.ts';
import { type Adapter, createProvider } from './adapter.ts';
import { bouncer } from './bouncer.ts';
import { emailable } from './emailable.ts';
import { hunter } from './hunter.ts';
import { kickbox } from './kickbox.ts';
import { neverbounce } from './neverbounce.ts';
import { reacher } from './reacher.ts';
import { zerobounce } from './zerobounce.ts';

/** One vendor's settings; null where the setting is absent. */
export interface ProviderSettings {
  readonly apiKey: string | null;
  /** Replaces the vendor's scheme and host. It may end in a path, which the documented path follows. */
  readonly baseUrl: string | null;
  /** The price of one billed answer in micros; null: the list price for 10,000. */
  readonly costMicros: number | null;
}

const ADAPTERS: Readonly<Record<ProviderId, Adapter>> = {
  zerobounce,
  neverbounce,
  kickbox,
  emailable,
  bouncer,
  hunter,
  reacher,
};

/** The vendors that are on: those with a key, and Reacher with a base URL. */
export const createProviders = (settings: Readonly<Record<ProviderId, ProviderSettings>>, fetch: Fetch): Provider[] =>
  PROVIDER_IDS.flatMap((id) => {
    const adapter = ADAPTERS[id];
    const { apiKey, baseUrl, costMicros } = settings[id];
    const origin = baseUrl ?? adapter.origin;
    if (origin === null || (apiKey === null && adapter.origin !== null)) return [];
    return [
      createProvider(adapter, { origin, apiKey: apiKey ?? '', priceMicros: costMicros ?? adapter.priceMicros }, fetch),
    ];
  });
