import type { Hono, MiddlewareHandler } from 'hono';
import { inOrder } from '../../contract/field-order.ts';
import type { RouteDeclaration } from '../../contract/route.ts';
import type { RouteId } from '../../contract/routes.ts';
import type { Download } from '../../services/bulk/jobs.ts';
import { authenticate, authenticateBootstrap } from './authenticate.ts';
import { signedBody, streamedBody } from './body.ts';
import type { HttpEnv } from './env.ts';
import type { Handler } from './handlers.ts';
import { expectedVersions } from './preconditions.ts';
import { sendFile, setTraceHeader, setVersionTag } from './response.ts';
import { validators } from './validate.ts';

/** Serves a route as it is declared; `id` is what an `Idempotency-Key` is kept with. */
export function mountRoute(app: Hono<HttpEnv>, id: RouteId, route: RouteDeclaration, handle: Handler): void {
  app.on(route.method.toUpperCase(), [route.path], ...admission(id, route), async (c) => {
    const { services, operation } = c.var;
    const input = {
      signed: route.signed && (await signedBody(c, route.signed)),
      upload: route.upload === undefined ? undefined : streamedBody(c),
      params: c.req.valid('param' as never),
      query: c.req.valid('query' as never),
      body: c.req.valid('json' as never),
      bootstrapToken: c.var.bootstrapToken,
      expected: expectedVersions(route.versioned === true ? c.req.header('If-Match') : undefined),
    };
    // Operator routes ask for nothing but the key; every other use case asks together with what it probes.
    if (route.access === 'operator') await operation?.admit(null);
    const answer = await handle({ services, operation, ...input });
    setTraceHeader(c, answer);
    if (route.versioned === true) setVersionTag(c, answer);
    if ('contentType' in route.response) return sendFile(c, answer as Download, route.response.contentType);
    // What is metered is made on the spot, in its order, and has no time for more.
    const body = route.meter === null ? inOrder(route.response.schema, answer) : answer;
    return c.json(body as object, route.response.status);
  });
}

/** What stands before a route: its name for the log, its key, its input. */
export function admission(id: string, route: RouteDeclaration): MiddlewareHandler<HttpEnv>[] {
  const named: MiddlewareHandler<HttpEnv> = async (c, next) => {
    c.set('route', route.path);
    await next();
  };
  if (route.access === 'public') return [named, ...validators(route)];
  if (route.access === 'bootstrap') return [named, authenticateBootstrap];
  return [named, authenticate(id, route), ...validators(route)];
}
