import type { Context, MiddlewareHandler } from 'hono';
import type { RouteDeclaration } from '../../contract/route.ts';
import type { PersonClaims } from '../../domain/access/member-records.ts';
import { newId } from '../../kernel/ids.ts';
import { serviceClock } from '../../runtime/config.ts';
import type { ServiceDeps } from '../../services/deps.ts';
import { callerOf } from '../../services/frame.ts';
import { logRequest } from './answers.ts';
import type { HttpEnv } from './env.ts';

/** Builds what a request needs from the bindings; `defer` defers work until after the answer. */
export type OpenDeps = (env: Env, defer: (work: Promise<unknown>) => void) => ServiceDeps;

/** Names requests, even if the setting of the service's clock can't be read. */
const wallClock = serviceClock(0);

/**
 * Names the request and opens what it needs. Its line is logged once the answer is complete. `personOf`: the person
 * behind a request from the dashboard.
 */
export const requestContext =
  (
    openDeps: OpenDeps,
    personOf: (request: Request) => PersonClaims | undefined = () => undefined,
  ): MiddlewareHandler<HttpEnv> =>
  async (c, next) => {
    const requestId = newId('rq', wallClock());
    c.set('requestId', requestId);
    const deps = openDeps(c.env, (work) => c.executionCtx.waitUntil(work));
    c.set('deps', deps);
    c.set('person', personOf(c.req.raw));
    const startedAt = deps.now();
    c.set('startedAt', startedAt);
    const serve = async (): Promise<void> => {
      await next();
      // Not `c.header`, which copies an existing answer.
      const { headers } = c.res;
      // An answer is about a person or a key, so nothing on its way caches it. Assets have cache headers of their own.
      if (!headers.has('Cache-Control')) headers.set('Cache-Control', 'no-store');
      if (!headers.has('x-trace-id')) headers.set('x-trace-id', requestId);
      deps.endInvocation();
      logRequest(c, deps.now() - startedAt);
    };
    const serving = serve();
    // When a caller hangs up, the runtime ends all work that `waitUntil` does not know. A charged request must finish:
    // its trace and spend are stored, and a repeat under its `Idempotency-Key` gets the answer.
    c.executionCtx.waitUntil(serving);
    await serving;
  };

/** RFC 6750, with the scheme in any case (RFC 9110). */
const BEARER = /^bearer +(\S+)$/i;

/** What the caller sent as its key. */
export const tokenOf = (c: Context<HttpEnv>): string => BEARER.exec(c.req.header('Authorization') ?? '')?.[1] ?? '';

/** Reads the key by its form and MAC, without I/O, if the route takes one. The object has the last word. */
export const authenticate =
  ({ path, access }: RouteDeclaration): MiddlewareHandler<HttpEnv> =>
  (c, next) => {
    c.set('route', path);
    if (access !== 'public' && access !== 'bootstrap')
      c.set('caller', c.get('person') ?? callerOf(c.get('deps'), tokenOf(c)));
    return next();
  };
