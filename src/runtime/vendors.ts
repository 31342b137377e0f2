import type { Provider } from '../domain/belief/provider.ts';
import type { EnrichmentVendor } from '../domain/policy/enrichment.ts';
import type { ConfiguredVendors } from '../services/deps.ts';
import type { Config } from './config.ts';

const hostOf = (url: string | null): string | null => (url === null ? null : new URL(url).host);

/** The companies that settings have switched on. None of it holds a secret. */
export function configuredVendors(
  { providers, enrichment, model, mail, dohUrls }: Config,
  on: { readonly providers: readonly Provider[]; readonly enrichmentVendors: readonly EnrichmentVendor[] },
): ConfiguredVendors {
  return {
    providers: on.providers.map(({ id }) => ({ id, host: hostOf(providers[id].baseUrl) })),
    enrichment: on.enrichmentVendors.map(({ id }) => ({ id, host: hostOf(enrichment[id].baseUrl) })),
    model:
      model.backend === 'none'
        ? null
        : { backend: model.backend, host: model.backend === 'openai' ? hostOf(model.baseUrl) : null },
    mail: mail.backend === 'none' ? null : { host: hostOf(mail.baseUrl) },
    resolvers: [...new Set(dohUrls.map((url) => new URL(url).host))],
  };
}
