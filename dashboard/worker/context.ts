import type { ApiBinding } from './api-binding.ts';
import { type Auth, openAuth } from './auth.ts';
import type { Database } from './database.ts';
import { findUserByEmail } from './people.ts';
import { type DashboardEnv, isOperator, type Settings } from './settings.ts';
import { timedBinding } from './timed-binding.ts';

export interface Context {
  readonly settings: Settings;
  readonly db: Database;
  readonly auth: Auth;
  readonly entrypoint: ApiBinding;
  readonly assets: Fetcher;
  readonly now: number;
  /** Errors inside better-auth. */
  readonly failures: readonly Error[];
  readonly defer: (work: Promise<unknown>) => void;
  /** Whether people may sign in by mail at all: links reach a mailbox, or the local stack's console. */
  readonly hasLinks: () => Promise<boolean>;
  /** The normal form of an address that may have a link, or null. */
  readonly expectedAddress: (text: string) => Promise<string | null>;
}

export type Connect = (url: string, httpUrl: string | null) => Database;

export function openContext(env: DashboardEnv, settings: Settings, connect: Connect, defer: Context['defer']): Context {
  const db = connect(settings.databaseUrl, settings.databaseHttpUrl);
  const { API, CONSOLE: console } = env;
  const entrypoint = timedBinding(API);
  const failures: Error[] = [];
  const maySignUp = (email: string): boolean =>
    isOperator(settings, email) || settings.signupDomains.includes(email.slice(email.lastIndexOf('@') + 1));

  const personId = async (email: string): Promise<string | null> => {
    const found = await entrypoint.findPerson(email);
    return found !== null && (found.isExpected || maySignUp(found.email)) ? found.id : null;
  };

  async function sendLink(email: string, token: string): Promise<void> {
    // After `#`: no server and no log sees the token.
    const url = `${settings.url}/sign-in/link#${token}`;
    if (console === undefined) await entrypoint.mailSignInLink(email, url);
    else await console.fetch('http://console/link', { method: 'POST', body: JSON.stringify({ email, url }) });
  }

  return {
    settings,
    db,
    auth: openAuth({
      db,
      settings,
      isLocal: console !== undefined,
      personId,
      sendLink,
      noteFailure: (error) => failures.push(error),
    }),
    entrypoint,
    assets: env.ASSETS,
    now: Date.now(),
    failures,
    defer,
    hasLinks: async () => console !== undefined || (await entrypoint.sendsMail()),
    async expectedAddress(text) {
      const found = await entrypoint.findPerson(text);
      if (found === null) return null;
      // Asked of every address alike.
      const user = await findUserByEmail(db, found.email);
      return found.isExpected || maySignUp(found.email) || user !== null ? found.email : null;
    },
  };
}
