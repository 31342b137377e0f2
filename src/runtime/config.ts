import { type KeySecret, keySecret } from '../domain/access/keys.ts';
import { PROVIDER_IDS, type Provider, type ProviderId } from '../domain/belief/provider.ts';
import { micros } from '../domain/metering/usage.ts';
import { ENRICHMENT_VENDOR_IDS, type EnrichmentVendor, type EnrichmentVendorId } from '../domain/policy/enrichment.ts';
import { type VendorSettings, withoutSlash } from '../integrations/exchange.ts';
import type { MailSettings } from '../integrations/mail.ts';
import type { ModelSettings } from '../integrations/model.ts';
import { type Clock, SECOND_MS } from '../kernel/clock.ts';
import { secretBytes } from '../kernel/crypto.ts';
import { DependencyError } from '../kernel/errors.ts';
import type { ConfiguredVendors } from '../services/deps.ts';
import type { DatabaseSettings } from '../storage/postgres/client.ts';
import {
  type Bindings,
  enrichmentName,
  providerName,
  type ReadSettings,
  readSettings,
  type SettingFault,
  type VendorName,
} from './settings.ts';

/** An isolate's configuration. A part with wrong or incomplete settings is off and named in `faults`. */
export interface Config {
  readonly faults: readonly SettingFault[];
  readonly version: string;
  /** Null means the setting is wrong or missing. */
  readonly database: DatabaseSettings | null;
  /** Each throws if its setting is wrong, because a secret can't have a default. */
  readonly secrets: {
    /** The setting itself (base64), for the bootstrap token. */
    readonly service: () => string;
    /** The current secret first, then the previous ones still accepted. */
    readonly keys: () => readonly [KeySecret, ...KeySecret[]];
    readonly hash: () => Uint8Array;
    /** While `HASH_SECRET` is rotated: those before it, the newest first. */
    readonly earlierHashes: readonly Uint8Array[];
  };
  readonly primaryRegion: string | null;
  readonly dohUrls: readonly string[];
  /** Lists of disposable domains, read nightly. Null: the setting is wrong, so no list is read. */
  readonly disposableSourceUrls: readonly string[] | null;
  readonly clockOffsetMs: number;
  readonly providers: Readonly<Record<ProviderId, VendorSettings>>;
  readonly enrichment: Readonly<Record<EnrichmentVendorId, VendorSettings>>;
  readonly model: ModelSettings;
  readonly mail: MailSettings;
  /** This service's URL without a final slash, for links in mails. */
  readonly publicUrl: string | null;
  /** The dashboard's URL without a final slash, for links in invitations. */
  readonly dashboardUrl: string | null;
  /** Who may see the service's own state in the dashboard, in lower case. */
  readonly operatorEmails: readonly string[];
  /** Verifications, and as many screenings, a month for an organisation that a person makes. */
  readonly signupQuota: number;
  /** In place of the scheme and host of Amazon SNS. */
  readonly snsBaseUrl: string | null;
}

const SIGNUP_QUOTA = 1_000;

/** Two resolvers of different companies. */
const DEFAULT_DOH_URLS = ['https://cloudflare-dns.com/dns-query', 'https://dns.google/dns-query'];

/** Never throws: a wrong setting switches off only its own part. */
export function readConfig(bindings: Bindings): Config {
  const settings = readSettings(bindings);
  const { value, isOff, faults } = settings;
  const databaseUrl = value('DATABASE_URL');
  const dohUrls = value('DOH_URLS') ?? [];
  const publicUrl = value('PUBLIC_URL');
  const dashboardUrl = value('DASHBOARD_URL');
  const snsBaseUrl = isOff('SNS_BASE_URL') ? null : value('SNS_BASE_URL');
  return {
    faults,
    version: value('SERVICE_VERSION') ?? 'unreleased',
    database:
      databaseUrl === null || isOff('DATABASE_URL') ? null : { url: databaseUrl, httpUrl: value('DATABASE_HTTP_URL') },
    secrets: secretsOf(settings),
    primaryRegion: value('PRIMARY_REGION'),
    dohUrls: dohUrls.length === 0 ? DEFAULT_DOH_URLS : dohUrls,
    disposableSourceUrls: isOff('DISPOSABLE_SOURCE_URLS') ? null : [...new Set(value('DISPOSABLE_SOURCE_URLS'))],
    clockOffsetMs: isOff('CLOCK_OFFSET_S') ? 0 : (value('CLOCK_OFFSET_S') ?? 0) * SECOND_MS,
    providers: ofEach(PROVIDER_IDS, (id) => vendorSettings(settings, providerName(id))),
    enrichment: ofEach(ENRICHMENT_VENDOR_IDS, (id) => vendorSettings(settings, enrichmentName(id))),
    model: modelSettings(settings),
    mail: mailSettings(settings),
    publicUrl: publicUrl === null ? null : withoutSlash(publicUrl),
    dashboardUrl: dashboardUrl === null ? null : withoutSlash(dashboardUrl),
    signupQuota: value('SIGNUP_QUOTA') ?? SIGNUP_QUOTA,
    operatorEmails: (value('OPERATOR_EMAILS') ?? []).map((email) => email.toLowerCase()),
    snsBaseUrl: snsBaseUrl === null ? null : withoutSlash(snsBaseUrl),
  };
}

const ofEach = <K extends string, T>(keys: readonly K[], valueOf: (key: K) => T): Record<K, T> =>
  Object.fromEntries(keys.map((key) => [key, valueOf(key)])) as Record<K, T>;

function secretsOf({ value }: ReadSettings): Config['secrets'] {
  const required = (name: 'SERVICE_SECRET' | 'HASH_SECRET'): string => {
    const secret = value(name);
    if (secret === null) throw new DependencyError('settings', `${name} is wrong or not set`);
    return secret;
  };
  const service = () => required('SERVICE_SECRET');
  const previous = (value('SERVICE_SECRET_PREVIOUS') ?? []).map(keySecret);
  // The present one among them is no earlier one: the guide sets it so for a moment.
  const earlier = (value('HASH_SECRET_PREVIOUS') ?? []).filter((secret) => secret !== value('HASH_SECRET'));
  return {
    service,
    keys: once(() => [keySecret(service()), ...previous]),
    hash: once(() => secretBytes(required('HASH_SECRET'))),
    earlierHashes: earlier.map(secretBytes),
  };
}

/** Caches the value; a throw is not cached. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

const NO_VENDOR: VendorSettings = { apiKey: null, baseUrl: null, costMicros: null };

function vendorSettings({ value, isOff }: ReadSettings, name: VendorName): VendorSettings {
  if (isOff(`${name}_API_KEY`)) return NO_VENDOR;
  const cost = value(`${name}_COST_USD`);
  return {
    apiKey: value(`${name}_API_KEY`),
    baseUrl: value(`${name}_BASE_URL`),
    costMicros: cost === null ? null : micros(cost),
  };
}

function modelSettings({ value, isOff }: ReadSettings): ModelSettings {
  const [backend, model, baseUrl] = [value('MODEL_BACKEND'), value('MODEL_NAME'), value('MODEL_BASE_URL')];
  const priceMicros = micros(value('MODEL_COST_USD') ?? 0);
  if (isOff('MODEL_BACKEND') || model === null) return { backend: 'none' };
  if (backend === 'workers-ai') return { backend, model, priceMicros };
  if (backend !== 'openai' || baseUrl === null) return { backend: 'none' };
  return { backend, baseUrl, apiKey: value('MODEL_API_KEY'), model, priceMicros };
}

function mailSettings({ value, isOff }: ReadSettings): MailSettings {
  const [apiKey, from] = [value('RESEND_API_KEY'), value('MAIL_FROM')];
  const isSent = value('MAIL_BACKEND') === 'resend' && !isOff('MAIL_BACKEND');
  if (!isSent || apiKey === null || from === null) return { backend: 'none' };
  return {
    backend: 'resend',
    apiKey,
    baseUrl: withoutSlash(value('RESEND_BASE_URL') ?? 'https://api.resend.com'),
    from,
  };
}

const hostOf = (url: string | null): string | null => (url === null ? null : new URL(url).host);

/** The companies that settings enable. Contains no secret. */
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

/** Service time. The one place that reads the machine's clock for it; `offsetMs` moves it in the local stack. */
export const serviceClock =
  (offsetMs: number): Clock =>
  () =>
    Date.now() + offsetMs;
