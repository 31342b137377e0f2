import type { Hono } from 'hono';
import { MCP } from '../../contract/tools.ts';
import { DomainError } from '../../kernel/errors.ts';
import { mountMcp } from '../mcp/door.ts';
import { VERBS } from '../verbs.ts';
import { DOCS_PATHS, mountDocs } from './docs.ts';
import type { HttpEnv } from './env.ts';
import { framedApp, type OpenDeps } from './frame.ts';
import { mountVerb } from './mount.ts';

/** The HTTP door. Every route comes from its declaration; an unknown path or method is answered before authentication. */
export function createApp(openDeps: OpenDeps): Hono<HttpEnv> {
  const app = framedApp(openDeps);
  const routes = Object.values(VERBS).map(({ route }) => route);
  for (const verb of Object.values(VERBS)) mountVerb(app, verb);
  mountMcp(app);

  const allowed = new Map<string, string[]>();
  for (const { path, method } of [...routes, MCP]) {
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
