import type { Context, Hono } from 'hono';
import { HonoBase } from 'hono/hono-base';
import { RegExpRouter } from 'hono/router/reg-exp-router';
import { secureHeaders } from 'hono/secure-headers';
import { DomainError } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import { discardRest } from '../../kernel/read-body.ts';
import { serviceClock } from '../../runtime/clock.ts';
import type { Deps } from '../../services/deps.ts';
import type { HttpEnv } from './env.ts';
import { errorAnswer } from './errors.ts';
import { logRequest, reportFailure, setRateHeaders } from './response.ts';

/** Builds what a request needs from the bindings; `defer` lets work go on behind the answer. */
export type OpenDeps = (env: Env, defer: (work: Promise<unknown>) => void) => Deps;

/** Names requests: also those that no setting could be read for, and so no service time. */
const wallClock = serviceClock(0);

/**
 * Whoever is answered while still sending finds the connection closed, and may never see the answer. So the rest of a refused
 * body is taken first: somewhat more than the largest file, and not for long, as less may come than was announced.
 */
const REST = { limitBytes: 64 * 2 ** 20, timeoutMs: 2_000 };

/** An app without routes: it names each request, opens what it needs, logs it, and answers whatever goes wrong. */
export function framedApp(openDeps: OpenDeps): Hono<HttpEnv> {
  // The router that `new Hono()` comes to with paths like ours, without those that it carries for others.
  const app = new HonoBase<HttpEnv>({ router: new RegExpRouter() });
  app.use(secureHeaders(), async (c, next) => {
    c.set('requestId', newId('rq', wallClock()));
    c.header('x-trace-id', c.var.requestId);
    // An answer is about a person, or about a key. Assets have cache headers of their own.
    c.header('Cache-Control', 'no-store');
    const deps = openDeps(c.env, (work) => c.executionCtx.waitUntil(work));
    c.set('deps', deps);
    const startedAt = deps.now();
    const serve = async () => {
      await next();
      setRateHeaders(c.res.headers, c.var.operation?.rate() ?? null);
      logRequest(c, deps.now() - startedAt);
    };
    const served = serve();
    // When a caller hangs up, the runtime ends everything that `waitUntil` does not know. A charged request finishes all the
    // same: its trace and spend are entered, and a repeat under its `Idempotency-Key` finds the answer.
    c.executionCtx.waitUntil(served);
    await served;
  });
  // Not thrown: what is thrown there passes the log by.
  app.notFound((c) => refuse(new DomainError('not_found', 'There is nothing at this path.'), c));
  app.onError(refuse);
  return app;
}

async function refuse(error: Error, c: Context<HttpEnv>): Promise<Response> {
  const { status, body, headers, failure } = errorAnswer(error, c.var.requestId);
  c.set('errorCode', body.error.code);
  if (failure !== null) reportFailure(c, failure);
  await c.var.operation?.reverse();
  await discardRest(c.req.raw.body, REST);
  return c.json(body, status, headers);
}
