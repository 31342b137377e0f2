import { json, Refusal, log } from './answers.ts';
import { AUTH_PATH } from './auth.ts';
import { readTexts } from './body.ts';
import type { Context } from './context.ts';
import { hashToken, keyedHash } from './hashes.ts';
import { countTries, type Limited, networkOf } from './limits.ts';
import { findLinkAddress } from './people.ts';
import { cookiePrefix, isSecure } from './settings.ts';

const ADDRESS_LENGTH_MAX = 320;
/** By then the answer is sent. */
const BEHIND_MS = 50;
const NO_LINKS = 'Signing in by mail is off here.';
const LINK_INVALID = 'This link was used, has expired or was never sent: ask for a new one.';

/** Counts a try for each. Null: none was tried too often; else the seconds to wait. */
const count = ({ db, settings, now }: Context, ...tries: readonly Limited[]): Promise<number | null> =>
  countTries(db, tries, keyedHash(settings.secret), now);

/** Throws if one of them was tried too often. */
export async function limit(context: Context, ...tried: readonly Limited[]): Promise<void> {
  const waitS = await count(context, ...tried);
  if (waitS !== null) throw new Refusal('rate_limited', 'Too many tries: wait a while.', waitS);
}

export const limitAttempts = (context: Context, request: Request): Promise<void> =>
  limit(context, { limit: 'attempts', of: networkOf(request) });

/**
 * `POST /auth/link { email }`. All addresses get the same answer after the same statements: whether one has an account,
 * and whether it had too many links, is looked up afterwards.
 */
export async function askLink(context: Context, request: Request): Promise<Response> {
  const { email } = await readTexts(request, ['email']);
  const address = email.trim().toLowerCase();
  if (address.length > ADDRESS_LENGTH_MAX || !/^[^\s@]+@[^\s@]+$/.test(address))
    throw new Refusal('invalid_request', 'Enter an email address.');
  if (!(await context.hasLinks())) throw new Refusal('not_found', NO_LINKS);
  await limit(context, { limit: 'asksOfNetwork', of: networkOf(request) });
  const behind = new Promise((resolve) => setTimeout(resolve, BEHIND_MS));
  const sent = behind.then(() => sendLink(context, address, request));
  context.defer(sent.catch((error: Error) => log('error', 'link_not_sent', { error: error.name })));
  return json({ ok: true });
}

async function sendLink(context: Context, text: string, request: Request): Promise<void> {
  const tries: Limited[] = (await isKnownBrowser(context, text, request))
    ? [{ limit: 'asksOfPerson', of: text }]
    : [
        { limit: 'asksOfNetworkForAddress', of: `${networkOf(request)} ${text}` },
        { limit: 'asksForAddress', of: text },
      ];
  const [waitS, email] = [await count(context, ...tries), await context.expectedAddress(text)];
  if (email === null || waitS !== null) return;
  await context.auth.api.signInMagicLink({ body: { email }, headers: new Headers(request.headers) });
}

/** A browser in which somebody has signed in stores a hash of their address, which grants nothing. */
const BROWSER_DAYS = 400;
const browserCookie = async ({ settings }: Context, email: string): Promise<string> =>
  `${cookiePrefix(settings)}.browser=${await keyedHash(settings.secret)(`browser of ${email}`)}`;

const isKnownBrowser = async (context: Context, email: string, { headers }: Request): Promise<boolean> =>
  (headers.get('cookie') ?? '').split('; ').includes(await browserCookie(context, email));

/** The cookie that marks the browser as the person's; none if it has it. */
export async function rememberBrowser(context: Context, email: string, request: Request): Promise<string[]> {
  if (await isKnownBrowser(context, email, request)) return [];
  const secure = isSecure(context.settings) ? '; Secure' : '';
  return [
    `${await browserCookie(context, email)}; Max-Age=${BROWSER_DAYS * 86_400}; Path=/; HttpOnly${secure}; SameSite=Lax`,
  ];
}

/** `POST /auth/link/read { token }`: whose link it is, so that a person sees as whom they sign in. It uses nothing up. */
export async function readLink(context: Context, request: Request): Promise<Response> {
  await limitAttempts(context, request);
  const { token } = await readTexts(request, ['token']);
  const email = await findLinkAddress(context.db, await hashToken(token), context.now);
  if (email === null) throw new Refusal('link_invalid', LINK_INVALID);
  return json({ email });
}

/** `POST /auth/link/use { token }`: begins a session. */
export async function takeLink(context: Context, request: Request): Promise<Response> {
  await limitAttempts(context, request);
  const { token } = await readTexts(request, ['token']);
  const inner = new URL(`${AUTH_PATH}/magic-link/verify`, context.settings.url);
  inner.searchParams.set('token', token);
  const { headers } = request;
  const answer = await askInner(context, new Request(inner, { headers: forwarded(headers) }));
  const cookies = answer.headers.getSetCookie();
  await logSignIn('link', answer);
  if (answer.status !== 200 || cookies.length === 0) throw new Refusal('link_invalid', LINK_INVALID);
  return withCookies(json({ ok: true }), cookies);
}

/** Logs a sign-in or a failed try, with only the person's id. */
export async function logSignIn(means: 'link' | 'passkey', answer: Response): Promise<void> {
  if (answer.status !== 200) return log('warn', 'sign_in_failed', { means });
  const { user } = (await answer.clone().json()) as { readonly user?: { readonly id?: string } };
  log('info', 'signed_in', { means, user: user?.id ?? null });
}

/** better-auth’s answer. Throws the actual error if it only says that something failed. */
export async function askInner({ auth, failures }: Context, inner: Request): Promise<Response> {
  const answer = await auth.handler(inner);
  // A failed link leads to a page of errors.
  const [failure] = failures;
  if (answer.status >= 300 && failure !== undefined) throw failure;
  return answer;
}

/** Headers that better-auth reads. */
export function forwarded(headers: Headers): Headers {
  const kept = new Headers();
  for (const name of ['cookie', 'origin', 'user-agent', 'cf-connecting-ip', 'content-type', 'sec-fetch-site']) {
    const value = headers.get(name);
    if (value !== null) kept.set(name, value);
  }
  return kept;
}

export function withCookies(answer: Response, cookies: readonly string[]): Response {
  for (const cookie of cookies) answer.headers.append('set-cookie', cookie);
  return answer;
}
