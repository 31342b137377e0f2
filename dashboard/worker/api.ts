import { Refusal, json } from './answers.ts';
import type { Context } from './context.ts';
import { requireSession } from './session.ts';
import { isOperator } from './settings.ts';
import { withCookies } from './sign-in.ts';

/** `/api/<organisation>/v1/…`: a call of the API as the signed-in person. */
const PATH = /^\/api\/(org_[0-9a-z]{26})(\/v1\/[\w./-]*)$/;

/** Headers that the API reads. The person is never in a header. */
const REQUEST_HEADERS = ['accept', 'content-type', 'if-match', 'idempotency-key'];
/** Headers of its answer for the browser. */
const ANSWER_HEADERS = [
  'content-type',
  'content-disposition',
  'etag',
  'retry-after',
  'x-trace-id',
  'ratelimit',
  'ratelimit-policy',
];

const picked = (headers: Headers, names: readonly string[]): Headers => {
  const kept = new Headers();
  for (const name of names) {
    const value = headers.get(name);
    if (value !== null) kept.set(name, value);
  }
  return kept;
};

export async function serveApi(context: Context, request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url);
  const [, organisationId, path] = PATH.exec(pathname) ?? [];
  if (organisationId === undefined || path === undefined)
    throw new Refusal('not_found', 'There is nothing at this path.');
  const { user, signedInAt, secondFactorAt, cookies } = await requireSession(context, request);
  // Node, where the tests run, requires `duplex` beside a stream.
  const sent = {
    method: request.method,
    headers: picked(request.headers, REQUEST_HEADERS),
    body: request.body,
    duplex: 'half',
  };
  const inner = new Request(`https://api.internal${path}${search}`, sent);
  const person = { organisationId, userId: user.id, signedInAt, hasSecondFactor: secondFactorAt !== null };
  const answer = await context.entrypoint.serve(person, inner);
  const headers = picked(answer.headers, ANSWER_HEADERS);
  for (const cookie of cookies) headers.append('set-cookie', cookie);
  return new Response(answer.body, { status: answer.status, headers });
}

const NOT_YOURS = 'This is for the people who run the service.';

/** `GET /auth/operations`: how the service does, for operators. The API asks its own list once more. */
export async function readOperations(context: Context, request: Request): Promise<Response> {
  const { user, cookies } = await requireSession(context, request);
  const operations = isOperator(context.settings, user.email)
    ? await context.entrypoint.readOperations(user.email)
    : null;
  if (operations === null) throw new Refusal('forbidden', NOT_YOURS);
  return withCookies(json(operations), cookies);
}
