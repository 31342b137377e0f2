import type { Hono } from 'hono';
import type { RouteDeclaration } from '../../contract/route.ts';
import { ROUTES, type RouteId } from '../../contract/routes.ts';
import { MCP } from '../../contract/tools.ts';
import { DomainError } from '../../kernel/errors.ts';
import { mountMcp } from '../mcp/door.ts';
import { DOCS_PATHS, mountDocs } from './docs.ts';
import type { HttpEnv } from './env.ts';
import { framedApp, type OpenServices } from './frame.ts';
import { HANDLERS, type Handler } from './handlers.ts';
import { mountRoute } from './mount.ts';

/** The HTTP door. Every route comes from its declaration; an unknown path or method is answered before authentication. */
export function createApp(openServices: OpenServices): Hono<HttpEnv> {
  const app = framedApp(openServices);
  const declared = Object.entries(ROUTES) as [RouteId, RouteDeclaration][];
  for (const [id, route] of declared) mountRoute(app, id, route, HANDLERS[id] as Handler);
  mountMcp(app, openServices);

  const allowed = new Map<string, string[]>();
  for (const { path, method } of [...declared.map(([, route]) => route), MCP]) {
    allowed.set(path, [...(allowed.get(path) ?? []), method.toUpperCase()]);
  }
  mountDocs(app);
  for (const path of DOCS_PATHS) allowed.set(path, ['GET']);
  for (const [path, methods] of allowed) {
    app.all(path, (c) => {
      c.set('route', path);
      throw new DomainError('method_not_allowed', `Use ${methods.join(' or ')} here.`, { allow: methods });
    });
  }
  return app;
}
