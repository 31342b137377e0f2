import type { ApiBinding } from './api-binding.ts';

/** The Worker's bindings. Settings are texts: docs/configuration.md explains each. */
export interface DashboardEnv {
  readonly DASHBOARD_URL?: string;
  readonly AUTH_SECRET?: string;
  readonly DATABASE_URL?: string;
  readonly DATABASE_HTTP_URL?: string;
  readonly SIGNUP_DOMAINS?: string;
  readonly OPERATOR_EMAILS?: string;
  readonly ASSETS: Fetcher;
  readonly API: ApiBinding;
  /** The local stack's console, which shows links; no deployment has it. */
  readonly CONSOLE?: Fetcher;
}

export interface Settings {
  /** Scheme and host, without a final slash. */
  readonly url: string;
  readonly secret: string;
  readonly databaseUrl: string;
  readonly databaseHttpUrl: string | null;
  readonly signupDomains: readonly string[];
  /** Who sees the operator screen, in lower case. */
  readonly operatorEmails: readonly string[];
}

const SECRET_LENGTH_MIN = 32;

/** The settings, or the names of missing and wrong ones, all of which are required. */
export function readSettings(env: DashboardEnv): Settings | { readonly wrong: readonly string[] } {
  const url = originOf(env.DASHBOARD_URL ?? '');
  const secret = env.AUTH_SECRET ?? '';
  const databaseUrl = env.DATABASE_URL ?? '';
  const wrong = [
    ...(url === null ? ['DASHBOARD_URL'] : []),
    ...(secret.length < SECRET_LENGTH_MIN ? ['AUTH_SECRET'] : []),
    ...(/^postgres(?:ql)?:\/\//.test(databaseUrl) ? [] : ['DATABASE_URL']),
  ];
  if (url === null || wrong.length > 0) return { wrong };
  return {
    url,
    secret,
    databaseUrl,
    databaseHttpUrl: env.DATABASE_HTTP_URL || null,
    signupDomains: listOf(env.SIGNUP_DOMAINS),
    operatorEmails: listOf(env.OPERATOR_EMAILS),
  };
}

/** The comma-separated parts, in lower case. */
const listOf = (text = ''): string[] => text.split(',').flatMap((part) => part.trim().toLowerCase() || []);

/** Passkeys and secure cookies need HTTPS, or `localhost`. */
function originOf(text: string): string | null {
  if (!URL.canParse(text)) return null;
  const { protocol, hostname, origin } = new URL(text);
  return protocol === 'https:' || (protocol === 'http:' && hostname === 'localhost') ? origin : null;
}

/** Whether the person is an operator. `email`: proved, in its normal form. */
export const isOperator = ({ operatorEmails }: Settings, email: string): boolean => operatorEmails.includes(email);

export const isSecure = ({ url }: Pick<Settings, 'url'>): boolean => url.startsWith('https:');

/** `__Host-`: only from this host, only over HTTPS, for all paths. Browsers refuse it on a local machine. */
export const cookiePrefix = (settings: Pick<Settings, 'url'>): string =>
  isSecure(settings) ? '__Host-dashboard' : 'dashboard';
