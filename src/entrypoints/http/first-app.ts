import { Hono } from 'hono';
import { secureHeaders } from 'hono/secure-headers';
import { FIRST_VERBS } from '../first-verbs.ts';
import { answerError } from './answers.ts';
import type { HttpEnv } from './env.ts';
import { type OpenDeps, requestContext } from './middleware.ts';
import { routesOf } from './routes.ts';

type WholeApp = Pick<Hono<HttpEnv>, 'fetch'>;

/**
 * The app that an isolate starts with: the few routes that callers wait for. `loadRest`: loads the app for everything
 * else, on the first such request.
 */
export function createFirstApp(openDeps: OpenDeps, loadRest: () => Promise<WholeApp>): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  const common = [requestContext(openDeps), secureHeaders()];
  for (const { route } of Object.values(FIRST_VERBS)) app.on(route.method.toUpperCase(), [route.path], ...common);
  app.route('/', routesOf(FIRST_VERBS));
  app.notFound(async (c) => (await loadRest()).fetch(c.req.raw, c.env, c.executionCtx));
  app.onError(answerError);
  return app;
}
