import { json, Refusal, log } from './answers.ts';
import { AUTH_PATH } from './auth.ts';
import { readBody, readTexts } from './body.ts';
import type { Context } from './context.ts';
import { timeOf } from './database.ts';
import {
  deletePasskey,
  endOtherSessions,
  endSession,
  hasFactor,
  listSessions,
  markSecondFactor,
  readFactors,
  SESSION_MAX_MS,
} from './people.ts';
import { isOperator } from './settings.ts';
import { askInner, forwarded, limit, limitAttempts, logSignIn, rememberBrowser, withCookies } from './sign-in.ts';

export interface Session {
  readonly id: string;
  readonly signedInAt: number;
  /** When the session passed a second factor, or null. */
  readonly secondFactorAt: number | null;
  /** An authenticator app is set up, and the session has not passed a second factor: it opens only the way to do so. */
  readonly needsCode: boolean;
  readonly user: { readonly id: string; readonly email: string; readonly name: string | null };
  /** A renewed session's cookie. */
  readonly cookies: readonly string[];
}

const FRESH_MS = 600_000;

/** The session of the request's cookie; Postgres knows whether it was ended. */
async function findSession(context: Context, request: Request): Promise<Session | null> {
  if (!request.headers.has('cookie')) return null;
  const { headers, response } = await context.auth.api.getSession({
    headers: forwarded(request.headers),
    returnHeaders: true,
  });
  if (response === null) return null;
  const { session, user } = response;
  const [signedInAt, factorAt] = [timeOf(session.createdAt), session.secondFactorAt ?? null];
  if (context.now - signedInAt >= SESSION_MAX_MS) {
    await endSession(context.db, user.id, session.id);
    return null;
  }
  return {
    id: session.id,
    signedInAt,
    secondFactorAt: factorAt === null ? null : timeOf(factorAt),
    needsCode: user.twoFactorEnabled === true && factorAt === null,
    user: { id: user.id, email: user.email, name: user.name || null },
    cookies: headers.getSetCookie(),
  };
}

/** Any session, also one that still needs a code. */
async function requireAnySession(context: Context, request: Request): Promise<Session> {
  const session = await findSession(context, request);
  if (session === null) throw new Refusal('unauthorized', 'Sign in first.');
  return session;
}

export async function requireSession(context: Context, request: Request): Promise<Session> {
  const session = await requireAnySession(context, request);
  if (session.needsCode) throw new Refusal('second_factor_needed', 'Enter a code of your authenticator app first.');
  return session;
}

/**
 * Requires a session that may change sign-in factors. Whoever has a second factor must have passed it, or a mailbox that
 * somebody else reads would be enough to replace it.
 */
async function requireFactors(context: Context, request: Request): Promise<Session> {
  const session = await requireSession(context, request);
  if (session.secondFactorAt === null && (await hasFactor(context.db, session.user.id)))
    throw new Refusal(
      'second_factor_needed',
      'Sign in with your passkey, or enter a code of your authenticator app, first.',
    );
  return session;
}

/** The same for a person who has just signed in, since an added factor counts as theirs from then on. */
async function requireFresh(context: Context, request: Request): Promise<Session> {
  const session = await requireFactors(context, request);
  if (context.now - session.signedInAt > FRESH_MS)
    throw new Refusal('forbidden', 'Sign in again: this needs a session of the last 10 minutes.');
  return session;
}

/** `GET /auth/me`: who is signed in, and their organisations. */
export async function readMe(context: Context, request: Request): Promise<Response> {
  const session = await requireAnySession(context, request);
  const { user, id, signedInAt, secondFactorAt, needsCode, cookies } = session;
  const [organisations, invitations, factors] = await Promise.all([
    needsCode ? [] : context.entrypoint.listOrganisations(user.id),
    needsCode ? [] : context.entrypoint.listInvitations(user.email),
    readFactors(context.db, user.id),
  ]);
  const body = {
    user,
    session: { id, signed_in_at: Math.floor(signedInAt / 1000), second_factor: secondFactorAt !== null },
    needs_code: needsCode,
    factors,
    organisations,
    invitations,
    is_operator: isOperator(context.settings, user.email),
    may_create: context.settings.signupDomains.includes(user.email.slice(user.email.lastIndexOf('@') + 1)),
  };
  return withCookies(json(body), [...cookies, ...(await rememberBrowser(context, user.email, request))]);
}

export async function readSessions(context: Context, request: Request): Promise<Response> {
  const { user, id } = await requireSession(context, request);
  return json({ sessions: await listSessions(context.db, user.id, context.now), current: id });
}

/** `POST /auth/sessions/end { id }`; without an id all but this one. */
export async function endSessions(context: Context, request: Request): Promise<Response> {
  const session = await requireSession(context, request);
  const { id } = await readTexts(request, ['id']);
  if (id === '') await endOtherSessions(context.db, session.user.id, session.id);
  else if (!(await endSession(context.db, session.user.id, id)))
    throw new Refusal('not_found', 'There is no such session.');
  return json({ ok: true });
}

/** `POST /auth/passkey/delete-passkey { id }`. better-auth's own tells another person's passkey from one that never was. */
export async function removePasskey(context: Context, request: Request): Promise<Response> {
  await limitAttempts(context, request);
  const { user } = await requireFactors(context, request);
  const { id } = await readTexts(request, ['id']);
  if (!(await deletePasskey(context.db, user.id, id))) throw new Refusal('not_found', 'This passkey does not exist.');
  return json({ ok: true });
}

/** `POST /auth/invitations/accept { id, organisation_id }`. */
export async function acceptInvitation(context: Context, request: Request): Promise<Response> {
  const { user } = await requireSession(context, request);
  const { id, organisation_id: organisationId } = await readTexts(request, ['id', 'organisation_id']);
  if (!(await context.entrypoint.acceptInvitation(user, organisationId, id)))
    throw new Refusal('not_found', 'The invitation was withdrawn, has expired, or is for another address.');
  return json({ ok: true });
}

/** `POST /auth/organisations { name }`: for people of the domains that may register. */
export async function createOrganisation(context: Context, request: Request): Promise<Response> {
  const { user } = await requireSession(context, request);
  const { name } = await readTexts(request, ['name']);
  if (!context.settings.signupDomains.includes(user.email.slice(user.email.lastIndexOf('@') + 1)))
    throw new Refusal('forbidden', 'Organisations are made by invitation here.');
  await limit(context, { limit: 'organisations', of: user.id });
  return json(await context.entrypoint.createOrganisation(user, name.trim()), {}, 201);
}

/** An authenticator's answer, with its attestation. */
const PASSKEY_BYTES_MAX = 65_536;

type Needs = (context: Context, request: Request) => Promise<Session>;

/**
 * The paths of better-auth that a page may call, by method and required session. Others stay closed, including a GET
 * that signs in.
 */
const INNER: Readonly<Record<string, readonly ['GET' | 'POST', Needs?]>> = {
  '/sign-out': ['POST'],
  '/passkey/generate-register-options': ['GET', requireFresh],
  '/passkey/verify-registration': ['POST', requireFresh],
  '/passkey/generate-authenticate-options': ['GET'],
  '/passkey/verify-authentication': ['POST'],
  '/passkey/list-user-passkeys': ['GET', requireSession],
  '/two-factor/enable': ['POST', requireFresh],
  '/two-factor/disable': ['POST', requireFresh],
};

/** `POST /auth/code { code }`: of the authenticator app, or a backup code, which is used up. The first one switches the app on. */
export async function proveCode(context: Context, request: Request): Promise<Response> {
  await limitAttempts(context, request);
  const { code } = await readTexts(request, ['code']);
  const session = await requireAnySession(context, request);
  const { user } = session;
  const isFirst = !(await readFactors(context.db, user.id)).totp;
  // It starts a new session.
  if (isFirst) await requireFresh(context, request);
  await limit(context, { limit: 'codes', of: user.id }, { limit: 'sameCode', of: `${user.id} ${code}` });
  const path = /^\d{6}$/.test(code) ? 'verify-totp' : 'verify-backup-code';
  const inner = new Request(new URL(`${AUTH_PATH}/two-factor/${path}`, context.settings.url), {
    method: 'POST',
    headers: forwarded(request.headers),
    body: JSON.stringify({ code }),
  });
  const answer = await askInner(context, inner);
  if (answer.status !== 200) throw new Refusal('invalid_request', 'This code is wrong, or no longer good.');
  if (!isFirst) await markSecondFactor(context.db, session.id, context.now);
  log('info', 'second_factor', { user: user.id });
  return withCookies(json({ ok: true }), answer.headers.getSetCookie());
}

/** Null for a path that is not an open one of better-auth. */
export async function serveInner(context: Context, request: Request): Promise<Response | null> {
  const { pathname, search } = new URL(request.url);
  const path = pathname.slice('/auth'.length);
  const [method, needs] = INNER[path] ?? [];
  if (method !== request.method) return null;
  if (path !== '/sign-out') await limitAttempts(context, request);
  await needs?.(context, request);
  const body = request.method === 'POST' ? await readBody(request, PASSKEY_BYTES_MAX) : null;
  const inner = new URL(`${AUTH_PATH}${path}${search}`, context.settings.url);
  const answer = await askInner(
    context,
    new Request(inner, { method: request.method, headers: forwarded(request.headers), body }),
  );
  if (path === '/passkey/verify-authentication') await logSignIn('passkey', answer);
  return answer;
}
