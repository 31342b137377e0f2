import { PROVIDER_IDS, type ProviderId } from '../domain/belief/provider.ts';
import { SOURCES_MAX } from '../domain/lists/overlay.ts';
import { ENRICHMENT_VENDOR_IDS, type EnrichmentVendorId } from '../domain/policy/enrichment.ts';
import { DAY_MS, SECOND_MS } from '../kernel/clock.ts';
import { isSecret } from '../kernel/crypto.ts';

/** A setting that is wrong, or missing beside others. Its value is left out, because it may be a secret. */
export interface SettingFault {
  readonly setting: string;
  /** Follows the setting's name: `is not set`. */
  readonly problem: string;
  /** What is off until the setting is corrected. */
  readonly off: string;
  /** The service can't work without it. */
  readonly required: boolean;
}

/** Settings that belong together. One wrong setting switches all of it off. */
interface Part {
  readonly off: string;
  readonly required?: true;
}

const PARTS = {
  keys: { off: 'no key can be checked', required: true },
  hashes: { off: 'no address can be judged', required: true },
  earlierHashes: { off: 'a wrong one is left out: what stands under it is not found' },
  database: { off: 'history is neither read nor written', required: true },
  earlierKeys: { off: 'a wrong one is left out: keys made under it are refused' },
  version: { off: '/health answers `unreleased`' },
  region: { off: 'new objects are made near their first caller, and stay there' },
  resolvers: { off: 'a wrong one is left out' },
  disposableSources: { off: 'no list is read at night; what the lists said before stands' },
  links: { off: 'mails have no link, and connections show their path alone' },
  dashboardLinks: { off: 'invitations have no link to the dashboard' },
  signup: { off: 'organisations that people make have the usual small allowance' },
  operators: { off: 'the dashboard shows the service’s own state to none but the addresses that can be read' },
  mail: { off: 'no mail is sent: its text goes to the log' },
  model: { off: 'screening does without its model' },
  clock: { off: 'the service keeps the machine’s time' },
  sns: { off: 'Amazon’s own hosts are asked for certificates' },
} as const satisfies Readonly<Record<string, Part>>;

/** A vendor without a known price or URL is off: ceilings could not be kept, or the wrong server would be asked. */
const vendorPart = (name: string): Part => ({ off: `no request goes to ${name.toLowerCase().replace('_', ' ')}` });

/** A setting's value, and the fault of its text. */
interface ParsedSetting<T> {
  /** Null means the setting can't be used. */
  readonly value: T | null;
  readonly problems: readonly string[];
  /** What is off because of it, if not what the part says. */
  readonly off?: string;
}
type Kind<T> = (text: string) => ParsedSetting<T>;

const kind =
  <T>(what: string, read: (text: string) => T | null): Kind<T> =>
  (text) => {
    const value = read(text);
    return { value, problems: value === null ? [`is not ${what}`] : [] };
  };
const textThat = (what: string, fits: (text: string) => boolean): Kind<string> =>
  kind(what, (text) => (fits(text) ? text : null));
const oneOf = <T extends string>(...names: readonly T[]): Kind<T> =>
  kind(`one of ${names.join(', ')}`, (text) => names.find((name) => name === text) ?? null);

/** A comma-separated list. Each entry is checked by itself, and the valid ones count. */
const listOf =
  (item: Kind<string>): Kind<readonly string[]> =>
  (text) => {
    const texts = text.split(',').map((part) => part.trim());
    const parsed = texts.filter((part) => part !== '').map(item);
    const problems = parsed.flatMap((each, at) =>
      each.problems.map((problem) =>
        parsed.length === 1 ? problem : `has ${parsed.length} parts, of which number ${at + 1} ${problem}`,
      ),
    );
    return { value: parsed.flatMap(({ value }) => value ?? []), problems };
  };
/** A list that is valid as a whole or not at all. */
const wholeListOf =
  (item: Kind<string>): Kind<readonly string[]> =>
  (text) => {
    const { value, problems } = listOf(item)(text);
    return { value: problems.length === 0 ? value : null, problems };
  };

/** Checks the protocol, because `localhost:8080/path` parses as a URL with the scheme `localhost`. */
const isWebUrl = (text: string): boolean => {
  const url = URL.parse(text);
  // `fetch` refuses URLs with a user or a password.
  return url !== null && ['http:', 'https:'].includes(url.protocol) && url.username + url.password === '';
};
const WEB_URL = textThat('a URL that begins with http:// or https:// and has no user or password', isWebUrl);
/** Paths and queries are appended to it. */
const BASE_URL = textThat(
  'a URL that begins with http:// or https:// and has no user, password, query or fragment',
  (text) => isWebUrl(text) && !/[?#]/.test(text),
);
const POSTGRES_URL = textThat('a URL of the form postgresql://user:password@host/name', (text) => {
  const url = URL.parse(text);
  const isPostgres = url !== null && ['postgres:', 'postgresql:'].includes(url.protocol);
  return isPostgres && url.hostname !== '' && url.username !== '' && url.pathname.length > 1;
});
const SECRET = textThat('32 or more random bytes in base64', isSecret);
const ANY_TEXT = textThat('a text', () => true);
const ADDRESS = textThat('an e-mail address', (text) => /^[^\s@]+@[^\s@]+$/.test(text));
/** The characters that a header accepts. */
const HEADER_TEXT = textThat('made of visible ASCII characters', (text) => /^[\x20-\x7e]+$/.test(text));
const PRICE = kind('an amount in dollars from 0 to below 1', (text) =>
  Number(text) >= 0 && Number(text) < 1 ? Number(text) : null,
);
/** Keeps shifted times within the range of ids and dates. */
const TEN_YEARS_S = (10 * 365 * DAY_MS) / SECOND_MS;
const SECONDS = kind('a number of seconds, ten years at the most', (text) =>
  Math.abs(Number(text)) <= TEN_YEARS_S ? Number(text) : null,
);
const COUNT = kind('a whole number up to a billion', (text) =>
  Number.isInteger(Number(text)) && Number(text) >= 0 && Number(text) <= 1e9 ? Number(text) : null,
);
/** Location hints of Durable Objects. */
const REGION = oneOf('wnam', 'enam', 'sam', 'weur', 'eeur', 'apac', 'oc', 'afr', 'me');

/** A single resolver is used, but reported. */
const RESOLVERS: Kind<readonly string[]> = (text) => {
  const { value: named, problems } = listOf(WEB_URL)(text);
  const value = [...new Map((named ?? []).map((url) => [new URL(url).href, url])).values()];
  if (value.length === 0) return { value, problems, off: 'the built-in ones are asked' };
  if (value.length > 1) return { value, problems };
  const off = 'one resolver is asked alone, and no other steps in while it is slow or away';
  return { value, problems: [...problems, 'names one resolver, where two or more are needed'], off };
};

const SOURCES: Kind<readonly string[]> = (text) => {
  const { value, problems } = wholeListOf(WEB_URL)(text);
  if (value === null || value.length <= SOURCES_MAX) return { value, problems };
  return { value: null, problems: [`has ${value.length} parts, where ${SOURCES_MAX} are the most`] };
};

interface Setting<T> {
  readonly part: Part;
  readonly read: Kind<T>;
}
const setting = <T>(part: Part, read: Kind<T>): Setting<T> => ({ part, read });

type VendorSettings<Name extends string> = Readonly<
  Record<`${Name}_API_KEY` | `${Name}_BASE_URL`, Setting<string>> & Record<`${Name}_COST_USD`, Setting<number>>
>;

/** `KICKBOX_API_KEY`, `KICKBOX_BASE_URL`, `KICKBOX_COST_USD`, and the same for each vendor. */
function vendorSettings<Name extends string>(names: readonly Name[]): VendorSettings<Name> {
  const rows = names.flatMap((name) => {
    const part = vendorPart(name);
    return [
      [`${name}_API_KEY`, setting(part, HEADER_TEXT)],
      [`${name}_BASE_URL`, setting(part, BASE_URL)],
      [`${name}_COST_USD`, setting(part, PRICE)],
    ];
  });
  return Object.fromEntries(rows) as VendorSettings<Name>;
}

/** Prefixes of the settings of providers and of enrichment vendors. */
export const providerName = (id: ProviderId): Uppercase<ProviderId> => id.toUpperCase() as Uppercase<ProviderId>;
export const enrichmentName = (id: EnrichmentVendorId): `ENRICHMENT_${Uppercase<EnrichmentVendorId>}` =>
  `ENRICHMENT_${id.toUpperCase() as Uppercase<EnrichmentVendorId>}`;
const VENDORS = [...PROVIDER_IDS.map(providerName), ...ENRICHMENT_VENDOR_IDS.map(enrichmentName)];
export type VendorName = (typeof VENDORS)[number];

/** Every setting: how it is read and which part needs it. docs/configuration.md explains each. */
export const SETTINGS = {
  SERVICE_SECRET: setting(PARTS.keys, SECRET),
  SERVICE_SECRET_PREVIOUS: setting(PARTS.earlierKeys, listOf(SECRET)),
  HASH_SECRET: setting(PARTS.hashes, SECRET),
  HASH_SECRET_PREVIOUS: setting(PARTS.earlierHashes, listOf(SECRET)),
  DATABASE_URL: setting(PARTS.database, POSTGRES_URL),
  DATABASE_HTTP_URL: setting(PARTS.database, BASE_URL),
  SERVICE_VERSION: setting(PARTS.version, ANY_TEXT),
  PRIMARY_REGION: setting(PARTS.region, REGION),
  DOH_URLS: setting(PARTS.resolvers, RESOLVERS),
  DISPOSABLE_SOURCE_URLS: setting(PARTS.disposableSources, SOURCES),
  PUBLIC_URL: setting(PARTS.links, BASE_URL),
  DASHBOARD_URL: setting(PARTS.dashboardLinks, BASE_URL),
  OPERATOR_EMAILS: setting(PARTS.operators, listOf(ADDRESS)),
  SIGNUP_QUOTA: setting(PARTS.signup, COUNT),
  MAIL_BACKEND: setting(PARTS.mail, oneOf('none', 'resend')),
  MAIL_FROM: setting(PARTS.mail, ANY_TEXT),
  RESEND_API_KEY: setting(PARTS.mail, HEADER_TEXT),
  RESEND_BASE_URL: setting(PARTS.mail, BASE_URL),
  MODEL_BACKEND: setting(PARTS.model, oneOf('none', 'workers-ai', 'openai')),
  MODEL_BASE_URL: setting(PARTS.model, BASE_URL),
  MODEL_API_KEY: setting(PARTS.model, HEADER_TEXT),
  MODEL_NAME: setting(PARTS.model, ANY_TEXT),
  MODEL_COST_USD: setting(PARTS.model, PRICE),
  CLOCK_OFFSET_S: setting(PARTS.clock, SECONDS),
  SNS_BASE_URL: setting(PARTS.sns, BASE_URL),
  ...vendorSettings(VENDORS),
};
export type SettingName = keyof typeof SETTINGS;
const NAMES = Object.keys(SETTINGS) as SettingName[];
type Value<Name extends SettingName> = (typeof SETTINGS)[Name] extends Setting<infer T> ? T : never;

/** The Worker's bindings: settings and everything else. */
export type Bindings = Readonly<Record<string, unknown>>;

/** A setting's text; null if undefined or empty. A variable of wrangler.toml may be a number. */
function textOf(bindings: Bindings, name: string): string | null {
  const value = bindings[name];
  const text = isText(value) ? String(value).trim() : '';
  return text === '' ? null : text;
}
const isText = (value: unknown): boolean => typeof value === 'string' || typeof value === 'number';
const isOfOtherType = (bindings: Bindings, name: string): boolean =>
  bindings[name] !== undefined && bindings[name] !== null && !isText(bindings[name]);

/** When a setting is needed beside others. */
interface Need {
  readonly name: SettingName;
  /** The problem if it is missing; null if it is not needed. */
  readonly problem: (has: (name: SettingName) => boolean, bindings: Bindings) => string | null;
}

const always = (): string => 'is not set';
const besideAny =
  (...names: readonly SettingName[]): Need['problem'] =>
  (has) => {
    const set = names.find(has);
    return set === undefined ? null : `is not set, but ${set} is`;
  };
/** The switch has one of these values: words of ours, never a secret. */
const where =
  (name: SettingName, ...values: readonly string[]): Need['problem'] =>
  (_, bindings) => {
    const value = textOf(bindings, name) ?? '';
    return values.includes(value) ? `is not set, but ${name} is ${value}` : null;
  };

const vendorNeeds = (name: VendorName): Need => ({
  // Reacher is self-hosted, so it needs a base URL and may work without a key.
  name: name === 'REACHER' ? 'REACHER_BASE_URL' : `${name}_API_KEY`,
  problem: besideAny(`${name}_API_KEY`, `${name}_BASE_URL`, `${name}_COST_USD`),
});

/** An incomplete part is as wrong as an unreadable value. */
const NEEDS: readonly Need[] = [
  { name: 'SERVICE_SECRET', problem: always },
  { name: 'HASH_SECRET', problem: always },
  { name: 'DATABASE_URL', problem: always },
  ...VENDORS.map(vendorNeeds),
  { name: 'MAIL_BACKEND', problem: besideAny('MAIL_FROM', 'RESEND_API_KEY', 'RESEND_BASE_URL') },
  { name: 'RESEND_API_KEY', problem: where('MAIL_BACKEND', 'resend') },
  { name: 'MAIL_FROM', problem: where('MAIL_BACKEND', 'resend') },
  { name: 'MODEL_BACKEND', problem: besideAny('MODEL_BASE_URL', 'MODEL_API_KEY', 'MODEL_NAME', 'MODEL_COST_USD') },
  { name: 'MODEL_NAME', problem: where('MODEL_BACKEND', 'openai', 'workers-ai') },
  { name: 'MODEL_BASE_URL', problem: where('MODEL_BACKEND', 'openai') },
];

/** Why a readable setting is not used, apart from a missing companion. */
interface Bar {
  readonly name: SettingName;
  readonly problem: string;
  readonly applies: (bindings: Bindings) => boolean;
}
const BARS: readonly Bar[] = [
  {
    name: 'MODEL_BACKEND',
    problem: 'is workers-ai, but wrangler.toml has no [ai] binding named AI',
    applies: (bindings) => textOf(bindings, 'MODEL_BACKEND') === 'workers-ai' && bindings['AI'] === undefined,
  },
  {
    name: 'CLOCK_OFFSET_S',
    problem: 'is for the local stack alone',
    applies: (bindings) => bindings['LOCAL_STACK'] !== '1',
  },
  {
    // Whoever has the certificate’s host could prove any message.
    name: 'SNS_BASE_URL',
    problem: 'is for the local stack alone',
    applies: (bindings) => bindings['LOCAL_STACK'] !== '1',
  },
];

export interface ReadSettings {
  /** Null if the setting is missing or wrong. */
  readonly value: <Name extends SettingName>(name: Name) => Value<Name> | null;
  /** Whether the setting's part is off because one of its settings is wrong or missing. */
  readonly isOff: (name: SettingName) => boolean;
  readonly faults: readonly SettingFault[];
}

/** Never throws: each wrong setting is a fault of its own. */
export function readSettings(bindings: Bindings): ReadSettings {
  const has = (name: SettingName): boolean => textOf(bindings, name) !== null || isOfOtherType(bindings, name);
  const values = new Map<SettingName, unknown>();
  const faults: SettingFault[] = [];
  const report = (name: SettingName, problem: string, instead?: string): void => {
    const { off, required = false } = SETTINGS[name].part;
    faults.push({ setting: name, problem, off: instead ?? off, required });
  };
  for (const name of NAMES) {
    if (isOfOtherType(bindings, name)) report(name, 'is neither a text nor a number');
    const text = textOf(bindings, name);
    if (text === null) continue;
    const { value, problems, off } = SETTINGS[name].read(text);
    values.set(name, value);
    for (const problem of problems) report(name, problem, off);
    for (const bar of BARS) if (bar.name === name && bar.applies(bindings)) report(name, bar.problem);
  }
  for (const { name, problem } of NEEDS) {
    const missing = has(name) ? null : problem(has, bindings);
    if (missing !== null) report(name, missing);
  }
  const off = new Set(faults.map(({ setting: name }) => SETTINGS[name as SettingName].part));
  return {
    value: (name) => (values.get(name) ?? null) as never,
    isOff: (name) => off.has(SETTINGS[name].part),
    faults,
  };
}
