import type { Context, Hono } from 'hono';
import { HonoBase } from 'hono/hono-base';
import { secureHeaders } from 'hono/secure-headers';
import { MCP } from '../../contract/tools.ts';
import type { PersonClaims } from '../../domain/access/member-records.ts';
import { DomainError } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import { discardRest } from '../../kernel/read-body.ts';
import { serviceClock } from '../../runtime/clock.ts';
import type { ServiceDeps } from '../../services/deps.ts';
import { mountMcp } from '../mcp/door.ts';
import { VERBS } from '../verbs.ts';
import { DOCS_PATHS, mountDocs } from './docs.ts';
import type { HttpEnv } from './env.ts';
import { errorAnswer } from './errors.ts';
import { mountVerb } from './mount.ts';
import { logRequest, reportFailure, setRateHeaders } from './response.ts';
import { StaticPathsRouter } from './static-paths-router.ts';

/** Builds what a request needs from the bindings; `defer` lets work go on behind the answer. */
type OpenDeps = (env: Env, defer: (work: Promise<unknown>) => void) => ServiceDeps;

/** Names requests, those too for which the setting of the service's clock can't be read. */
const wallClock = serviceClock(0);

/**
 * A caller who is still sending may find the connection closed and miss the answer. So the rest of a refused body is read
 * first: somewhat more than the largest file, for a limited time, as less may come than was announced.
 */
const REST = { limitBytes: 64 * 2 ** 20, timeoutMs: 2_000 };

/**
 * The HTTP door. Every route comes from its declaration; an unknown path or method is answered before the key is read.
 * `personOf`: who asks, of a request that came through the dashboard's door.
 */
export function createApp(
  openDeps: OpenDeps,
  personOf: (request: Request) => PersonClaims | undefined = () => undefined,
): Hono<HttpEnv> {
  // On the router that `new Hono()` picks for paths like ours (a fixed one beside a parameter: `/v1/traces/search`), without the
  // others that it would carry.
  const app = new HonoBase<HttpEnv>({ router: new StaticPathsRouter() });
  app.use(secureHeaders(), async (c, next) => {
    c.set('requestId', newId('rq', wallClock()));
    c.header('x-trace-id', c.get('requestId'));
    // An answer is about a person or a key. Assets have cache headers of their own.
    c.header('Cache-Control', 'no-store');
    const deps = openDeps(c.env, (work) => c.executionCtx.waitUntil(work));
    c.set('deps', deps);
    c.set('person', personOf(c.req.raw));
    const startedAt = deps.now();
    const serve = async () => {
      await next();
      deps.writeFacts();
      setRateHeaders(c.res.headers, c.get('exchange')?.rate() ?? null);
      logRequest(c, deps.now() - startedAt);
    };
    const served = serve();
    // When a caller hangs up, the runtime ends all work that `waitUntil` does not know. A charged request has to finish: its
    // trace and spend are entered, and a repeat under its `Idempotency-Key` finds the answer.
    c.executionCtx.waitUntil(served);
    await served;
  });
  mountRoutes(app);
  // Not thrown: the log would miss it.
  app.notFound((c) => answerError(new DomainError('not_found', 'There is nothing at this path.'), c));
  app.onError(answerError);
  return app;
}

function mountRoutes(app: Hono<HttpEnv>): void {
  for (const [name, verb] of Object.entries(VERBS)) mountVerb(app, name, verb);
  mountMcp(app);
  mountDocs(app);
  const allowed = new Map<string, string[]>();
  for (const { path, method } of [...Object.values(VERBS).map(({ route }) => route), MCP]) {
    allowed.set(path, [...(allowed.get(path) ?? []), method.toUpperCase()]);
  }
  for (const path of DOCS_PATHS) allowed.set(path, ['GET']);
  // The first that matches answers: a fixed path before one with a parameter.
  for (const [path, methods] of [...allowed].toSorted(
    ([a], [b]) => Number(a.includes(':')) - Number(b.includes(':')),
  )) {
    app.all(path, (c) => {
      c.set('route', path);
      throw new DomainError('method_not_allowed', `Use ${methods.join(' or ')} here.`, { allow: methods });
    });
  }
}

/** Answers an error of any kind, and takes back what the request was charged. */
async function answerError(error: Error, c: Context<HttpEnv>): Promise<Response> {
  const { status, body, headers, failure } = errorAnswer(error, c.get('requestId'));
  c.set('errorCode', body.error.code);
  if (failure !== null) reportFailure(c, failure);
  await c.get('exchange')?.reverse();
  await discardRest(c.req.raw.body, REST);
  return c.json(body, status, headers);
}
