import { drizzleAdapter } from '@better-auth/drizzle-adapter';
import { passkey } from '@better-auth/passkey';
import { betterAuth } from 'better-auth/minimal';
import { magicLink } from 'better-auth/plugins/magic-link';
import { twoFactor } from 'better-auth/plugins/two-factor';
import { authAccount, authPasskey, authSession, authTwoFactor, authUser, authVerification } from './auth-schema.ts';
import type { Database } from './database.ts';
import { hashToken } from './hashes.ts';
import { cookiePrefix, isSecure, type Settings } from './settings.ts';

const DAY_S = 86_400;

/** How long after sign-in factors can be added. Sessions may be ended at any time. */
const FRESH_S = 600;
/** As long as links to one mailbox are counted: if no further one is sent, a valid one is in the mailbox. */
const LINK_S = 600;
/** On a local machine, the link in the console is valid as long as a session. */
const LOCAL_LINK_S = 7 * DAY_S;

/** Paths that start a session with a second factor: a passkey, and the first code of a new authenticator app. */
const SECOND_FACTORS: ReadonlySet<string> = new Set(['/passkey/verify-authentication', '/two-factor/verify-totp']);

export interface AuthDeps {
  readonly db: Database;
  readonly settings: Settings;
  /** The id for a person who registers; null: they may not. */
  readonly personId: (email: string) => Promise<string | null>;
  readonly isLocal: boolean;
  readonly sendLink: (email: string, token: string) => Promise<void>;
  /** Receives the actual error: better-auth's answer only says that something failed. */
  readonly noteFailure: (error: Error) => void;
}

export const AUTH_PATH = '/auth/inner';

/**
 * People, sessions and passkeys, stored by better-auth. Its defaults that we avoid: plain-text link tokens, sessions
 * that survive in a cookie after they are ended, a passkey's `Origin` from the request, counters in memory.
 */
export function openAuth({ db, settings, isLocal, personId, sendLink, noteFailure }: AuthDeps) {
  return betterAuth({
    appName: 'Email verification',
    baseURL: settings.url,
    basePath: AUTH_PATH,
    secret: settings.secret,
    trustedOrigins: [settings.url],
    database: drizzleAdapter(db, {
      provider: 'pg',
      schema: {
        user: authUser,
        session: authSession,
        account: authAccount,
        verification: authVerification,
        passkey: authPasskey,
        twoFactor: authTwoFactor,
      },
    }),
    session: {
      expiresIn: 7 * DAY_S,
      updateAge: DAY_S,
      freshAge: FRESH_S,
      cookieCache: { enabled: false },
      additionalFields: { secondFactorAt: { type: 'date', required: false, input: false } },
    },
    // `limits.ts` counts before a request comes here.
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    // Its messages may name a person: none is written.
    logger: {
      level: 'error',
      log: (_level, _message, ...details: unknown[]) => {
        for (const each of details) if (each instanceof Error) noteFailure(each);
      },
    },
    advanced: {
      cookiePrefix: cookiePrefix(settings),
      useSecureCookies: false,
      defaultCookieAttributes: { secure: isSecure(settings), path: '/' },
      ipAddress: { ipAddressHeaders: ['cf-connecting-ip'] },
      database: { validateSchema: false },
    },
    databaseHooks: {
      session: {
        create: {
          before: async (session, context) => ({
            data: { ...session, secondFactorAt: SECOND_FACTORS.has(context?.path ?? '') ? new Date() : null },
          }),
        },
      },
      user: {
        create: {
          before: async (user) => {
            const id = await personId(user.email);
            return id === null ? false : { data: { ...user, id } };
          },
        },
      },
    },
    plugins: [
      magicLink({
        expiresIn: isLocal ? LOCAL_LINK_S : LINK_S,
        storeToken: { type: 'custom-hasher', hash: hashToken },
        sendMagicLink: ({ email, token }) => sendLink(email, token),
      }),
      twoFactor({ issuer: new URL(settings.url).hostname, allowPasswordless: true }),
      passkey({ rpID: new URL(settings.url).hostname, rpName: 'Email verification', origin: settings.url }),
    ],
  });
}

export type Auth = ReturnType<typeof openAuth>;
