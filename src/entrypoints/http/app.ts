import { Hono } from 'hono';
import { secureHeaders } from 'hono/secure-headers';
import { MCP } from '../../contract/mcp.ts';
import type { PersonClaims } from '../../domain/access/member-records.ts';
import { DomainError } from '../../kernel/errors.ts';
import { mountMcp } from '../mcp/mount.ts';
import { VERBS } from '../verbs.ts';
import { answerError } from './answers.ts';
import { DOCS_PATHS, mountDocs } from './docs.ts';
import type { HttpEnv } from './env.ts';
import { type OpenDeps, requestContext } from './middleware.ts';
import { routesOf } from './routes.ts';

/**
 * All of HTTP. Every route comes from its declaration; unknown paths and methods are answered before the key is read.
 */
export function createApp(
  openDeps: OpenDeps,
  personOf?: (request: Request) => PersonClaims | undefined,
): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  app.use(requestContext(openDeps, personOf), secureHeaders());
  app.route('/', routesOf(VERBS));
  mountMcp(app);
  mountDocs(app);
  refuseMethods(app);
  // Not thrown: the log would miss it.
  app.notFound((c) => answerError(new DomainError('not_found', 'There is nothing at this path.'), c));
  app.onError(answerError);
  return app;
}

/** Answers a known path with another method. */
function refuseMethods(app: Hono<HttpEnv>): void {
  const allowed = new Map<string, string[]>();
  for (const { path, method } of [...Object.values(VERBS).map(({ route }) => route), MCP]) {
    allowed.set(path, [...(allowed.get(path) ?? []), method.toUpperCase()]);
  }
  for (const path of DOCS_PATHS) allowed.set(path, ['GET']);
  // The first match answers: a fixed path before one with a parameter.
  for (const [path, methods] of [...allowed].toSorted(
    ([a], [b]) => Number(a.includes(':')) - Number(b.includes(':')),
  )) {
    app.all(path, (c) => {
      c.set('route', path);
      throw new DomainError('method_not_allowed', `Use ${methods.join(' or ')} here.`, { allow: methods });
    });
  }
}
