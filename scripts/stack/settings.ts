/** Every setting of the service (README, "Configuration"): what of this process's environment reaches the Worker. */
const WITH_PREFIX: Readonly<Record<string, readonly string[]>> = {
  ZEROBOUNCE: ['API_KEY', 'BASE_URL', 'COST_USD'],
  NEVERBOUNCE: ['API_KEY', 'BASE_URL', 'COST_USD'],
  KICKBOX: ['API_KEY', 'BASE_URL', 'COST_USD'],
  EMAILABLE: ['API_KEY', 'BASE_URL', 'COST_USD'],
  BOUNCER: ['API_KEY', 'BASE_URL', 'COST_USD'],
  HUNTER: ['API_KEY', 'BASE_URL', 'COST_USD'],
  REACHER: ['API_KEY', 'BASE_URL', 'COST_USD'],
  ENRICHMENT_HUNTER: ['API_KEY', 'BASE_URL', 'COST_USD'],
  ENRICHMENT_PDL: ['API_KEY', 'BASE_URL', 'COST_USD'],
  MODEL: ['BACKEND', 'BASE_URL', 'API_KEY', 'NAME', 'COST_USD'],
  RESEND: ['API_KEY', 'BASE_URL'],
};

/** DATABASE_URL and DATABASE_HTTP_URL are not among them: the stack sets both, to its own endpoint. */
const SETTINGS: readonly string[] = [
  'SERVICE_SECRET',
  'SERVICE_SECRET_PREVIOUS',
  'HASH_SECRET',
  'SERVICE_VERSION',
  'PRIMARY_REGION',
  'DOH_URLS',
  'DISPOSABLE_SOURCE_URLS',
  'MAIL_BACKEND',
  'MAIL_FROM',
  'PUBLIC_URL',
  'CLOCK_OFFSET_S',
  ...Object.entries(WITH_PREFIX).flatMap(([prefix, names]) => names.map((name) => `${prefix}_${name}`)),
];

/** The settings this environment names; an empty one counts as not set. */
export const settingsFrom = (environment: NodeJS.ProcessEnv): Record<string, string> =>
  Object.fromEntries(
    SETTINGS.flatMap((name) => {
      const value = environment[name];
      return value ? [[name, value]] : [];
    }),
  );
