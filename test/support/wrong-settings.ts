import type { Config } from '../../src/runtime/config.ts';

const secret = (fill: number): string => Buffer.alloc(32, fill).toString('base64');

const vendor = (name: string) => ({
  [`${name}_API_KEY`]: 'a-key',
  [`${name}_BASE_URL`]: 'https://vendor.example',
  [`${name}_COST_USD`]: '0.001',
});
const PROVIDERS = ['ZEROBOUNCE', 'NEVERBOUNCE', 'KICKBOX', 'EMAILABLE', 'BOUNCER', 'HUNTER', 'REACHER'];
const SOURCES = ['HUNTER', 'PDL'];

/** Valid settings with every part enabled. */
export const RIGHT: Readonly<Record<string, string>> = {
  SERVICE_SECRET: secret(1),
  SERVICE_SECRET_PREVIOUS: secret(3),
  HASH_SECRET_PREVIOUS: secret(4),
  HASH_SECRET: secret(2),
  DATABASE_URL: 'postgresql://user:password@db.localhost/main',
  DATABASE_HTTP_URL: 'http://127.0.0.1:9/sql',
  SERVICE_VERSION: '1',
  PRIMARY_REGION: 'enam',
  DOH_URLS: 'https://one.example/dns-query, https://two.example/dns-query',
  DISPOSABLE_SOURCE_URLS: 'https://one.example/list, https://two.example/list',
  PUBLIC_URL: 'https://service.example/',
  DASHBOARD_URL: 'https://dashboard.example/',
  SIGNUP_QUOTA: '500',
  OPERATOR_EMAILS: 'Ada@service.example, bob@service.example',
  MAIL_BACKEND: 'resend',
  MAIL_FROM: 'Service <service@service.example>',
  RESEND_API_KEY: 'a-key',
  RESEND_BASE_URL: 'https://mail.example/',
  MODEL_BACKEND: 'openai',
  MODEL_BASE_URL: 'https://model.example/v1',
  MODEL_API_KEY: 'a-key',
  MODEL_NAME: 'small',
  MODEL_COST_USD: '0.0001',
  CLOCK_OFFSET_S: '10',
  SNS_BASE_URL: 'http://sns.localhost:1',
  LOCAL_STACK: '1',
  ...Object.assign({}, ...PROVIDERS.map(vendor)),
  ...Object.assign({}, ...SOURCES.map((name) => vendor(`ENRICHMENT_${name}`))),
};

/** A wrong value, which must never be shown; `null`: the setting is missing. */
export interface WrongSetting {
  readonly setting: string;
  readonly wrong: string | boolean | null;
  /** The settings that the fault names, if not this one alone. */
  readonly named?: readonly string[];
  /** The parts that are off: the difference from the right configuration. */
  readonly off: (right: Config) => Partial<Config>;
}

const MARK = 'hunter2';

const vendorRows = (name: string, off: WrongSetting['off']): WrongSetting[] => {
  const needed = name === 'REACHER' ? 'BASE_URL' : 'API_KEY';
  return [
    { setting: `${name}_API_KEY`, wrong: `${MARK}\u{1f511}`, off },
    { setting: `${name}_API_KEY`, wrong: `${MARK}\nline`, off },
    { setting: `${name}_BASE_URL`, wrong: `${MARK}.example`, off },
    { setting: `${name}_BASE_URL`, wrong: `https://vendor.example/?${MARK}`, off },
    { setting: `${name}_BASE_URL`, wrong: `https://vendor.example/#${MARK}`, off },
    { setting: `${name}_BASE_URL`, wrong: `https://user:${MARK}@vendor.example/`, off },
    { setting: `${name}_COST_USD`, wrong: MARK, off },
    { setting: `${name}_COST_USD`, wrong: '-1', off },
    { setting: `${name}_COST_USD`, wrong: '1', off },
    { setting: `${name}_COST_USD`, wrong: 'NaN', off },
    { setting: `${name}_COST_USD`, wrong: '1e300', off },
    { setting: `${name}_COST_USD`, wrong: true, off },
    { setting: `${name}_${needed}`, wrong: null, off },
  ];
};

const NO_VENDOR = { apiKey: null, baseUrl: null, costMicros: null };
const noModel = () => ({ model: { backend: 'none' } as const });
const noMail = () => ({ mail: { backend: 'none' } as const });
const builtIn = () => ({
  dohUrls: ['https://cloudflare-dns.com/dns-query', 'https://dns.google/dns-query'],
});
const sameTwice = () => ({ dohUrls: ['https://ONE.example/dns-query'] });
const one = () => ({ dohUrls: ['https://one.example/dns-query'] });

/** Every optional setting, in every way that it can be wrong. */
export const WRONG: readonly WrongSetting[] = [
  ...PROVIDERS.flatMap((name) =>
    vendorRows(name, ({ providers }) => ({ providers: { ...providers, [name.toLowerCase()]: NO_VENDOR } })),
  ),
  ...SOURCES.flatMap((name) =>
    vendorRows(`ENRICHMENT_${name}`, ({ enrichment }) => ({
      enrichment: { ...enrichment, [name.toLowerCase()]: NO_VENDOR },
    })),
  ),
  { setting: 'DOH_URLS', wrong: `https://one.example/dns-query,${MARK}`, off: one },
  { setting: 'DOH_URLS', wrong: 'https://one.example/dns-query', off: one },
  { setting: 'DOH_URLS', wrong: 'https://one.example/dns-query,https://ONE.example/dns-query', off: sameTwice },
  { setting: 'DOH_URLS', wrong: `https://one.example/dns-query,https://user:${MARK}@two.example/`, off: one },
  {
    setting: 'DOH_URLS',
    wrong: `https://one.example/dns-query, ${MARK}, https://two.example/dns-query`,
    off: () => ({}),
  },
  { setting: 'DOH_URLS', wrong: `${MARK},localhost:1/dns-query`, off: builtIn },
  {
    setting: 'DISPOSABLE_SOURCE_URLS',
    wrong: `https://one.example/list,${MARK}`,
    off: () => ({ disposableSourceUrls: null }),
  },
  {
    setting: 'DISPOSABLE_SOURCE_URLS',
    wrong: Array.from({ length: 6 }, (_, place) => `https://${place}.example/${MARK}`).join(),
    off: () => ({ disposableSourceUrls: null }),
  },
  { setting: 'PRIMARY_REGION', wrong: true, off: () => ({ primaryRegion: null }) },
  { setting: 'PRIMARY_REGION', wrong: MARK, off: () => ({ primaryRegion: null }) },
  { setting: 'PUBLIC_URL', wrong: `${MARK}.example`, off: () => ({ publicUrl: null }) },
  { setting: 'DASHBOARD_URL', wrong: `${MARK}.example`, off: () => ({ dashboardUrl: null }) },
  { setting: 'SIGNUP_QUOTA', wrong: '-1', off: () => ({ signupQuota: 1_000 }) },
  {
    setting: 'OPERATOR_EMAILS',
    wrong: `${MARK},bob@service.example`,
    off: () => ({ operatorEmails: ['bob@service.example'] }),
  },
  { setting: 'PUBLIC_URL', wrong: `https://service.example/?${MARK}`, off: () => ({ publicUrl: null }) },
  ...[MARK, '1e15', '-1e15', '315360001', 'Infinity'].map((wrong) => ({
    setting: 'CLOCK_OFFSET_S',
    wrong,
    off: () => ({ clockOffsetMs: 0 }),
  })),
  { setting: 'SNS_BASE_URL', wrong: MARK, off: () => ({ snsBaseUrl: null }) },
  {
    setting: 'LOCAL_STACK',
    wrong: null,
    named: ['CLOCK_OFFSET_S', 'SNS_BASE_URL'],
    off: () => ({ clockOffsetMs: 0, snsBaseUrl: null }),
  },
  { setting: 'MAIL_BACKEND', wrong: MARK, off: noMail },
  { setting: 'MAIL_BACKEND', wrong: null, off: noMail },
  { setting: 'MAIL_FROM', wrong: null, off: noMail },
  { setting: 'RESEND_API_KEY', wrong: null, off: noMail },
  { setting: 'RESEND_API_KEY', wrong: `${MARK}\nline`, off: noMail },
  { setting: 'RESEND_BASE_URL', wrong: MARK, off: noMail },
  { setting: 'MODEL_BACKEND', wrong: MARK, off: noModel },
  { setting: 'MODEL_BACKEND', wrong: 'workers-ai', off: noModel },
  { setting: 'MODEL_BACKEND', wrong: null, off: noModel },
  { setting: 'MODEL_BASE_URL', wrong: MARK, off: noModel },
  { setting: 'MODEL_BASE_URL', wrong: null, off: noModel },
  { setting: 'MODEL_API_KEY', wrong: `${MARK}\nline`, off: noModel },
  { setting: 'MODEL_NAME', wrong: null, off: noModel },
  { setting: 'MODEL_COST_USD', wrong: MARK, off: noModel },
];

/** These settings with that one wrong. */
export function wrongly(settings: Readonly<Record<string, string>>, { setting, wrong }: WrongSetting) {
  const { [setting]: _, ...others } = settings;
  return wrong === null ? others : { ...others, [setting]: wrong };
}
