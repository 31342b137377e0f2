import { json, Refusal } from './answers.ts';
import { AUTH_PATH } from './auth.ts';
import { readBody, readTexts } from './body.ts';
import type { Context } from './context.ts';
import { timeOf } from './database.ts';
import { deletePasskey, endOtherSessions, endSession, listSessions } from './people.ts';
import { isOperator } from './settings.ts';
import { askInner, forwarded, limit, limitAttempts, logSignIn, rememberBrowser, withCookies } from './sign-in.ts';

export interface Session {
  readonly id: string;
  readonly signedInAt: number;
  readonly user: { readonly id: string; readonly email: string; readonly name: string | null };
  /** Where the session was renewed: its cookie. */
  readonly cookies: readonly string[];
}

/** The session of the request's cookie, of which Postgres knows whether it was ended. */
async function findSession({ auth }: Context, request: Request): Promise<Session | null> {
  if (!request.headers.has('cookie')) return null;
  const { headers, response } = await auth.api.getSession({
    headers: forwarded(request.headers),
    returnHeaders: true,
  });
  if (response === null) return null;
  const { session, user } = response;
  return {
    id: session.id,
    signedInAt: timeOf(session.createdAt),
    user: { id: user.id, email: user.email, name: user.name || null },
    cookies: headers.getSetCookie(),
  };
}

export async function requireSession(context: Context, request: Request): Promise<Session> {
  const session = await findSession(context, request);
  if (session === null) throw new Refusal('unauthorized', 'Sign in first.');
  return session;
}

/** `GET /auth/me`: who is signed in, and where they belong. */
export async function readMe(context: Context, request: Request): Promise<Response> {
  const session = await requireSession(context, request);
  const { user, id, signedInAt, cookies } = session;
  const [organisations, invitations] = await Promise.all([
    context.entrypoint.listOrganisations(user.id),
    context.entrypoint.listInvitations(user.email),
  ]);
  const body = {
    user,
    session: { id, signed_in_at: Math.floor(signedInAt / 1000) },
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
  const { user } = await requireSession(context, request);
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

/** The answer of an authenticator, with its attestation. */
const PASSKEY_BYTES_MAX = 65_536;

/** The paths of better-auth that a page may call, by method. Its others stay closed, a GET that signs in among them. */
const INNER: Readonly<Record<string, 'GET' | 'POST'>> = {
  '/sign-out': 'POST',
  '/passkey/generate-register-options': 'GET',
  '/passkey/verify-registration': 'POST',
  '/passkey/generate-authenticate-options': 'GET',
  '/passkey/verify-authentication': 'POST',
  '/passkey/list-user-passkeys': 'GET',
};

/** Null: the path is not one of better-auth's that are open. */
export async function serveInner(context: Context, request: Request): Promise<Response | null> {
  const { pathname, search } = new URL(request.url);
  const path = pathname.slice('/auth'.length);
  if (INNER[path] !== request.method) return null;
  if (path !== '/sign-out') await limitAttempts(context, request);
  const body = request.method === 'POST' ? await readBody(request, PASSKEY_BYTES_MAX) : null;
  const inner = new URL(`${AUTH_PATH}${path}${search}`, context.settings.url);
  const answer = await askInner(
    context,
    new Request(inner, { method: request.method, headers: forwarded(request.headers), body }),
  );
  if (path === '/passkey/verify-authentication') await logSignIn('passkey', answer);
  return answer;
}
