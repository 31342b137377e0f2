import { type KeySecret, keySecret } from '../domain/access/index.ts';
import { micros } from '../domain/metering/index.ts';
import { SOURCE_IDS, type SourceId, type SourceSettings } from '../domain/policy/index.ts';
import type { ModelSettings } from '../domain/screening/adapters/index.ts';
import { PROVIDER_IDS, type ProviderId } from '../domain/verification/provider.ts';
import type { ProviderSettings } from '../domain/verification/providers/index.ts';
import { SECOND_MS } from '../kernel/clock.ts';
import { secretBytes } from '../kernel/keyed-hash.ts';
import type { DatabaseSettings } from '../platform/db/client.ts';
import type { MailSettings } from '../platform/mail.ts';

/** The settings, checked once an isolate. What each means: README, "Configuration". */
export interface Config {
  readonly version: string;
  readonly database: DatabaseSettings;
  /** The setting itself (base64), for the bootstrap token. */
  readonly serviceSecret: string;
  /** The current secret first, then the previous ones still accepted. */
  readonly keySecrets: readonly [KeySecret, ...KeySecret[]];
  readonly hashSecret: Uint8Array;
  readonly primaryRegion: string | null;
  readonly dohUrls: readonly string[];
  /** Lists of disposable domains, read nightly. */
  readonly disposableSourceUrls: readonly string[];
  readonly clockOffsetMs: number;
  readonly providers: Readonly<Record<ProviderId, ProviderSettings>>;
  readonly enrichment: Readonly<Record<SourceId, SourceSettings>>;
  readonly model: ModelSettings;
  readonly mail: MailSettings;
  /** Where this service is reached, without a slash at the end; for links in mails. */
  readonly publicUrl: string | null;
}

/** Bindings hold text; a setting that is absent is undefined. */
type Settings = Readonly<Record<string, unknown>>;

/** Throws with the setting's name, never its value, when one is missing or wrong: nothing can be served without it. */
export function readConfig(env: Settings): Config {
  const serviceSecret = required(env, 'SERVICE_SECRET');
  const previous = list(env, 'SERVICE_SECRET_PREVIOUS');
  const dohUrls = list(env, 'DOH_URLS');
  if (dohUrls.length < 2 || !dohUrls.every(isWebUrl)) throw new Error('DOH_URLS needs two or more URLs');
  return {
    version: optional(env, 'SERVICE_VERSION') ?? 'unreleased',
    database: { url: required(env, 'DATABASE_URL'), httpUrl: optional(env, 'DATABASE_HTTP_URL') },
    serviceSecret,
    keySecrets: [keySecret(serviceSecret), ...previous.map(keySecret)],
    hashSecret: secretBytes(required(env, 'HASH_SECRET')),
    primaryRegion: region(env),
    dohUrls,
    disposableSourceUrls: sourceUrls(env),
    clockOffsetMs: clockOffset(env),
    providers: vendorSettings(env, PROVIDER_IDS, ''),
    enrichment: vendorSettings(env, SOURCE_IDS, 'ENRICHMENT_'),
    model: modelSettings(env),
    mail: mailSettings(env),
    publicUrl: urlOf(env, 'PUBLIC_URL')?.replace(/\/$/, '') ?? null,
  };
}

/** `KICKBOX_API_KEY`, `KICKBOX_BASE_URL`, `KICKBOX_COST_USD`, and so for each vendor. */
function vendorSettings<V extends string>(
  env: Settings,
  ids: readonly V[],
  prefix: string,
): Record<V, ProviderSettings> {
  const settingsOf = (id: V): ProviderSettings => {
    const name = `${prefix}${id.toUpperCase()}`;
    return {
      apiKey: optional(env, `${name}_API_KEY`),
      baseUrl: urlOf(env, `${name}_BASE_URL`),
      costMicros: costOf(env, `${name}_COST_USD`),
    };
  };
  return Object.fromEntries(ids.map((id) => [id, settingsOf(id)])) as Record<V, ProviderSettings>;
}

function modelSettings(env: Settings): ModelSettings {
  const backend = optional(env, 'MODEL_BACKEND') ?? 'none';
  const priceMicros = costOf(env, 'MODEL_COST_USD') ?? 0;
  switch (backend) {
    case 'none':
      return { backend };
    case 'workers-ai':
      return { backend, model: required(env, 'MODEL_NAME'), priceMicros };
    case 'openai': {
      const baseUrl = urlOf(env, 'MODEL_BASE_URL') ?? required(env, 'MODEL_BASE_URL');
      return {
        backend,
        baseUrl,
        apiKey: optional(env, 'MODEL_API_KEY'),
        model: required(env, 'MODEL_NAME'),
        priceMicros,
      };
    }
    default:
      throw new Error('MODEL_BACKEND is none of none, workers-ai, openai');
  }
}

function mailSettings(env: Settings): MailSettings {
  const backend = optional(env, 'MAIL_BACKEND') ?? 'none';
  if (backend === 'none') return { backend };
  if (backend !== 'resend') throw new Error('MAIL_BACKEND is none of none, resend');
  return {
    backend,
    apiKey: required(env, 'RESEND_API_KEY'),
    baseUrl: (urlOf(env, 'RESEND_BASE_URL') ?? 'https://api.resend.com').replace(/\/$/, ''),
    from: required(env, 'MAIL_FROM'),
  };
}

/** Location hints of Durable Objects. */
const REGIONS = ['wnam', 'enam', 'sam', 'weur', 'eeur', 'apac', 'oc', 'afr', 'me'];

function region(env: Settings): string | null {
  const name = optional(env, 'PRIMARY_REGION');
  if (name !== null && !REGIONS.includes(name)) throw new Error(`PRIMARY_REGION is none of ${REGIONS.join(', ')}`);
  return name;
}

function clockOffset(env: Settings): number {
  const text = optional(env, 'CLOCK_OFFSET_S');
  if (text === null) return 0;
  const seconds = Number(text);
  if (optional(env, 'LOCAL_STACK') !== '1') throw new Error('CLOCK_OFFSET_S is for the local stack only');
  if (!Number.isFinite(seconds)) throw new Error('CLOCK_OFFSET_S is not a number');
  return seconds * SECOND_MS;
}

/** `localhost:8080/path` parses too, as a scheme of its own. */
const isWebUrl = (text: string): boolean => ['http:', 'https:'].includes(URL.parse(text)?.protocol ?? '');

function sourceUrls(env: Settings): string[] {
  const urls = [...new Set(list(env, 'DISPOSABLE_SOURCE_URLS'))];
  if (!urls.every(isWebUrl)) throw new Error('DISPOSABLE_SOURCE_URLS has a part that is no URL');
  return urls;
}

function urlOf(env: Settings, name: string): string | null {
  const text = optional(env, name);
  if (text !== null && !isWebUrl(text)) throw new Error(`${name} is not a URL that begins with http:// or https://`);
  return text;
}

/** The price of one request, in micros. */
function costOf(env: Settings, name: string): number | null {
  const text = optional(env, name);
  if (text === null) return null;
  const dollars = Number(text);
  if (!(dollars >= 0 && dollars < 1)) throw new Error(`${name} is not an amount below $1`);
  return micros(dollars);
}

function optional(env: Settings, name: string): string | null {
  const value = env[name];
  return typeof value === 'string' && value !== '' ? value : null;
}

function required(env: Settings, name: string): string {
  const value = optional(env, name);
  if (value === null) throw new Error(`${name} is not set`);
  return value;
}

const list = (env: Settings, name: string): string[] =>
  (optional(env, name) ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
