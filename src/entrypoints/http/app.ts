import type { Hono } from 'hono';
import { HonoBase } from 'hono/hono-base';
import { secureHeaders } from 'hono/secure-headers';
import { MCP } from '../../contract/tools.ts';
import type { PersonClaims } from '../../domain/access/member-records.ts';
import { DomainError } from '../../kernel/errors.ts';
import { mountMcp } from '../mcp/door.ts';
import { VERBS } from '../verbs.ts';
import { DOCS_PATHS, mountDocs } from './docs.ts';
import type { HttpEnv } from './env.ts';
import { mountVerb } from './mount.ts';
import { answerError, type OpenDeps, served } from './served.ts';
import { StaticPathsRouter } from './static-paths-router.ts';

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
  app.use(secureHeaders(), (c, next) =>
    served(c, openDeps, personOf(c.req.raw), async () => {
      // Of answers that come without headers of their own: redirects, pages.
      c.header('x-trace-id', c.get('requestId'));
      c.header('Cache-Control', 'no-store');
      await next();
      return c.res;
    }),
  );
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
