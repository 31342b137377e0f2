import { Hono, type MiddlewareHandler } from 'hono';
import { secureHeaders } from 'hono/secure-headers';
import type { Download } from '../../app/bulk/jobs.ts';
import { serviceClock } from '../../app/clock.ts';
import type { Services } from '../../app/services.ts';
import { ROUTES, type RouteDeclaration, type RouteId } from '../../contract/routes.ts';
import { DomainError } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import { authenticate, authenticateBootstrap } from './authenticate.ts';
import { signedBody, streamedBody } from './body.ts';
import { DOCS_PATHS, mountDocs } from './docs.ts';
import type { HttpEnv } from './env.ts';
import { errorAnswer } from './errors.ts';
import { HANDLERS, type Handler } from './handlers.ts';
import { expectedVersions } from './preconditions.ts';
import { logRequest, reportBug, sendFile, setRateHeaders, setTraceHeader, setVersionTag } from './response.ts';
import { validators } from './validate.ts';

/** Builds what a request needs from the bindings; `defer` lets work go on behind the answer. */
export type OpenServices = (env: Env, defer: (work: Promise<unknown>) => void) => Services;

/** Names requests: also those that no setting could be read for, and so no service time. */
const wallClock = serviceClock(0);

/** The HTTP door. Every route comes from its declaration; an unknown path or method is answered before authentication. */
export function createApp(openServices: OpenServices): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  app.use(secureHeaders(), async (c, next) => {
    c.set('requestId', newId('rq', wallClock()));
    c.header('x-trace-id', c.var.requestId);
    const services = openServices(c.env, (work) => c.executionCtx.waitUntil(work));
    c.set('services', services);
    const startedAt = services.now();
    await next();
    setRateHeaders(c, c.var.operation?.rate() ?? null);
    logRequest(c, services.now() - startedAt);
  });

  const allowed = new Map<string, string[]>();
  for (const [id, route] of Object.entries(ROUTES) as [RouteId, RouteDeclaration][]) {
    const method = route.method.toUpperCase();
    allowed.set(route.path, [...(allowed.get(route.path) ?? []), method]);
    app.on(method, [route.path], ...middleware(id, route), async (c) => {
      const { services, operation } = c.var;
      const input = {
        signed: route.signed && (await signedBody(c, route.signed)),
        upload: route.upload === undefined ? undefined : streamedBody(c),
        params: c.req.valid('param' as never),
        query: c.req.valid('query' as never),
        body: c.req.valid('json' as never),
        expected: expectedVersions(route.versioned === true ? c.req.header('If-Match') : undefined),
      };
      // Operator routes ask for nothing but the key; every other use case asks together with what it probes.
      if (route.access === 'operator') await operation?.admit(null);
      const answer = await (HANDLERS[id] as Handler)({ services, operation, ...input });
      setTraceHeader(c, answer);
      if (route.versioned === true) setVersionTag(c, answer);
      return 'schema' in route.response
        ? c.json(answer as object, route.response.status)
        : sendFile(c, answer as Download, route.response.contentType);
    });
  }
  mountDocs(app);
  for (const path of DOCS_PATHS) allowed.set(path, ['GET']);
  for (const [path, methods] of allowed) {
    app.all(path, (c) => {
      c.set('route', path);
      throw new DomainError('method_not_allowed', `Use ${methods.join(' or ')} here.`, { allow: methods });
    });
  }
  app.notFound(() => {
    throw new DomainError('not_found', 'There is nothing at this path.');
  });
  app.onError(async (error, c) => {
    const { status, body, headers, bug } = errorAnswer(error, c.var.requestId);
    c.set('errorCode', body.error.code);
    if (bug !== null) await reportBug(c, bug);
    return c.json(body, status, headers);
  });
  return app;
}

function middleware(id: RouteId, route: RouteDeclaration): MiddlewareHandler<HttpEnv>[] {
  const named: MiddlewareHandler<HttpEnv> = async (c, next) => {
    c.set('route', route.path);
    await next();
  };
  if (route.access === 'public') return [named, ...validators(route)];
  if (route.access === 'bootstrap') return [named, authenticateBootstrap];
  return [named, authenticate(id, route), ...validators(route)];
}
