import { DrizzleQueryError } from 'drizzle-orm/errors';
import { json, Refusal, refused, log, servePage } from './answers.ts';
import { serveApi, readOperations } from './api.ts';
import { requireOwnOrigin } from './body.ts';
import { type Connect, type Context, openContext } from './context.ts';
import { dropExpired } from './people.ts';
import {
  acceptInvitation,
  createOrganisation,
  endSessions,
  proveCode,
  readMe,
  readSessions,
  removePasskey,
  serveInner,
} from './session.ts';
import { type DashboardEnv, readSettings } from './settings.ts';
import { askLink, readLink, takeLink } from './sign-in.ts';

type Handler = (context: Context, request: Request) => Promise<Response>;

const ROUTES: Readonly<Record<string, Handler>> = {
  'GET /auth/means': async ({ hasLinks }) => json({ mail: await hasLinks() }),
  'GET /auth/api': async ({ entrypoint }) => json({ url: await entrypoint.publicUrl() }),
  'POST /auth/link': askLink,
  'POST /auth/link/read': readLink,
  'POST /auth/link/use': takeLink,
  'GET /auth/me': readMe,
  'GET /auth/operations': readOperations,
  'GET /auth/sessions': readSessions,
  'POST /auth/sessions/end': endSessions,
  'POST /auth/passkey/delete-passkey': removePasskey,
  'POST /auth/code': proveCode,
  'POST /auth/invitations/accept': acceptInvitation,
  'POST /auth/organisations': createOrganisation,
};

/** For answers that are no pages: they load nothing and can't be framed. */
const NO_PAGE_POLICY = "default-src 'none'; frame-ancestors 'none'";

/** On every answer of this Worker; `_headers` has those of the files. */
const SECURITY_HEADERS = {
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
};

async function serve(context: Context, request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  requireOwnOrigin(request, context.settings.url);
  if (pathname.startsWith('/api/')) return serveApi(context, request);
  if (pathname.startsWith('/auth/')) {
    const answer =
      (await ROUTES[`${request.method} ${pathname}`]?.(context, request)) ?? (await serveInner(context, request));
    if (answer === null) throw new Refusal('not_found', 'There is nothing at this path.');
    return answer;
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') throw new Refusal('method_not_allowed', 'Use GET here.');
  // The page's own file lacks the nonce.
  if (/\.\w+$/.test(pathname) && pathname !== '/index.html') return context.assets.fetch(request);
  return servePage(context);
}

/** A failed call of the API or of Postgres; anything else is a bug. */
const isAway = (error: unknown): boolean => {
  const { name, message } = Object(error) as { name?: string; message?: string };
  return (
    name === 'NeonDbError' ||
    error instanceof DrizzleQueryError ||
    /network connection|service binding|timed? ?out|does not implement|is away/i.test(message ?? '')
  );
};

/** `behind`: errors inside better-auth, which throws an error of its own for them. */
function answerError(error: unknown, behind: readonly Error[]): Response {
  const traceId = `rq_${crypto.randomUUID().replaceAll('-', '')}`;
  if (error instanceof Refusal) return refused(error, traceId);
  const away = [error, ...behind].some(isAway);
  log('error', away ? 'dependency_away' : 'bug', { trace_id: traceId, name: (error as Error | null)?.name });
  return away
    ? refused(
        new Refusal('dependency_unavailable', 'The service can’t be reached at the moment: try again.', 5),
        traceId,
      )
    : refused(new Refusal('internal_error', 'Something went wrong on our side.'), traceId);
}

/** The Worker. `connect`: another Postgres in tests. */
export const createDashboard = (connect: Connect) => ({
  async fetch(request: Request, env: DashboardEnv, ctx: Pick<ExecutionContext, 'waitUntil'>): Promise<Response> {
    const settings = readSettings(env);
    const { pathname, search } = new URL(request.url);
    let answer: Response;
    if ('wrong' in settings) {
      log('error', 'misconfigured', { settings: settings.wrong });
      answer = refused(new Refusal('internal_error', 'The dashboard is not set up.'), 'rq_misconfigured');
    } else if (pathname === '/health') {
      answer = json({ status: 'ok' });
    } else {
      const context = openContext(env, settings, connect, (work) => ctx.waitUntil(work));
      answer = await serve(context, request).catch((error: unknown) => answerError(error, context.failures));
      // A page under another name would have other cookies, and no passkey.
      if (
        request.headers.get('sec-fetch-mode') === 'navigate' &&
        new URL(request.url).host !== new URL(settings.url).host
      )
        answer = Response.redirect(`${settings.url}${pathname}${search}`, 302);
    }
    const headers = new Headers(answer.headers);
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) headers.set(name, value);
    if (!headers.has('content-security-policy')) headers.set('content-security-policy', NO_PAGE_POLICY);
    return new Response(answer.body, { status: answer.status, headers });
  },

  async scheduled(_controller: unknown, env: DashboardEnv): Promise<void> {
    const settings = readSettings(env);
    if ('wrong' in settings) return log('error', 'misconfigured', { settings: settings.wrong });
    await dropExpired(connect(settings.databaseUrl, settings.databaseHttpUrl), Date.now());
  },
});
